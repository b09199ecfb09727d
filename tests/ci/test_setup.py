# SPDX-License-Identifier: Apache-2.0
"""ci/setup.sh, on a PATH where every installer is a stub."""

import fcntl
import subprocess
from pathlib import Path

import pytest

from tests.ci.sandbox import Sandbox
from tests.waiting import PATIENCE

TOOLS = ("perl", "g++")  # what Verilator needs besides make, which COMMANDS has
STAMP = ".venv/.setup"


def pip_calls(box: Sandbox) -> list[str]:
    return [call for call in box.calls if call.startswith("python -m pip install")]


def test_first_run_installs_everything_in_one_go(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    done = box.setup("icarus")
    assert done.returncode == 0, done.stderr
    installs = [call for call in box.calls if call.startswith("apt-get install")]
    assert len(installs) == 1 and installs[0].endswith(" perl g++ iverilog")
    assert box.calls.index("apt-get update") < box.calls.index(installs[0])
    assert len(pip_calls(box)) == 1 and "-r requirements.txt" in pip_calls(box)[0]
    assert done.stdout.startswith("as root, apt-get installs these Debian packages: perl g++ iverilog\n")
    assert "set-up done" in done.stdout and done.stdout.count("iverilog") == 1
    assert box.run(".venv/bin/cacheforge", "sim").returncode == 0
    assert box.calls_file.read_text() == f"python {tmp_path}/ci/commands.py sim\n"


def test_second_run_installs_nothing_and_is_silent(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=(*TOOLS, "iverilog"))
    assert box.setup("icarus").returncode == 0
    for name in ("apt-get", "sudo", "python3"):
        box.stub(name, "#!/bin/bash\nexit 99\n")
    (tmp_path / "pip-fails").touch()
    done = box.setup("icarus")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert box.calls == []


def test_present_tools_need_no_root(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, user=1000, present=TOOLS)
    assert box.setup().returncode == 0
    assert not [call for call in box.calls if call.startswith("apt-get")]


@pytest.mark.parametrize(
    ("component", "packages"), [("icarus", "iverilog"), ("chromium", "chromium fonts-liberation")]
)
def test_without_root_one_line_says_what_to_type(tmp_path: Path, component: str, packages: str) -> None:
    box = Sandbox(tmp_path, user=1000, present=TOOLS)
    done = box.setup(component)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"error: missing: {packages}; type 'sudo apt-get install -y {packages}', then try again"
    ]
    assert box.calls == []


def test_sudo_without_password_is_used(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, user=1000, present=TOOLS)
    box.stub("sudo", '#!/bin/bash\n[[ $1 == -n ]] || exit 1\nshift\n[[ $1 == true ]] && exit 0\nexec "$@"\n')
    assert box.setup("icarus").returncode == 0
    assert any(call.startswith("apt-get install") and call.endswith(" iverilog") for call in box.calls)


def test_interrupted_run_starts_over(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=TOOLS)
    (tmp_path / "pip-fails").touch()
    failed = box.setup()
    assert failed.returncode == 2
    assert "no network" in failed.stderr and "build/setup.log" in failed.stderr
    assert (tmp_path / STAMP).read_text() == "unfinished\n"
    (tmp_path / ".venv/half").touch()
    (tmp_path / "pip-fails").unlink()
    assert box.setup().returncode == 0
    assert not (tmp_path / ".venv/half").exists(), "a half-filled environment must not be built upon"
    assert (tmp_path / STAMP).read_text() != "unfinished\n"


def test_changed_requirements_go_into_the_same_environment(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=TOOLS)
    box.setup()
    (tmp_path / ".venv/mine").touch()
    with (tmp_path / "requirements.txt").open("a") as file:
        file.write("more==1\n")
    assert box.setup().returncode == 0
    assert len(pip_calls(box)) == 1
    assert (tmp_path / ".venv/mine").exists()
    box.setup()
    assert box.calls == []


def test_environment_of_another_place_is_made_anew(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=TOOLS)
    box.setup()
    (tmp_path / ".venv/bin/activate").write_text("/elsewhere/.venv")
    (tmp_path / STAMP).write_text("key of elsewhere\n")
    assert box.setup().returncode == 0
    assert any(call.startswith("python -m venv") for call in box.calls)


def test_no_usable_python_without_root(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, user=1000, present=TOOLS)
    box.stub("python3", "#!/bin/bash\nexit 1\n")
    done = box.setup()
    assert done.returncode == 2
    assert "sudo apt-get install -y python3 python3-venv python3-dev" in done.stderr
    named = box.run("bash", "ci/setup.sh", PYTHON="python3")
    assert named.returncode == 2
    assert "no usable Python (python3)" in named.stderr and "3.11" in named.stderr


def test_unknown_component(tmp_path: Path) -> None:
    done = Sandbox(tmp_path, present=TOOLS).setup("firefox")
    assert done.returncode == 2
    assert "unknown component 'firefox'" in done.stderr


def test_two_at_a_time_install_once(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=TOOLS)
    box.setup()
    key = (tmp_path / STAMP).read_text()
    (tmp_path / STAMP).unlink()
    box.calls_file.write_text("")
    with (tmp_path / "build/.setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command, path = ["bash", "ci/setup.sh"], {"PATH": str(box.bin)}
        second = subprocess.Popen(command, cwd=tmp_path, env=path, stdout=subprocess.PIPE, text=True)
        assert second.stdout is not None
        assert "another set-up is running" in second.stdout.readline()
        (tmp_path / STAMP).write_text(key)  # the first one has done it
    second.communicate(timeout=PATIENCE)
    assert second.returncode == 0
    assert box.calls == []


def test_a_checkout_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    box = Sandbox(tmp_path, present=TOOLS)
    (tmp_path / "build").write_text("")
    done = box.setup()
    assert (done.returncode, done.stdout, box.calls) == (2, "", [])
    assert done.stderr == f"error: cannot write in {tmp_path}: set up a checkout of your own\n"

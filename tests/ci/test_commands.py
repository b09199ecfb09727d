# SPDX-License-Identifier: Apache-2.0
"""Commands of the project from outside its environment, and what ``--help`` says of each."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ci.sandbox import ROOT
from tests.waiting import PATIENCE

COMMANDS = (
    *("tb", "tb sim", "tb trace", "tb measure", "tb measure texunit", "tb plan", "tb frame"),
    *("tb frame renderer", "tb frame texunit", "report", "rtl", "formal", "workloads", "workloads list"),
    "bench",
    *("ci.nightly", "ci.nightly run", "ci.faults", "ci.synth", "ci.lint"),
    "ci.new",
)


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=environment or None, capture_output=True, text=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str) -> None:
    done = run(sys.executable, "-m", *command.split(), "--help")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("usage: .venv/bin/python -m ")


@pytest.mark.parametrize("command", COMMANDS)
def test_outside_the_environment_one_line_says_what_to_type(command: str, tmp_path: Path) -> None:
    done = run(sys.executable, "-S", "-m", *command.split(), PATH="/usr/bin:/bin", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and done.stdout == ""
    assert "has no module " in done.stderr and ": run make" in done.stderr
    assert done.stderr.endswith(f".venv/bin/python -S -m {command} works, too\n")
    assert done.stderr.count("\n") == 1


def test_a_missing_module_of_our_own_is_no_matter_of_the_environment(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "__init__.py").write_text("import configs\n")
    (tmp_path / "room" / "__main__.py").write_text("import tb.nothing\n")
    path = f"{tmp_path}:{ROOT}"
    done = run(sys.executable, "-m", "room", PATH="/usr/bin:/bin", PYTHONPATH=path)
    assert done.returncode == 1 and "Traceback" in done.stderr and "tb.nothing" in done.stderr

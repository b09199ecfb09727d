# SPDX-License-Identifier: Apache-2.0
"""What passed on the same sources is not run again; what depends on anything that changed is."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ci.passed import Passed, Sources
from configs import UserError
from tb.common.running import builds

FILES = {
    "rtl/simple/simple.v.mako": "",
    "rtl/dcache/dcache.v.mako": "",
    "rtl/mmu/mmu.v.mako": "dcache data ();",
    "tb/simple/env.py": "'as dcache has it'  # dcache",
    "tb/simple/smoke.toml": "# dcache says more\na = 1 # dcache",
    "tb/icache/env.py": "from tb.dcache import items\nBLOCK = 'mmu'",
    "rtl/mmu/parts.txt": "arbiter\nreader cache=icache\n",
    "rtl/simple/parts.txt": "fifo\n",
    "rtl/dcache/parts.txt": "\nfifo\n",
    "rtl/common/fifo.v.mako": "",
    "rtl/common/arbiter.v.mako": "",
    "rtl/common/reader.v.mako": "",
    "docs/dcache.md": "",
    "CHANGELOG.md": "",
    "tests/models/test_dcache.py": "",
    "tests/models/test_icache.py": "",
    "tests/models/test_simple.py": "",
    "tests/tb/test_planted.py": "from tests.tb import held",
    "tests/tb/held.py": "from tests.waiting import bound",
    "tests/tb/bugs/list.toml": "",
    "tests/tb/narrow.py": "BUGS = 'bugs'",
    "tests/waiting.py": "",
    "report/results.py": "",
    "bench/timing.py": "",
    "tb/common/measuring/scenes.py": "",
    "formal/engine.py": "",
    "formal/dcache/order.sv": "",
    "ci/mutate/changes.py": "",
    "ci/synth/result.py": "",
    "tests/formal/test_proofs.py": "from formal import engine",
    "tests/tb/test_mutants.py": "from ci.mutate import changes",
    "tests/report/test_simt.py": "from report import results; from tests.tb import narrow",
    "tests/tb/test_regression.py": "",
    "tb/dcache/smoke.toml": "",
    "tests/tb/test_testplan.py": "READS = 'docs/*.md'",
    "tests/ci/test_suite.py": "",
    "tests/ci/sandbox.py": "",
    "tests/ci/test_new.py": "from tests.ci import sandbox",
}
DCACHE = "tests/models/test_dcache.py::test_a"
ICACHE = "tests/models/test_icache.py::test_a"
SIMPLE = "tests/models/test_simple.py::test_a"
PLANTED = "tests/tb/test_planted.py::test_the_bugs_are_caught[dcache-paper-icarus-1]"
MMU = "tests/tb/test_planted.py::test_the_bugs_are_caught[mmu-paper-icarus-1]"
PLAN = "tests/tb/test_testplan.py::test_rows[dcache]"
SHORT = "tests/tb/test_regression.py::test_the_short_suite_hits_every_bin[dcache-icarus]"
ALL = "tests/ci/test_suite.py::test_a"
SANDBOX = "tests/ci/test_new.py::test_a"
PROOF = "tests/formal/test_proofs.py::test_it_is_proved[dcache-order]"
MUTANTS = "tests/tb/test_mutants.py::test_each[dcache]"
REPORT = "tests/report/test_simt.py::test_a[dcache]"
OF_DCACHE = {DCACHE, PLANTED, PLAN, SHORT, REPORT, PROOF, MUTANTS}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("edited", "again"),
    [
        ("rtl/simple/simple.v.mako", {SIMPLE, ALL}),
        ("rtl/dcache/dcache.v.mako", {*OF_DCACHE, ICACHE, MMU, ALL}),
        ("rtl/mmu/mmu.v.mako", {ICACHE, MMU, ALL}),
        ("rtl/common/fifo.v.mako", {*OF_DCACHE, ICACHE, MMU, SIMPLE, ALL}),
        ("rtl/common/arbiter.v.mako", {ICACHE, MMU, ALL}),
        ("rtl/common/reader.v.mako", {ICACHE, MMU, ALL}),
        ("rtl/simple/parts.txt", {SIMPLE, ALL}),
        ("rtl/common/new.v.mako", {*OF_DCACHE, ICACHE, MMU, SIMPLE, ALL}),
        ("tb/icache/env.py", {ICACHE, ALL}),
        ("docs/dcache.md", {PLAN, SANDBOX}),
        ("CHANGELOG.md", {PLAN, SANDBOX}),
        ("tests/models/test_dcache.py", {DCACHE, ALL}),
        ("tests/tb/test_planted.py", {PLANTED, MMU, ALL}),
        ("tb/dcache/smoke.toml", {SHORT, ALL}),
        ("tests/ci/test_suite.py", {ALL}),
        ("tests/waiting.py", {PLANTED, MMU, ALL}),
        ("tests/conftest.py", {*OF_DCACHE, ICACHE, MMU, SIMPLE, ALL}),
        ("tests/tb/held.py", {PLANTED, MMU, ALL}),
        ("tests/tb/narrow.py", {REPORT, ALL}),
        ("tests/tb/bugs/list.toml", {REPORT, ALL}),
        ("report/results.py", {REPORT, ALL}),
        ("bench/timing.py", {ALL}),
        ("tb/common/measuring/scenes.py", {REPORT, ALL}),
        ("formal/engine.py", {PROOF, MUTANTS, ALL}),
        ("formal/dcache/order.sv", {PROOF, MUTANTS, ALL}),
        ("ci/mutate/changes.py", {MUTANTS, ALL}),
        ("ci/synth/result.py", {REPORT, ALL}),
    ],
)
def test_an_edit_asks_for_what_depends_on_it(checkout: Path, edited: str, again: set[str]) -> None:
    tests = {*OF_DCACHE, ICACHE, MMU, SIMPLE, ALL, SANDBOX}
    again = again | ({SANDBOX} if ALL in again else set())
    record = Passed(checkout / "build" / "passed.sqlite", checkout)
    assert not record.before
    for test in tests:
        record.note(test, 1.0)
    record.write()
    (checkout / ".gitignore").write_text("build\n")
    unignored = Passed(checkout / "build" / "passed.sqlite", checkout)
    assert not unignored.before  # a new file of no block concerns everybody
    for test in tests:
        unignored.note(test, 1.0)
    unignored.write()
    assert Passed(checkout / "build" / "passed.sqlite", checkout).before == dict.fromkeys(tests, 1.0)
    (checkout / edited).write_text("'edited; holds a dcache'")
    assert Passed(checkout / "build" / "passed.sqlite", checkout).before.keys() == tests - again


def test_nothing_is_noted_once_the_sources_are_edited(checkout: Path) -> None:
    record = Passed(checkout / "build" / "passed.sqlite", checkout)
    record.note(DCACHE, 1.0)
    (checkout / "rtl/common/fifo.v.mako").write_text("edited")
    record.write()
    assert record.edited
    (checkout / "rtl/common/fifo.v.mako").write_text("")
    assert not Passed(checkout / "build" / "passed.sqlite", checkout).before


def test_a_folder_that_git_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no git checkout.*leave RESUME out"):
        Sources(tmp_path)


@pytest.mark.parametrize("processes", [0, 2])
def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path, processes: int) -> None:
    (tmp_path / ".gitignore").write_text("build\n*.pyc\n.pytest_cache\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    module = tmp_path / "test_it.py"
    module.write_text(
        "import os, pytest\n"
        "def test_good(): pass\n"
        "def test_bad(): assert os.environ.get('MENDED')\n"
        "@pytest.fixture\n"
        "def broken(): yield; assert os.environ.get('MENDED')\n"
        "def test_bad_end(broken): pass\n"
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)

    def run(mended: str = "", how: str = "--resume") -> tuple[int, str]:
        done = subprocess.run(
            [
                sys.executable, "-m", "pytest", "-p", "tests.conftest", f"-n{processes}", "-q", ".",
                how, "--measure=build/measured.json",
            ],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(builds.ROOT), "MENDED": mended},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        measured = json.loads((tmp_path / "build" / "measured.json").read_text())
        assert len(measured) == 3 and all(cost >= 0 for cost in measured.values())
        return done.returncode, done.stdout

    for _ in range(2):  # what is only noted does not count yet
        code, said = run(how="--note")
        assert code == 1 and "2 passed" in said and "1 failed" in said and "1 error" in said
    code, said = run("yes")
    assert code == 0 and "2 passed" in said and "not run again: 1 tests" in said
    code, said = run()
    assert code == 0 and "not run again: 3 tests" in said and "passed," not in said
    module.write_text(module.read_text() + "# edited\n")
    assert run()[0] == 1
    shutil.rmtree(tmp_path / ".git")
    code, said = run("yes", "--note")
    assert code == 0 and "3 passed" in said

# SPDX-License-Identifier: Apache-2.0
"""The short suite: what must be in it is, the rest is chosen by cost, and nothing is silently left out."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ci import suite
from ci.nightly import catalogue, ranking
from ci.nightly.catalogue import Job
from configs import UserError
from tb.common.components import testcase
from tb.common.running import builds, regression
from tests.tb.planted import groups as planted_groups
from utils.files import write_checked

BUG = f"{suite.NEEDED[0]}texcache-paper-icarus-1]"
COSTS = {f"{suite.PROOFS}quick]": 9.0, f"{suite.PROOFS}slow]": 90.0, BUG: 30.0, "cheap": 1.0, "dear": 40.0}


@pytest.fixture
def none_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "regression_seconds", lambda block: 0.0)


@pytest.mark.usefixtures("none_ranked")
@pytest.mark.parametrize(
    ("budget", "left"),
    [
        (0, {"cheap", "dear", f"{suite.PROOFS}slow]"}),
        (50, {"dear", f"{suite.PROOFS}slow]"}),
        (86, {f"{suite.PROOFS}slow]"}),
        (1000, set()),
    ],
)
def test_what_is_needed_stays_and_the_cheapest_fill_the_budget(budget: float, left: set[str]) -> None:
    assert suite.left_out(COSTS, budget) == left


def test_ranked_tests_count_against_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "regression_seconds", lambda block: 20.0)
    assert "dear" in suite.left_out(COSTS, 86)


def test_the_measured_suite_keeps_to_its_budget() -> None:
    """If what is needed alone no longer does, more of it must become cheap: see docs/testing.md."""
    seconds = suite.seconds_of_tests()
    out = suite.left_out(seconds)
    ranked = sum(map(suite.regression_seconds, catalogue.blocks()))
    assert ranked + sum(cost for test, cost in seconds.items() if test not in out) <= suite.BUDGET


def test_every_planted_bug_and_quick_proof_is_in_the_short_suite() -> None:
    seconds = suite.seconds_of_tests()
    out = suite.left_out(seconds)
    assert not {f"{suite.NEEDED[0]}{group}]" for group in planted_groups()} & out
    proofs = {test: cost for test, cost in seconds.items() if test.startswith(suite.PROOFS)}
    assert proofs and {test for test, cost in proofs.items() if cost <= suite.QUICK_PROOF}.isdisjoint(out)


def ranked_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tests: list[str]) -> list[regression.Run]:
    """Runs of texcache's presets tiny and large after a ranking of ``tests`` on tiny that chose smoke."""
    runs = [run for run in regression.runs("texcache") if run.config in ("tiny", "large")]
    monkeypatch.setattr(regression, "runs", lambda block: runs)
    jobs = [Job("texcache", "tiny", run.simulator, "smoke", run.seed, run.count) for run in runs[:2]]
    path = tmp_path / "smoke.toml"
    ranking.write_smoke(path, jobs, [replace(jobs[0], test=test) for test in tests], 5)
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: path)
    return runs


def test_only_what_was_ranked_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(testcase.cases("texcache"))
    full = ranked_block(tmp_path, monkeypatch, names[1:])
    limited = {(run.config, run.simulator): run.tests for run in suite.runs("texcache")}
    assert set(limited) == {(run.config, run.simulator) for run in full}
    for simulator in ("verilator", "icarus"):
        assert len(limited["large", simulator]) > 20  # a configuration that the ranking has not seen
        assert "smoke" in limited["tiny", simulator]
        new = [config for config in ("tiny", "large") if names[0] in limited[config, simulator]]
        assert new, f"{names[0]} was not ranked, so it runs"
    assert len(limited["tiny", "verilator"]) <= 2


def test_of_a_block_without_a_ranking_its_smallest_configuration_and_smoke_tests_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what needs no simulator; in the full suite everything."""
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: tmp_path / f"{block}.toml")
    (tmp_path / "simple.toml").write_text("[ranked]\ntests = []\nconfigs = []\nseconds = 1\n")
    full, limited = regression.runs("texcache"), suite.runs("texcache")
    assert [replace(run, tests=(), coverage=run.coverage) for run in limited] == [
        replace(run, coverage=False) for run in full
    ]
    whole, *others = sorted(limited, key=lambda run: len(run.tests), reverse=True)
    assert whole.config == "tiny" and len(whole.tests) > 40
    assert {run.tests for run in others} == {("smoke",)}
    blocks = suite.unranked()
    assert "texcache" in blocks and "simple" not in blocks
    assert suite.simulates("tests/formal/test_proofs.py::test_holds[texcache-order]", blocks)
    assert suite.simulates("tests/report/texcache/test_report.py::test_provenance", blocks)
    assert suite.simulates(f"{suite.JUDGES_RANKING}texcache-icarus]", blocks)
    assert not suite.simulates("tests/formal/test_proofs.py::test_holds[simple-order]", blocks)
    assert not suite.simulates("tests/tb/test_planted.py::test_the_bugs_are_caught[texcache-tiny-1]", blocks)
    assert not suite.simulates("tests/models/texcache/test_model.py::test_reset", blocks)
    limited_itself = "tests/tb/test_regression.py::test_all_tests_pass[texcache-tiny-icarus-1]"
    assert not suite.simulates(limited_itself, blocks)


def test_ranking_takes_a_test_for_all_simulators_that_ran_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [regression.Run("texcache", "tiny", simulator, 1, 60) for simulator in ("verilator", "icarus")]
    monkeypatch.setattr(regression, "runs", lambda block: runs)
    monkeypatch.setattr(regression, "RESULTS", tmp_path)
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: tmp_path / "smoke.toml")
    with pytest.raises(UserError, match="no such run, or damaged; 'make rank' does it first"):
        suite.rank("texcache")
    hits = {"smoke": {"a": 1}, "lru_order": {"a": 2, "b": 1}, "table_in_traffic": {"a": 1, "b": 0}}
    for run in runs:
        path = tmp_path / "texcache" / run.name / regression.DONE
        path.parent.mkdir(parents=True)
        kept = {test: {"coverage": {"point": counts}} for test, counts in hits.items()}
        dear = "table_in_traffic" if run.simulator == "icarus" else "smoke"
        outcomes = [{"test": test, "seconds": 1.0 + (test == dear)} for test in hits]
        write_checked(path, {"session": "", "outcomes": outcomes, "kept": kept})
    suite.rank("texcache")
    chosen = {run.simulator: set(hits) & set(run.tests) for run in suite.runs("texcache")}
    # what hits bins is compared on both simulators; what adds none is run once, where it costs least
    assert chosen == {"verilator": {"lru_order", "table_in_traffic"}, "icarus": {"lru_order", "smoke"}}
    assert suite.regression_seconds("texcache") == round(4 + suite.SETUP)


def test_without_measurements(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'make rank' measures the tests first"):
        suite.main([str(tmp_path / "nothing.json")])


def pytest_says(*arguments: str) -> str:
    """What a pytest of its own prints."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    done = subprocess.run(command, cwd=builds.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_short_suite_leaves_out_what_judges_whole_runs() -> None:
    def collected(*arguments: str) -> set[str]:
        shown = pytest_says("--collect-only", *arguments, suite.RANKED_WITHIN.removesuffix("::"))
        return {line.rpartition("::")[2] for line in shown.splitlines() if "::" in line}

    full, short = collected(), collected("--short")
    assert "test_code_coverage[texcache]" in full - short
    assert "test_all_tests_pass[texcache-paper-verilator-2]" in full - short
    assert "test_the_short_suite_hits_every_bin[texcache-icarus]" in full & short
    assert {name for name in short if name.startswith("test_all_tests_pass")}


def test_costs_are_measured_in_all_processes(tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    pytest_says(
        "--numprocesses=2", f"--measure={path}", "tests/tb/test_scoreboard.py", "tests/ci/test_tools.py"
    )
    costs = json.loads(path.read_text())
    assert {test.partition("::")[0] for test in costs} == {
        "tests/tb/test_scoreboard.py",
        "tests/ci/test_tools.py",
    }
    assert all(seconds >= 0 for seconds in costs.values()) and max(costs.values()) > 0


@pytest.mark.parametrize("processes", [0, 2])
def test_a_run_that_is_killed_has_said_what_failed(tmp_path: Path, processes: int) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(
        "import os, time\n"
        "def test_bad(): assert False\n"
        "def test_end():\n"
        "    time.sleep(2)\n"
        f"    os.kill(os.getppid() if {processes} else os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", f"-n{processes}", "-q", "."],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(builds.ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == -9 and "FAILED test_it.py::test_bad\n" in done.stdout

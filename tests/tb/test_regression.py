# SPDX-License-Identifier: Apache-2.0
"""The regression of every block: all tests pass on both simulators, which agree; coverage is closed."""

import importlib
from collections.abc import Sequence
from dataclasses import replace

import pytest

import configs
from ci.nightly import catalogue, job, smoke
from ci.nightly.catalogue import Job
from tb.common.coverage import code as code_coverage
from tb.common.coverage import coincidences
from tb.common.coverage import data as coverage_data
from tb.common.running import baseline, builds, regression, runner
from tb.common.running.regression import RegressionRun

BLOCKS = catalogue.blocks()
SHORT = [run for block in BLOCKS for run in smoke.runs(block)]
#: of a run that is nightly's, the part that is in the smoke tier
RUNS = [run for block in BLOCKS for run in regression.runs(block) if not run.nightly]
RUNS += [run for run in SHORT if run.nightly]
for _runs in (RUNS, SHORT):
    _runs.sort(
        key=lambda run: run.simulator
    )  # Icarus is slow: first, so that nothing waits for it in the end
FOUND = [job for block in BLOCKS for job in catalogue.found(block)]
LEAST = {"line": 100.0, "branch": 100.0, "toggle": 95.0}  # percent of what is not waived
NOTHING_TO_CHECK = {"quiet"}
ALONE = [(block, test) for block in BLOCKS for test in regression.alone(block)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Without slow tests the runs are those of the smoke tier."""
    runs = RUNS if metafunc.config.getoption("markexpr") != "not slow" else SHORT
    if "run" in metafunc.fixturenames:
        metafunc.parametrize("run", runs, ids=name)
    if "pair" in metafunc.fixturenames:
        metafunc.parametrize("pair", pairs(runs), ids=lambda pair: name(pair[0]))


def pairs(runs: Sequence[RegressionRun]) -> list[tuple[RegressionRun, RegressionRun]]:
    """Runs that differ in the simulator alone."""
    by_traffic: dict[tuple[str, str, int, int], dict[str, RegressionRun]] = {}
    for run in runs:
        by_traffic.setdefault((run.block, *run.traffic), {})[run.simulator] = run
    return [(two["verilator"], two["icarus"]) for two in by_traffic.values() if len(two) == 2]


def name(value: object) -> str:
    return f"{value.block}-{value.name}" if isinstance(value, RegressionRun) else str(value)


@pytest.fixture
def session(testrun_uid: str) -> str:
    """The same in all processes of this call of pytest, and another one in the next."""
    return testrun_uid


def waivers(block: str) -> list[coverage_data.Waiver]:
    return coverage_data.waivers(builds.ROOT / "tb" / block / "waivers.toml")


def test_all_tests_pass(run: RegressionRun, session: str) -> None:
    result = regression.result(run, session)
    failures = [outcome for outcome in result.outcomes if outcome.verdict != "passed"]
    assert not failures, "\n".join(
        f"{outcome.test}: {outcome.message}\n  repeat: {outcome.repro}" for outcome in failures
    )
    assert set(result.kept) == {outcome.test for outcome in result.outcomes}
    for test, kept in result.kept.items():
        assert (kept["summary"]["checked"] > 0) == (test not in NOTHING_TO_CHECK), test


def test_both_simulators_leave_the_same_log(pair: tuple[RegressionRun, RegressionRun], session: str) -> None:
    first, second = (regression.result(run, session) for run in pair)
    common = sorted(set(first.kept) & set(second.kept))
    limits = [set(run.tests) for run in pair if run.tests]
    assert set(common) == set.intersection(*limits) != set() if limits else len(common) > 20
    for test in common:
        log = first.log(test)
        enough = max(3, first.kept[test]["summary"]["checked"])  # a line at least for each that was checked
        assert log.count("\n") >= enough or test in NOTHING_TO_CHECK, f"{test}: nothing in the log"
        assert log == second.log(test), f"{test}: {first.folder} and {second.folder} differ"
    assert [first.kept[test]["coverage"] for test in common] == [
        second.kept[test]["coverage"] for test in common
    ]


def check_figures(block: str, figures: dict[str, baseline.Figures]) -> None:
    """All ``figures`` are in the baseline, and the same."""
    expected = baseline.load(block)
    assert figures and set(figures) <= set(expected), "no baseline for a new test or run: make baseline"
    assert not baseline.compare(expected, figures.items())


def passed(wanted: Job) -> job.Result:
    """What is kept of a job, which passes."""
    [result] = job.run([wanted], catalogue.sources_keys([wanted.block])[wanted.block])
    assert result.verdict == "passed", f"{result.message}\n  repeat: {result.repro}"
    return result


def test_figures_are_those_of_the_baseline(run: RegressionRun, session: str) -> None:
    """Neither worse nor better without ``make baseline``."""
    result = regression.result(run, session)
    check_figures(run.block, baseline.figures(run.block, run.config, run.seed, run.count, result.kept))


@pytest.mark.slow
@pytest.mark.parametrize(("block", "test"), ALONE)
def test_is_the_same_without_the_tests_before_it(block: str, test: str) -> None:
    """The first reset leaves nothing of the state before it, be it random or another test's."""
    preset = regression.mutation(block).config
    run = next(run for run in RUNS if (run.block, run.config, run.simulator) == (block, preset, "verilator"))
    result = passed(Job(block, preset, run.simulator, test, run.seed, run.count, run.coverage))
    check_figures(block, {baseline.name_of(preset, test, run.seed, run.count): result.figures})


@pytest.mark.slow
@pytest.mark.parametrize("failed", FOUND, ids=lambda failed: failed.key)
def test_what_failed_once_passes(failed: Job) -> None:
    passed(failed)


def test_both_simulators_are_compared_in_every_block() -> None:
    assert {run.block for run, _ in pairs(RUNS)} == {run.block for run, _ in pairs(SHORT)} == set(BLOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("config", sorted({(run.block, run.config) for run in RUNS}), ids="-".join)
def test_functional_coverage_is_closed(config: tuple[str, str], session: str) -> None:
    """Every bin of every preset that is not waived, by the regression's runs together."""
    block, preset = config
    runs = [run for run in RUNS if (run.block, run.config) == config]
    database = coverage_data.merge(
        *(regression.functional(run, regression.result(run, session)) for run in runs)
    )
    plan = importlib.import_module(f"tb.{block}.plan").plan(configs.load(block, preset))
    verdict = coverage_data.judge(plan, coverage_data.total(database), waivers(block))
    assert not verdict.holes
    assert not verdict.stale, "waived, but hit: the waiver can go"


@pytest.mark.parametrize("simulator", builds.SIMULATORS)
@pytest.mark.parametrize("block", BLOCKS)
def test_the_smoke_tier_hits_every_bin(
    block: str, simulator: str, session: str, request: pytest.FixtureRequest
) -> None:
    """Every bin of the block that is in the plan of some preset of this simulator and not waived there."""
    plan_of = importlib.import_module(f"tb.{block}.plan").plan
    short = request.config.getoption("markexpr") == "not slow"

    def holes(preset: str, counts: coverage_data.Counts) -> set[str]:
        return set(coverage_data.judge(plan_of(configs.load(block, preset)), counts, waivers(block)).holes)

    mine = [run for run in regression.runs(block) if run.simulator == simulator]
    missing = set().union(*(holes(run.config, {}) for run in mine))
    for run in SHORT:
        if (run.block, run.simulator) == (block, simulator):
            result = regression.result(run if short or run.nightly else whole(run), session)
            ranked = {test: kept["coverage"] for test, kept in result.kept.items() if test in run.tests}
            missing -= holes(run.config, {}) - holes(run.config, coverage_data.total(ranked))
    assert not missing


def whole(run: RegressionRun) -> RegressionRun:
    """The run with all tests that ``run`` is a part of."""
    return next(other for other in RUNS if replace(other, tests=run.tests, coverage=run.coverage) == run)


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS)
def test_everything_that_can_meet_at_the_ports_meets(block: str, session: str) -> None:
    """In one run of the regression or another, whatever the preset."""
    runs = [run for run in RUNS if run.block == block]
    kept = [(configs.load(block, run.config), regression.result(run, session).kept.values()) for run in runs]
    counts, verdict = coincidences.met(kept)
    waived = coincidences.waivers(builds.ROOT / "tb" / block / "waivers.toml")
    assert not verdict.holes
    assert not verdict.wrong, "waived as impossible, but seen"
    assert not list(coincidences.useless(counts, waived))
    assert verdict.met > min(100, len(counts) // 2)  # one port that is only read has 167 bins


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS)
def test_code_coverage(block: str, session: str) -> None:
    runs = [run for run in RUNS if run.block == block and run.coverage]
    results: list[runner.RunResult] = [regression.result(run, session) for run in runs]
    waived = code_coverage.waivers(builds.ROOT / "tb" / block / "waivers.toml")
    counts = code_coverage.read(result.code_coverage for result in results)
    assert not code_coverage.useless(counts, waived), "waived, but there is no such point in any preset"
    parts = code_coverage.judge(counts, waived)
    for kind, least in LEAST.items():
        part = parts[kind]
        holes = "\n".join(map(str, part.holes))
        assert part.covered > 30, f"{kind}: hardly anything was counted"
        assert part.percent >= least, f"{kind} coverage {part.percent:.1f} % < {least} %; holes:\n{holes}"


@pytest.mark.parametrize("block", BLOCKS)
def test_initial_state_is_random_in_more_than_one_way(block: str) -> None:
    seeds: dict[str, set[int]] = {}
    for run in RUNS:
        if run.block == block and run.simulator == "verilator":
            seeds.setdefault(run.config, set()).add(run.seed)
    assert max(map(len, seeds.values())) >= 2

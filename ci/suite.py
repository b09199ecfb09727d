# SPDX-License-Identifier: Apache-2.0
"""The short suite: which tests ``make test`` runs, chosen by what they cost and what they alone contribute.

``make test FULL=1`` runs every test. The short suite leaves out what is expensive and not needed for this:
every functional bin of each block is hit on each simulator (by the ranked part of the regression, see
:func:`runs`), every test of it runs and finds its figures as they were, every planted bug is caught, and
every proof that takes seconds is done. The rest of its budget
goes to the cheapest tests. What was measured is data: ``tests/seconds.csv`` and ``tb/<block>/smoke.toml``,
written by ``make rank``. A test that was never measured always runs, unless it simulates or proves a block
that was never ranked (:func:`simulates`).
"""

import csv
import io
import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import configs
from ci.nightly import catalogue, ranking
from ci.nightly.catalogue import Job
from configs import UserError
from tb.common.components import testcase
from tb.common.running import builds, regression
from tb.common.running.regression import Run
from utils import cli
from utils.files import read_checked, write_atomic

SECONDS = builds.ROOT / "tests" / "seconds.csv"  # of CPU, by test
# Seconds of CPU by test. A run takes half as much again (1,953 for 1,292 measured: collecting, compiling
# kernels, what tests leave to others), so that 40 minutes of it are some 30 on two cores
BUDGET = 2400.0
QUICK_PROOF = 10.0  # seconds of CPU up to which a proof is quick
SMALLEST = "tiny"  # of the configurations of a block, where it has one of that name
SETUP = 7.0  # seconds to build a configuration for both simulators and to start them
PROOFS = "tests/formal/test_proofs.py::test_holds["
NEEDED = ("tests/tb/test_planted.py::test_the_bugs_are_caught[",)
SIMULATED = ("tests/formal/", "tests/tb/", "tests/replay/", "tests/report/")  # rooms of what takes minutes
RANKED_WITHIN = "tests/tb/test_regression.py::"  # its runs are limited to the ranked tests, see runs()
JUDGES_RANKING = f"{RANKED_WITHIN}test_the_short_suite_hits_every_bin["


def seconds_of_tests(path: Path = SECONDS) -> dict[str, float]:
    """What each test cost when it was measured, by its name."""
    with path.open(newline="") as file:
        return {test: float(seconds) for test, seconds in csv.reader(file)}


def needed(test: str, seconds: float) -> bool:
    """Whether the short suite has ``test`` in any case."""
    return test.startswith(NEEDED) or (test.startswith(PROOFS) and seconds <= QUICK_PROOF)


def left_out(seconds: Mapping[str, float], budget: float = BUDGET) -> frozenset[str]:
    """The tests that only the full suite runs: the most expensive of those that are not needed."""
    spent = sum(cost for test, cost in seconds.items() if needed(test, cost))
    spent += sum(regression_seconds(block) for block in catalogue.blocks())
    free = sorted((cost, test) for test, cost in seconds.items() if not needed(test, cost))
    out = set()
    for cost, test in free:
        spent += cost
        if spent > budget:
            out.add(test)
    return frozenset(out)


def unranked() -> frozenset[str]:
    """The blocks that were never ranked."""
    return frozenset(block for block in catalogue.blocks() if not _ranked(block))


def simulates(test: str, blocks: Collection[str]) -> bool:
    """Whether ``test`` simulates or proves one of ``blocks``, never ranked: it is left to the full suite.

    Of such a block the short suite has a part of its regression (:func:`runs`), its planted bugs, and what
    needs no simulator.
    """
    limited = test.startswith(RANKED_WITHIN) and not test.startswith(JUDGES_RANKING)
    if limited or test.startswith(NEEDED) or not test.startswith(SIMULATED):
        return False
    return not set(re.split(r"[^a-z0-9]+", test)).isdisjoint(blocks)


def _names(run: Run) -> tuple[str, ...]:
    cfg = configs.load(run.block, run.config)
    return tuple(case.name for case in testcase.choose(run.block, [], cfg, run.simulator))


def _ranked(block: str) -> dict[str, list[str]]:
    """The table of the block's ranking, empty if there is none."""
    path = catalogue.smoke_file(block)
    table: dict[str, list[str]] = tomllib.loads(path.read_text()).get("ranked", {}) if path.is_file() else {}
    return table


def regression_seconds(block: str) -> float:
    """CPU seconds of the short suite's part of the block's regression; 0 if it was never ranked."""
    return float(_ranked(block).get("seconds", 0))  # type: ignore[arg-type]


def runs(block: str) -> list[Run]:
    """The runs of the block's regression, limited to the ranked tests and to what was never ranked.

    A test that the ranking has not seen is run once on each simulator, a configuration with all tests; of a
    block that was never ranked all tests on its smallest configuration, the smoke test of each other run.
    """
    ranked, full = _ranked(block), regression.runs(block)
    if not ranked:
        whole = next((run for run in full if run.config == SMALLEST), full[0])
        return [
            replace(run, tests=_names(run) if run is whole else (testcase.FIRST,), coverage=False)
            for run in full
        ]
    jobs = {(job.config, job.simulator, job.seed, job.test) for job in catalogue.jobs("smoke", [block], 1)}
    fresh: set[tuple[str, str]] = set()  # tests that are new, by simulator, and have their run
    limited = []
    for run in full:
        names = _names(run)
        new = {name for name in names if name not in ranked["tests"] and (run.simulator, name) not in fresh}
        fresh |= {(run.simulator, name) for name in new}
        chosen = {name for name in names if (run.config, run.simulator, run.seed, name) in jobs}
        tests = names if run.config not in ranked["configs"] else [n for n in names if n in new | chosen]
        if tests:
            limited.append(replace(run, tests=tuple(tests), coverage=False))
    return limited


def rank(block: str) -> Path:
    """Choose from the block's regression as it was run last, and write its smoke tier.

    A test with its configuration and seed is taken for all simulators that ran it: they are compared. Tests
    that add no bin are taken once, for their figures.
    Raises :class:`UserError` if a run is missing.
    """
    hit: dict[Job, frozenset[ranking.Bin]] = {}
    seconds: dict[Job, float] = {}
    alone: dict[Job, float] = {}
    on: dict[Job, list[Job]] = {}
    for run in regression.runs(block):
        path = regression.RESULTS / block / run.name / regression.DONE
        try:
            state = read_checked(path)
        except (OSError, ValueError):
            raise UserError(f"{path}: no such run, or damaged; 'make rank' does it first") from None
        cost = {outcome["test"]: outcome["seconds"] for outcome in state["outcomes"]}
        for test, kept in state["kept"].items():
            traffic = Job(block, run.config, "", test, run.seed, run.count)
            hit[traffic] = hit.get(traffic, frozenset()) | ranking.bins(run.simulator, kept["coverage"])
            seconds[traffic] = seconds.get(traffic, 0.0) + cost[test]
            job = replace(traffic, simulator=run.simulator)
            alone[job] = cost[test]
            on.setdefault(traffic, []).append(job)
    chosen = ranking.rank(hit, seconds, SETUP)
    begun = {(job.config, job.seed) for job in chosen}
    jobs = [job for traffic in chosen for job in on[traffic]]
    others = _once(
        {job: cost for job, cost in alone.items() if job.test not in {one.test for one in jobs}}, begun
    )
    together = sum(alone[job] for job in (*jobs, *others)) + SETUP * len(begun)
    path = catalogue.smoke_file(block)
    ranking.write_smoke(path, [*jobs, *others], list(hit), together)
    return path


def _once(seconds: Mapping[Job, float], begun: Collection[tuple[str, int]]) -> list[Job]:
    """Of the jobs of each test the cheapest, where possible of a configuration and seed that is ``begun``."""
    cheapest: dict[str, Job] = {}
    for job in sorted(seconds, key=lambda job: ((job.config, job.seed) not in begun, seconds[job], job.key)):
        cheapest.setdefault(job.test, job)
    return [cheapest[test] for test in sorted(cheapest)]


def main(argv: list[str]) -> int:
    """``python -m ci.suite MEASURED``: write what pytest's ``--measure`` left there, and rank each block."""
    parser = cli.Parser(prog="python -m ci.suite", description="Choose the tests of the short suite.")
    parser.add_argument("measured", type=Path, help="what 'pytest --measure FILE' wrote")
    path = parser.parse_args(argv).measured
    if not path.is_file():
        raise UserError(f"{path}: no such file; 'make rank' measures the tests first")
    try:
        measured: dict[str, float] = json.loads(path.read_text())
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error}); 'make rank' measures the tests again") from None
    text = io.StringIO()
    rows = [row for row in measured.items() if not row[0].startswith(RANKED_WITHIN)]
    csv.writer(text, lineterminator="\n").writerows((test, f"{cost:.2f}") for test, cost in sorted(rows))
    for block in catalogue.blocks():
        print(f"{rank(block)}: {regression_seconds(block):.0f} s of CPU")
    write_atomic(SECONDS, text.getvalue())
    out = left_out(seconds_of_tests())
    spent = sum(cost for test, cost in rows if test not in out)
    print(
        f"{SECONDS}: {len(rows) - len(out)} of {len(rows)} tests are in the short suite, {spent:.0f} s of CPU"
    )
    return 0


if __name__ == "__main__":
    cli.run(main)

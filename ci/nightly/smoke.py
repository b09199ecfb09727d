# SPDX-License-Identifier: Apache-2.0
"""The smoke tier, ``tb/<block>/smoke.toml``: the part of the regression that ``make test`` runs."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import configs
from ci.nightly import catalogue, ranking
from ci.nightly.catalogue import Job
from configs import UserError
from tb.common.components import testcase
from tb.common.running import regression
from tb.common.running.regression import RegressionRun
from utils.files import read_checked

SETUP = 7.0  # seconds to build a configuration for both simulators and to start them


def runs(block: str) -> list[RegressionRun]:
    """The runs of the regression, limited to the smoke tier; a test that the tier lacks runs once."""
    jobs = {(job.config, job.simulator, job.seed, job.test) for job in catalogue.jobs("smoke", [block], 1)}
    known = {test for *_, test in jobs}
    limited = []
    for run in regression.runs(block):
        cases = testcase.choose(block, [], configs.load(block, run.config), run.simulator)
        names = [case.name for case in cases]
        place = run.config, run.simulator, run.seed
        tests = [name for name in names if (*place, name) in jobs or name not in known]
        known |= set(tests)
        if tests:
            limited.append(replace(run, tests=tuple(tests), coverage=False))
    return limited


def write(block: str) -> Path:
    """Choose the tier from the regression that ``make test FULL=1`` left, and write it.

    A test with its configuration and seed is taken for all simulators that ran it: they are compared. A test
    that adds no bin is taken once, for its figures. Raises :class:`UserError` if a run is missing.
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
            raise UserError(f"{path}: no such run, or damaged; run 'make test FULL=1' first") from None
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
    ranked = {job.test for job in jobs}
    others = _once({job: cost for job, cost in alone.items() if job.test not in ranked}, begun)
    path = catalogue.smoke_file(block)
    ranking.write_smoke(path, [*jobs, *others])
    return path


def _once(seconds: Mapping[Job, float], begun: Collection[tuple[str, int]]) -> list[Job]:
    """The cheapest job of each test, where possible of a configuration and seed that is ``begun``."""
    cheapest: dict[str, Job] = {}
    for job in sorted(seconds, key=lambda job: ((job.config, job.seed) not in begun, seconds[job], job.key)):
        cheapest.setdefault(job.test, job)
    return [cheapest[test] for test in sorted(cheapest)]

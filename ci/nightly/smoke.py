# SPDX-License-Identifier: Apache-2.0
"""The smoke tier, ``tb/<block>/smoke.toml``: the part of the regression that ``make test`` runs."""

import json
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import configs
from ci.nightly import catalogue
from ci.nightly.catalogue import Job
from ci.nightly.store import Store
from tb.common.components import testcase
from tb.common.coverage.data import Counts
from tb.common.running import regression
from tb.common.running.regression import RegressionRun
from utils.files import write_atomic

SETUP = 7.0  # seconds to build a configuration for both simulators and to start them

Bin = tuple[str, ...]


def bins(simulator: str, counts: Counts) -> frozenset[Bin]:
    """The bins that a job hit; those of two simulators are different ones."""
    return frozenset(
        (simulator, point, name) for point, hit in counts.items() for name, n in hit.items() if n
    )


def rank(hit: Mapping[Job, frozenset[Bin]], seconds: Mapping[Job, float], setup: float = SETUP) -> list[Job]:
    """Jobs in the order in which they add coverage; together they hit all that ``hit`` has.

    Greedy set cover: in each step the job that adds most new bins per second, until none adds any; then jobs
    are dropped whose bins the others hit as well. The result is within ln n of the exact minimum.

    ``setup``: seconds that the first job of a configuration and seed costs on top of its own.
    """

    def cost(job: Job) -> float:
        begun = any((job.config, job.seed) == (other.config, other.seed) for other in chosen)
        return max(seconds[job], 0.05) + (0.0 if begun else setup)

    left = set().union(*hit.values()) if hit else set()
    chosen: list[Job] = []
    candidates = sorted(hit, key=lambda job: job.key)
    while left:
        best = max(candidates, key=lambda job: (len(hit[job] & left) / cost(job), job.key))
        chosen.append(best)
        candidates.remove(best)
        left -= hit[best]
    for job in sorted(chosen, key=lambda job: -seconds[job]):
        others = set().union(*(hit[other] for other in chosen if other is not job))
        if hit[job] <= others:
            chosen.remove(job)
    return chosen


def write_smoke(path: Path, jobs: Sequence[Job]) -> None:
    """Write the ranked jobs as a block's smoke tier: tests by configuration, seed, count and simulators.

    These are in the order of their first job, tests in that of ``jobs``; options of knobs are not written.
    """
    simulators: dict[tuple[str, int, int, str], list[str]] = {}
    for job in jobs:
        simulators.setdefault((job.config, job.seed, job.count, job.test), []).append(job.simulator)
    tests: dict[tuple[str, int, int, str], list[str]] = {}
    for (config, seed, count, test), listed in simulators.items():
        tests.setdefault((config, seed, count, json.dumps(listed)), []).append(test)
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# The smoke tier, the part of the regression in 'make test': the least found to hit every bin of",
        "# the block on each simulator, best first. Written by: python -m ci.nightly smoke",
        "",
        "job = [",
    ]
    for (config, seed, count, names), chosen in tests.items():
        lines.append(
            f'    {{ config = "{config}", simulators = {names}, seed = {seed}, count = {count}, tests = ['
        )
        lines += [f"        {row}" for row in textwrap.wrap(json.dumps(chosen)[1:-1], 102)]
        lines.append("    ] },")
    write_atomic(path, "\n".join([*lines, "]"]) + "\n")


def runs(block: str) -> list[RegressionRun]:
    """The runs of the regression, limited to the smoke tier; a test that the tier lacks runs once."""
    jobs = {(job.config, job.simulator, job.seed, job.test) for job in catalogue.jobs("smoke", [block], 1)}
    placed = {test for *_, test in jobs}
    limited = []
    for run in regression.runs(block):
        cases = testcase.choose(block, [], configs.load(block, run.config), run.simulator)
        names = [case.name for case in cases]
        place = run.config, run.simulator, run.seed
        tests = [name for name in names if (*place, name) in jobs or name not in placed]
        placed |= set(tests)
        if tests:
            limited.append(replace(run, tests=tuple(tests), coverage=False))
    return limited


def write(store: Store, campaign: int, block: str) -> Path:
    """Choose the tier from a campaign's runs of the regression, and write it.

    A test with its configuration and seed is taken for all simulators that ran it: they are compared. A test
    that adds no bin is taken once, for its figures.
    """
    hit: dict[Job, frozenset[Bin]] = {}
    seconds: dict[Job, float] = {}
    alone: dict[Job, float] = {}
    on: dict[Job, list[Job]] = {}
    rows = {row["key"]: row for row in store.jobs(campaign, "block = ?", (block,))}
    coverage = {config: store.coverage(campaign, block, config) for config in configs.presets(block)}
    for job in catalogue.jobs("full", [block], 1):
        if job.steer or job in catalogue.found(block):
            continue
        traffic = replace(job, simulator="", coverage=False)
        hit[traffic] = hit.get(traffic, frozenset()) | bins(job.simulator, coverage[job.config][job.key])
        alone[job] = rows[job.key]["seconds"]
        seconds[traffic] = seconds.get(traffic, 0.0) + alone[job]
        on.setdefault(traffic, []).append(job)
    chosen = rank(hit, seconds)
    begun = {(job.config, job.seed) for job in chosen}
    jobs = [job for traffic in chosen for job in on[traffic]]
    ranked = {job.test for job in jobs}
    others = _once({job: cost for job, cost in alone.items() if job.test not in ranked}, begun)
    path = catalogue.smoke_file(block)
    write_smoke(path, [*jobs, *others])
    return path


def _once(seconds: Mapping[Job, float], begun: Collection[tuple[str, int]]) -> list[Job]:
    """The cheapest job of each test, where possible of a configuration and seed that is ``begun``."""
    cheapest: dict[str, Job] = {}
    for job in sorted(seconds, key=lambda job: ((job.config, job.seed) not in begun, seconds[job], job.key)):
        cheapest.setdefault(job.test, job)
    return [cheapest[test] for test in sorted(cheapest)]

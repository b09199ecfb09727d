# SPDX-License-Identifier: Apache-2.0
"""Test ranking: a smallest set of jobs that reaches the merged coverage, found greedily, cheapest first.

Greedy set cover: in each step the job that adds most new bins per second, until none adds any; then those are
dropped whose bins the others hit as well. The exact minimum is NP-hard; this is within ln n of it.
"""

import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from ci.nightly.catalogue import Job
from tb.common.coverage.data import Counts
from utils.files import write_atomic

Bin = tuple[str, ...]


def bins(config: str, counts: Counts) -> frozenset[Bin]:
    """What a job hit; the bins of different configurations are different ones."""
    return frozenset((config, point, name) for point, hit in counts.items() for name, n in hit.items() if n)


def rank(hit: Mapping[Job, frozenset[Bin]], seconds: Mapping[Job, float], setup: float = 0.0) -> list[Job]:
    """Jobs in the order in which they add coverage; together they hit all that ``hit`` has.

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

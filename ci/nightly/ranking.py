# SPDX-License-Identifier: Apache-2.0
"""Test ranking: a smallest set of jobs that reaches the merged coverage, found greedily, cheapest first.

Greedy set cover: in each step the job that adds most new bins per second, until none adds any; then those are
dropped whose bins the others hit as well. The exact minimum is NP-hard; this is within ln n of it.
"""

from collections.abc import Mapping
from pathlib import Path

from ci.nightly.catalogue import Job, smoke_file
from configs.files import write_atomic
from tb.common.coverage.data import Counts

Bin = tuple[str, ...]


def bins(config: str, counts: Counts) -> frozenset[Bin]:
    """What a job hit; the bins of different configurations are different ones."""
    return frozenset((config, point, name) for point, hit in counts.items() for name, n in hit.items() if n)


def rank(hit: Mapping[Job, frozenset[Bin]], seconds: Mapping[Job, float]) -> list[Job]:
    """Jobs in the order in which they add coverage; together they hit all that ``hit`` has."""
    left = set().union(*hit.values()) if hit else set()
    chosen: list[Job] = []
    candidates = sorted(hit, key=lambda job: job.key)
    while left:
        best = max(candidates, key=lambda job: (len(hit[job] & left) / max(seconds[job], 0.05), job.key))
        chosen.append(best)
        candidates.remove(best)
        left -= hit[best]
    for job in sorted(chosen, key=lambda job: -seconds[job]):
        others = set().union(*(hit[other] for other in chosen if other is not job))
        if hit[job] <= others:
            chosen.remove(job)
    return chosen


def write_smoke(block: str, jobs: list[Job], path: Path | None = None) -> Path:
    """Write the ranked jobs as the block's smoke tier."""
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# The smoke tier: the smallest set that was found to reach the nightly coverage, best first.",
        "# Written by: python -m ci.nightly rank --write",
    ]
    for job in jobs:
        lines += [
            "", "[[job]]", f'config = "{job.config}"', f'simulator = "{job.simulator}"',
            f'test = "{job.test}"', f"seed = {job.seed}", f"count = {job.count}",
        ]  # fmt: skip
        if job.steer:
            pairs = ", ".join(f'"{knob}" = "{option}"' for knob, option in job.steer)
            lines.append(f"steer = {{ {pairs} }}")
    path = path or smoke_file(block)
    write_atomic(path, "\n".join(lines) + "\n")
    return path

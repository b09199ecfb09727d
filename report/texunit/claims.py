# SPDX-License-Identifier: Apache-2.0
"""The source's numbers beside ours."""

from typing import Any

from report.pages import Page
from report.texunit.results import TexunitResults

#: cycles of a stage as published
PUBLISHED = {"lod": 11, "repeat": 1, "hit": 8, "filter": 8}


def cycles_of(number: int) -> str:
    """A number of cycles in words."""
    return f"{number} cycle" + "s" * (number != 1)


def exact(results: TexunitResults) -> int:
    """Stages whose cycles are as published, each time."""
    times = results.index["stages"]
    return sum(times[stage][1] == times[stage][2] == cycles for stage, cycles in PUBLISHED.items())


def draw(page: Page, results: TexunitResults) -> None:
    """Stages; what is stated without a number, or left open; and beside llvmpipe what tells whether it
    samples right.
    """
    single = results.of("one")
    for stage, cycles in PUBLISHED.items():
        times, least, most = results.index["stages"][stage]
        ours = cycles_of(least) if least == most else f"{least} to {most} cycles"
        page.claim(stage, float(least), source=cycles_of(cycles), ours=ours, times=times,
                   same=least == most == cycles)  # fmt: skip
    times, least, _ = results.index["stages"]["miss"]
    page.claim("miss", float(least), least=least, times=times, latency=single[0]["latency"],
               own=least - single[0]["latency"])  # fmt: skip
    every = f"{len(single)} scenes, bilinear"
    shares: dict[str, Any] = {
        "previous": [run["repeat_rate"] for run in single],
        "tabled": [run["repeat_rate"] for run in results.of("table")],
        "rates": [run["hit_rate"] for run in single], "stalls": [run["memory_wait_share"] for run in single],
    }  # fmt: skip
    for name, values in shares.items():
        page.claim(name, min(values), most=max(values), scenes=every)
    for levels in ("our_levels", "own_levels"):
        beside = [run["llvmpipe"][levels] for run in single]
        differ, worst = max(1 - run["same"] for run in beside), max(run["most"] for run in beside)
        ours = page.say("differ", most=differ, worst=worst, mean=max(run["mean"] for run in beside))
        page.claim(levels, differ, ours=ours if worst else "none", scenes=every)
    page.draw_claims("source", exact=exact(results), stages=len(PUBLISHED))

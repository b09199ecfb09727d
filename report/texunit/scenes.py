# SPDX-License-Identifier: Apache-2.0
"""The scenes: pictures out of the RTL, beside llvmpipe."""

from html import escape
from typing import Any

import numpy as np

from report.depth import when_tested
from report.images import View, facts, paint, tabbed
from report.pages import Page
from report.results import Figures
from report.tables import percent
from report.texunit.results import TexunitResults

BRIGHTER = 8  # a difference of one is shown as so much
NOTHING = 255
MOST_MISSES = 8
REASONS = ("half", "edge", "last", "other")  # why llvmpipe takes another level


def views(results: TexunitResults, scene: str) -> list[View]:
    """The picture, llvmpipe's, their difference, and maps."""
    run = results.run(scene, "one")
    arrays = results.arrays(run)
    apart = np.abs(arrays["rtl"].astype(np.int16) - arrays["llvmpipe"]) * BRIGHTER
    level, misses = arrays["level"], arrays["misses"]
    deepest = max(1, int(level[level != NOTHING].max(initial=1)))
    return [
        View("rtl", "RTL", arrays["rtl"], "Made of the samples that the Verilated RTL returned."),
        View("llvmpipe", "llvmpipe", arrays["llvmpipe"], "The same samples by llvmpipe, at its levels."),
        View("difference", f"difference × {BRIGHTER}", np.minimum(apart, 255).astype(np.uint8),
             f"Difference of RTL and llvmpipe, {BRIGHTER} times brighter.", 100),
        View("level", "level", paint(1 - level / deepest, level != NOTHING),
             f"Level of detail: yellow 0, blue {deepest}.", 70),
        View("misses", "misses", paint((misses / MOST_MISSES) ** 0.5, misses != NOTHING),
             f"Lines that a quad read from memory: dark blue none, yellow {MOST_MISSES} or more.", 70),
    ]  # fmt: skip


def draw(page: Page, results: TexunitResults) -> None:
    """The chapter."""
    runs = {scene: results.run(scene, "one") for scene in results.scenes}
    rows = [_row(run) for run in runs.values()]
    reasons = {reason: sum(row[reason] for row in rows) for reason in REASONS}
    page.draw("llvmpipe", rows, differ=[1 - row["own_same"] for row in rows], quads=sum(reasons.values()),
              **reasons)  # fmt: skip
    for scene, run in runs.items():
        other = run["llvmpipe"]
        pairs = [
            ("pixels sampled", f"{run['pixels']:,}"),
            ("golden model", "identical"),
            ("llvmpipe, equal levels", _apart(other["our_levels"])),
            ("llvmpipe, its levels", _apart(other["own_levels"])),
            ("hit rate", percent(run["hit_rate"])),
            ("pixels per clock", f"{run['pixels_per_clock']:.3f}"),
        ]
        command = f"make frame BLOCK=texunit SCENE={scene} SIZE={run['width']}x{run['height']}"
        page.draw(
            "scene", anchor=f"scene-{scene}", scene=scene, about=escape(results.about[scene]), run=run,
            body=tabbed(scene, views(results, scene), f"<div>{facts('one unit, bilinear', pairs)}</div>"),
            when=when_tested(results.depth), command="" if results.own else command,
        )  # fmt: skip


def _apart(difference: dict[str, float]) -> str:
    return f"max {difference['most']}, mean {difference['mean']:.3f}" if difference["most"] else "identical"


def _row(run: Figures) -> dict[str, Any]:
    ours, own = run["llvmpipe"]["our_levels"], run["llvmpipe"]["own_levels"]
    return {
        "scene": run["scene"], "quads": run["quads"], "pixels": run["pixels"], "equal_most": ours["most"],
        "own_most": own["most"], "own_mean": own["mean"], "own_same": own["same"],
        **{reason: run["llvmpipe"]["reasons"][reason] for reason in REASONS},
    }  # fmt: skip

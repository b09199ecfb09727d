# SPDX-License-Identifier: Apache-2.0
"""The scenes: pictures out of the RTL, beside llvmpipe."""

from html import escape

import numpy as np

from report.depth import when_tested
from report.images import paint
from report.page import Figure, Section
from report.tables import Column, Table, percent
from report.texunit.results import Results
from report.texunit.words import traffic
from report.views import View, facts, tabbed

BRIGHTER = 8  # a difference of one is shown as so much
NOTHING = 255
MOST_MISSES = 8
REASONS = {
    "half": ("near a half", "quads that differ: the exact level is within 0.05 of where it is rounded"),
    "edge": ("at an edge", "quads that differ: not all of their pixels are valid"),
    "last": ("beyond 8", "quads that differ: the unit's last level"),
    "other": ("else", "quads that differ for none of these reasons"),
}


def views(found: Results, scene: str) -> list[View]:
    """The picture, llvmpipe's, their difference, and maps."""
    run = found.run(scene, "one")
    arrays = run.arrays
    apart = np.abs(arrays["rtl"].astype(np.int16) - arrays["llvmpipe"]) * BRIGHTER
    level, misses = arrays["level"], arrays["misses"]
    deepest = max(1, int(level[level != NOTHING].max(initial=1)))
    return [
        View("rtl", "RTL", arrays["rtl"], "Made of the samples that the Verilated RTL returned."),
        View("llvmpipe", "llvmpipe", arrays["llvmpipe"], "The same samples by llvmpipe, at its levels."),
        View("difference", f"difference × {BRIGHTER}", np.minimum(apart, 255).astype(np.uint8),
             f"RTL and llvmpipe apart, {BRIGHTER} times brighter: where they chose different levels.", 100),
        View("level", "level", paint(1 - level / deepest, level != NOTHING),
             f"Level of detail: yellow 0, blue {deepest}.", 70),
        View("misses", "misses", paint((misses / MOST_MISSES) ** 0.5, misses != NOTHING),
             f"Lines that a quad read from memory: dark blue none, yellow {MOST_MISSES} or more.", 70),
    ]  # fmt: skip


def _figure(found: Results, scene: str) -> Figure:
    run = found.run(scene, "one")
    other, size = run["llvmpipe"], f"{run['width']}x{run['height']}"
    pairs = [
        ("pixels sampled", f"{run['pixels']:,}"),
        ("golden model", "identical"),
        ("llvmpipe, equal levels", _apart(other["our_levels"])),
        ("llvmpipe, its levels", _apart(other["own_levels"])),
        ("hit rate", percent(run["hit_rate"])),
        ("pixels per clock", f"{run['pixels_per_clock']:.3f}"),
    ]
    return Figure(
        f"scene-{scene}",
        scene,
        tabbed(scene, views(found, scene), f"<div>{facts('one unit, bilinear', pairs)}</div>"),
        shows=escape(found.about[scene]),
        traffic=f"{run['width']} × {run['height']} pixels, {when_tested(found.depth)}, from a cold cache",
        command="" if found.own else f"make frame BLOCK=texunit SCENE={scene} SIZE={size}",
    )


def _apart(one: dict[str, float]) -> str:
    return f"max {one['most']}, mean {one['mean']:.3f}" if one["most"] else "identical"


def _reason(name: str, title: str, doc: str) -> Column:
    return Column(name, title, "count", doc, value=lambda run: run["llvmpipe"]["reasons"][name])


COLUMNS = (
    Column("scene", "scene", value=lambda run: run["scene"]),
    Column("quads", "quads", "count", value=lambda run: run["quads"]),
    Column("pixels", "pixels", "count", "sampled, overdraw included", value=lambda run: run["pixels"]),
    Column("equal_most", "max, equal levels", "count", "largest difference to llvmpipe at the unit's levels",
           value=lambda run: run["llvmpipe"]["our_levels"]["most"]),
    Column("own_most", "max, its levels", "count", "largest difference where llvmpipe chooses the level",
           value=lambda run: run["llvmpipe"]["own_levels"]["most"]),
    Column("own_mean", "mean, its levels", "f3", "mean difference of a channel, of 255",
           value=lambda run: run["llvmpipe"]["own_levels"]["mean"]),
    Column("own_same", "identical, its levels", "percent", "samples with the same four bytes",
           value=lambda run: run["llvmpipe"]["own_levels"]["same"]),
    *(_reason(name, title, doc) for name, (title, doc) in REASONS.items()),
)  # fmt: skip


def _table(found: Results) -> Figure:
    runs = [found.run(scene, "one") for scene in found.scenes]
    return Figure(
        "llvmpipe", "Against llvmpipe", "",
        shows="Differences of the samples’ channels, of 255. The golden model is identical in every sample.",
        learn="At the same level of detail, every sample has the same bits. Left to itself llvmpipe takes "
        "another level in a few quads, for three reasons: most lie at the edges of triangles, where the unit "
        "takes differences along the lower row and the right column if both of their pixels are valid, "
        "llvmpipe always along the upper and the left one; some have a level near a half, where llvmpipe’s "
        "approximate logarithm rounds the other way; the unit has no level beyond 8.",
        traffic=traffic(found), open_table=True,
        table=Table.of("texunit_llvmpipe", "Samples of RTL and llvmpipe", COLUMNS, runs),
    )  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>Each scene is rasterized into quads; each quad went through the Verilated RTL of one unit, and "
        "the pictures are made of what came back. llvmpipe got the same textures and coordinates.</p>"
    )
    figures = [_table(found), *(_figure(found, scene) for scene in found.scenes)]
    return Section("scenes", "Pictures out of RTL", intro, figures)

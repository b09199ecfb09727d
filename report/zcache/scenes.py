# SPDX-License-Identifier: Apache-2.0
"""The scenes: what they are made of, their depth buffers, where tiles are tested and where they miss."""

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import SIDE
from report.images import Picture, paint
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent
from report.views import View, facts, tabbed
from report.words import pct, spread
from report.zcache.results import AHEAD, OFF, Results
from report.zcache.words import traffic

KINDS = {"points": ("points",), "lines": ("lines", "line_strip"), "triangles": ("triangles", "strip", "fan")}
DEEPEST, MOST_MISSED = 8, 8  # of the maps' scales


def _row(found: Results, scene: str) -> dict[str, Value]:
    about, run = found.about[scene], found.run(scene, AHEAD)
    counts = {name: sum(about["kinds"].get(kind, 0) for kind in kinds) for name, kinds in KINDS.items()}
    return {
        "scene": scene, **counts, "visible": about["visible"], "tiles": about["tiles"],
        "each": about["tiles_per_primitive"], "places": about["places"], "overdraw": about["overdraw"],
        "passed": about["passed"] / about["pixels"], "lines_read": run["lines"],
        "used": run["used_pixels"] / run["lines"], "share": used(run),
        "off": used(found.run(scene, OFF)),
    }  # fmt: skip


def used(run: Any) -> float:
    """Share of the pixels that were read of which some access looked at the depth, while they were there."""
    return float(run["used_pixels"] / run["line_pixels"])


COLUMNS = (
    Column("scene", "scene"),
    *(Column(name, name, "count") for name in KINDS),
    Column("visible", "with tiles", "count", "primitives that give a tile"),
    Column("tiles", "tiles", "count"),
    Column("each", "tiles each", "f1", "tiles of a primitive that gives any"),
    Column("places", "places", "count", "tiles of the screen with a tile"),
    Column("overdraw", "overdraw", "f2", "pixels drawn, by pixels of the screen"),
    Column("passed", "passed", "percent", "of the pixels drawn"),
    Column("lines_read", "lines read", "count", "with prefetch"),
    Column("used", "pixels used", "f1", "of the 16 of a line that was read"),
    Column("share", "of the data", "percent", "used of what was read, with prefetch"),
    Column("off", "without", "percent", "the same, without prefetch"),
)


def _table(found: Results) -> Figure:
    rows = [_row(found, scene) for scene in found.scenes]
    shares = [used(found.run(scene, AHEAD)) for scene in found.scenes]
    return Figure(
        "scenes-table", "What the scenes are made of", "",
        shows="Primitives, the tiles that they cover, and how much of what was read of memory served a test.",
        learn=f"{spread(shares)} of the data read is used before it is replaced; the source says over "
        f"{pct(0.95, 0)}. A line is a tile of 16 pixels, and a tile at an edge, or of a point or a line, "
        "covers few of them: where primitives are small most of a line comes for nothing.",
        traffic=traffic(found, found.scenes), open_table=True,
        table=Table("zcache_scenes", "The scenes", COLUMNS, rows),
    )  # fmt: skip


def _enlarged(tiles: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Tiles [rows, pitch] as pixels [height, width]."""
    return np.kron(tiles, np.ones((SIDE, SIDE), tiles.dtype))[: shape[0], : shape[1]]


def views(found: Results, scene: str) -> list[View]:
    """The depth buffer, and maps of what was drawn and of what missed."""
    maps = found.maps(scene)
    depth: Picture = maps["depth"]
    drawn = _enlarged(maps["drawn"], depth.shape) / (SIDE * SIDE)
    missed = _enlarged(found.missed(scene), depth.shape)
    return [
        View("depth", "depth buffer", depth,
             "After all tiles; near is light, what nothing was drawn on is black."),
        View("drawn", "overdraw", paint(drawn / DEEPEST, drawn > 0),
             f"How often a tile's pixels are drawn: dark blue once, yellow {DEEPEST} times or more.", 70),
        View("missed", "misses", paint((missed / MOST_MISSED) ** 0.5, drawn > 0),
             f"Without prefetch, tests that missed: dark blue none, yellow {MOST_MISSED} or more.", 70),
    ]  # fmt: skip


def _figure(found: Results, scene: str) -> Figure:
    about, one, off = found.about[scene], found.run(scene, AHEAD), found.run(scene, OFF)
    width, height = found.index["size"]
    pairs = [
        ("tiles tested", f"{one['tiles']:,}"),
        ("golden model", "identical, in every cycle"),
        ("depth buffer without a cache", "identical"),
        ("lines read", f"{one['lines']:,}"),
        ("tiles that hit", percent(one["hits"] / one["tiles"])),
        ("without prefetch", percent(off["hits"] / off["tiles"])),
    ]
    notes = " ".join(escape(f"Note: {note}.") for note in about["notes"])
    return Figure(
        f"scene-{scene}", scene,
        tabbed(scene, views(found, scene), f"<div>{facts('with prefetch', pairs)}</div>"),
        shows=f"{escape(about['about'])} {notes}", traffic=f"{width} × {height} pixels",
        command="" if found.own else f"make capture BLOCK=zcache SCENE={scene} SIZE={width}x{height}",
    )  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>Each scene goes through the rasterizer’s model, and its tiles through the Verilated RTL of the "
        "depth cache: every result, every cycle of both ports, all counters and every byte of memory are "
        "those of the golden model, and the depth buffer is what it is without a cache.</p>"
    )
    return Section("scenes", "Scenes", intro, [_table(found), *(_figure(found, one) for one in found.scenes)])

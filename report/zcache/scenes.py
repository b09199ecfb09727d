# SPDX-License-Identifier: Apache-2.0
"""The scenes: what they are made of, their depth buffers, where tiles are tested and where they miss."""

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import SIDE
from report.images import Picture, View, facts, paint, tabbed
from report.pages import Page
from report.tables import percent
from report.zcache.results import AHEAD, OFF, ZcacheResults

KINDS = {"points": ("points",), "lines": ("lines", "line_strip"), "triangles": ("triangles", "strip", "fan")}
DEEPEST, MOST_MISSED = 8, 8  # of the maps' scales


def _row(results: ZcacheResults, scene: str) -> dict[str, Any]:
    about, run = results.about[scene], results.run(scene, AHEAD)
    counts = {name: sum(about["kinds"].get(kind, 0) for kind in kinds) for name, kinds in KINDS.items()}
    return {
        "scene": scene, **counts, "visible": about["visible"], "tiles": about["tiles"],
        "each": about["tiles_per_primitive"], "places": about["places"], "overdraw": about["overdraw"],
        "passed": about["passed"] / about["pixels"], "lines_read": run["lines"],
        "used": run["used_pixels"] / run["lines"], "share": used(run),
        "off": used(results.run(scene, OFF)),
    }  # fmt: skip


def used(run: Any) -> float:
    """Share of the pixels that were read of which some access looked at the depth, while they were there."""
    return float(run["used_pixels"] / run["line_pixels"])


def _enlarged(tiles: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Tiles [rows, pitch] as pixels [height, width]."""
    return np.kron(tiles, np.ones((SIDE, SIDE), tiles.dtype))[: shape[0], : shape[1]]


def views(results: ZcacheResults, scene: str) -> list[View]:
    """The depth buffer, and maps of what was drawn and of what missed."""
    maps = results.maps(scene)
    depth: Picture = maps["depth"]
    drawn = _enlarged(maps["drawn"], depth.shape) / (SIDE * SIDE)
    missed = _enlarged(results.missed(scene), depth.shape)
    return [
        View("depth", "depth buffer", depth,
             "After all tiles; near is light, what nothing was drawn on is black."),
        View("drawn", "overdraw", paint(drawn / DEEPEST, drawn > 0),
             f"Draws of each pixel, mean of a tile: dark blue 1, yellow {DEEPEST} or more.", 70),
        View("missed", "misses", paint((missed / MOST_MISSED) ** 0.5, drawn > 0),
             f"Without prefetch, tests that missed: dark blue none, yellow {MOST_MISSED} or more.", 70),
    ]  # fmt: skip


def draw(page: Page, results: ZcacheResults) -> None:
    """The chapter."""
    rows = [_row(results, scene) for scene in results.scenes]
    worst = min(rows, key=lambda row: row["share"])
    page.draw("scenes-table", rows, shares=[row["share"] for row in rows], worst=worst["scene"],
              few=worst["used"])  # fmt: skip
    width, height = results.index["size"]
    for scene in results.scenes:
        about = results.about[scene]
        page.draw(
            "scene", anchor=f"scene-{scene}", scene=scene, width=width, height=height,
            body=tabbed(scene, views(results, scene), _facts(results, scene)), about=escape(about["about"]),
            notes=" ".join(escape(f"Note: {note}.") for note in about["notes"]),
            command="" if results.own else f"make capture BLOCK=zcache SCENE={scene} SIZE={width}x{height}",
        )  # fmt: skip


def _facts(results: ZcacheResults, scene: str) -> str:
    ahead, off = results.run(scene, AHEAD), results.run(scene, OFF)
    pairs = [
        ("tiles that look up a line", f"{ahead['tiles']:,}"),
        ("golden model", "identical, in every cycle"),
        ("depth buffer without a cache", "identical"),
        ("lines read", f"{ahead['lines']:,}"),
        ("tiles that hit", percent(ahead["hits"] / ahead["tiles"])),
        ("without prefetch", percent(off["hits"] / off["tiles"])),
    ]
    return f"<div>{facts('with prefetch', pairs)}</div>"

# SPDX-License-Identifier: Apache-2.0
"""Page of ``raster``: tiles per clock, cycles by cause, coverage beside others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from report.page import BlockReport
from report.pages import Page
from report.results import Figures, Runs, Sums
from report.words import mean

CAUSES = ("words", "walk", "setup", "vertices")
#: whose pixels they are held against
BESIDE = {"points": "llvmpipe", "lines": "llvmpipe", "triangles": "models/rasterizer.py"}


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("raster")
    runs = Runs(results, "raster", _sums)
    index, rows = runs.index, [_row(run, role) for (_, role), run in runs.runs.items()]
    base = [row for row in rows if row["role"] == rows[0]["role"]]
    width, height = index["size"]
    page = Page(
        "raster", scenes=len(base), role=rows[0]["role"],
        traffic=f"{len(base)} scenes, {width} × {height} pixels; tiles are taken at once",
    )  # fmt: skip
    page.key("rate", mean(row["rate"] for row in base))
    page.key("checked", float(sum(row["_checked"] for row in rows)))
    page.draw("raster-rates", rows, share=[row["setup"] for row in base])
    page.draw("raster-causes", base)
    if index["coverage"]:
        page.draw("raster-coverage", [
            {"kind": kind, "beside": BESIDE[kind], **counts} for kind, counts in index["coverage"].items()
        ])  # fmt: skip
    return page.report(index)


def _sums(run: Figures) -> Sums:
    counters, kinds = run["counters"], run["kinds"].values()
    return {
        "cycles": (run["cycles"], sum(run["causes"].values())),
        "tiles": (counters["tiles"], sum(kind["tiles"] for kind in kinds)),
        "primitives": (counters["primitives"], sum(kind["primitives"] for kind in kinds)),
        "setup_cycles": (counters["setup_cycles"], sum(kind["setup"] for kind in kinds)),
    }


def _row(run: Figures, role: str) -> dict[str, Any]:
    counters, cycles = run["counters"], run["cycles"]
    return {
        "scene": run["scene"], "role": role, "primitives": counters["primitives"], "tiles": counters["tiles"],
        "visited": counters["visited"], "pixels_per_tile": counters["pixels"] / max(counters["tiles"], 1),
        "cycles": cycles, "rate": float(counters["tiles"] / cycles),
        **{name: run["causes"][name] / cycles for name in CAUSES}, "_checked": run["tile_words"],
    }  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``raster``: tiles per clock, where the cycles go, coverage beside others."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from report.page import BlockReport
from report.pages import Page
from report.results import check_sums, read_index, read_json
from report.words import mean

CAUSES = ("words", "walk", "setup", "vertices")
#: whose pixels they are held against
BESIDE = {"points": "llvmpipe", "lines": "llvmpipe", "triangles": "models/rasterizer.py"}
Run = Mapping[str, Any]


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("raster")
    index = read_index(results, "raster")
    rows = [_row(_read(results / one["file"]), one["role"]) for one in index["runs"]]
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


def _read(path: Path) -> Run:
    """A run. Raises :class:`UserError` if its figures do not add up."""
    run: Run = read_json(path)
    counters, kinds = run["counters"], run["kinds"].values()
    sums = {
        "cycles": (run["cycles"], sum(run["causes"].values())),
        "tiles": (counters["tiles"], sum(one["tiles"] for one in kinds)),
        "primitives": (counters["primitives"], sum(one["primitives"] for one in kinds)),
        "setup_cycles": (counters["setup_cycles"], sum(one["setup"] for one in kinds)),
    }
    check_sums(path, sums)
    return run


def _row(run: Run, role: str) -> dict[str, Any]:
    counters, cycles = run["counters"], run["cycles"]
    return {
        "scene": run["scene"], "role": role, "primitives": counters["primitives"], "tiles": counters["tiles"],
        "visited": counters["visited"], "pixels_per_tile": counters["pixels"] / max(counters["tiles"], 1),
        "cycles": cycles, "rate": float(counters["tiles"] / cycles),
        **{name: run["causes"][name] / cycles for name in CAUSES}, "_checked": run["tile_words"],
    }  # fmt: skip

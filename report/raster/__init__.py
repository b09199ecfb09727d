# SPDX-License-Identifier: Apache-2.0
"""Page of ``raster``: tiles per clock, cycles by cause, coverage beside others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from report.page import BlockReport
from report.pages import Page
from report.results import Figures, Runs, Sums
from report.tables import Rows
from report.words import counted, mean

VISITED = "empty tiles too"  # the role
CAUSES = ("words", "walk", "setup", "vertices")
#: whose pixels they are held against
BESIDE = {"points": "llvmpipe", "lines": "llvmpipe", "triangles": "models/rasterizer.py"}


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("raster")
    runs = Runs(results, "raster", _sums)
    index, rows = runs.index, [_row(run, role) for (_, role), run in runs.runs.items()]
    role = rows[0]["role"]
    base = [row for row in rows if row["role"] == role]
    width, height = index["size"]
    rates = {
        name: _rates(rows, name) for name in dict.fromkeys(row["role"] for row in rows) if name != VISITED
    }
    setup = [
        sum(row["_setup"] for row in mine) / max(sum(row["_primitives"] for row in mine), 1)
        for name in rates for mine in [[row for row in rows if row["role"] == name]]
    ]  # fmt: skip
    fastest = max(rates, key=lambda name: mean(rates[name]))
    slowest = max(base, key=lambda row: row["setup"])
    scenes = counted(len(base), "view" if index.get("own") else "scene")
    pictures = f"{scenes} of {width} × {height} pixels"
    page = Page(
        "raster", scenes=scenes, role=role, fastest=fastest,
        rate=mean(rates[role]), rates=rates[role], most=mean(rates[fastest]),
        times=mean(rates[fastest]) / mean(rates[role]), share=[row["setup"] for row in base],
        setup=setup, setups=", ".join(f"{cycles:.0f}" for cycles in setup),
        each=sum(row["tiles"] for row in base) / sum(row["primitives"] for row in base),
        pictures=pictures, traffic=f"{pictures}; each tile is taken immediately",
    )  # fmt: skip
    page.key("rate", mean(rates[role]))
    page.key("fastest", mean(rates[fastest]))
    _draw_coverage(page, index["coverage"])
    page.key("checked", float(sum(row["_checked"] for row in rows)))
    page.draw("raster-rates", rows, gains=[a / b for a, b in zip(rates[fastest], rates[role], strict=True)])
    page.draw("raster-causes", base, slowest=slowest, few=slowest["tiles"] / slowest["primitives"])
    return page.report(index)


def _rates(rows: Rows, role: str) -> list[float]:
    return [row["rate"] for row in rows if row["role"] == role]


def _draw_coverage(page: Page, coverage: Figures) -> None:
    """Pixels beside the references, if they were compared: not with a user's scene."""
    if not coverage:
        return
    differ = {kind: counts["differ"] for kind, counts in coverage.items() if counts["differ"]}
    total, pixels = sum(differ.values()), sum(counts["pixels"] for counts in coverage.values())
    kinds = f"{counted(total, 'pixel')} of {' and '.join(differ)} differ" if differ else "none differs"
    page.let(pixels=pixels, kinds=kinds)
    page.key("coverage", 1 - total / pixels)
    page.draw("raster-coverage", [
        {"kind": kind, "beside": BESIDE[kind], **counts} for kind, counts in coverage.items()
    ])  # fmt: skip


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
    shapes = [kind for name, kind in run["kinds"].items() if name != "points"]
    return {
        "scene": run["scene"], "role": role, "primitives": counters["primitives"], "tiles": counters["tiles"],
        "visited": counters["visited"], "pixels_per_tile": counters["pixels"] / max(counters["tiles"], 1),
        "cycles": cycles, "rate": float(counters["tiles"] / cycles),
        **{name: run["causes"][name] / cycles for name in CAUSES}, "_checked": run["tile_words"],
        **{f"_{name}": sum(kind[name] for kind in shapes) for name in ("setup", "primitives")},
    }  # fmt: skip

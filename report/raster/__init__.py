# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``raster``: scenes, tiles per clock, where the cycles go, coverage."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from report.charts import Series, bar_chart, shares_chart
from report.page import BlockReport, Figure, KeyFigure, Section
from report.results import check_sums, provenance, read_index, read_json
from report.tables import Column, Table, Value, fixed, plain, whole
from report.words import mean, spread

CAUSES = {
    "words": "a tile", "walk": "looking for one", "setup": "waiting for set-up", "vertices": "vertices",
}  # fmt: skip
Run = Mapping[str, Any]


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("raster")
    index = read_index(results, "raster")
    runs = [{**_read(results / one["file"]), "role": one["role"]} for one in index["runs"]]
    base = [run for run in runs if run["role"] == runs[0]["role"]]
    width, height = index["size"]
    traffic = f"{len(base)} scenes, {width} × {height} pixels; tiles are taken at once"
    rates, checked = [rate(run) for run in base], sum(run["tile_words"] for run in runs)
    report = BlockReport(
        block="raster", title="The tile rasterizer",
        lead="Points, lines and triangles to tiles of 4 × 4 pixels with their depths.",
        hero=[],
        key_figures=[
            KeyFigure("rate", "Tiles per clock", mean(rates), f"{mean(rates):.3f}",
                      f"mean of {len(base)} scenes, {base[0]['role']}"),
            KeyFigure("checked", "Tiles checked", float(checked), whole(checked),
                      "RTL equal to the model in every cycle"),
        ],
        sections=[
            Section("raster-rate", "Tiles per clock", (
                "<p>Each scene’s vertices go through the Verilated RTL: every word that comes out, the "
                "cycles of both ports and all counters are those of the golden model.</p>"
            ), [_rates(runs, traffic), _causes(base, traffic), *_coverage(index["coverage"])]),
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip
    return report.of_scene(index["own"]) if "own" in index else report


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


def rate(run: Run) -> float:
    """Tiles given on per clock."""
    return float(run["counters"]["tiles"] / run["cycles"])


COLUMNS = (
    Column("scene", "scene", value=lambda run: run["scene"]),
    Column("role", "dividers, tiles", value=lambda run: run["role"]),
    Column("primitives", "primitives", "count", value=lambda run: run["counters"]["primitives"]),
    Column("tiles", "tiles", "count", value=lambda run: run["counters"]["tiles"]),
    Column("visited", "looked at", "count", "tiles of bounds", value=lambda run: run["counters"]["visited"]),
    Column("pixels_per_tile", "pixels a tile", "f2",
           value=lambda run: run["counters"]["pixels"] / max(run["counters"]["tiles"], 1)),
    Column("cycles", "cycles", "count", value=lambda run: run["cycles"]),
    Column("rate", "tiles per clock", "f3", value=rate),
    *(Column(name, f"cycles: {told}", "percent",
             value=lambda run, name=name: run["causes"][name] / run["cycles"])  # type: ignore[misc]
      for name, told in CAUSES.items()),
)  # fmt: skip


def _rates(runs: Sequence[Run], traffic: str) -> Figure:
    scenes, roles = (list(dict.fromkeys(run[name] for run in runs)) for name in ("scene", "role"))
    by = {(run["scene"], run["role"]): run for run in runs}
    series = [Series(role, [rate(by[scene, role]) for scene in scenes]) for role in roles]
    share = [run["causes"]["setup"] / run["cycles"] for run in runs if run["role"] == roles[0]]
    return Figure(
        "raster-rates", "Tiles per clock", bar_chart(
            scenes, series, y_label="tiles per clock", y_format=fixed(3), y_tick=plain,
            alt="Bars: tiles per clock of each scene, by the speed of the dividers.",
        ),
        shows="radix: of the two serial dividers; a line or triangle is set up in 6 + 84 / log2(radix) "
        "cycles, while the one before it walks. The last one gives on all tiles of a triangle’s bounds.",
        learn=f"With {roles[0]} {spread(share)} of the time the walk waits for set-up: primitives of a few "
        "tiles are set up longer than they are walked.",
        traffic=traffic, open_table=True,
        table=Table.of("raster_scenes", "Scenes through the rasterizer", COLUMNS, runs),
    )  # fmt: skip


def _causes(base: Sequence[Run], traffic: str) -> Figure:
    shares = [{name: run["causes"][name] / run["cycles"] for name in CAUSES} for run in base]
    return Figure(
        "raster-causes", "Where the cycles go", shares_chart(
            [run["scene"] for run in base], shares, CAUSES,
            alt="Stacked bars: share of the cycles in which the walk finds a tile, looks, or waits.",
        ),
        shows="The walk looks at a tile, or a column of a line, in each cycle: it finds a tile to give on, "
        "or goes on. Else it has nothing: a primitive is being set up, or vertices are being collected.",
        traffic=f"{traffic}; {base[0]['role']}",
    )  # fmt: skip


#: whose pixels they are held against
BESIDE = {"points": "llvmpipe", "lines": "llvmpipe", "triangles": "models/rasterizer.py"}


def _coverage(found: Mapping[str, Mapping[str, int]]) -> list[Figure]:
    """Beside other rasterizers, if it was looked at."""
    if not found:
        return []
    rows: list[dict[str, Value]] = [
        {"kind": kind, "beside": BESIDE[kind], **counts} for kind, counts in found.items()
    ]
    columns = (
        Column("kind", "kind"), Column("beside", "beside"), Column("primitives", "primitives", "count"),
        Column("pixels", "pixels", "count", "that the other one draws"),
        Column("differ", "differ", "count", "pixels that one of both draws alone"),
    )  # fmt: skip
    return [Figure(
        "raster-coverage", "Coverage beside that of others", "",
        shows="Points and lines beside pictures that Mesa’s llvmpipe drew; triangles beside the rasterizer "
        "of the texture blocks, which equals llvmpipe in every pixel of pictures of other triangles.",
        learn="Lines differ where llvmpipe rounds: four pass so close to the middle between two rows that "
        "its slope takes the neighbour, and one begins in the very column of a centre.",
        traffic="primitives at random, half of them on borders of pixels", open_table=True,
        command="make test TEST=tests/models/test_raster_llvmpipe.py",
        table=Table("raster_coverage", "Coverage beside that of others", columns, rows),
    )]  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``trilinear``: samples of two mip levels per clock, scene by scene."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report import costs
from report.charts import Mark, Series, bar_chart, line_chart
from report.depth import provenance as depth_of
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import AGAIN, provenance, read_index, read_json
from report.tables import Column, Table, Value, fixed, percent, percent_tick, plain, whole
from report.words import mean

COLUMNS = (
    Column("scene", "scene"),
    Column("role", "machine"),
    Column("latency", "latency", "count", doc="cycles from the address to the first data beat"),
    Column("depth", "FIFO depth", "count"),
    Column("samples", "samples", "count"),
    Column("pairs", "of two levels", "percent"),
    Column("per_clock", "samples per clock", "f3", bar=1.0),
    Column("read", "bytes read per sample", "f2"),
)
NEAR, FAR = "1 cycle", "100 cycles"
MACHINES = (NEAR, FAR, "64-bit bus", "tiles", "twice the size")
IGEHY = 0.97  # of the rate without latency: "Prefetching in a texture cache architecture", 1998
Row = dict[str, Any]


def row(folder: Path, listed: dict[str, Any]) -> Row:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    samples = run["samples"]
    if not 0 < samples <= run["requests"] or run["pairs"] > samples:
        raise UserError(f"{folder / listed['file']}: its samples do not add up; {AGAIN}")
    return {
        "scene": listed["workload"], "role": listed["role"], "samples": samples,
        "latency": run["latency"], "depth": run["depth"],
        "pairs": run["pairs"] / samples, "per_clock": samples / run["cycles"],
        "read": run["read_bytes"] / samples,
    }  # fmt: skip


def _rates(rows: list[Row]) -> Figure:
    """Samples per clock of each scene, a colour for each machine."""
    scenes = list(dict.fromkeys(one["scene"] for one in rows))
    series = [Series(role, [one["per_clock"] for one in rows if one["role"] == role]) for role in MACHINES]
    return Figure(
        "trilinear-rate", "Trilinear samples per clock", bar_chart(
            scenes, series, alt="samples per clock of each scene, by machine", y_label="samples per clock",
            y_format=fixed(3), y_tick=fixed(1), y_range=(0.0, 1.0), marks=[Mark("one each clock", y=1.0)],
        ),
        shows="Each sample is two footprints on neighbouring levels, or one where a level is magnified, in "
        "scan-line order. But for the first machine all before a memory of 100 cycles.",
        learn="Levels of each parity have a half of their own, so a sample takes a cycle; what is missing to "
        "1.0: footprints of which two lines miss, and a bus that is narrower than a line.",
        traffic=_traffic(rows), open_table=True,
        table=Table("trilinear_rates", "Scenes by machine", COLUMNS, rows, "The block has no paper."),
    )  # fmt: skip


def _traffic(rows: list[Row]) -> str:
    return f"whole pictures from a cold cache, {rows[0]['samples']} samples of {rows[0]['scene']}"


def _means(rows: list[Row], key: str) -> list[tuple[float, float]]:
    """Points (value of ``key``, mean samples per clock of the scenes), in order."""
    values = sorted({one[key] for one in rows})
    return [(value, mean(one["per_clock"] for one in rows if one[key] == value)) for value in values]


def _latency(rows: list[Row]) -> Figure:
    points = _means([one for one in rows if "cycle" in one["role"]], "latency")
    kept = [rate / points[0][1] for _, rate in points]
    found: list[dict[str, Value]] = [
        {"latency": cycles, "per_clock": rate, "kept": share}
        for (cycles, rate), share in zip(points, kept, strict=True)
    ]
    return Figure(
        "trilinear-latency", "What latency takes away", line_chart(
            [Series("trilinear", kept, [cycles for cycles, _ in points])],
            x_label="cycles from the address to the first data beat",
            y_label="rate / rate with a memory of 1 cycle", log=10, x_format=lambda value: f"{value:g}",
            y_format=percent, y_tick=percent_tick, marks=[Mark("Igehy 1998: 97 %", y=IGEHY)],
            ticks=[cycles for cycles, _ in points],
            alt="Line: share of the rate that is kept as memory answers later.",
        ),
        shows="Mean over the scenes. Igehy et al. reach 97 % of a machine whose memory has no latency.",
        learn="Tags run ahead by as many samples as the FIFOs hold: a memory that answers within that time "
        "takes next to nothing.",
        traffic=_traffic(rows),
        table=Table("trilinear_latency", "Rate over the memory's latency", (
            Column("latency", "latency", "count"), Column("per_clock", "samples/clock", "f3"),
            Column("kept", "of the rate at 1 cycle", "percent"),
        ), found),
    )  # fmt: skip


def _depth(rows: list[Row]) -> list[Figure]:
    points = _means([one for one in rows if one["role"] == FAR or "FIFO" in one["role"]], "depth")
    if len(points) < 2:  # the configuration's FIFOs are the shortest
        return []
    found: list[dict[str, Value]] = [{"depth": depth, "per_clock": rate} for depth, rate in points]
    return [Figure(
        "trilinear-depth", "FIFOs before a memory of 100 cycles", line_chart(
            [Series("trilinear", [rate for _, rate in points], [depth for depth, _ in points])],
            x_label="entries of the tag FIFO and of the data FIFO of each half", y_label="samples per clock",
            log=2, x_format=lambda value: f"{value:g}", y_format=fixed(3), y_tick=plain,
            ticks=[depth for depth, _ in points],
            alt="Line: samples per clock over the depth of the FIFOs.",
        ),
        shows="Mean over the scenes.",
        learn="A FIFO that is shorter than the memory’s latency lets it show.",
        traffic=_traffic(rows),
        table=Table("trilinear_depth", "Rate over FIFO depth", (
            Column("depth", "depth", "count"), Column("per_clock", "samples/clock", "f3"),
        ), found),
    )]  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("trilinear")
    index = read_index(results, "trilinear")
    rows = [row(results, listed) for listed in index["runs"]]
    rate = {(one["scene"], one["role"]): one["per_clock"] for one in rows}
    scenes = dict.fromkeys(one["scene"] for one in rows)
    worst = min(rate[scene, FAR] for scene in scenes)
    kept = min(rate[scene, FAR] / rate[scene, NEAR] for scene in scenes)
    checked, half = sum(one["samples"] for one in rows), index["base"]["half"]
    size = 2 * half["banks"] * half["cache"]["sets"] * half["cache"]["ways"] * half["cache"]["line_bytes"]
    report = BlockReport(
        block="trilinear", title="The trilinear texture cache",
        lead=f"Two conflict-free texture caches, {size} bytes in all: one for even levels, one for odd.",
        hero=[],
        key_figures=[
            KeyFigure("rate", "Samples per clock", worst, f"{worst:.3f}", "slowest scene, 100 cycles"),
            KeyFigure("kept", "Of the rate at 1 cycle", kept, f"{kept:.1%}", "worst scene, 100 cycles"),
            KeyFigure("checked", "Samples checked", float(checked), whole(checked), "RTL as the model"),
        ],
        sections=[
            Section("rate-section", "Rate", paragraph("Every texel is compared with the model's."), [
                _rates(rows), _latency(rows), *_depth(rows),
                costs.figure(
                    "trilinear-cost", "What it takes",
                    {"one cache without conflicts, 8 KB": ("texcache", "conflict-free"),
                     "two of 4 KB, a sample of two levels in a cycle": ("trilinear", "base")},
                ),
            ])
        ],
        provenance={**provenance(index), **depth_of(index["depth"])}, command=index["command"],
    )  # fmt: skip
    return report.of_scene(index["own"]) if "own" in index else report

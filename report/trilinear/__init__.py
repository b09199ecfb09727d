# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``trilinear``: samples of two mip levels per clock, scene by scene."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report import costs
from report.charts import Series, bar_chart
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import AGAIN, provenance, read_index, read_json
from report.tables import Column, Table, fixed, whole

COLUMNS = (
    Column("scene", "scene"),
    Column("role", "machine"),
    Column("samples", "samples", "count"),
    Column("pairs", "of two levels", "percent"),
    Column("per_clock", "samples per clock", "f3", bar=1.0),
    Column("read", "bytes read per sample", "f2"),
)
NEAR, FAR = "1 cycle", "100 cycles"


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    samples = run["samples"]
    if not 0 < samples <= run["requests"] or run["pairs"] > samples:
        raise UserError(f"{folder / listed['file']}: its samples do not add up; {AGAIN}")
    return {
        "scene": listed["workload"], "role": listed["role"], "samples": samples,
        "pairs": run["pairs"] / samples, "per_clock": samples / run["cycles"],
        "read": run["read_bytes"] / samples,
    }  # fmt: skip


def chart(rows: list[dict[str, Any]]) -> str:
    """Samples per clock of each scene, a colour for each machine."""
    roles, scenes = (tuple(dict.fromkeys(one[key] for one in rows)) for key in ("role", "scene"))
    series = [Series(role, [one["per_clock"] for one in rows if one["role"] == role]) for role in roles]
    return bar_chart(
        scenes, series, alt="samples per clock of each scene, by machine", y_label="samples per clock",
        y_format=fixed(3), y_tick=fixed(1), y_range=(0.0, 1.0),
    )  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("trilinear")
    index = read_index(results, "trilinear")
    rows = [row(results, listed) for listed in index["runs"]]
    rate = {(one["scene"], one["role"]): one["per_clock"] for one in rows}
    figure = Figure(
        "trilinear-rate", "Trilinear samples per clock", chart(rows),
        shows="The built-in scenes, each sample two footprints on neighbouring levels, in scan-line order.",
        learn="Levels of each parity have a half of their own, so a sample takes a cycle; what is missing to "
        "1.0: footprints of which two lines miss, and a bus that is narrower than a line.",
        traffic=f"whole pictures from a cold cache, {rows[0]['samples']} samples of {rows[0]['scene']}",
        table=Table("trilinear_rates", "Scenes by machine", COLUMNS, rows, "The block has no paper."),
        open_table=True,
    )  # fmt: skip
    scenes = dict.fromkeys(one["scene"] for one in rows)
    worst = min(rate[scene, FAR] for scene in scenes)
    kept = min(rate[scene, FAR] / rate[scene, NEAR] for scene in scenes)
    checked, half = sum(one["samples"] for one in rows), index["base"]["half"]
    size = 2 * half["banks"] * half["cache"]["sets"] * half["cache"]["ways"] * half["cache"]["line_bytes"]
    return BlockReport(
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
                figure,
                costs.figure(
                    "trilinear-cost", "What it takes",
                    {"one cache without conflicts, 8 KB": ("texcache", "conflict-free"),
                     "two of 4 KB, a sample of two levels in a cycle": ("trilinear", "base")},
                ),
            ])
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``dcache``: small programs, written back and written through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report.charts import Series, bar_chart
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import AGAIN, provenance, read_index, read_json
from report.tables import Column, Table, percent, percent_tick, whole

COLUMNS = (
    Column("pattern", "program"),
    Column("policy", "policy"),
    Column("requests", "requests", "count"),
    Column("hit_rate", "hit rate", "percent", bar=1.0),
    Column("per_clock", "requests per clock", "f3"),
    Column("read", "bytes read per request", "f2"),
    Column("written", "bytes written per request", "f2"),
    Column("waiting", "time waiting for memory", "percent"),
)


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    count, cycles = run["requests"], run["cycles"]
    if not run["loads"] + run["stores"] == count == run["hits"] + run["misses"]:
        raise UserError(f"{folder / listed['file']}: its requests do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "requests": count,
        "hit_rate": run["hits"] / count, "per_clock": count / cycles,
        "read": run["read_bytes"] / count, "written": run["written_bytes"] / count,
        "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def chart(rows: list[dict[str, Any]]) -> str:
    """The hit rates, a colour for each policy."""
    policies, names = (tuple(dict.fromkeys(run[key] for run in rows)) for key in ("policy", "pattern"))
    series = [
        Series(policy, [run["hit_rate"] for run in rows if run["policy"] == policy]) for policy in policies
    ]
    return bar_chart(
        names, series, alt="hit rate of each program, by policy", y_label="hit rate",
        y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
    )  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("dcache")
    index = read_index(results, "dcache")
    rows = [row(results, listed) for listed in index["runs"]]
    figure = Figure(
        "programs", "Small programs, written back and written through", chart(rows),
        shows="The share of loads and stores whose line was there.",
        learn="A write-through cache does not allocate for stores: it reads less and writes each store.",
        traffic=f"programs from a cold cache, {rows[0]['requests']} requests at most",
        table=Table("dcache_programs", "Programs by policy", COLUMNS, rows, "The block has no paper."),
        open_table=True,
    )  # fmt: skip
    checked, best = sum(run["requests"] for run in rows), max(run["per_clock"] for run in rows)
    lines = index["base"]["cache"]
    return BlockReport(
        block="dcache", title="The dcache cache",
        lead=f"Direct-mapped, {lines['sets']} lines of {lines['line_bytes']} bytes: the block to read first.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Requests checked", float(checked), whole(checked), "RTL as the model"),
            KeyFigure("rate", "Requests per clock", best, f"{best:.3f}", "the fastest program"),
        ],
        sections=[
            Section("programs-section", "Programs", paragraph("Loads and stores word by word."), [figure])
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip

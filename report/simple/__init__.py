# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``simple``: small programs, written back and written through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.programs import hit_rate_chart
from report.results import AGAIN, provenance, read_index, read_json
from report.tables import Column, Table, whole

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


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("simple")
    index = read_index(results, "simple")
    rows = [row(results, listed) for listed in index["runs"]]
    figure = Figure(
        "programs", "Small programs, written back and written through", hit_rate_chart(rows),
        shows="The share of loads and stores whose line was there.",
        learn="A write-through cache does not allocate for stores: it reads less and writes each store.",
        traffic=f"programs from a cold cache, {rows[0]['requests']} requests at most",
        table=Table("simple_programs", "Programs by policy", COLUMNS, rows, "The block has no paper."),
        open_table=True,
    )  # fmt: skip
    checked, best = sum(run["requests"] for run in rows), max(run["per_clock"] for run in rows)
    lines = index["base"]["cache"]
    return BlockReport(
        block="simple", title="The simple cache",
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

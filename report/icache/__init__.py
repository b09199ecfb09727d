# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``icache``: programs under each replacement policy."""

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
    Column("fetches", "fetches", "count"),
    Column("hit_rate", "hit rate", "percent", bar=1.0),
    Column("evictions", "lines replaced", "count"),
    Column("frequency", "true LFU", "percent"),
    Column("optimal", "optimum", "percent"),
    Column("per_clock", "instructions per clock", "f3"),
    Column("waiting", "time waiting for memory", "percent"),
)


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    count, cycles = run["fetches"], run["cycles"]
    if run["hits"] + run["misses"] != count or run["hits"] > run["optimal_hits"]:
        raise UserError(f"{folder / listed['file']}: its fetches do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "fetches": count,
        "hit_rate": run["hits"] / count, "evictions": run["evictions"],
        "frequency": run["frequency_hits"] / count, "optimal": run["optimal_hits"] / count,
        "per_clock": count / cycles, "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("icache")
    index = read_index(results, "icache")
    rows = [row(results, listed) for listed in index["runs"]]
    figure = Figure(
        "fetches", "Programs under each policy", hit_rate_chart(rows),
        shows="The share of fetches whose line was there.",
        learn="Code that fits does not tell policies apart, nor does a loop one line too long.",
        traffic=f"programs from a cold cache, {rows[0]['fetches']} fetches at most",
        table=Table(
            "icache_policies", "Programs by policy", COLUMNS, rows, "The source gives no hit rate."
        ),
        open_table=True,
    )  # fmt: skip
    checked, best = sum(run["fetches"] for run in rows), max(run["per_clock"] for run in rows)
    lines = index["base"]["cache"]
    size = lines["sets"] * lines["ways"] * lines["line_bytes"]
    return BlockReport(
        block="icache", title="The instruction cache",
        lead=f"{size // 1024} KB in {lines['ways']} ways, a line of {lines['line_bytes']} bytes.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Fetches checked", float(checked), whole(checked), "RTL as the model"),
            KeyFigure("rate", "Instructions per clock", best, f"{best:.3f}", "the fastest program"),
        ],
        sections=[Section("policies", "Policies", paragraph("Instruction by instruction."), [figure])],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``icache``: programs under each replacement policy."""

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
    progress("icache")
    index = read_index(results, "icache")
    rows = [row(results, listed) for listed in index["runs"]]
    figure = Figure(
        "fetches", "Programs under each policy", chart(rows),
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

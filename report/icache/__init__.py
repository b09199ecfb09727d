# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``icache``: patterns and programs under each replacement policy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report import simt_claims
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.programs import hit_rate_chart
from report.results import AGAIN, provenance, read_index, read_json
from report.simt import Chapter
from report.simt_results import geometry, read_programs
from report.tables import Column, Table, whole

COLUMNS = (
    Column("pattern", "pattern"),
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
    programs, base = read_programs(results, index), geometry(index["base"]["cache"])
    named = {listed["id"] for listed in index["workloads"] if listed.get("program")}
    patterns = [run for run in rows if run["pattern"] not in named]
    figure = Figure(
        "fetches", "Patterns under each policy", hit_rate_chart(patterns),
        shows="The share of fetches whose line was there.",
        learn="Code that fits does not tell policies apart, nor does a loop one line too long.",
        traffic=f"patterns from a cold cache, {patterns[0]['fetches']} fetches at most",
        table=Table(
            "icache_policies", "Patterns by policy", COLUMNS, patterns, "The source gives no hit rate."
        ),
        open_table=True,
    )  # fmt: skip
    chapter = Chapter("icache", "fetches", base, programs, lambda run: run["memory_wait_cycles"])
    checked, best = sum(run["fetches"] for run in rows), max(run["per_clock"] for run in rows)
    return BlockReport(
        block="icache", title="The instruction cache",
        lead=f"{base.capacity_bytes // 1024} KB in {base.ways} ways, a line of {base.line_bytes} bytes.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Fetches checked", float(checked), whole(checked), "RTL as the model"),
            KeyFigure("rate", "Instructions per clock", best, f"{best:.3f}", "the fastest program"),
        ],
        sections=[
            simt_claims.of_cache(chapter),
            chapter.section(),
            Section("policies", "Patterns", paragraph("Instruction by instruction."), [figure]),
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip

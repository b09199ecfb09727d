# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``dcache``: patterns and programs under each replacement policy."""

from collections.abc import Callable, Mapping
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
    Column("words", "words", "count"),
    Column("hit_rate", "hit rate", "percent", bar=1.0),
    Column("evictions", "lines replaced", "count"),
    Column("writes", "writes", "count"),
    Column("per_clock", "words per clock", "f3"),
    Column("read", "bytes read per word", "f2"),
    Column("written", "bytes written per word", "f2"),
    Column("waiting", "time waiting for memory", "percent"),
)


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    words, cycles = run["hits"] + run["misses"], run["cycles"]
    if words != run["words"] or run["loads"] + run["stores"] + 1 != run["requests"]:
        raise UserError(f"{folder / listed['file']}: its words do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "words": words,
        "hit_rate": run["hits"] / words, "evictions": run["evictions"], "writes": run["writes"],
        "per_clock": words / cycles, "read": run["read_bytes"] / words,
        "written": run["written_bytes"] / words, "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def lost(run: Mapping[str, Any]) -> int:
    """Cycles lost to misses before the clean at the end: without any, a word takes one cycle, and three pass
    from the first request to its result.
    """
    return int(run["cycles_before_clean"] - run["words"] - 3)


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("dcache")
    index = read_index(results, "dcache")
    rows = [row(results, listed) for listed in index["runs"]]
    programs, base = read_programs(results, index), geometry(index["base"]["cache"])
    named = {listed["id"] for listed in index["workloads"] if listed.get("program")}
    patterns = [run for run in rows if run["pattern"] not in named]
    figure = Figure(
        "words", "Patterns under each policy", hit_rate_chart(patterns),
        shows="The share of words whose line was there, of loads and stores.",
        learn="Where all misses are first ones the policies agree; a loop longer than the cache parts them.",
        traffic=f"patterns from a cold cache, {patterns[0]['words']} words at most, a clean at the end",
        table=Table(
            "dcache_policies", "Patterns by policy", COLUMNS, patterns, "The source gives no hit rate."
        ),
        open_table=True,
    )  # fmt: skip
    chapter = Chapter("dcache", "words", base, programs, lost)
    checked, best = sum(run["words"] for run in rows), max(run["per_clock"] for run in rows)
    return BlockReport(
        block="dcache", title="The data cache",
        lead=f"{base.capacity_bytes // 1024} KB in {base.ways} ways, a line of {base.line_bytes} bytes.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Words checked", float(checked), whole(checked), "RTL as the model"),
            KeyFigure("rate", "Words per clock", best, f"{best:.3f}", "the fastest program; 1 is the limit"),
        ],
        sections=[
            simt_claims.of_cache(chapter),
            chapter.section(),
            Section("data-policies", "Patterns", paragraph("Eight lanes to a request."), [figure]),
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip

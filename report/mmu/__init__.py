# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``mmu``: programs through the RTL, on the published caches and on others."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from configs import UserError
from report import simt_claims
from report.charts import Mark, Series, bar_chart
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import AGAIN, provenance, read_index, read_json
from report.tables import Column, Table, fixed, plain, whole
from report.words import mean
from workloads.simt.programs import NINE

COLUMNS = (
    Column("program", "program"), Column("n", "N", "count"), Column("caches", "caches"),
    Column("instructions", "instructions", "count"), Column("cycles", "cycles", "count"),
    Column("cpi", "CPI", "f3"), Column("times", "times as fast", "f2", bar=8.0),
    Column("fetch_misses", "misses of fetches", "count"), Column("data_misses", "of words", "count"),
    Column("fetch_wait_cycles", "waits, fetches", "count", "cycles with a line on its way"),
    Column("data_wait_cycles", "waits, data", "count", "cycles with a line on its way"),
)  # fmt: skip
STALLS = (
    Column("group_wait_cycles", "room at a line", "count", "cycles; docs/dcache.md, stalls under misses"),
    Column("victim_wait_cycles", "a victim under way", "count"),
    Column("entry_wait_cycles", "an MSHR", "count"),
    Column("write_wait_cycles", "the write buffer", "count"),
    Column("stage_wait_cycles", "stage 2", "count"),
    Column("warp_wait_cycles", "the warp's result", "count"),
)


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("mmu")
    index = read_index(results, "mmu")
    measured = _rows(results, index["runs"])
    rows = [row for row in measured if row["program"] in NINE]
    roles = list(dict.fromkeys(row["caches"] for row in rows))
    instructions = sum(row["instructions"] for row in measured)
    published = [row for row in measured if row["caches"] == roles[0]]
    best = max(rows, key=lambda row: float(row["times"]))
    return BlockReport(
        block="mmu", title="The memory unit",
        lead="Both caches, a shared RAM and one AXI port: programs that run through all of it.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Instructions executed", float(instructions), whole(instructions),
                      "results as numpy's, hits as the golden models'"),
            KeyFigure("fastest", "Times as fast as published", best["times"], f"{best['times']:.2f}",
                      f"{best['program']}, {best['caches']}"),
        ],
        sections=[
            simt_claims.of_machine(published, index["latency"]),
            Section("mmu-programs", "Programs", paragraph(
                "One block of 8 warps of 8 threads executes what the RTL fetches, with the words that it "
                f"loads; memory is {index['latency']} cycles away. With the published caches warps take "
                "turns, and one miss stops all; with those that serve hits under misses any warp that is "
                "ready goes on, and what that alone is worth to the published ones has a row of its own."
            ), [_speeds(rows, roles), _waits([row for row in rows if row["caches"] == roles[0]]),
                _stalls([row for row in rows if STALLS[0].key in row], roles[-1])]),
        ],
        provenance=provenance(index), command=index["command"],
    )  # fmt: skip


def _rows(folder: Path, runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each run, the published one of each program first. Raises :class:`UserError`."""
    rows: list[dict[str, Any]] = []
    for _, listed in groupby(runs, key=lambda run: run["workload"]):
        published: dict[str, Any] = {}
        for one in listed:
            run = read_json(folder / one["file"])
            published = published or run
            if run["instructions"] != published["instructions"] or run["cycles"] < run["instructions"]:
                raise UserError(f"{folder / one['file']}: its instructions do not add up; {AGAIN}")
            shown = {column.key: run[column.key] for column in COLUMNS + STALLS if column.key in run}
            cpi, times = run["cycles"] / run["instructions"], published["cycles"] / run["cycles"]
            rows.append({**shown, "caches": one["role"], "cpi": cpi, "times": times})
    return rows


def _speeds(rows: Sequence[Mapping[str, Any]], roles: Sequence[str]) -> Figure:
    published, *others = roles
    programs = [f"{row['program']}\n{row['n']}" for row in rows if row["caches"] == published]
    series = [Series(role, [row["times"] for row in rows if row["caches"] == role]) for role in _told(others)]
    chart = bar_chart(
        programs, series, y_label="times as fast", y_format=fixed(2), y_tick=plain,
        marks=[Mark(published, y=1.0)], alt="speed of each program beside the published caches, by caches",
    )  # fmt: skip
    means = ", ".join(f"{one.name} {mean(one.y):.2f}" for one in series)
    return Figure(
        "mmu-speeds", "Beyond the published caches", chart,
        shows="Cycles on the published caches, by those on others. docs/simt.md says what each of "
        "them changes; \"fast\" is the preset: all of it, and a bus of 64 bits.",
        learn=f"Means: {means}. Which waits a change takes away depends on the program: docs/simt.md.",
        traffic=f"{len(rows)} runs of {len(programs)} programs through the RTL",
        table=Table("mmu_programs", "Programs by caches", COLUMNS, _of(COLUMNS, rows),
                    "The source gives no cycles of its programs."),
        open_table=True,
    )  # fmt: skip


def _of(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{column.key: row[column.key] for column in columns} for row in rows]


def _told(others: Sequence[str]) -> list[str]:
    """Those that the chart has room for: the first, the last, and two between."""
    return list(dict.fromkeys([others[0], *others[1:-1][1::3], others[-1]]))


def _waits(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Where the published machine's cycles go."""
    programs = [f"{row['program']}\n{row['n']}" for row in rows]
    fetches, data = (
        [row[f"{side}_wait_cycles"] / row["instructions"] for row in rows] for side in ("fetch", "data")
    )
    rest = [row["cpi"] - one - two for row, one, two in zip(rows, fetches, data, strict=True)]
    chart = bar_chart(
        programs,
        [Series("instructions, words and bubbles", rest), Series("waiting for data", data),
         Series("waiting for instructions", fetches)],
        y_label="cycles / instruction", y_format=fixed(3), y_tick=plain, stacked=True,
        alt="cycles by instruction of each program on the published caches, by cause",
    )  # fmt: skip
    return Figure(
        "mmu-cycles", "Where the cycles go", chart,
        shows="Cycles by instruction on the published caches. A load or store takes a cycle for each of its "
        "lanes. A cycle in which both caches wait counts for both, and is taken off the rest.",
        traffic=f"{len(rows)} programs", table=None,
    )  # fmt: skip


def _stalls(rows: Sequence[Mapping[str, Any]], last: str) -> Figure:
    """What look-ups wait for where misses do not stop all; ``last``: the caches of the chart."""
    shown, columns = [row for row in rows if row["caches"] == last], COLUMNS[:5] + STALLS
    programs = [f"{row['program']}\n{row['n']}" for row in shown]
    chart = bar_chart(
        programs,
        [Series(one.title, [row[one.key] / row["instructions"] for row in shown]) for one in STALLS],
        y_label="cycles / instruction", y_format=fixed(3), y_tick=plain, stacked=True,
        alt=f"cycles by instruction in which look-ups of the data cache waited, caches {last}, by cause",
    )  # fmt: skip
    return Figure(
        "mmu-stalls", "What look-ups of the data cache wait for", chart,
        shows="Cycles by instruction in which what is looked up, or could be, did not go on, caches "
        f"\"{last}\". A cycle counts for its first cause.",
        learn="Each cause has its own remedy: groups by line, ways, lines under way, the write buffer. "
        "Stage 2 moves a line each cycle. A warp has one access under way here: none waits at the door.",
        traffic=f"{len(rows)} runs of {len(programs)} programs through the RTL",
        table=Table("mmu_stalls", "Stalls by cause", columns, _of(columns, rows),
                    "The source has no such caches."),
    )  # fmt: skip

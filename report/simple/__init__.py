# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``simple``: small programs, written back and written through."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report.charts import Series, bar_chart
from report.page import BlockReport, Figure, KeyFigure, Section
from report.tables import Column, Table, percent, percent_tick, whole

COMMAND = "make report BLOCK=simple"
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


def read(folder: Path) -> dict[str, Any]:
    """The index of a folder of results. Raises :class:`UserError` for what is missing or does not add up."""
    path = folder / "index.json"
    try:
        index: dict[str, Any] = json.loads(path.read_text())
        index["runs"] = [
            {
                "pattern": run["workload"],
                "policy": run["role"],
                **json.loads((folder / run["file"]).read_text()),
            }
            for run in index["runs"]
        ]
        for run in index["runs"]:
            asked = run["loads"] + run["stores"]
            if not asked == run["requests"] == run["hits"] + run["misses"]:
                raise UserError(f"{path}: requests of {run['pattern']} do not add up; {COMMAND} again")
    except (OSError, ValueError, KeyError) as error:
        raise UserError(f"{path}: no measured results of simple ({error!r}); {COMMAND}") from None
    return index


def row(run: dict[str, Any]) -> dict[str, Any]:
    """A run as a row of the table."""
    count, cycles = run["requests"], run["cycles"]
    return {
        "pattern": run["pattern"], "policy": run["policy"], "requests": count,
        "hit_rate": run["hits"] / count, "per_clock": count / cycles,
        "read": run["read_bytes"] / count, "written": run["written_bytes"] / count,
        "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("simple")
    index = read(results)
    rows = [row(run) for run in index["runs"]]
    policies = tuple(dict.fromkeys(line["policy"] for line in rows))
    names = tuple(dict.fromkeys(line["pattern"] for line in rows))
    by_key = {(line["policy"], line["pattern"]): line for line in rows}
    series = [Series(policy, [by_key[policy, name]["hit_rate"] for name in names]) for policy in policies]
    chart = bar_chart(
        names, series, alt="hit rate of each program, by policy", y_label="hit rate",
        y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
    )  # fmt: skip
    traffic = f"{len(names)} programs from a cold cache, {rows[0]['requests']} requests at most"
    figure = Figure(
        "programs", "Small programs, written back and written through", chart,
        shows="The share of loads and stores whose line was there.",
        learn="A write-through cache does not allocate for stores: it reads less and writes each store.",
        traffic=traffic, command=COMMAND, open_table=True,
        table=Table("simple_programs", "Programs by policy", COLUMNS, rows, "The block has no paper."),
    )  # fmt: skip
    checked, best = sum(line["requests"] for line in rows), max(line["per_clock"] for line in rows)
    lines = index["base"]["cache"]
    return BlockReport(
        block="simple", title="The simple cache",
        lead=f"Direct-mapped, {lines['sets']} lines of {lines['line_bytes']} bytes: the block to read first.",
        hero=[],
        key_figures=[
            KeyFigure("checked", "Requests checked", float(checked), whole(checked), "RTL as the model"),
            KeyFigure("rate", "Requests per clock", best, f"{best:.3f}", "the fastest program"),
        ],
        sections=[Section("programs-section", "Programs", "<p>Loads and stores word by word.</p>", [figure])],
        provenance={
            "Configuration": f"{index['base_name']}, hash {index['hash']}",
            "Measured by": index["command"], "Seed": str(index["seed"]),
            "Measured with": ", ".join(f"{name} {number}" for name, number in index["versions"].items()),
            "Runs": f"{len(rows)} runs of {len(names)} programs",
        },
    )  # fmt: skip

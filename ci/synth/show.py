# SPDX-License-Identifier: Apache-2.0
"""Results of synthesis as tables for people."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.table import Table

from ci.synth.families import FAMILIES

TIMING = {"path_ns": "ns", "mhz": "MHz"}  # what a source may state of it
ROWS = {
    "lut": "LUT",
    "lut_least": "  if all small ones share",
    **{f"lut{size}": f"  LUT{size}" for size in range(1, 7)},
    "lut_memory": "  as memory",
    "ff": "flip-flops",
    "bram": "block RAMs of 36 Kbit",
    "ramb36": "  RAMB36",
    "ramb18": "  RAMB18, each a half",
    "uram": "URAM",
    "dsp": "DSP",
    "carry4": "CARRY4",
    "carry8": "CARRY8",
    "muxf": "MUXF7 and MUXF8",
    "latch": "latches",
}


#: columns of what is kept
KEPT = {
    "lut": "LUT",
    "lut_least": "shared",
    "ff": "FF",
    "bram": "RAM",
    "path_ns": "ns",
    "luts_in_path": "deep",
}


def kept_table(block: str, rows: Sequence[tuple[dict[str, str], bool]]) -> Table:
    """Rows of a comparison that is kept, each with whether it is of older Verilog."""
    table = Table(title=f"{block} for the 7 series, kept in ci/synth/sizes/{block}.csv")
    table.add_column("what", overflow="fold")
    for title in (*KEPT.values(), "Verilog"):
        table.add_column(title, justify="right", no_wrap=True)
    for row, stale in rows:
        what = " ".join(filter(None, (row["part"], row["preset"], row["changes"]))) or block
        table.add_row(what, *(row[name] for name in KEPT), "older" if stale else "as now")
    table.caption = f".venv/bin/python -m ci.synth.growth {block} measures what is missing or stale"
    return table


def number(value: float) -> str:
    """Without a fraction where there is none."""
    return f"{value:,.1f}".removesuffix(".0")


def resources_table(results: Sequence[dict[str, Any]], stated: dict[str, Any]) -> Table:
    """A column for each family and, if it states any of this, one for the source."""
    first = results[0]
    table = Table(title=f"{first['block']} {first['configuration']} by {first['tool']}, before placement")
    table.add_column("")
    for result in results:
        table.add_column(FAMILIES[result["family"]].title, justify="right")
    stated_rows = stated.keys() & ROWS
    if stated_rows:
        table.add_column(stated["source"], justify="right")
    for row, title in ROWS.items():
        values = [result["resources"][row] for result in results]
        if any(values) or row in stated_rows or row == "latch":
            cells = [number(value) for value in values]
            if stated_rows:
                cells.append(number(stated[row]) if row in stated_rows else "")
            table.add_row(title, *cells)
    if stated_rows:
        table.caption = f"{stated['source']}: {stated['device']}"
    return table


def timing_lines(results: Sequence[dict[str, Any]], stated: dict[str, Any]) -> list[str]:
    """The longest logic path of each family whose delays Yosys knows, and what that figure is; what the
    source states, if anything.
    """
    lines = []
    for result in results:
        which = FAMILIES[result["family"]]
        if not result.get("timing"):
            why = "there is none" if which.delays else "Yosys has no delays for it"
            lines.append(f"{which.title}: no longest logic path: {why}")
            continue
        path, delay = result["timing"]["path"], result["timing"]["logic_ps"]
        runs = [(name, len(list(same))) for name, same in groupby(path)]
        shown = " ".join(name if count == 1 else f"{count}x{name}" for name, count in runs)
        lines.append(
            f"{which.title}: longest logic path {delay / 1000:.2f} ns, so at most {1e6 / delay:.0f} MHz "
            f"(cells alone, by Artix-7's maximum delays; no routing, which makes it less)\n  {shown}"
        )
    if figures := [f"{stated[name]} {unit}" for name, unit in TIMING.items() if name in stated]:
        lines.append(f"{stated['source']}: {' and '.join(figures)} ({stated['device']}, placed and routed)")
    return lines

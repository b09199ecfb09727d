# SPDX-License-Identifier: Apache-2.0
"""What machines take of an FPGA: figures of synthesis that are kept with the sources, beside each other.

``python -m ci.synth.growth BLOCK`` measures them anew; :mod:`ci.synth.growth` says what they are.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

from report.page import Figure
from report.tables import Column, Table, Value

FOLDER = Path(__file__).parent.parent / "ci" / "synth" / "sizes"
FIGURES = ("lut", "lut_least", "lut_memory", "ff", "bram", "path_ns", "luts_in_path")
COLUMNS = (
    Column("machine", "machine"),
    Column("lut", "LUT", "count", "before placement; some of them can share one"),
    Column("lut_least", "if all small ones share", "count"),
    Column("lut_memory", "of LUTs, as memory", "count"),
    Column("ff", "flip-flops", "count"),
    Column("bram", "block RAMs of 36 Kbit", "plain", "one of 18 Kbit is a half"),
    Column("path_ns", "longest path of logic, ns", "f2", "delays of cells alone, no routing"),
    Column("luts_in_path", "LUTs in it", "count"),
)


def kept(block: str) -> dict[tuple[str, str, str], dict[str, float]]:
    """FIGURES of a block's rows, by preset (empty: the default one), changes, part (empty: the block)."""
    path = FOLDER / f"{block}.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {
            (row["preset"], row["changes"], row["part"]): {name: float(row[name]) for name in FIGURES}
            for row in csv.DictReader(file)
        }


def figure(anchor: str, title: str, machines: Mapping[str, tuple[str, ...]]) -> Figure:
    """A table of ``machines``, words for block, preset and, if there are any, changes of it; those that were
    not measured say so.
    """
    rows: list[dict[str, Value]] = []
    luts: dict[str, float] = {}
    for words, (block, preset, *changes) in machines.items():
        found = kept(block).get((preset, " ".join(changes), ""))
        rows.append(
            {"machine": words if found else f"{words} (not measured)", **(found or dict.fromkeys(FIGURES))}
        )
        luts |= {words: found["lut"]} if found else {}
    first = next(iter(luts), "")
    times = [f"{words} {count / luts[first]:.2f} times" for words, count in luts.items() if words != first]
    blocks = dict.fromkeys(block for block, *_ in machines.values())
    return Figure(
        anchor, title, "",
        shows="Resources of a 7 series FPGA, as Yosys maps them, and the longest path of logic.",
        learn=f"LUTs beside {first}: {', '.join(times)}." if times else "Too few of them were measured.",
        traffic="kept with the sources, of the Verilog as it was then",
        command="; ".join(f".venv/bin/python -m ci.synth.growth {block}" for block in blocks),
        table=Table(anchor.replace("-", "_"), title, COLUMNS, rows), open_table=True,
    )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""FPGA resources of machines beside each other: figures of synthesis that are kept with the sources.

``python -m ci.synth.growth BLOCK`` measures them anew; :mod:`ci.synth.growth` says what they are.
"""

import csv
from pathlib import Path
from typing import Any

from report.pages import Page

FOLDER = Path(__file__).parent.parent / "ci" / "synth" / "sizes"
FIGURES = ("lut", "lut_least", "lut_memory", "ff", "bram", "path_ns", "luts_in_path")


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


def against(block: str, first: str, second: str, other: str = "") -> str:
    """Area and path of preset ``second`` (of block ``other``) beside those of ``first``, in words."""
    old, new = kept(block)[first, "", ""], kept(other or block)[second, "", ""]
    paths = f"{new['path_ns']:.1f} ns of logic instead of {old['path_ns']:.1f}"
    return f"{new['lut'] / old['lut']:.1f} × the LUTs, {paths}"


def draw_costs(page: Page, name: str) -> None:
    """The figure's ``machines``, words for block, preset and, if there are any, changes of it; those that
    were not measured say so.
    """
    rows: list[dict[str, Any]] = []
    luts: dict[str, float] = {}
    machines = page.of(name)["machines"]
    for words, (block, preset, *changes) in machines.items():
        sizes = kept(block).get((preset, " ".join(changes), ""))
        rows.append(
            {"machine": words if sizes else f"{words} (not measured)", **(sizes or dict.fromkeys(FIGURES))}
        )
        luts |= {words: sizes["lut"]} if sizes else {}
    first = next(iter(luts), "")
    times = [f"{words} {count / luts[first]:.2f}" for words, count in luts.items() if words != first]
    command = "; ".join(
        f".venv/bin/python -m ci.synth.growth {block}"
        for block in dict.fromkeys(machine[0] for machine in machines.values())
    )
    multiples = f"LUTs as multiples of “{first}”: {', '.join(times)}."
    learn = multiples if times else "Too few of them were measured."
    page.draw(name, rows, learn=learn, command=command)

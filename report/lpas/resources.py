# SPDX-License-Identifier: Apache-2.0
"""What the switches take of an FPGA as the array grows: rows of synthesis that are kept with the sources."""

from collections.abc import Iterator

from report import costs
from report.charts import LOW, Series, bar_chart
from report.lpas.results import FS, LPAS, LR2SS, SWITCHES, Results
from report.page import Figure, Section, paragraph
from report.tables import Column, Table, Value, fixed, plain, whole

SIZES = ((2, 2), (2, 4), (4, 4), (4, 8), (8, 8))
NAMES = {LPAS: "lpas", FS: "fs", LR2SS: "lr2ss-a"}  # values of the field ``switch``
SWITCH = "without lpas_cache lpas_network lpas_outside counter lpas_count"
PARTS = {SWITCH: "the switch", "lpas_switch": "its arbiters", "": "the whole block"}
COMMAND = ".venv/bin/python -m ci.synth.growth lpas"


def row(role: str, size: tuple[int, int], part: str) -> dict[str, float] | None:
    """What was measured of a switch in an array of this size, or None."""
    rows, columns = size
    changes = f"switch={NAMES[role]} array.rows={rows} array.columns={columns} "
    changes += "observe=false " if part == SWITCH else ""
    changes += f"axi.id_bits={(rows * columns).bit_length()}"
    return costs.kept("lpas").get(("", changes, part))


def section(_results: Results) -> Section:
    """A figure for the switch, one for its arbiters alone, one for all."""
    return Section("lpas-resources", "What they take", paragraph(
        "As Yosys maps them to the 7 series, before placement. The source says that LPAS needs the least and "
        "reaches 221 MHz; its table is lost. The switch is what lies between PEs and caches: a register for "
        "each request, arbiters, and the multiplexers of requests and of words that come back. LR2SS has a "
        "multiplexer for each link instead of one of all PEs for each cache."
    ), [_figure(part, words) for part, words in PARTS.items()])  # fmt: skip


def _figure(part: str, words: str) -> Figure:
    found = {
        f"{rows}x{columns}": {role: one for role in SWITCHES if (one := row(role, (rows, columns), part))}
        for rows, columns in SIZES
    }
    sizes = [size for size, measured in found.items() if len(measured) == len(SWITCHES)]
    anchor = f"lpas-cost-{words.split()[-1]}"
    return Figure(
        anchor, f"Resources of {words}", _charts(found, sizes, words) if sizes else "",
        shows="Look-up tables, and below them the longest path of logic, by the size of the array; the table "
        "has flip-flops, and how many LUTs lie in that path.",
        learn=_learn(found, sizes),
        traffic="kept with the sources, of the Verilog as it was then", command=COMMAND,
        table=Table(anchor.replace("-", "_"), f"Resources of {words}", (
            Column("size", "array"), Column("switch", "switch"), *costs.COLUMNS[1:],
        ), list(_rows(found))), open_table=True,
    )  # fmt: skip


def _charts(found: dict[str, dict[str, dict[str, float]]], sizes: list[str], words: str) -> str:
    """LUTs and the depth of logic over the size of the array."""
    return "".join(
        bar_chart(
            sizes, [Series(role, [found[size][role][key] for size in sizes]) for role in SWITCHES],
            values=True, y_label=title, y_format=form, y_tick=plain, frame=LOW, x_label="PEs",
            alt=f"bars for each size of the array: {title} of {words}, by switch",
        )
        for key, title, form in (("lut", "LUT", whole), ("path_ns", "longest path of logic, ns", fixed(2)))
    )  # fmt: skip


def _rows(found: dict[str, dict[str, dict[str, float]]]) -> Iterator[dict[str, Value]]:
    for size, measured in found.items():
        for role, one in measured.items():
            yield {"size": size, "switch": role, **one}


def _learn(found: dict[str, dict[str, dict[str, float]]], sizes: list[str]) -> str:
    if not sizes:
        return "Too few of them were measured."
    last = found[sizes[-1]]
    least = min(SWITCHES, key=lambda role: last[role]["lut"])
    paths = ", ".join(f"{role} {last[role]['path_ns']:.2f} ns" for role in SWITCHES)
    return f"At {sizes[-1]} {least} needs the least. Longest paths of logic there: {paths}."

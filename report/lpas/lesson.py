# SPDX-License-Identifier: Apache-2.0
"""The rule in one conflict: who is served in which cycle, drawn as it was measured."""

from typing import Any

from report.lpas.results import AREAS, FS, LPAS, LR2SS, Cases, Results
from report.page import Figure, Section, paragraph
from report.svg import svg, tag, text
from report.tables import Column, Table

CELL, ROW, LEFT, HEAD = 34.0, 22.0, 92.0, 44.0
STYLES = ("s1", "s2", "s3", "s4")


def section(results: Results) -> Section:
    """The time line of one conflict."""
    return Section("lpas-rule", "The rule, in one conflict", paragraph(
        "A cache serves one request per cycle. Local priority asks first how far away a PE is: its own row "
        "of PEs (LA) before the next row (RA1), and so on; only among PEs of one row do turns decide. A full "
        "switch knows turns alone."
    ), [_figure(results)])  # fmt: skip


def _served(cases: Cases) -> list[tuple[int, int, int]]:
    """PE, cycle of the first offer, cycle of the acknowledge, of each store of the lesson."""
    [number] = cases.numbers("lesson")
    mine = cases["case"] == number
    first, latency = cases["first"][mine], cases["latency"][mine]
    return [
        (int(pe), int(came), int(came + took - 1))
        for pe, came, took in zip(cases["pe"][mine], first, latency, strict=True)
    ]


def _figure(results: Results) -> Figure:
    drawn, top, rows = "", 0.0, list[dict[str, Any]]()
    for role in (LPAS, FS, LR2SS):
        served = _served(results.cases[role])
        drawn += _one(role, served, top)
        top += HEAD + ROW * len({pe for pe, _, _ in served}) + 18
        for pe, came, done in sorted(served, key=lambda one: one[2]):
            rows.append({"switch": role, "pe": _name(pe), "area": AREAS[pe // 4], "came": came,
                         "served": done, "waited": done - came})  # fmt: skip
    last = max(int(str(row["served"])) for row in rows)
    width = LEFT + CELL * (last + 1) + 20
    alt = "PEs by row, cycles by column: when each store to one cache waits and when it is served, by switch"
    far = {role: max(done for pe, _, done in _served(results.cases[role]) if pe == 12) for role in (LPAS, FS)}
    columns = (
        Column("switch", "switch"), Column("pe", "PE"), Column("area", "area"), Column("came", "there in "
            "cycle", "count"),
        Column("served", "served in cycle", "count"), Column("waited", "cycles waited", "count"),
    )  # fmt: skip
    return Figure(
        "lpas-lesson", "Six PEs want cache 00 at once", svg(width, top, drawn, alt),
        shows="Each row is a PE. Pale: its store waits; full, with a number: it is served, in the order of "
        "the numbers. PE 00 has three stores, the others one each.",
        learn="With local priority the far PE 30 is served last "
        f"(cycle {far[LPAS]}), although its store has been there from cycle 0: each new store of PE 00 goes "
        f"before it. With turns alone it is served in cycle {far[FS]}, and the third store of PE 00 waits.",
        traffic="one case on the RTL, all pointers at 0",
        table=Table("lpas_lesson", "One conflict, store by store", columns, rows),
    )  # fmt: skip


def _name(pe: int) -> str:
    return f"PE {pe // 4}{pe % 4}"


def _one(role: str, served: list[tuple[int, int, int]], top: float) -> str:
    """One switch: a row for each PE, a column for each cycle."""
    pes = sorted({pe for pe, _, _ in served})
    cycles = max(done for _, _, done in served) + 1
    parts = [text(4, top + 14, role, class_="value")]
    for cycle in range(cycles):
        place = LEFT + CELL * (cycle + 0.5)
        parts.append(text(place, top + HEAD - 10, f"{cycle}", class_="tick", text_anchor="middle"))
    order = {one: number + 1 for number, one in enumerate(sorted(served, key=lambda one: one[2]))}
    for row, pe in enumerate(pes):
        y = top + HEAD + ROW * row
        area = pe // 4
        parts.append(text(LEFT - 8, y + 14, f"{_name(pe)}, {AREAS[area]}", class_="tick", text_anchor="end"))
        cells = "".join(_cells(one, order[one], y) for one in served if one[0] == pe)
        parts.append(tag("g", cells, class_=f"{STYLES[area]} series"))
    return "".join(parts)


def _cells(one: tuple[int, int, int], number: int, y: float) -> str:
    """A store: cycles in which it waits, and the one in which it is served."""
    pe, came, done = one
    cells = ""
    for cycle in range(came, done + 1):
        tip = f"{_name(pe)}, cycle {cycle}\n{'served' if cycle == done else 'waits'}"
        box = {"x": LEFT + CELL * cycle + 1, "y": y + 1, "width": CELL - 2, "height": ROW - 3}
        cells += tag("rect", **box, class_="bar" if cycle == done else "area", data_tip=tip)
    return cells + text(LEFT + CELL * (done + 0.5), y + 15, f"{number}", class_="cell", text_anchor="middle")

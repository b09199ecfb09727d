# SPDX-License-Identifier: Apache-2.0
"""The rule in one conflict: who is served in which cycle, drawn as it was measured."""

from typing import Any

from report.lpas.results import AREAS, FS, LPAS, LR2SS, Cases, LpasResults
from report.pages import Page
from report.svg import svg, tag, text

CELL, ROW, LEFT, HEAD = 34.0, 22.0, 92.0, 44.0
STYLES = ("s1", "s2", "s3", "s4")


def _served(cases: Cases) -> list[tuple[int, int, int]]:
    """PE, cycle of the first offer, cycle of the acknowledge, of each store of the lesson."""
    [number] = cases.numbers("lesson")
    mine = cases["case"] == number
    first, latency = cases["first"][mine], cases["latency"][mine]
    return [
        (int(pe), int(came), int(came + took - 1))
        for pe, came, took in zip(cases["pe"][mine], first, latency, strict=True)
    ]


def draw(page: Page, results: LpasResults) -> None:
    """The time line of one conflict."""
    markup, top, rows = "", 0.0, list[dict[str, Any]]()
    for role in (LPAS, FS, LR2SS):
        served = _served(results.cases[role])
        markup += _one(role, served, top)
        top += HEAD + ROW * len({pe for pe, _, _ in served}) + 18
        rows += [
            {"switch": role, "pe": _name(pe), "area": AREAS[pe // 4], "came": came, "served": done,
             "waited": done - came}
            for pe, came, done in sorted(served, key=lambda store: store[2])
        ]  # fmt: skip
    width = LEFT + CELL * (max(row["served"] for row in rows) + 1) + 20
    alt = "PEs by row, cycles by column: when each store to one cache waits and when it is served, by switch"
    stores = len(rows) // 3  # of each switch, in the order in which they are served
    far = {row["switch"]: number % stores + 1 for number, row in enumerate(rows) if row["pe"] == _name(12)}
    page.draw("lpas-lesson", rows, body=svg(width, top, markup, alt), far=far, stores=stores)


def _name(pe: int) -> str:
    return f"PE {pe // 4}{pe % 4}"


def _one(role: str, served: list[tuple[int, int, int]], top: float) -> str:
    """One switch: a row for each PE, a column for each cycle."""
    pes = sorted({pe for pe, _, _ in served})
    cycles = max(done for _, _, done in served) + 1
    parts = [text(4, top + 14, role, "value")]
    for cycle in range(cycles):
        place = LEFT + CELL * (cycle + 0.5)
        parts.append(text(place, top + HEAD - 10, f"{cycle}", "tick", "middle"))
    order = {store: number + 1 for number, store in enumerate(sorted(served, key=lambda store: store[2]))}
    for row, pe in enumerate(pes):
        y = top + HEAD + ROW * row
        area = pe // 4
        parts.append(text(LEFT - 8, y + 14, f"{_name(pe)}, {AREAS[area]}", "tick", "end"))
        cells = "".join(_cells(store, order[store], y) for store in served if store[0] == pe)
        parts.append(tag("g", cells, class_=f"{STYLES[area]} series"))
    return "".join(parts)


def _cells(store: tuple[int, int, int], number: int, y: float) -> str:
    """A store: cycles in which it waits, and the one in which it is served."""
    pe, came, done = store
    cells = ""
    for cycle in range(came, done + 1):
        tip = f"{_name(pe)}, cycle {cycle}\n{'served' if cycle == done else 'waits'}"
        box = {"x": LEFT + CELL * cycle + 1, "y": y + 1, "width": CELL - 2, "height": ROW - 3}
        cells += tag("rect", **box, class_="bar" if cycle == done else "area", data_tip=tip)
    return cells + text(LEFT + CELL * (done + 0.5), y + 15, f"{number}", "cell", "middle")

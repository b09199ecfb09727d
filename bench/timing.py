# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: taking times in turns, and showing them as ratios."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rich.table import Table

from utils.console import Console

ROUNDS = 3

#: does the work once, returns the seconds that count
Way = Callable[[], float]
#: is told what is being done
Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One thing measured: work done, how much of it per second, and that as a ratio of the first row's."""

    what: str
    work: int
    per_second: float
    ratio: float
    remark: str = ""


def silent(_words: str) -> None:
    """A :data:`Say` for nobody."""


def timed(run: Callable[[], object]) -> Way:
    """``run`` with all of its time counted."""

    def way() -> float:
        started = time.perf_counter()
        run()
        return time.perf_counter() - started

    return way


def fastest(ways: Mapping[str, Way], rounds: int = ROUNDS, say: Say = silent) -> dict[str, float]:
    """Seconds of each way, the least of the rounds: what else the machine did only ever adds to it.

    The ways take turns, so that a machine that is slow for a while is so for all of them.
    """
    best = dict.fromkeys(ways, float("inf"))
    for number in range(rounds):
        for name, way in ways.items():
            say(f"{name}, {number + 1} of {rounds}")
            best[name] = min(best[name], way())
    return best


def rows(entries: Iterable[tuple[str, int, float, str]]) -> list[Row]:
    """Rows of (what, work, seconds, remark), one at least; ratios to the first."""
    speeds = [(what, work, work / seconds, remark) for what, work, seconds, remark in entries]
    first = speeds[0][2]
    return [Row(what, work, speed, speed / first, remark) for what, work, speed, remark in speeds]


def show(title: str, unit: str, measured: Iterable[Row]) -> None:
    """Print the table."""
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for heading in (unit, f"{unit} / s", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("remark")
    for row in measured:
        table.add_row(row.what, f"{row.work:,}", f"{row.per_second:,.0f}", f"{row.ratio:.3g}", row.remark)
    Console(width=120).print(table)

# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: taking times in turns, and showing them as ratios."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One thing measured: work done per second, and that as a ratio of the first row's."""

    what: str
    work: int
    per_second: float
    ratio: float
    remark: str = ""


def seconds(run: Callable[[], object]) -> float:
    """How long ``run`` takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def medians(ways: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of each way, medians over the rounds; all take turns, so that they see the same machine."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            times[name].append(seconds(way))
    return {name: statistics.median(found) for name, found in times.items()}


def rows(entries: list[tuple[str, int, float, str]]) -> list[Row]:
    """Rows of (what, work, seconds, remark); ratios to the first."""
    speeds = [work / taken for _, work, taken, _ in entries]
    return [
        Row(what, work, speed, speed / speeds[0], remark)
        for (what, work, _, remark), speed in zip(entries, speeds, strict=True)
    ]


def show(title: str, unit: str, measured: list[Row]) -> None:
    """Print the table."""
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for heading in (unit, f"{unit} / s", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("remark")
    for row in measured:
        ratio = f"{row.ratio:.3g}"
        table.add_row(row.what, f"{row.work:,}", f"{row.per_second:,.0f}", ratio, row.remark)
    Console(width=120).print(table)

# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: taking times in turns, and showing them as ratios."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

import configs
from configs import cli
from configs.texcache.schema import Config

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


@dataclass(frozen=True)
class Benchmark:
    """A module's measurement: ``measure(cfg, pattern, count)`` for each of ``patterns``, on one preset."""

    module: str
    title: str
    unit: str
    preset: str
    patterns: Sequence[str]
    count: int
    measure: Callable[[Config, str, int], list[Row]]

    def run(self, argv: list[str]) -> int:
        """The command line of the module. Raises :class:`configs.UserError`."""
        parser = cli.Parser(
            prog=f"python -m {self.module}", description=f"Measure the speed of the {self.title}."
        )
        parser.add_argument(
            "--count", type=int, default=self.count, help=f"footprints (default: {self.count})"
        )
        count = parser.parse_args(argv).count
        cfg = configs.load("texcache", self.preset)
        assert isinstance(cfg, Config)
        for pattern in self.patterns:
            show(
                f"{self.title}, {cfg.block} {cfg.name}, {pattern}",
                self.unit,
                self.measure(cfg, pattern, count),
            )
        return 0

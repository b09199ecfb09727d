# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of a block, as ``blocks.toml`` lists them: several ways to do the same work, taken in turns."""

import importlib
import time
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Column, Table

import configs
from utils.console import Console

BLOCKS = Path(__file__).with_name("blocks.toml")
ROUNDS = 3

#: receives the name of the current step
Say = Callable[[str], None]


def timed(run: Callable[..., Any], *arguments: Any) -> Callable[[], tuple[Any, float]]:
    """A run with all of its time counted: its result and seconds."""

    def way() -> tuple[Any, float]:
        started = time.perf_counter()
        result = run(*arguments)
        return result, time.perf_counter() - started

    return way


@dataclass(frozen=True)
class Way:
    """One way to do ``work`` units of work.

    ``run`` returns a result and the seconds that count. Results of all ways must be equal, except that a way
    with ``expected`` must return that. ``rate``: an amount and its unit, to show the amount per second;
    ``beside``: another way, to show the ratio to it; ``cycles``: of the last run.
    """

    run: Callable[[], tuple[Any, float]]
    work: int
    remark: str = ""
    expected: Any = None
    rate: tuple[float, str] | None = None
    beside: str = ""
    cycles: Callable[[], float] | None = None

    def note(self, taken: Mapping[str, float], name: str) -> str:
        """The remark with rate and ratio, of the seconds ``taken``."""
        rate = [f"{self.rate[0] / taken[name]:,.0f} {self.rate[1]}/s"] if self.rate else []
        rate += [f"{self.cycles() / taken[name]:,.0f} cycles/s"] if self.cycles else []
        kind = self.beside.partition(",")[0]
        beside = [f"{taken[self.beside] / taken[name]:.2f} of {kind}"] if self.beside else []
        return ", ".join([*rate, *beside, *([self.remark] if self.remark else [])])


class Row(NamedTuple):
    """One thing measured: work done, how much of it per second, and that as a ratio of the first row's."""

    what: str
    work: int
    per_second: float
    ratio: float
    remark: str = ""
    cycles_per_second: float = 0.0


def compare(ways: Mapping[str, Way], rounds: int, say: Say) -> list[Row]:
    """A row for each way, from the least time of the rounds: other load on the machine only adds to it.

    The ways take turns, so that a machine that is slow for a while is slow for all of them.
    Raises AssertionError for a result that differs.
    """
    best = dict.fromkeys(ways, float("inf"))
    results: dict[str, Any] = {}
    for number in range(rounds):
        for name, way in ways.items():
            say(f"{name}, {number + 1} of {rounds}")
            results[name], seconds = way.run()
            best[name] = min(best[name], seconds)
    first = next(iter(results.values()))
    for name, way in ways.items():
        expected = first if way.expected is None else way.expected
        assert results[name] == expected, f"{name}: {results[name]}, expected {expected}"
    speeds = {name: way.work / best[name] for name, way in ways.items()}
    unit = next(iter(speeds.values()))
    return [
        Row(
            name,
            way.work,
            speeds[name],
            speeds[name] / unit,
            way.note(best, name),
            way.cycles() / best[name] if way.cycles else 0.0,
        )
        for name, way in ways.items()
    ]


def show(title: str, unit: str, measured: Iterable[Row]) -> None:
    """Print the table."""
    headings = [Column(heading, justify="right") for heading in (unit, f"{unit} / s", "ratio")]
    table = Table("what", *headings, "remark", title=title, title_justify="left")
    for row in measured:
        table.add_row(row.what, f"{row.work:,}", f"{row.per_second:,.0f}", f"{row.ratio:.3g}", row.remark)
    Console(width=120).print(table)


@dataclass(frozen=True)
class Benchmark:
    """A comparison by the module ``bench.<kind>`` for each of ``patterns``, with ``count`` accesses.

    ``unit``: of the rows' work. ``same``: counters that must agree, or sums of them like ``hits+misses``.
    ``counts``: pycachesim's names of a model's counters; ``fifo``: both replace first in, first out.
    """

    block: str
    kind: str
    unit: str
    preset: str
    patterns: list[str]
    count: int
    same: tuple[str, ...] = ()
    counts: Mapping[str, str] = field(default_factory=dict)
    fifo: bool = False

    def measure(
        self, cfg: configs.BlockConfig, pattern: str, count: int, rounds: int, say: Say,
        only: Collection[str] = (),
    ) -> list[Row]:  # fmt: skip
        """A row for each way to do the work of one pattern, the first one being the measure of the others;
        ``only`` these, if any are named.

        Builds and compiles outside of the times taken. Raises AssertionError unless all do the same work.
        """
        say("building")
        with importlib.import_module(f"bench.{self.kind}").ways(self, cfg, pattern, count) as ways:
            return compare({name: way for name, way in ways.items() if not only or name in only}, rounds, say)


def benchmarks(block: str) -> dict[str, Benchmark]:
    """The benchmarks of ``block`` by kind.

    Raises :class:`configs.UserError` for an unknown block, and for one that has none.
    """
    configs.schema(block)
    entry = tomllib.loads(BLOCKS.read_text()).get(block)
    if not entry:
        raise configs.UserError(f"block {block} has no benchmarks in bench/blocks.toml")
    shared = {name: entry.pop(name) for name in ("unit", "preset")}
    return {kind: Benchmark(block, kind, **{**shared, **own}) for kind, own in entry.items()}

# SPDX-License-Identifier: Apache-2.0
"""A benchmark as ``python -m bench`` finds it: ``BENCHMARK`` of a module in ``bench/<block>/``."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import configs
from bench.timing import ROUNDS, Row, Say, silent


class Measure(Protocol):
    """Measures one pattern of accesses; builds and compiles first, outside of the times taken.

    Raises AssertionError unless everything that is measured did the same work.
    """

    def __call__(
        self, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
    ) -> list[Row]:
        """Rows of the table, the first one being what the others are compared with."""
        ...


@dataclass(frozen=True)
class Figures:
    """What came of one benchmark, configuration and pattern."""

    benchmark: str
    config: str
    pattern: str
    unit: str
    rows: list[Row]

    @property
    def title(self) -> str:
        """Heading of the table."""
        return f"{self.benchmark}, {self.config}, {self.pattern}"


@dataclass(frozen=True)
class Benchmark:
    """``measure`` for each of ``patterns``, with ``count`` accesses, on ``preset``.

    ``unit``: what the rows count, for people.
    """

    title: str
    unit: str
    preset: str
    patterns: Sequence[str]
    count: int
    measure: Measure

    def config(self, block: str, preset: str | None, changes: list[str]) -> configs.BlockConfig:
        """The preset, its own or another one, with changes. Raises :class:`configs.UserError`."""
        return configs.load(block, preset or self.preset, changes)

    def figures(
        self, cfg: configs.BlockConfig, pattern: str, count: int | None, rounds: int, say: Say
    ) -> Figures:
        """Measure one pattern; ``count`` None stands for the benchmark's own."""
        title = f"{self.title}, {pattern}"
        measured = self.measure(
            cfg, pattern, count or self.count, rounds, lambda words: say(f"{title}: {words}")
        )
        return Figures(self.title, f"{cfg.block} {cfg.name}", pattern, self.unit, measured)


def benchmarks(block: str) -> dict[str, Benchmark]:
    """The benchmarks of ``block`` by their modules' names.

    Raises :class:`configs.UserError` for an unknown block, and for one that has none.
    """
    configs.schema(block)
    names = sorted(path.stem for path in (Path(__file__).parent / block).glob("[a-z]*.py"))
    if not names:
        raise configs.UserError(f"block {block} has no benchmarks in bench/{block}")
    found: dict[str, Benchmark] = {
        name: importlib.import_module(f"bench.{block}.{name}").BENCHMARK for name in names
    }
    return found

# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of a block, as ``blocks.toml`` lists them."""

import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import configs
from bench.timing import Row, Say, compare

BLOCKS = Path(__file__).with_name("blocks.toml")


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

    def measure(self, cfg: configs.BlockConfig, pattern: str, count: int, rounds: int, say: Say) -> list[Row]:
        """A row for each way to do the work of one pattern, the first one being the measure of the others.

        Builds and compiles outside of the times taken. Raises AssertionError unless all do the same work.
        """
        say("building")
        with importlib.import_module(f"bench.{self.kind}").ways(self, cfg, pattern, count) as ways:
            return compare(ways, rounds, say)


def benchmarks(block: str) -> dict[str, Benchmark]:
    """The benchmarks of ``block`` by kind.

    Raises :class:`configs.UserError` for an unknown block, and for one that has none.
    """
    configs.schema(block)
    entry = tomllib.loads(BLOCKS.read_text()).get(block)
    if not entry:
        raise configs.UserError(f"block {block} has no benchmarks in bench/blocks.toml")
    shared = {name: value for name, value in entry.items() if not isinstance(value, dict)}
    kinds = {name: value for name, value in entry.items() if isinstance(value, dict)}
    return {kind: Benchmark(block, kind, **{**shared, **own}) for kind, own in kinds.items()}

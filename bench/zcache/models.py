# SPDX-License-Identifier: Apache-2.0
"""Speed of the depth cache's golden model beside pycachesim, on the lines that the same tiles need.

The golden model goes cycle by cycle, tests every pixel, prefetches and writes back. pycachesim (C) starts
from line addresses, computed beforehand, in a Python list, the fastest it can be fed, and counts hits of
true LRU without prefetch: the hits differ, the look-ups do not. The model without a cache tests tile by
tile in numpy; its pixels are the golden model's.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import oracle
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from bench.zcache.replay import frame
from configs.depth import TILE
from configs.zcache.schema import NONE, Config
from models.memory import Memory
from models.zcache import WORD, functional, run

SINGLE = 20  # one in so many tiles goes through the model without a cache


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps what it did."""

    cfg: Config
    words: NDArray[Any]
    kill: NDArray[np.uint16]
    pitch: int
    base: int
    did: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.few = max(1, len(self.words) // SINGLE)
        found = run(self.cfg, self.words, Memory(), kill=self.kill)
        needs = found.results["kind"] != NONE
        self.passed: NDArray[Any] = found.results["passed"][: self.few]
        numbers = self.words["y"].astype(np.int64) * self.pitch + self.words["x"]
        self.addresses: list[int] = (self.base + numbers[needs] * self.cfg.cache.line_bytes).tolist()
        self.cycles, self.few_lookups = found.cycles, int(needs[: self.few].sum())

    def pycachesim(self) -> None:
        """The line addresses through a cache of the same size."""
        simulator, cache = oracle.simulator(self.cfg.cache)
        simulator.load(self.addresses, length=1)
        stats = cache.stats()
        self.did["pycachesim"] = int(stats["HIT_count"] + stats["MISS_count"])

    def model(self) -> None:
        """The tiles through the golden model."""
        counters = run(self.cfg, self.words, Memory(), kill=self.kill).counters
        self.did["model"] = counters["hits"] + counters["lates"] + counters["misses"]

    def without_cache(self) -> None:
        """Some tiles, each on the words of memory."""
        found = functional(self.cfg, self.words[: self.few], Memory(), self.kill[: self.few])
        self.did["differ"] = int((found.passed != self.passed).sum())

    def check(self) -> None:
        """Raises AssertionError unless all sides did the same work."""
        assert self.did["pycachesim"] == self.did["model"] == len(self.addresses), self.did
        assert not self.did["differ"], self.did


def sides(cfg: Config, scene: str, count: int) -> Sides:
    """The first ``count`` tiles and barriers of a scene, or all if it has fewer.

    Without a shader's port killed pixels are not in the mask (:func:`workloads.zcache.trace.tile_columns`).
    """
    seen = frame(cfg, scene)
    tiles, kill = seen.tiles[:count], seen.kill[:count]
    words = np.zeros(len(tiles), WORD)
    for name in WORD.names or ():
        words[name] = tiles[name]
    if not cfg.given:
        words["mask"] &= ~kill
        kill = np.zeros_like(kill)
    assert (words["op"] == TILE).any(), f"{scene}: no tile among {count} words"
    return Sides(cfg, words, kill, seen.vertices.pitch, seen.vertices.base)


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Look-ups per second."""
    say("rendering, compiling")
    both = sides(cfg, pattern, count)
    ways = (both.pycachesim, both.model, both.without_cache)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    both.check()
    speed = both.cycles / taken["model"] / 1e6
    whole = len(both.addresses)
    return rows(
        [
            ("pycachesim", whole, taken["pycachesim"], "line addresses to hits, LRU"),
            ("golden model", whole, taken["model"], f"cycle by cycle, {speed:.2f} M cycles/s"),
            ("model without a cache", both.few_lookups, taken["without_cache"], "numpy, tile by tile"),
        ]
    )


BENCHMARK = Benchmark(
    "golden model", "look-ups", preset="paper", patterns=("wires", "shore"), count=60_000, measure=measure
)

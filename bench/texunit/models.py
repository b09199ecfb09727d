# SPDX-License-Identifier: Apache-2.0
"""Speed of the texture unit's golden model beside pycachesim, on the same cache queries.

The golden model starts from quads: level of detail, wrapping, addresses, the cache with its own replacement,
texels, the filter. pycachesim (C) starts from line addresses, computed beforehand, in a Python list, which is
the fastest it can be fed, and counts hits of true LRU, which this cache is not: the hits differ, the queries
do not. Given line addresses alone, the golden model's cache counts its own hits.
"""

from dataclasses import dataclass, field

import cachesim
import numpy as np

from bench.benchmark import Benchmark
from bench.texunit.replay import frame
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import TexunitModel, count_hits, forget, new_sets, room
from workloads.texunit.quads import QuadStream

SINGLE = 50  # one in so many quads goes through the per-quad function


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps how many queries it answered."""

    cfg: Config
    stream: QuadStream
    memory: Memory
    queries: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        results, queries = TexunitModel(self.cfg, self.memory).replay(*self.stream)
        self.lines = queries["line"].astype(np.int64)
        self.found = int((queries["repeat"] | queries["hit"]).sum())
        self.ends = np.cumsum(
            np.bincount(self.stream.prim_of_quad, results["queries"], len(self.stream.prims)), dtype=np.int64
        )
        self.addresses: list[int] = (self.lines * self.cfg.cache.line_bytes).tolist()
        self.room = room(len(self.stream.quads))
        self.few = max(1, len(self.stream.quads) // SINGLE)
        self.few_queries = int(results["queries"][: self.few].sum())

    def pycachesim(self) -> None:
        """The line addresses through a cache of the same size."""
        cache = cachesim.Cache(
            "L1", self.cfg.cache.sets, self.cfg.cache.ways, self.cfg.cache.line_bytes, "LRU"
        )
        memory = cachesim.MainMemory()
        memory.load_to(cache)
        memory.store_from(cache)
        cachesim.CacheSimulator(cache, memory).load(self.addresses, length=1)
        stats = cache.stats()
        self.queries["pycachesim"] = int(stats["HIT_count"] + stats["MISS_count"])

    def core(self) -> None:
        """The line addresses, primitive by primitive, through the cache alone."""
        sets = new_sets(self.cfg.cache.sets, self.cfg.cache.ways)
        self.hits, first = 0, 0
        for prim, end in zip(self.stream.prims, self.ends, strict=True):
            if prim["invalidate"]:
                forget(sets)
            self.hits += count_hits(sets, self.lines[first:end], first)
            first = end
        self.queries["core"] = first

    def model(self) -> None:
        """The quads through the compiled model."""
        _, queries = TexunitModel(self.cfg, self.memory).replay(*self.stream)
        self.queries["model"] = len(queries)

    def ways(self) -> None:
        """The same without the texels' values, into records that are there: hits, ways and victims."""
        machine = TexunitModel(self.cfg, self.memory)
        _, queries = machine.replay(*self.stream, values=False, out=self.room)
        self.queries["ways"] = len(queries)

    def one_by_one(self) -> None:
        """Some quads through the function that takes one."""
        machine, current, count = TexunitModel(self.cfg, self.memory), -1, 0
        phases = self.stream.prim_of_quad[:0]
        for quad, prim in zip(self.stream.quads[: self.few], self.stream.prim_of_quad, strict=False):
            if prim != current:
                machine.start(self.stream.prims[prim])
                current = prim
            count += len(machine.quad(quad, phases)[1])
        self.queries["one by one"] = count

    def check(self) -> None:
        """Raises AssertionError unless all sides answered the same queries, the model with the same hits."""
        assert self.hits == self.found, (self.hits, self.found)
        for side in ("pycachesim", "core", "model", "ways"):
            assert self.queries[side] == len(self.addresses), self.queries
        assert self.queries["one by one"] == self.few_queries, self.queries


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Cache queries per second."""
    say("rendering, compiling")
    stream, memory = frame(pattern, count)
    sides = Sides(cfg, stream, memory)
    sides.one_by_one()
    ways = (sides.pycachesim, sides.core, sides.model, sides.ways, sides.one_by_one)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    sides.check()
    quads = {way: len(stream.quads) / taken[way] for way in ("model", "ways")}
    one_by_one = sides.few / taken["one_by_one"]
    whole = len(sides.addresses)
    return rows(
        [
            ("pycachesim", whole, taken["pycachesim"], "line addresses to hits, LRU"),
            ("golden model, lines alone", whole, taken["core"], "line addresses to hits"),
            ("golden model", whole, taken["model"], f"{quads['model']:,.0f} quads/s, filtered"),
            (
                "golden model, ways", whole, taken["ways"],
                f"{quads['ways']:,.0f} quads/s: hits, ways, victims",
            ),
            (
                "golden model, one by one", sides.few_queries, taken["one_by_one"],
                f"{one_by_one:,.0f} calls of quad()/s",
            ),
        ]
    )  # fmt: skip


BENCHMARK = Benchmark(
    "golden model", "queries", preset="one-unit", patterns=("corridors", "terrain"), count=100_000,
    measure=measure,
)  # fmt: skip

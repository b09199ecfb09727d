# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same look-ups, with the same hits.

The golden model starts from footprints: it wraps coordinates, computes addresses, chooses banks, reads
texels and returns a record per footprint. pycachesim (C) is one cache: it starts from line addresses,
computed beforehand, in a Python list, which is the fastest it can be fed, and counts hits. So does the core
of the golden model where it is given line addresses alone. A cache with a single bank is one that all can be.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import oracle
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs import UserError
from configs.texcache.schema import Config
from models import lru
from models.memory import Memory
from models.texcache import RESULT, TexcacheModel
from models.texcache.lookups import lookups
from models.texcache.sweep import sweep
from workloads.texcache.patterns import find

SINGLE = 200  # one in so many footprints goes through the per-access function
ROOM = 8192  # records that are used again and again
SETS, WAYS = (16, 32, 64, 128), (1, 2, 4, 8)  # of the sweep


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps the hits that it counted."""

    cfg: Config
    footprints: NDArray[Any]
    lut: NDArray[np.uint32]
    hits: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.few = self.footprints[: max(1, len(self.footprints) // SINGLE)]
        self.room = np.empty(ROOM, RESULT)
        self.lines = lookups(self.cfg, self.footprints, self.lut).line
        self.addresses: list[int] = (self.lines * self.cfg.cache.line_bytes).tolist()
        self.geometries: list[Config] = [
            self.cfg.with_(cache={"sets": sets, "ways": ways}) for sets in SETS for ways in WAYS
        ]

    def pycachesim(self) -> None:
        """The line addresses through one cache."""
        self.hits["pycachesim"] = [oracle.hits(self.cfg.cache, self.addresses)]

    def core(self) -> None:
        """The line addresses through the set-associative core alone."""
        cache = self.cfg.cache
        self.hits["core"] = [lru.count_hits(lru.new_orders(cache.sets, cache.ways), self.lines)]

    def model(self) -> None:
        """The footprints through the compiled model."""
        machine = TexcacheModel(self.cfg, Memory(), self.lut)
        machine.replay(self.footprints)
        self.hits["model"] = [machine.counters["hits"]]

    def ways(self) -> None:
        """The same without the texels' values, into records that are there: hits, ways and victims."""
        machine = TexcacheModel(self.cfg, Memory(), self.lut)
        for first in range(0, len(self.footprints), len(self.room)):
            part = self.footprints[first : first + len(self.room)]
            machine.replay(part, values=False, out=self.room[: len(part)])
        self.hits["ways"] = [machine.counters["hits"]]

    def one_by_one(self) -> None:
        """Some footprints through the function that takes one."""
        machine = TexcacheModel(self.cfg, Memory(), self.lut)
        for footprint in self.few:
            machine.access(footprint)
        self.hits["one by one"] = [machine.counters["hits"]]

    def pycachesim_sweep(self) -> None:
        """The line addresses through a cache of each geometry."""
        self.hits["pycachesim sweep"] = [oracle.hits(cfg.cache, self.addresses) for cfg in self.geometries]

    def sweep(self) -> None:
        """The footprints through all geometries, in as few passes as the model needs."""
        self.hits["sweep"] = [totals.hits for totals in sweep(self.geometries, self.footprints, self.lut)]

    def check(self) -> None:
        """Raises AssertionError unless both sides counted the same hits."""
        for side in ("model", "ways", "core"):
            assert self.hits[side] == self.hits["pycachesim"], self.hits
        assert self.hits["sweep"] == self.hits["pycachesim sweep"], self.hits
        few = TexcacheModel(self.cfg, Memory(), self.lut)
        few.replay(self.few)
        assert self.hits["one by one"] == [few.counters["hits"]], self.hits


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Look-ups per second. Raises :class:`UserError` for a configuration that pycachesim cannot be."""
    if cfg.banks != 1:
        raise UserError(f"{cfg.name} has {cfg.banks} banks, pycachesim is one cache: choose banks=1")
    say("making footprints, compiling")
    trace = find(pattern).make(cfg, count, np.random.default_rng(1))
    sides = Sides(cfg, trace.footprints, trace.lut)
    sides.model()
    sides.sweep()
    ways = (
        sides.pycachesim, sides.core, sides.ways, sides.model, sides.one_by_one, sides.pycachesim_sweep,
        sides.sweep,
    )  # fmt: skip
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    sides.check()
    whole, part = len(sides.addresses), len(lookups(cfg, sides.few, trace.lut).line)
    many, geometries = whole * len(sides.geometries), f"{len(sides.geometries)} geometries"
    rates = {name: count / taken[name] for name in ("model", "ways")}
    rates["one"] = len(sides.few) / taken["one_by_one"]
    times = taken["pycachesim_sweep"] / taken["sweep"]
    return rows(
        [
            ("pycachesim", whole, taken["pycachesim"], "line addresses to hits"),
            ("golden model, lines alone", whole, taken["core"], "line addresses to hits"),
            ("golden model, ways", whole, taken["ways"], f"{rates['ways']:,.0f} footprints/s, with victims"),
            ("golden model", whole, taken["model"], f"{rates['model']:,.0f} footprints/s, with texels"),
            (
                "golden model, one by one",
                part,
                taken["one_by_one"],
                f"{rates['one']:,.0f} calls of access()/s",
            ),
            (f"pycachesim, {geometries}", many, taken["pycachesim_sweep"], "one after the other"),
            (f"sweep, {geometries}", many, taken["sweep"], f"few passes: {times:.1f} times pycachesim"),
        ]
    )


BENCHMARK = Benchmark(
    "golden model",
    "look-ups",
    preset="single-bank",
    patterns=("magnified", "minified", "random-everywhere"),
    count=1_000_000,
    measure=measure,
)

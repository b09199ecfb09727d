# SPDX-License-Identifier: Apache-2.0
"""Speed of the pipelined unit's golden model beside pycachesim, on the same look-ups, with the same hits.

The golden model starts from quads: level of detail, wrapping, addresses, eight banks of true LRU, texels, the
filter. pycachesim (C) is one plain cache of all banks' sets: it starts from line addresses, computed
beforehand, in a Python list, which is the fastest it can be fed, and counts hits. So does the core of the
golden model where it is given line addresses alone.
"""

from dataclasses import dataclass, field

import numpy as np

from bench import oracle
from bench.benchmark import Benchmark
from bench.texunit.replay import frame
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs import UserError
from configs.texpipe.schema import BANKS, Config
from models import lru
from models.memory import Memory
from models.texpipe import TexpipeModel, room
from models.texpipe.banks import set_of
from workloads.texunit.quads import QuadStream, pieces

SINGLE = 50  # one in so many quads goes through the per-quad function
ROOM = 1000  # quads whose records are used again and again, or one primitive's, if it has more


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps the hits that it counted.

    ``lines``: those looked up, [lookups], as a plain cache has them. Raises :class:`UserError` for primitives
    that invalidate, which such a cache cannot.
    """

    cfg: Config
    stream: QuadStream
    memory: Memory
    hits: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.stream.prims["invalidate"].any():
            raise UserError("primitives that invalidate: pycachesim cannot")
        self.few = max(1, len(self.stream.quads) // SINGLE)
        self.pieces = pieces(self.stream, ROOM)
        self.room = room(max(len(piece.quads) for piece in self.pieces))
        results, beats = TexpipeModel(self.cfg, self.memory).replay(*self.stream)
        self.found, few = int(beats["hit"].sum()), int(results["beats"][: self.few].sum())
        self.few_found, self.part = (int(beats[name][:few].sum()) for name in ("hit", "valid"))
        beat, bank = np.nonzero(beats["valid"])
        lines = beats["line"][beat, bank].astype(np.int64)
        self.sets = BANKS * self.cfg.cache.sets
        places = np.array([set_of(line, self.cfg.cache.set_bits) for line in lines.tolist()], np.int64)
        self.lines = oracle.placed(lines, bank * self.cfg.cache.sets + places, self.sets)
        self.addresses: list[int] = (self.lines * self.cfg.cache.line_bytes).tolist()

    def pycachesim(self) -> None:
        """The line addresses through a cache of all sets."""
        self.hits["pycachesim"] = oracle.hits(self.cfg.cache, self.addresses, BANKS)

    def core(self) -> None:
        """The line addresses through the set-associative core alone."""
        self.hits["core"] = lru.count_hits(lru.new_orders(self.sets, self.cfg.cache.ways), self.lines)

    def model(self) -> None:
        """The quads through the compiled model."""
        machine = TexpipeModel(self.cfg, self.memory)
        machine.replay(*self.stream)
        self.hits["model"] = machine.counts["hits"]

    def ways(self) -> None:
        """The same without the texels' values, into records that are there: hits, ways and victims."""
        machine = TexpipeModel(self.cfg, self.memory)
        for piece in self.pieces:
            machine.replay(*piece, values=False, out=self.room)
        self.hits["ways"] = machine.counts["hits"]

    def one_by_one(self) -> None:
        """Some quads through the function that takes one."""
        machine, current = TexpipeModel(self.cfg, self.memory), -1
        for quad, prim in zip(self.stream.quads[: self.few], self.stream.prim_of_quad, strict=False):
            if prim != current:
                machine.start(self.stream.prims[prim])
                current = prim
            machine.quad(quad)
        self.hits["one by one"] = machine.counts["hits"]

    def check(self) -> None:
        """Raises AssertionError unless all sides counted the same hits."""
        for side in ("pycachesim", "core", "model", "ways"):
            assert self.hits[side] == self.found, (self.hits, self.found)
        assert self.hits["one by one"] == self.few_found, (self.hits, self.few_found)


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Look-ups per second."""
    say("rendering, compiling")
    stream, memory = frame(pattern, count)
    sides = Sides(cfg, stream, memory)
    sides.one_by_one()
    ways = (sides.pycachesim, sides.core, sides.ways, sides.model, sides.one_by_one)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    sides.check()
    quads = {way: len(stream.quads) / taken[way] for way in ("ways", "model")}
    one_by_one, whole = sides.few / taken["one_by_one"], len(sides.addresses)
    return rows(
        [
            ("pycachesim", whole, taken["pycachesim"], "line addresses to hits"),
            ("golden model, lines alone", whole, taken["core"], "line addresses to hits"),
            (
                "golden model, ways", whole, taken["ways"],
                f"{quads['ways']:,.0f} quads/s: hits, ways, victims",
            ),
            ("golden model", whole, taken["model"], f"{quads['model']:,.0f} quads/s, filtered"),
            (
                "golden model, one by one", sides.part, taken["one_by_one"],
                f"{one_by_one:,.0f} calls of quad()/s",
            ),
        ]
    )  # fmt: skip


BENCHMARK = Benchmark(
    "golden model", "look-ups", preset="one-unit", patterns=("corridors", "terrain"), count=100_000,
    measure=measure,
)  # fmt: skip

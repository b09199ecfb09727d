# SPDX-License-Identifier: Apache-2.0
"""The cache: cycles of each outcome, replacement, what ends a repeat, errors."""

import cocotb
import numpy as np

from models.texunit.address import TABLE_BYTES
from models.texunit.timing import query_cycles
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import primitive, quads_at
from tb.texunit.rules import stage_times

TILE = 4 / 1024  # width of a tile of a texture 1024 wide


class CacheSequence(TexunitSequence):
    """Queries chosen line by line: nearest, one valid pixel, RGBA8 rows of 4 texels as lines."""

    def prim(self, **fields: int) -> object:
        """Lines follow each other in the first tile column: 4 to a tile."""
        return primitive(**{"base": 0, "log2w": 10, "log2h": 10, "max_lod": 0, **fields})

    def first_line(self) -> int:
        """Line address of level 0."""
        return sum(max(4, 1024 >> mip) ** 2 for mip in range(1, 11)) // 4

    async def lines(self, lines: list[int], unit: int = 0) -> None:
        """Query these lines of level 0, counted from its start."""
        places = [
            ((line // 4 % 256 + 0.1) * TILE, (line // 1024 * 4 + line % 4 + 0.5) / 1024) for line in lines
        ]
        await self.send(quads_at(places, valid=1), unit)


@testcase()
class StageCycles(CacheSequence):
    """11 cycles for the level, 1 for a repeat, 4 + 4 for a hit, 8 for the filter, as published."""

    async def body(self) -> None:
        """The scoreboard times every handshake; here on an idle unit, where the least value is the value."""
        await self.begin(self.prim(invalidate=1))
        for line in (0, 0, 4, 0, 4, 4):
            await self.lines([line])
            await self.settle()
        await self.begin(self.prim(bilinear=1))
        for place in ((0.5, 0.5), (0.5, 0.5), (0.1, 0.1)):
            await self.send(quads_at([place]))
            await self.settle()
        published = {"lod": 11, "repeat": 1, "hit": 8, "filter": 8}
        want = {**published, "miss": query_cycles(self.cfg)["miss"]}
        times = stage_times(self.env.stages)
        self.expect("shortest", want, {stage: shortest for stage, (_, shortest, _) in times.items()})
        self.expect("longest", want, {stage: longest for stage, (_, _, longest) in times.items()})


@testcase()
class Replacement(CacheSequence):
    """Ways fill from 0 on; then the half used longer ago goes, and in it what the counter says."""

    async def body(self) -> None:
        """Lines of one set, one more than it has ways, and random ones, with hits between."""
        await self.begin(self.prim(invalidate=1))
        ways, sets = self.cfg.cache.ways, self.cfg.cache.sets
        for _ in range(3):
            first = int(self.rng.integers(sets))
            mine = [first + sets * k for k in range(ways + 2)]
            await self.lines([*mine[:ways], mine[0], mine[ways - 1], *mine])
            await self.lines([mine[i] for i in self.rng.integers(ways + 2, size=60)])
            for i in self.rng.integers(ways + 2, size=20):
                await self.lines([mine[i]])
                await self.clocking.cycles(int(self.rng.integers(1, 30)))


@testcase()
class EveryWay(CacheSequence):
    """All ways of some sets are filled, hit and replaced."""

    async def body(self) -> None:
        """The first sets and the last."""
        await self.begin(self.prim(invalidate=1))
        sets, ways = self.cfg.cache.sets, self.cfg.cache.ways
        chosen = sorted({0, 1, sets // 2, sets - 1})
        for turn in range(3):
            for index in chosen:
                await self.lines([index + sets * (way + turn * ways // 2) for way in range(ways)] * 2)


@testcase()
class RepeatEnds(CacheSequence):
    """A repeat needs the same line as the query before: not after another line, an error, a new primitive."""

    async def body(self) -> None:
        """Each followed by the same line again."""
        await self.begin(self.prim(invalidate=1))
        await self.lines([8, 8, 12, 8, 8])
        await self.begin(self.prim())
        await self.lines([8, 8])
        await self.begin(self.prim(invalidate=1))
        await self.lines([8, 8])
        await self.settle()
        first = self.first_line()
        self.env.poison([first + 16])
        await self.lines([16, 16, 8, 16, 16])
        await self.settle()
        self.env.heal()
        await self.lines([16, 16, 8, 16])


@testcase()
class TexelErrors(CacheSequence):
    """An error response marks the quad, is counted and not kept; each beat, both lines of a split texel."""

    async def body(self) -> None:
        """RGBA8, then three-byte texels around a line's end, then a table with a bad line."""
        first = self.first_line()
        await self.begin(self.prim(invalidate=1))
        for beat in range(self.cfg.beats_per_line):
            self.env.memory.faults.beat = beat
            self.env.poison([first + 20 + beat])
            await self.lines([20 + beat, 40, 20 + beat, 40])
            await self.settle()
            self.env.heal()
            await self.lines([20 + beat, 20 + beat])
            await self.settle()
        self.env.memory.faults.beat = None
        for bad in (0, 1):
            self.env.poison([6 + bad])  # behind two smaller mips of three lines each
            await self.begin(primitive(base=0, log2w=2, log2h=2, format=1, max_lod=0, invalidate=1))
            await self.send(quads_at([(0.3, 0.3)], 0.25))
            await self.send(
                quads_at([(x / 4 + 0.1, y / 4 + 0.1) for y in range(4) for x in range(4)], valid=1)
            )
            await self.settle()
            self.env.heal()
        for kind in (2, 3):
            table = TABLE_BYTES[kind] // self.cfg.cache.line_bytes
            for bad in (0, 17, 47, *range(table, table + 7)):  # of colours; of indices, all of them
                self.env.poison([bad + 500])
                await self.begin(primitive(base=500, log2w=3, log2h=3, format=kind, invalidate=1))
                await self.send(quads_at([(0.3, 0.3), (0.8, 0.1)], 0.1))
                await self.settle()
                self.env.heal()
            await self.begin(primitive(base=500, log2w=3, log2h=3, format=kind))
            await self.send(quads_at([(0.3, 0.3), (0.8, 0.1)], 0.1))
            await self.settle()


@testcase()
class Invalidate(CacheSequence):
    """A primitive that invalidates: all lines are read again; one that does not finds them."""

    async def body(self) -> None:
        """The same lines each time."""
        lines = list(range(min(16, self.cfg.cache.sets)))  # a set each
        for again in (1, 0, 1, 1, 0):
            await self.begin(self.prim(invalidate=again))
            await self.lines(lines)
        await self.settle()
        counts = self.env.reference.units[0].counts
        self.expect("misses", 3 * len(lines), counts["misses"])
        self.expect("hits", 2 * len(lines), counts["hits"])


@testcase(lambda cfg: cfg.units > 1, "several units")
class UnitsAreApart(CacheSequence):
    """Each unit has a cache of its own; all share memory, first come, first served."""

    async def body(self) -> None:
        """The same lines on one unit after the other: each misses them itself. Then all at once."""
        for unit in range(self.cfg.units):
            await self.begin(self.prim(invalidate=1), unit)
            await self.lines([0, 4, 0, 4], unit)
            await self.settle()
            self.expect(f"misses of unit {unit}", 2, self.env.reference.units[unit].counts["misses"])
        tasks = [
            cocotb.start_soon(self.lines([64 * (unit + 1) + 4 * n for n in range(12)], unit))
            for unit in range(self.cfg.units)
        ]
        for task in tasks:
            await task
        await self.settle()
        done = np.array([unit.counts["misses"] for unit in self.env.reference.units])
        self.expect("misses of all", [14] * self.cfg.units, done.tolist())

# SPDX-License-Identifier: Apache-2.0
"""Which lines a footprint needs, where they live, and that none is fetched twice."""

from itertools import combinations

import numpy as np

from models.texcache.lut import level_lines
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem, footprints
from tb.texcache.sequences import Distribution, random_table
from tb.texcache.shapes import Shapes, lines_of, offsets_of


@testcase()
class Edges(TexcacheSequence):
    """Every level, every pair of wrap modes, at and beyond every edge."""

    async def traffic(self) -> None:
        """Coordinates around multiples of the side, combined at random."""
        chosen = []
        for level in range(self.cfg.levels):
            side = self.cfg.level_side(level)
            reach = 2 * self.cfg.max_side
            near = {
                base + offset for base in (-2 * side, -side, 0, side, 2 * side) for offset in (-2, -1, 0, 1)
            }
            places = sorted(place for place in {*near, -reach, reach - 1} if -reach <= place < reach)
            for mode in range(9):
                picked = self.rng.choice(places, (len(places) if mode in (0, 4, 8) else 6, 2))
                chosen += [(0, level, mode // 3, mode % 3, int(u), int(v)) for u, v in picked]
        await self.send(chosen)


@testcase()
class Straddle(TexcacheSequence):
    """Rows that fall into two lines: at the end of a line, at the edge and around it."""

    async def traffic(self) -> None:
        """Footprints that need four look-ups, each twice, and rows that wrap around the edge."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        rows = shapes.rows(lambda _, results: np.asarray(results["valid"].all(axis=1)))
        self.expect("there are footprints that straddle", True, len(rows) >= 20)
        await self.send(np.repeat(shapes.footprints[rows[:60]], 2))
        for level in range(self.cfg.levels):
            last = self.cfg.level_side(level) - 1
            await self.send([(1, level, 0, 0, last, v) for v in (0, last // 2, last)])


@testcase(lambda cfg: not cfg.parity, "a line looked up twice")
class SameLineTwice(TexcacheSequence):
    """Both rows miss the same line: one fill, and the second look-up hits."""

    async def traffic(self) -> None:
        """Clamped rows and small levels, each on an empty cache."""
        shapes = Shapes(self.cfg, self.table, self.rng, Distribution(textures=4, edges=0.5, modes=(1, 2, 1)))
        rows = shapes.rows(lambda _, results: results["line"][:, 0] == results["line"][:, 1])
        self.expect("there are such footprints", True, len(rows) >= 10)
        for row in rows[:10]:
            await self.invalidate()
            before = len(self.matched("fill"))
            await self.answer(shapes.footprints[row])
            lines = shapes.results[row]["line"][shapes.results[row]["valid"] == 1]
            self.expect("fills", len(set(lines.tolist())), len(self.matched("fill")) - before)


@testcase()
class HitUnderFill(TexcacheSequence):
    """Many footprints on lines that are still on their way: every line is fetched once."""

    async def traffic(self) -> None:
        """The same few footprints again and again, on an empty cache, back to back."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        chosen = shapes.together(list(shapes.footprints[:3]))
        for footprint in chosen:
            await self.invalidate()
            await self.send([footprint] * 12)
            await self.settle()
        await self.invalidate()
        before = len(self.matched("fill"))
        await self.send([chosen[i] for i in self.rng.integers(len(chosen), size=40)])
        await self.settle()
        results = shapes.replay(chosen)
        lines = set(results["line"][results["valid"] == 1].tolist())
        self.expect("fills", True, len(self.matched("fill")) - before <= len(lines))


@testcase(lambda cfg: cfg.banks > 1, "several banks")
class ParallelMisses(TexcacheSequence):
    """Several lines missed in one beat: all addresses leave, in order, and all lines are written."""

    async def traffic(self) -> None:
        """Footprints of as many look-ups in a beat as there are, each on a cache without its lines."""
        shapes = Shapes(self.cfg, self.table, self.rng, Distribution(textures=4, edges=0, far=0))
        for footprint in shapes.missing_most(12):
            await self.invalidate()
            await self.answer(footprint)
        await self.send(shapes.missing_most(40))


@testcase(lambda cfg: cfg.small_side > 1 and cfg.banks > 1, "small levels and several banks")
class SmallLevels(TexcacheSequence):
    """Small levels live in the last bank; lines that differ in their bank bits alone are told apart."""

    async def traffic(self) -> None:
        """1x1 levels whose lines share a set, with all values of the bank bits; then all small levels."""
        last = self.cfg.levels - 1
        for turn in range(3):
            index, above = (int(self.rng.integers(size)) for size in (self.cfg.cache.sets, 16))
            textures = min(self.cfg.banks, self.cfg.textures)
            for tex in range(textures):
                self.table[tex, last] = (above * self.cfg.banks + tex) * self.cfg.cache.sets + index
            await self.write_table(self.table)
            await self.send(footprints(*((tex, last, 0, 0, turn, 0) for tex in range(textures))).repeat(2))
            await self.settle()
        banks = {self.cfg.banks - 1}
        used = {
            bank
            for done in self.completed
            for bank in np.unique(done.prediction.results["bank"][:, :2]).tolist()
        }
        self.expect("banks used", banks, used)
        small = tuple(level for level in range(self.cfg.levels) if self.cfg.is_small(level))
        await self.send(Distribution(textures=3, levels=small).draw(self.cfg, self.rng, 300))


@testcase()
class TableEntries(TexcacheSequence):
    """Every entry of the look-up table is its own: each texture and level once, in random order."""

    async def traffic(self) -> None:
        """A new table, then one footprint per entry."""
        self.table = random_table(self.cfg, self.rng)
        await self.write_table(self.table)
        entries = self.rng.permutation(self.cfg.textures * self.cfg.levels)[:1500]
        await self.send(
            [(entry // self.cfg.levels, entry % self.cfg.levels, 0, 0, 0, 0) for entry in entries]
        )


@testcase()
class Carries(TexcacheSequence):
    """Base and offset add up across every bit of the address."""

    async def traffic(self) -> None:
        """A level that lies across each power of two; its texels on both sides."""
        level = min(2, self.cfg.levels - 2)
        side = self.cfg.level_side(level)
        room = -(-side * side // self.cfg.line_texels)
        for bit in range(room.bit_length(), self.cfg.cache.line_bits):
            base = (1 << bit) - int(self.rng.integers(1, room))
            await self.settle()
            await self.play("lut", LutItem(self.cfg, 0, level, base))
            places = self.rng.integers(0, side, (12, 2))
            await self.send([(0, level, 0, 0, int(u), int(v)) for u, v in places])


@testcase()
class CarriesWithin(TexcacheSequence):
    """The lines of one footprint lie on both sides of each power of two, each pair of its look-ups apart."""

    async def traffic(self) -> None:
        """Footprints of four lines, whose level begins where each gap between two of these is at the bit."""
        within = Distribution(textures=1, levels=self.levels(), edges=0.3, far=0)
        shapes = Shapes(self.cfg, np.zeros_like(self.table), self.rng, within)
        rows = [row for row in range(len(shapes.results)) if len(lines_of(shapes.results[row])) == 4]
        for bit in range(self.cfg.cache.line_bits):
            footprint = shapes.footprints[self.rng.choice(rows)]
            offsets, apart = offsets_of(self.cfg, footprint), set()
            for gap in range(3):
                base = self.base(int(footprint["level"]), bit, *sorted(offsets)[gap : gap + 2])
                await self.invalidate()
                await self.play("lut", LutItem(self.cfg, 0, footprint["level"], base))
                await self.send_around(footprint)
                sides = [(base + offset) >> bit for offset in offsets]
                apart |= {pair for pair in combinations(range(4), 2) if sides[pair[0]] != sides[pair[1]]}
            self.expect(f"pairs of look-ups on both sides of bit {bit}", 6, len(apart))

    def levels(self) -> tuple[int, ...]:
        """Those with more than one line in a row, in each layout."""
        return tuple(
            level
            for level in range(self.cfg.levels)
            if self.cfg.level_side(level) >= 2 * self.cfg.line_texels
        )

    def base(self, level: int, bit: int, below: int, above: int) -> int:
        """Where ``level`` must begin for an odd multiple of ``1 << bit`` to lie between the two offsets."""
        room = (1 << self.cfg.cache.line_bits) - level_lines(self.cfg, level)
        first, last = (below >> bit) + 1, (room + above) >> bit  # multiples that can
        multiple = 2 * int(self.rng.integers(first // 2, (last + 1) // 2)) + 1 << bit
        return int(self.rng.integers(max(0, multiple - above), min(room + 1, multiple - below)))

    async def send_around(self, footprint: np.void) -> None:
        """A footprint twice, then its lines looked up for others of their texels, then it again."""
        moved = []
        for u, v in ((1, 0), (0, 1), (1, 1)):
            other = footprint.copy()
            other["u"] += u
            other["v"] += v
            moved.append(other)
        await self.send([footprint, footprint, *moved, footprint])

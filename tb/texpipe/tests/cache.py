# SPDX-License-Identifier: Apache-2.0
"""The cache: lines of a pixel in banks of their own, replacement, errors that stay, tables that are kept."""

from typing import Any

import numpy as np

from configs import MemoryTiming
from configs.texpipe.schema import BANKS
from models.texpipe.banks import LOW_BITS, line_of
from models.texunit.address import TABLE_BYTES
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.texpipe.base import PLACES, WIDE, TexpipeSequence
from tb.texunit.items import primitive, quads_at

LINES = 1 << 2 * WIDE - 2  # of the texture of which they are chosen


@testcase()
class LatencyOfAQuad(TexpipeSequence):
    """A quad that hits, or is empty, one that misses a line or four: cycles from stage to stage, all idle."""

    async def body(self) -> None:
        """From the level's stage to the beat, and from the beat to the read."""
        await self.begin(self.prim(invalidate=1))
        for line, valid, misses in ((0, 1, 1), (0, 1, 0), (8, 1, 1), (8, 1, 0), (0, 0, 0)):
            await self.one(line, valid, misses)
        await self.begin(self.prim(bilinear=1))
        for misses in (4, 0):  # the corner of a tile
            await self.one(7, 1, misses)

    async def one(self, line: int, valid: int, misses: int) -> None:
        """A quad that misses so many lines."""
        await self.send(self.quads([line], valid))
        await self.settle()
        handed = self.env.flights[0].handed
        quad, beat, read = (handed[name][-1] for name in ("quad_in", "beat", "read"))
        self.expect("from quad to beat", 14 + 4 + 3 + 1, beat - quad)
        memory = self.cfg.memory.latency + misses * self.cfg.beats_per_line + 4
        self.expect("from beat to read", memory if misses else 0, read - beat)


@testcase()
class HitBehindAMiss(TexpipeSequence):
    """A hit in each cycle around that in which the pixel before it is read, which has waited for its line."""

    async def body(self) -> None:
        """Memory answers sooner or later, until both are as far apart as they are to be."""
        await self.begin(self.prim(invalidate=1))
        await self.lines([0])
        await self.settle()
        line, apart = 4, 25  # apart: cycles between both look-ups, as they were the last time
        for want in range(-4, 4):
            for _ in range(30):
                latency = apart - want - 4 - self.cfg.beats_per_line
                self.env.memory.set_timing(MemoryTiming(latency=max(1, latency)))
                await self.lines([line])
                await self.clocking.cycles(20)
                await self.lines([0])
                await self.clocking.cycles(100)
                self.expect("quads unanswered", 0, self.env.outstanding)
                handed = self.env.flights[0].handed
                (miss, hit), read = handed["beat"][-2:], handed["read"][-2]
                line, apart = line + 8, hit - miss
                if hit - read == want:
                    break
                await self.clocking.cycles(int(self.rng.integers(1, 20)))
            self.expect("cycles from a read to the hit behind it", want, hit - read)


@testcase()
class Replacement(TexpipeSequence):
    """Ways fill from 0 on; then the one goes that was used longest ago."""

    async def body(self) -> None:
        """Of each bank lines of one set, more than it has ways, in order and at random; then of all banks."""
        await self.begin(self.prim(invalidate=1))
        ways, mine = self.cfg.cache.ways, list[int]()
        for bank in self.rng.permutation(BANKS):
            same = self.of_one_set(int(bank), ways + 2)
            await self.lines([*same[:ways], same[0], same[ways - 1], *same])
            await self.lines([same[i] for i in self.rng.integers(ways + 2, size=40)])
            mine += same
        await self.lines([mine[i] for i in self.rng.integers(len(mine), size=200)])
        replaced = self.env.reference.units[0].counters()["evictions"]
        self.expect("two lines or more replaced in each bank", True, replaced >= 2 * BANKS)

    def of_one_set(self, bank: int, count: int) -> list[int]:
        """Lines of a bank and of some set, from all of the texture."""
        bits, first = self.cfg.cache.set_bits, self.first_line(self.prim())
        index = int(self.rng.integers(self.cfg.cache.sets))
        lowest, end = (at >> bits + LOW_BITS for at in (first, first + LINES))
        tags = lowest + 1 + self.rng.permutation(end - lowest - 1)[:count]
        low = (first + bank) % BANKS  # eight lines that follow one another are in different banks
        return [line_of(bits, int(tag) << LOW_BITS | low, index) - first for tag in tags]


@testcase()
class EveryBankAndWay(TexpipeSequence):
    """Lines of all banks at once, filled, hit and replaced in all ways; pixels of four misses."""

    async def body(self) -> None:
        """Bilinear pixels at corners of tiles, far apart and again; in each format."""
        for kind in (0, 1, 2):
            prim = primitive(
                base=640 * kind, log2w=8, log2h=8, max_lod=0, format=kind, bilinear=1, invalidate=1
            )
            await self.begin(prim)
            chosen = self.rng.permutation(64 * 64)[: 6 * self.cfg.cache.ways * min(self.cfg.cache.sets, 16)]
            corners = [((n % 64) * 4 / 256, (n // 64) * 4 / 256) for n in chosen]
            await self.send(quads_at([*corners, *corners[-8:], *corners], valid=1))
            await self.settle()


@testcase()
class LinesOfAPixel(TexpipeSequence):
    """All places of a footprint in its tiles, each format, each size down to one texel, all wrap modes.

    The look-ups are compared with the model, which has each line of a pixel once, in its bank.
    """

    async def body(self) -> None:
        """Each texel, and one beyond each edge; of tiles as many as a format tells apart, and fewer."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        for kind in (1, 0, 3):
            for turn, (log2w, log2h) in enumerate(
                ((4, 2), (2, 4), (3, 4), (3, 2), (1, 3), (3, 0), (4, 3), (0, 0))
            ):
                prim = primitive(
                    base=900 * turn + kind, log2w=log2w, log2h=log2h, max_lod=0, format=kind, bilinear=1,
                    mode_u=turn % 3, mode_v=(turn + kind) % 3,
                )  # fmt: skip
                await self.begin(prim)
                w, h = 1 << log2w, 1 << log2h
                rows, columns = (range(-1, max(side, 4) + 1) for side in (h, w))
                places = [((x + 0.1) / w, (y + 0.1) / h) for y in rows for x in columns]
                await self.send(quads_at(places, valid=1))


@testcase()
class SplitTexels(TexpipeSequence):
    """A texel of three bytes in two lines, of which both, the first, the second or none is there."""

    async def body(self) -> None:
        """Texels 5 and 10 of a tile; then a bad line: only those that have bytes in it are marked."""
        self.env.memory.set_timing(MemoryTiming(latency=20))
        for bilinear in (0, 1):
            for first in ((), (0,), (1,), (0, 1), (2,), (1, 2)):
                prim = primitive(
                    base=64, log2w=2, log2h=2, max_lod=0, format=1, invalidate=1, bilinear=bilinear
                )
                await self.begin(prim)
                at = {0: (0, 0), 1: (3, 1), 2: (0, 3)}  # a texel that is in this line alone
                if first:
                    await self.send(self.texels([at[line] for line in first]))
                await self.send(self.texels([(1, 1), (2, 2), (1, 1)]))
        for bad in range(3):
            await self.settle()
            self.env.poison([64 + 6 + bad])  # behind two smaller mips of three lines each
            await self.begin(primitive(base=64, log2w=2, log2h=2, format=1, max_lod=0, invalidate=1))
            await self.send(self.texels([(n % 4, n // 4) for n in range(16)]))
            await self.settle()
            self.env.heal()

    def texels(self, places: list[tuple[int, int]]) -> np.ndarray:
        """A quad for each texel of a 4 x 4 texture."""
        return quads_at([(x / 4 + 0.13, y / 4 + 0.13) for x, y in places], valid=1)


@testcase()
class ErrorsStay(TexpipeSequence):
    """A line that came with an error marks each pixel of it until it is replaced or invalidated."""

    async def body(self) -> None:
        """Each beat of the line; hits on it after the memory has healed; others between."""
        prim = self.prim(invalidate=1)
        first = self.first_line(prim)
        for beat in range(self.cfg.beats_per_line):
            await self.begin(prim)
            self.env.memory.faults.beat = beat
            self.env.poison([first + 20])
            await self.lines([20, 20, 40, 20])
            await self.settle()
            self.env.heal()
            await self.lines([20, 41, 20])
            await self.settle()
        self.env.memory.faults.beat = None
        await self.begin(prim)
        await self.lines([20, 41])
        await self.settle()
        self.env.poison([first + 20 + 8 * n for n in range(0, 64, 2)])
        for n in self.rng.integers(0, 64 * self.cfg.cache.ways, 200):
            await self.lines([20 + 8 * int(n)])
        await self.settle()
        self.env.heal()
        await self.lines([20 + 8 * n for n in range(64)] * 2)


@testcase()
class ErrorOfEachLine(TexpipeSequence):
    """A pixel is marked whichever of the lines that it misses comes with an error, in whichever bank."""

    async def body(self) -> None:
        """Pixels at the edges of tiles; then a line that fails and waits for a place, which is one error."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        for kind in (0, 1, 3):
            prim = primitive(base=640, log2w=4, log2h=4, max_lod=0, format=kind, bilinear=1, invalidate=1)
            for row in (2, 4):
                quads = quads_at([(4 / 16, row / 16)], valid=1)
                for line in self.lines_of(prim, quads[0])[0]:
                    self.env.poison([line])
                    await self.begin(prim)
                    await self.send(quads)
                    await self.settle()
                    self.env.heal()
        await self.begin(self.prim(invalidate=1))
        await self.lines([0])
        await self.settle()
        self.env.poison([self.first_line(self.prim()) + 505])
        self.hold()
        await self.lines([0] * (self.cfg.fifo.depth + 1 + PLACES) + [404, 0, 505])
        await self.clocking.cycles(150)
        self.pace(ALWAYS)


class Tables(TexpipeSequence):
    """Primitives with colour tables, and how many of these are read."""

    read = 0

    async def some(self, kind: int, base: int, invalidate: int = 0, quads: int = 2) -> None:
        """A primitive and quads of it."""
        await self.begin(
            primitive(base=base, log2w=3, log2h=3, format=kind, bilinear=1, invalidate=invalidate)
        )
        if quads:
            await self.send(quads_at([(0.3, 0.3), (0.8, 0.1)][:quads], 0.1))

    async def reads(self, count: int, kind: int, base: int, invalidate: int = 0) -> None:
        """The same: so many tables are read for it."""
        await self.some(kind, base, invalidate)
        self.read += count
        self.expect("tables read", self.read, self.env.reference.units[0].model.counts["tables"])


@testcase()
class TablesAreKept(Tables):
    """A colour table is read again if base or format change, or after an invalidation; its error stays."""

    async def body(self) -> None:
        """Other primitives between; errors in the first line, in the last; bases that differ in one bit."""
        kinds = [(2, 500, 0), (2, 500, 0), (0, 500, 0), (2, 500, 0), (3, 500, 0), (3, 500, 0), (3, 516, 0)]
        kinds += [(2, 516, 0), (2, 516, 1), (2, 516, 0), (1, 16, 1), (2, 516, 0), (2, 516, 0)]
        for want, given in zip((1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0), kinds, strict=True):
            await self.reads(want, *given)
        for kind in (2, 3):
            lines = TABLE_BYTES[kind] // self.cfg.cache.line_bytes
            for bad in (0, 17, lines - 1):
                await self.settle()
                self.env.poison([bad + 700])
                await self.reads(1, kind, 700, 1)
                await self.some(0, 20)  # not marked
                await self.reads(0, kind, 700)
                await self.settle()
                self.env.heal()
                await self.reads(0, kind, 700)  # still marked
                await self.reads(1, kind, 700, 1)
        await self.settle()
        self.env.memory.set_timing(MemoryTiming(latency=1))
        base, bits = 700, self.cfg.cache.line_bits
        for _ in range(self.cfg.tables):  # each bit, beside what is in each slot
            for bit in range(bits):
                base ^= 1 << bit
                await self.reads(1, 3, base)
            if bits % 2 == 0:  # the next time in other slots
                base ^= 5
                await self.reads(1, 3, base)
        for number in range(self.cfg.tables):
            await self.reads(1, 2, 2000 + 64 * number)
        for number in range(1, self.cfg.tables):  # there in the other format
            await self.reads(1, 3, 2000 + 64 * number)


@testcase()
class TablesTakeTurns(Tables):
    """Slots of colour tables are used in turn, but for the one used last; each keeps its own colours."""

    async def body(self) -> None:
        """Each slot, and again; one more table when it is the turn of the slot used last; many more."""
        tables = self.cfg.tables
        for number in range(tables):
            await self.reads(1, 2 + number % 2, 500 + 64 * number)
        for number in range(tables):
            await self.reads(0, 2 + number % 2, 500 + 64 * number)
        await self.reads(0, 2, 500)
        await self.reads(1, 3, 4000)  # into slot 1: slot 0 was used last
        await self.reads(int(tables == 1), 2, 500)
        for number in range(2 * tables + 1):
            await self.reads(1, 2 + number % 2, 5000 + 64 * number)


@testcase()
class TableBesideQuads(Tables):
    """While a table comes quads before its primitive are sampled, and those behind it that need none."""

    async def body(self) -> None:
        """Its lines are held back, the others' are there. Then a quad that needs it, and one behind."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        await self.one(2, 500)
        await self.one(0, 20)
        for there, comes in ((500, 900), (900, 1300)):  # of two slots into each
            await self.settle()
            self.env.memory.hold("r")
            read = self.pixels_read()
            await self.one(0, 20)
            await self.begin(self.small(2, comes))
            await self.one(0, 20)
            beside = 2
            if self.cfg.tables > 1:
                await self.one(2, there)
                beside = 3
            await self.clocking.cycles(200)
            self.expect("read beside a table that comes", beside, self.pixels_read() - read)
            await self.one(2, comes)
            await self.one(0, 20)
            await self.clocking.cycles(200)
            self.expect("read behind one that needs it", beside, self.pixels_read() - read)
            self.env.memory.release("r")
            await self.settle()
            self.expect("read in the end", beside + 2, self.pixels_read() - read)

    def small(self, kind: int, base: int) -> Any:
        """A primitive of 8 x 8 texels."""
        return primitive(base=base, log2w=3, log2h=3, format=kind)

    async def one(self, kind: int, base: int) -> None:
        """One and a pixel of it, always the same: it has one line."""
        await self.begin(self.small(kind, base))
        await self.send(quads_at([(0.3, 0.3)], valid=1))

    def pixels_read(self) -> int:
        """Since reset."""
        return len(self.env.flights[0].handed.get("read", []))


@testcase()
class TableIsNeeded(Tables):
    """A table is not replaced while a quad in the unit needs it, the last of them included."""

    async def body(self) -> None:
        """More tables than slots, with two quads and more, before any memory; then a line does not come."""
        tables = self.cfg.tables
        for latency in (1, 20, 100):
            await self.settle()
            self.env.memory.set_timing(MemoryTiming(latency=latency))
            for number in range(3 * tables + 2):
                await self.some(2 + number % 2, 500 + 64 * number, invalidate=number == 0)
                await self.send(quads_at([(0.1 * number % 1, 0.7)] * (1 + number % 4), 0.1, valid=1))
        there = [self.prim(format=2, base=9000 + 64 * number) for number in range(tables)]
        for prim in there:
            await self.begin(prim)
        for number in range(2 * tables):  # the turn is that of the first one's slot
            theirs, *others = there
            await self.begin(theirs)
            await self.settle()
            self.env.memory.hold("r")
            await self.lines([4000 + 8 * number] * (1 if number < tables else 3))
            for prim in others[-1:]:  # this one's slot is the last used now
                await self.begin(prim)
            there = [*others, self.prim(format=2, base=20000 + 64 * number)]
            await self.begin(there[-1])
            await self.clocking.cycles(100)
            self.in_setup(1)
            self.env.memory.release("r")


@testcase()
class TableOfNoQuad(Tables):
    """Primitives that bring tables and have no quads: each is read, and waits for the one before alone."""

    async def body(self) -> None:
        """Some in a row, between those that have quads, and before one that invalidates."""
        for number in range(2 * self.cfg.tables + 2):
            await self.some(2 + number % 2, 500 + 64 * number, quads=number % 3 == 0)
        await self.some(2, 6000, quads=0)
        await self.some(0, 20, invalidate=1)
        await self.some(3, 6000, quads=0)
        await self.some(3, 6000, invalidate=1)
        await self.some(3, 6000)


@testcase()
class Invalidate(TexpipeSequence):
    """A primitive that invalidates: all lines are read again, those of quads before it are not disturbed."""

    async def body(self) -> None:
        """The same lines each time, one in each bank and set, without waiting for what is under way."""
        lines = list(range(min(16, 8 * self.cfg.cache.sets)))
        for again in (1, 0, 1, 1, 0):
            await self.begin(self.prim(invalidate=again))
            await self.lines(lines)
        await self.settle()
        counts = self.env.reference.units[0].counters()
        self.expect("misses", 3 * len(lines), counts["misses"])
        self.expect("hits", 2 * len(lines), counts["hits"])


@testcase()
class LinesUnderWay(TexpipeSequence):
    """Misses do not stall: as many lines as there are places are under way at a time, and never more."""

    async def body(self) -> None:
        """Each pixel another line; memory answers after long."""
        self.env.memory.set_timing(MemoryTiming(latency=600))
        await self.begin(self.prim(invalidate=1))
        count = 3 * self.cfg.lines.depth
        quads = self.quads([37 * n for n in range(count)])
        cycles = await self.cycles_of(quads)
        most = min(self.cfg.lines.depth, self.cfg.ahead.depth + 3)
        rounds = -(-count // most)
        self.expect(f"rounds of memory in {cycles} cycles", True, cycles < (rounds + 0.5) * 640)
        self.expect("lines under way at most", most, self.env.reads.port.rules.reads.most_per_id)

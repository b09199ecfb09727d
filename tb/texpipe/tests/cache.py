# SPDX-License-Identifier: Apache-2.0
"""The cache: lines of a pixel in banks of their own, replacement, errors that stay, tables that are kept."""

import numpy as np

from configs import MemoryTiming
from models.texunit.address import TABLE_BYTES
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import primitive, quads_at


@testcase()
class LatencyOfAQuad(TexpipeSequence):
    """A quad that hits, one that misses: cycles from its primitive's FIFO to the result, on an idle unit."""

    async def body(self) -> None:
        """From the level's stage to the beat, and from the beat to the read."""
        await self.begin(self.prim(invalidate=1))
        for lines, wait in (([0], None), ([0], 0), ([8], None), ([8], 0)):
            flight = self.env.flights[0]
            await self.lines(lines)
            await self.settle()
            quad, beat, read = (flight.handed[name][-1] for name in ("quad_in", "beat", "read"))
            self.expect("from quad to beat", 14 + 4 + 3 + 1, beat - quad)
            memory = self.cfg.memory.latency + self.cfg.beats_per_line + 4
            self.expect("from beat to read", memory if wait is None else 0, read - beat)


@testcase()
class Replacement(TexpipeSequence):
    """Ways fill from 0 on; then the one goes that was used longest ago."""

    async def body(self) -> None:
        """Lines of one set of one bank, more than it has ways, in order and at random, hits between."""
        await self.begin(self.prim(invalidate=1))
        ways = self.cfg.cache.ways
        for _ in range(3):
            mine = [8 * n for n in self.rng.permutation(4096)[: 16 * ways * self.cfg.cache.sets]]
            same = mine[: ways + 2]
            await self.lines([*same[:ways], same[0], same[ways - 1], *same])
            await self.lines([same[i] for i in self.rng.integers(ways + 2, size=60)])
            await self.lines([mine[i] for i in self.rng.integers(len(mine), size=200)])


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
        """Each texel of 8 x 8 texels, of narrow and low textures too, RGB8 in all of them."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        for kind in (1, 0, 3):
            for turn, (log2w, log2h) in enumerate(
                ((3, 3), (2, 4), (4, 2), (3, 2), (1, 3), (3, 0), (5, 3), (0, 0))
            ):
                prim = primitive(
                    base=900 * turn + kind, log2w=log2w, log2h=log2h, max_lod=0, format=kind, bilinear=1,
                    mode_u=turn % 3, mode_v=(turn + kind) % 3,
                )  # fmt: skip
                await self.begin(prim)
                w, h = 1 << log2w, 1 << log2h
                places = [((x + 0.1) / w, (y + 0.1) / h) for y in range(-1, 9) for x in range(-1, 9)]
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
class TablesAreKept(TexpipeSequence):
    """A colour table is read again if base or format change, after an error, after an invalidation."""

    async def body(self) -> None:
        """Other primitives between; errors in the first line, in the last, in all of them."""
        kinds = [(2, 500, 0), (2, 500, 0), (0, 500, 0), (2, 500, 0), (3, 500, 0), (3, 500, 0), (3, 516, 0)]
        kinds += [(2, 516, 0), (2, 516, 1), (2, 516, 0), (1, 16, 1), (2, 516, 0), (2, 516, 0)]
        read = 0
        for want, (kind, base, invalidate) in zip(
            (1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0), kinds, strict=True
        ):
            await self.some(kind, base, invalidate)
            read += want
            self.expect("tables read", read, self.env.reference.units[0].model.counts["tables"])
        for kind in (2, 3):
            lines = TABLE_BYTES[kind] // self.cfg.cache.line_bytes
            for bad in (0, 17, lines - 1):
                await self.settle()
                self.env.poison([bad + 700])
                await self.some(kind, 700)
                await self.some(0, 20)  # not marked
                await self.some(kind, 700)
                await self.settle()
                self.env.heal()
                await self.some(kind, 700)
                await self.some(kind, 700)
        await self.settle()

    async def some(self, kind: int, base: int, invalidate: int = 0) -> None:
        """A primitive and two quads of it."""
        await self.begin(
            primitive(base=base, log2w=3, log2h=3, format=kind, bilinear=1, invalidate=invalidate)
        )
        await self.send(quads_at([(0.3, 0.3), (0.8, 0.1)], 0.1))


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

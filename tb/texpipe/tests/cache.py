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


async def check_cycles(run: TexpipeSequence, line: int, valid: int, misses: int) -> None:
    """A quad that misses so many lines."""
    await run.send(run.quads([line], valid))
    await run.settle()
    handed = run.env.flights[0].handed
    quad, beat, read = (handed[name][-1] for name in ("quad_in", "beat", "read"))
    run.expect("from quad to beat", 14 + 4 + 3 + 1, beat - quad)
    memory = run.cfg.memory.latency + misses * run.cfg.beats_per_line + 4
    run.expect("from beat to read", memory if misses else 0, read - beat)


@testcase()
async def latency_of_a_quad(run: TexpipeSequence) -> None:
    """A quad that hits, or is empty, one that misses a line or four: cycles from stage to stage, all idle."""
    await run.begin(run.prim(invalidate=1))
    for line, valid, misses in ((0, 1, 1), (0, 1, 0), (8, 1, 1), (8, 1, 0), (0, 0, 0)):
        await check_cycles(run, line, valid, misses)
    await run.begin(run.prim(bilinear=1))
    for misses in (4, 0):  # the corner of a tile
        await check_cycles(run, 7, 1, misses)


@testcase()
async def hit_behind_a_miss(run: TexpipeSequence) -> None:
    """A hit in each cycle around that in which the pixel before it is read, which has waited for its line."""
    await run.begin(run.prim(invalidate=1))
    await run.lines([0])
    await run.settle()
    line, apart = 4, 25  # apart: cycles between both look-ups, as they were the last time
    for want in range(-4, 4):
        for _ in range(30):
            latency = apart - want - 4 - run.cfg.beats_per_line
            run.env.memory.set_timing(MemoryTiming(latency=max(1, latency)))
            await run.lines([line])
            await run.clocking.cycles(20)
            await run.lines([0])
            await run.clocking.cycles(100)
            run.expect("quads unanswered", 0, run.env.outstanding)
            handed = run.env.flights[0].handed
            (miss, hit), read = handed["beat"][-2:], handed["read"][-2]
            line, apart = line + 8, hit - miss
            if hit - read == want:
                break
            await run.clocking.cycles(int(run.rng.integers(1, 20)))
        run.expect("cycles from a read to the hit behind it", want, hit - read)


def of_one_set(run: TexpipeSequence, bank: int, count: int) -> list[int]:
    """Lines of a bank and of some set, from all of the texture."""
    bits, first = run.cfg.cache.set_bits, run.first_line(run.prim())
    index = int(run.rng.integers(run.cfg.cache.sets))
    lowest, end = (at >> bits + LOW_BITS for at in (first, first + LINES))
    tags = lowest + 1 + run.rng.permutation(end - lowest - 1)[:count]
    low = (first + bank) % BANKS  # eight lines that follow one another are in different banks
    return [line_of(bits, int(tag) << LOW_BITS | low, index) - first for tag in tags]


@testcase()
async def replacement(run: TexpipeSequence) -> None:
    """Ways fill from 0 on; then the one goes that was used longest ago."""
    await run.begin(run.prim(invalidate=1))
    ways, mine = run.cfg.cache.ways, list[int]()
    for bank in run.rng.permutation(BANKS):
        same = of_one_set(run, int(bank), ways + 2)
        await run.lines([*same[:ways], same[0], same[ways - 1], *same])
        await run.lines([same[i] for i in run.rng.integers(ways + 2, size=40)])
        mine += same
    await run.lines([mine[i] for i in run.rng.integers(len(mine), size=200)])
    replaced = run.env.reference.units[0].counters()["evictions"]
    run.expect("two lines or more replaced in each bank", True, replaced >= 2 * BANKS)


@testcase()
async def every_bank_and_way(run: TexpipeSequence) -> None:
    """Lines of all banks at once, filled, hit and replaced in all ways; pixels of four misses."""
    for kind in (0, 1, 2):
        prim = primitive(base=640 * kind, log2w=8, log2h=8, max_lod=0, format=kind, bilinear=1, invalidate=1)
        await run.begin(prim)
        chosen = run.rng.permutation(64 * 64)[: 6 * run.cfg.cache.ways * min(run.cfg.cache.sets, 16)]
        corners = [((n % 64) * 4 / 256, (n // 64) * 4 / 256) for n in chosen]
        await run.send(quads_at([*corners, *corners[-8:], *corners], valid=1))
        await run.settle()


@testcase()
async def lines_of_a_pixel(run: TexpipeSequence) -> None:
    """All places of a footprint in its tiles, each format, each size down to one texel, all wrap modes.

    The look-ups are compared with the model, which has each line of a pixel once, in its bank.
    """
    run.env.memory.set_timing(MemoryTiming(latency=1))
    for kind in (1, 0, 3):
        for turn, (log2w, log2h) in enumerate(
            ((4, 2), (2, 4), (3, 4), (3, 2), (1, 3), (3, 0), (4, 3), (0, 0))
        ):
            prim = primitive(
                base=900 * turn + kind, log2w=log2w, log2h=log2h, max_lod=0, format=kind, bilinear=1,
                mode_u=turn % 3, mode_v=(turn + kind) % 3,
            )  # fmt: skip
            await run.begin(prim)
            w, h = 1 << log2w, 1 << log2h
            rows, columns = (range(-1, max(side, 4) + 1) for side in (h, w))
            places = [((x + 0.1) / w, (y + 0.1) / h) for y in rows for x in columns]
            await run.send(quads_at(places, valid=1))


def texels(run: TexpipeSequence, places: list[tuple[int, int]]) -> np.ndarray:
    """A quad for each texel of a 4 x 4 texture."""
    return quads_at([(x / 4 + 0.13, y / 4 + 0.13) for x, y in places], valid=1)


@testcase()
async def split_texels(run: TexpipeSequence) -> None:
    """A texel of three bytes in two lines, of which both, the first, the second or none is there."""
    run.env.memory.set_timing(MemoryTiming(latency=20))
    for bilinear in (0, 1):
        for first in ((), (0,), (1,), (0, 1), (2,), (1, 2)):
            prim = primitive(base=64, log2w=2, log2h=2, max_lod=0, format=1, invalidate=1, bilinear=bilinear)
            await run.begin(prim)
            at = {0: (0, 0), 1: (3, 1), 2: (0, 3)}  # a texel that is in this line alone
            if first:
                await run.send(texels(run, [at[line] for line in first]))
            await run.send(texels(run, [(1, 1), (2, 2), (1, 1)]))
    for bad in range(3):
        await run.settle()
        run.env.poison([64 + 6 + bad])  # behind two smaller mips of three lines each
        await run.begin(primitive(base=64, log2w=2, log2h=2, format=1, max_lod=0, invalidate=1))
        await run.send(texels(run, [(n % 4, n // 4) for n in range(16)]))
        await run.settle()
        run.env.heal()


@testcase()
async def errors_stay(run: TexpipeSequence) -> None:
    """A line that came with an error marks each pixel of it until it is replaced or invalidated."""
    prim = run.prim(invalidate=1)
    first = run.first_line(prim)
    for beat in range(run.cfg.beats_per_line):
        await run.begin(prim)
        run.env.memory.faults.beat = beat
        run.env.poison([first + 20])
        await run.lines([20, 20, 40, 20])
        await run.settle()
        run.env.heal()
        await run.lines([20, 41, 20])
        await run.settle()
    run.env.memory.faults.beat = None
    await run.begin(prim)
    await run.lines([20, 41])
    await run.settle()
    run.env.poison([first + 20 + 8 * n for n in range(0, 64, 2)])
    for n in run.rng.integers(0, 64 * run.cfg.cache.ways, 200):
        await run.lines([20 + 8 * int(n)])
    await run.settle()
    run.env.heal()
    await run.lines([20 + 8 * n for n in range(64)] * 2)


@testcase()
async def error_of_each_line(run: TexpipeSequence) -> None:
    """A pixel is marked whichever of the lines that it misses comes with an error, in whichever bank."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    for kind in (0, 1, 3):
        prim = primitive(base=640, log2w=4, log2h=4, max_lod=0, format=kind, bilinear=1, invalidate=1)
        for row in (2, 4):
            quads = quads_at([(4 / 16, row / 16)], valid=1)
            for line in run.lines_of(prim, quads[0])[0]:
                run.env.poison([line])
                await run.begin(prim)
                await run.send(quads)
                await run.settle()
                run.env.heal()
    await run.begin(run.prim(invalidate=1))
    await run.lines([0])
    await run.settle()
    run.env.poison([run.first_line(run.prim()) + 505])
    run.hold()
    await run.lines([0] * (run.cfg.fifo.depth + 1 + PLACES) + [404, 0, 505])
    await run.clocking.cycles(150)
    run.pace(ALWAYS)


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
async def tables_are_kept(run: Tables) -> None:
    """A colour table is read again if base or format change, or after an invalidation; its error stays."""
    kinds = [(2, 500, 0), (2, 500, 0), (0, 500, 0), (2, 500, 0), (3, 500, 0), (3, 500, 0), (3, 516, 0)]
    kinds += [(2, 516, 0), (2, 516, 1), (2, 516, 0), (1, 16, 1), (2, 516, 0), (2, 516, 0)]
    for want, given in zip((1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0), kinds, strict=True):
        await run.reads(want, *given)
    for kind in (2, 3):
        lines = TABLE_BYTES[kind] // run.cfg.cache.line_bytes
        for bad in (0, 17, lines - 1):
            await run.settle()
            run.env.poison([bad + 700])
            await run.reads(1, kind, 700, 1)
            await run.some(0, 20)  # not marked
            await run.reads(0, kind, 700)
            await run.settle()
            run.env.heal()
            await run.reads(0, kind, 700)  # still marked
            await run.reads(1, kind, 700, 1)
    await run.settle()
    run.env.memory.set_timing(MemoryTiming(latency=1))
    base, bits = 700, run.cfg.cache.line_bits
    for _ in range(run.cfg.tables):  # each bit, beside what is in each slot
        for bit in range(bits):
            base ^= 1 << bit
            await run.reads(1, 3, base)
        if bits % 2 == 0:  # the next time in other slots
            base ^= 5
            await run.reads(1, 3, base)
    for number in range(run.cfg.tables):
        await run.reads(1, 2, 2000 + 64 * number)
    for number in range(1, run.cfg.tables):  # there in the other format
        await run.reads(1, 3, 2000 + 64 * number)


@testcase()
async def tables_take_turns(run: Tables) -> None:
    """Slots of colour tables are used in turn, but for the one used last; each keeps its own colours."""
    tables = run.cfg.tables
    for number in range(tables):
        await run.reads(1, 2 + number % 2, 500 + 64 * number)
    for number in range(tables):
        await run.reads(0, 2 + number % 2, 500 + 64 * number)
    await run.reads(0, 2, 500)
    await run.reads(1, 3, 4000)  # into slot 1: slot 0 was used last
    await run.reads(int(tables == 1), 2, 500)
    for number in range(2 * tables + 1):
        await run.reads(1, 2 + number % 2, 5000 + 64 * number)


def small(run: Tables, kind: int, base: int) -> Any:
    """A primitive of 8 x 8 texels."""
    return primitive(base=base, log2w=3, log2h=3, format=kind)


async def sample_one(run: Tables, kind: int, base: int) -> None:
    """One and a pixel of it, always the same: it has one line."""
    await run.begin(small(run, kind, base))
    await run.send(quads_at([(0.3, 0.3)], valid=1))


def pixels_read(run: Tables) -> int:
    """Since reset."""
    return len(run.env.flights[0].handed.get("read", []))


@testcase()
async def table_beside_quads(run: Tables) -> None:
    """While a table comes quads before its primitive are sampled, and those behind it that need none."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    await sample_one(run, 2, 500)
    await sample_one(run, 0, 20)
    for there, comes in ((500, 900), (900, 1300)):  # of two slots into each
        await run.settle()
        run.env.memory.hold("r")
        read = pixels_read(run)
        await sample_one(run, 0, 20)
        await run.begin(small(run, 2, comes))
        await sample_one(run, 0, 20)
        beside = 2
        if run.cfg.tables > 1:
            await sample_one(run, 2, there)
            beside = 3
        await run.clocking.cycles(200)
        run.expect("read beside a table that comes", beside, pixels_read(run) - read)
        await sample_one(run, 2, comes)
        await sample_one(run, 0, 20)
        await run.clocking.cycles(200)
        run.expect("read behind one that needs it", beside, pixels_read(run) - read)
        run.env.memory.release("r")
        await run.settle()
        run.expect("read in the end", beside + 2, pixels_read(run) - read)


@testcase()
async def table_is_needed(run: Tables) -> None:
    """A table is not replaced while a quad in the unit needs it, the last of them included."""
    tables = run.cfg.tables
    for latency in (1, 20, 100):
        await run.settle()
        run.env.memory.set_timing(MemoryTiming(latency=latency))
        for number in range(3 * tables + 2):
            await run.some(2 + number % 2, 500 + 64 * number, invalidate=number == 0)
            await run.send(quads_at([(0.1 * number % 1, 0.7)] * (1 + number % 4), 0.1, valid=1))
    there = [run.prim(format=2, base=9000 + 64 * number) for number in range(tables)]
    for prim in there:
        await run.begin(prim)
    for number in range(2 * tables):  # the turn is that of the first one's slot
        theirs, *others = there
        await run.begin(theirs)
        await run.settle()
        run.env.memory.hold("r")
        await run.lines([4000 + 8 * number] * (1 if number < tables else 3))
        for prim in others[-1:]:  # this one's slot is the last used now
            await run.begin(prim)
        there = [*others, run.prim(format=2, base=20000 + 64 * number)]
        await run.begin(there[-1])
        await run.clocking.cycles(100)
        run.in_setup(1)
        run.env.memory.release("r")


@testcase()
async def table_of_no_quad(run: Tables) -> None:
    """Primitives that bring tables and have no quads: each is read, and waits for the one before alone."""
    for number in range(2 * run.cfg.tables + 2):
        await run.some(2 + number % 2, 500 + 64 * number, quads=number % 3 == 0)
    await run.some(2, 6000, quads=0)
    await run.some(0, 20, invalidate=1)
    await run.some(3, 6000, quads=0)
    await run.some(3, 6000, invalidate=1)
    await run.some(3, 6000)


@testcase()
async def invalidate(run: TexpipeSequence) -> None:
    """A primitive that invalidates: all lines are read again, those of quads before it are not disturbed."""
    lines = list(range(min(16, 8 * run.cfg.cache.sets)))
    for again in (1, 0, 1, 1, 0):
        await run.begin(run.prim(invalidate=again))
        await run.lines(lines)
    await run.settle()
    counts = run.env.reference.units[0].counters()
    run.expect("misses", 3 * len(lines), counts["misses"])
    run.expect("hits", 2 * len(lines), counts["hits"])


@testcase()
async def lines_under_way(run: TexpipeSequence) -> None:
    """Misses do not stall: as many lines as there are places are under way at a time, and never more."""
    run.env.memory.set_timing(MemoryTiming(latency=600))
    await run.begin(run.prim(invalidate=1))
    count = 3 * run.cfg.lines.depth
    quads = run.quads([37 * n for n in range(count)])
    cycles = await run.cycles_of(quads)
    most = min(run.cfg.lines.depth, run.cfg.ahead.depth + 3)
    rounds = -(-count // most)
    run.expect(f"rounds of memory in {cycles} cycles", True, cycles < (rounds + 0.5) * 640)
    run.expect("lines under way at most", most, run.env.reads.port.rules.reads.most_per_id)

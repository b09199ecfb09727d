# SPDX-License-Identifier: Apache-2.0
"""True LRU, set by set, and what a reset leaves of it."""

from itertools import chain, pairwise, product
from typing import Any

import cocotb
import numpy as np
from numpy.typing import NDArray

from models.texcache.address import FOOTPRINT, geometry, line_of, texels
from tb.common.components.pacing import ALWAYS
from tb.common.components.packing import unpack_words
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.shapes import Shape, Shapes, nearly_alike

#: cycles after a request in which a footprint without conflicts is looked up
LOOKED_UP = range(12)


class OneSetSequence(TexcacheSequence):
    """Uses 1x1 levels: such a footprint needs one line, which the test puts into a set of its choice."""

    def aim(self, lines: int, index: int) -> None:
        """The 1x1 levels of the first ``lines`` textures share set ``index`` of the last bank."""
        geo, banks = geometry(self.cfg), self.cfg.banks
        for tex in range(lines):
            self.table[tex, -1] = line_of(geo, banks - 1, index, (tex + 2) * banks - 1)

    def of(self, order: NDArray[np.int64] | list[int]) -> list[tuple[int, ...]]:
        """Footprints that use these textures' lines in this order."""
        return [(int(tex), self.cfg.levels - 1, 0, 0, 0, 0) for tex in order]


@testcase(lambda cfg: cfg.textures > cfg.cache.ways, "more textures than ways")
async def victim_order(run: OneSetSequence) -> None:
    """An empty set is filled in the order way 0, 1, 2, ...; then way 0 is replaced first."""
    run.aim(run.cfg.cache.ways + 1, 1)
    await run.write_table(run.table)
    want = [(way, 0) for way in range(run.cfg.cache.ways)] + [(0, 1)]
    for _ in range(2):
        before = len(run.matched("evt"))
        await run.send(run.of(np.arange(run.cfg.cache.ways + 1)))
        await run.settle()
        words = [transfer.word for transfer in run.matched("evt")[before:]]
        events = unpack_words(run.cfg.streams["evt"], words)
        missed = (events["valid0"] == 1) & (events["hit0"] == 0)
        pairs = zip(events["way0"][missed].tolist(), events["evict0"][missed].tolist(), strict=True)
        run.expect("way and eviction of each miss", want, list(pairs))
        await run.invalidate()


@testcase(lambda cfg: cfg.textures >= cfg.cache.ways + 2, "more textures than ways")
async def lru_order(run: OneSetSequence) -> None:
    """Random use of a few lines more than a set has ways, in several sets."""
    lines = run.cfg.cache.ways + 2
    for index in run.rng.permutation(run.cfg.cache.sets)[:4]:
        run.aim(lines, int(index))
        await run.write_table(run.table)
        await run.send(run.of(run.rng.integers(lines, size=120 + 30 * run.cfg.cache.ways)))
        await run.settle()


@testcase(lambda cfg: cfg.textures > cfg.cache.ways, "more textures than ways")
async def thrash_one_set(run: OneSetSequence) -> None:
    """One line more than the set has ways, in turn: LRU never hits."""
    run.aim(run.cfg.cache.ways + 1, 0)
    await run.write_table(run.table)
    await run.send(run.of(np.tile(np.arange(run.cfg.cache.ways + 1), 8)))
    await run.settle()
    results = np.concatenate([done.prediction.results for done in run.completed])
    run.expect("hits of first look-ups", 0, int(results["hit"][:, 0].sum()))
    await run.send(run.of(np.tile(np.arange(run.cfg.cache.ways), 8)))


async def lost(run: OneSetSequence, before: list[Any], footprint: Any, cycles: int) -> None:
    """A footprint that misses beside what was fetched ``before``, a reset, the footprint again."""
    await run.invalidate()
    await run.send(before)
    await run.settle()
    sending = cocotb.start_soon(run.send([footprint]))
    await run.clocking.cycles(cycles)
    await run.reset(1)
    await sending
    await run.answer(footprint)


@testcase(lambda cfg: cfg.textures > cfg.cache.ways, "more textures than ways")
async def reset_at_every_cycle(run: OneSetSequence) -> None:
    """A reset of one cycle, in each cycle of a miss: what was looked up then is missed once more.

    In each way of a set, as their lines are valid one by one; and of a footprint with as many misses as any.
    """
    ways = list(range(run.cfg.cache.ways))
    run.aim(len(ways), 1)
    await run.write_table(run.table)
    most = Shapes(run.cfg, run.table, run.rng).most_lines()
    for way, cycles in product(ways, LOOKED_UP):
        await lost(run, run.of(ways[:way]), run.of([way])[0], cycles)
    for cycles in LOOKED_UP:
        await lost(run, [], most, cycles)


class PlacingSequence(TexcacheSequence):
    """Brings single lines into the cache."""

    async def fetch(self, line: int, bank: int) -> None:
        """Bring a single line into its bank."""
        await self.answer(await self.place(line, bank))

    async def place(self, line: int, bank: int) -> Any:
        """A footprint of a single line: of a corner, clamped, of a level that is placed to suit."""
        tex, far = self.cfg.textures - 1, 2 * self.cfg.max_side - 2
        geo, nowhere = geometry(self.cfg), np.zeros_like(self.table)
        for u, v in ((-9, -9), (far, -9), (-9, far), (far, far)):
            corner = np.array([(tex, 0, 1, 1, u, v)], FOOTPRINT)
            texel = texels(geo, nowhere, corner[0])
            if not self.cfg.parity or texel.side[0] == bank >> 1:
                begin = (line - (texel.address[0] >> geo.offset_bits)) & geo.line_mask
                await self.play("lut", LutItem(self.cfg, tex, 0, begin))
                return corner[0]
        raise LookupError(f"no corner of a level lies in bank {bank} of {self.cfg.name}")


@testcase()
async def every_outcome(run: PlacingSequence) -> None:
    """Every combination of look-ups that hit and miss, for each way of dividing a footprint into beats."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    for row in shapes.partitions(small=False).values():
        looked_up = shapes.results[row]["valid"] == 1
        lines = shapes.results[row]["line"][looked_up].tolist()
        banks = shapes.results[row]["bank"][looked_up].tolist()
        for subset in range(1 << len(lines)):
            await run.invalidate()
            for slot in (slot for slot in range(len(lines)) if subset >> slot & 1):
                await run.fetch(lines[slot], banks[slot])
            done = await run.answer(shapes.footprints[row])
            hits = done.prediction.results["hit"][-1][done.prediction.results["valid"][-1] == 1]
            run.expect("hits", [subset >> slot & 1 for slot in range(len(lines))], hits.tolist())


async def pairs(
    run: PlacingSequence, footprint: Any, result: Any, beats: tuple[tuple[int, ...], ...]
) -> None:
    """All lines of a footprint but one are there; the result before it is held until that one comes.

    The tag FIFO has places for all beats: two of the footprint before, and these.
    """
    lines, banks = result["line"].tolist(), result["bank"].tolist()
    looked_up = list(chain(*beats))
    other = beside(run, [(banks[slot], int(result["set"][slot])) for slot in looked_up])
    if not other or len(beats) + 2 > run.cfg.fifo.depth:
        return
    for before, beat in pairwise(beats):
        for missed in beat:
            if banks[missed] in [banks[slot] for slot in before]:
                there = [(lines[slot], banks[slot]) for slot in looked_up if slot != missed]
                await around(run, footprint, there, other)


def beside(run: PlacingSequence, used: list[tuple[int, int]]) -> tuple[int, int] | None:
    """A line, with its bank, that takes the place of none in these banks and sets."""
    cfg = run.cfg
    for bank, index in product(range(cfg.banks), range(cfg.cache.sets)):
        if used.count((bank, index)) < cfg.cache.ways:
            return line_of(geometry(cfg), bank, index, 5 * cfg.banks + bank), bank
    return None


async def around(
    run: PlacingSequence, footprint: Any, there: list[tuple[int, int]], other: tuple[int, int]
) -> None:
    """See how long its line takes behind ``other``, whose result is released in each cycle around."""
    comes = 0
    for early in (None, -2, -1, 0, 1):
        await run.invalidate()
        for line, bank in there:
            await run.fetch(line, bank)
        first = await run.place(*other)
        run.hold()
        await run.send([first, footprint])
        if early is None:
            while run.env.bursts < 2:
                await run.clocking.cycles(1)
                comes += 1
            while run.env.bursts:
                await run.clocking.cycles(1)
                comes += 1
        else:
            await run.clocking.cycles(comes + early)
        run.pace(ALWAYS)
        await run.settle()


@testcase(needs=lambda cfg: cfg.fill_port == "shared", why="lines are written where they are read")
async def fill_at_each_read(run: PlacingSequence) -> None:
    """A line comes in each cycle around the read of the beat before, from its bank: each pair of slots."""
    tried = set[Shape]()
    for _ in range(2):
        shapes = Shapes(run.cfg, run.table, run.rng)
        for shape, row in shapes.partitions(small=False, by_bank=True).items():
            if shape not in tried:
                tried.add(shape)
                await pairs(run, shapes.footprints[row], shapes.results[row], shape[0])
        run.table = ((run.table + 1) & geometry(run.cfg).line_mask).astype(np.uint32)
        await run.write_table(run.table)


@testcase()
async def every_line(run: TexcacheSequence) -> None:
    """Every way of every set of every bank is filled, hit and replaced."""
    capacity = run.cfg.banks * run.cfg.cache.sets * run.cfg.cache.ways
    level = next(n for n in range(run.cfg.levels) if run.cfg.level_side(n) <= max(256, run.cfg.max_side // 4))
    tiled = run.cfg.layout == "tile4x4"  # both rows in one line
    side, step = run.cfg.level_side(level), 4 if tiled else run.cfg.line_texels
    place = np.arange(capacity * 2 // (1 if tiled else 2))
    u, v = place * step % side, place * step // side * 2 % side
    walk = [(0, level, 0, 0, int(x), int(y)) for x, y in zip(u, v, strict=True)]
    await run.send([footprint for footprint in walk for _ in range(2)])


@testcase(lambda cfg: cfg.textures > cfg.cache.ways, "more textures than ways")
async def tag_bits(run: OneSetSequence) -> None:
    """Every bit of the tag counts in every way: a line that differs in one bit alone is another line."""
    for lines in nearly_alike(run.cfg, run.rng):
        which = np.arange(len(lines))
        await run.invalidate()
        await run.play("lut", LutItem(run.cfg, which, np.full(len(lines), run.cfg.levels - 1), lines))
        await run.send(run.of(which))

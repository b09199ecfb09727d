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
async def stage_cycles(run: CacheSequence) -> None:
    """11 cycles for the level, 1 for a repeat, 4 + 4 for a hit, 8 for the filter, as published."""
    await run.begin(run.prim(invalidate=1))
    for line in (0, 0, 4, 0, 4, 4):
        await run.lines([line])
        await run.settle()
    await run.begin(run.prim(bilinear=1))
    for place in ((0.5, 0.5), (0.5, 0.5), (0.1, 0.1)):
        await run.send(quads_at([place]))
        await run.settle()
    published = {"lod": 11, "repeat": 1, "hit": 8, "filter": 8}
    want = {**published, "miss": query_cycles(run.cfg)["miss"]}
    times = stage_times(run.env.stages)
    run.expect("shortest", want, {stage: shortest for stage, (_, shortest, _) in times.items()})
    run.expect("longest", want, {stage: longest for stage, (_, _, longest) in times.items()})


@testcase()
async def replacement(run: CacheSequence) -> None:
    """Ways fill from 0 on; then the half used longer ago goes, and in it what the counter says."""
    await run.begin(run.prim(invalidate=1))
    ways, sets = run.cfg.cache.ways, run.cfg.cache.sets
    for _ in range(3):
        first = int(run.rng.integers(sets))
        mine = [first + sets * k for k in range(ways + 2)]
        await run.lines([*mine[:ways], mine[0], mine[ways - 1], *mine])
        await run.lines([mine[i] for i in run.rng.integers(ways + 2, size=60)])
        for i in run.rng.integers(ways + 2, size=20):
            await run.lines([mine[i]])
            await run.clocking.cycles(int(run.rng.integers(1, 30)))


@testcase()
async def every_way(run: CacheSequence) -> None:
    """All ways of some sets are filled, hit and replaced."""
    await run.begin(run.prim(invalidate=1))
    sets, ways = run.cfg.cache.sets, run.cfg.cache.ways
    chosen = sorted({0, 1, sets // 2, sets - 1})
    for turn in range(3):
        for index in chosen:
            await run.lines([index + sets * (way + turn * ways // 2) for way in range(ways)] * 2)


@testcase()
async def repeat_ends(run: CacheSequence) -> None:
    """A repeat needs the same line as the query before: not after another line, an error, a new primitive."""
    await run.begin(run.prim(invalidate=1))
    await run.lines([8, 8, 12, 8, 8])
    await run.begin(run.prim())
    await run.lines([8, 8])
    await run.begin(run.prim(invalidate=1))
    await run.lines([8, 8])
    await run.settle()
    first = run.first_line()
    run.env.poison([first + 16])
    await run.lines([16, 16, 8, 16, 16])
    await run.settle()
    run.env.heal()
    await run.lines([16, 16, 8, 16])


@testcase()
async def texel_errors(run: CacheSequence) -> None:
    """An error response marks the quad, is counted and not kept; each beat, both lines of a split texel."""
    first = run.first_line()
    await run.begin(run.prim(invalidate=1))
    for beat in range(run.cfg.beats_per_line):
        run.env.memory.faults.beat = beat
        run.env.poison([first + 20 + beat])
        await run.lines([20 + beat, 40, 20 + beat, 40])
        await run.settle()
        run.env.heal()
        await run.lines([20 + beat, 20 + beat])
        await run.settle()
    run.env.memory.faults.beat = None
    for bad in (0, 1):
        run.env.poison([6 + bad])  # behind two smaller mips of three lines each
        await run.begin(primitive(base=0, log2w=2, log2h=2, format=1, max_lod=0, invalidate=1))
        await run.send(quads_at([(0.3, 0.3)], 0.25))
        await run.send(quads_at([(x / 4 + 0.1, y / 4 + 0.1) for y in range(4) for x in range(4)], valid=1))
        await run.settle()
        run.env.heal()
    for kind in (2, 3):
        table = TABLE_BYTES[kind] // run.cfg.cache.line_bytes
        for bad in (0, 17, 47, *range(table, table + 7)):  # of colours; of indices, all of them
            run.env.poison([bad + 500])
            await run.begin(primitive(base=500, log2w=3, log2h=3, format=kind, invalidate=1))
            await run.send(quads_at([(0.3, 0.3), (0.8, 0.1)], 0.1))
            await run.settle()
            run.env.heal()
        await run.begin(primitive(base=500, log2w=3, log2h=3, format=kind))
        await run.send(quads_at([(0.3, 0.3), (0.8, 0.1)], 0.1))
        await run.settle()


@testcase()
async def invalidate(run: CacheSequence) -> None:
    """A primitive that invalidates: all lines are read again; one that does not finds them."""
    lines = list(range(min(16, run.cfg.cache.sets)))  # a set each
    for again in (1, 0, 1, 1, 0):
        await run.begin(run.prim(invalidate=again))
        await run.lines(lines)
    await run.settle()
    counts = run.env.reference.units[0].counts
    run.expect("misses", 3 * len(lines), counts["misses"])
    run.expect("hits", 2 * len(lines), counts["hits"])


@testcase(lambda cfg: cfg.units > 1, "several units")
async def units_are_apart(run: CacheSequence) -> None:
    """Each unit has a cache of its own; all share memory, first come, first served."""
    for unit in range(run.cfg.units):
        await run.begin(run.prim(invalidate=1), unit)
        await run.lines([0, 4, 0, 4], unit)
        await run.settle()
        run.expect(f"misses of unit {unit}", 2, run.env.reference.units[unit].counts["misses"])
    tasks = [
        cocotb.start_soon(run.lines([64 * (unit + 1) + 4 * n for n in range(12)], unit))
        for unit in range(run.cfg.units)
    ]
    for task in tasks:
        await task
    await run.settle()
    done = np.array([unit.counts["misses"] for unit in run.env.reference.units])
    run.expect("misses of all", [14] * run.cfg.units, done.tolist())

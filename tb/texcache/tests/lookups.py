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
async def edges(run: TexcacheSequence) -> None:
    """Every level, every pair of wrap modes, at and beyond every edge."""
    chosen = []
    for level in range(run.cfg.levels):
        side = run.cfg.level_side(level)
        reach = 2 * run.cfg.max_side
        near = {base + offset for base in (-2 * side, -side, 0, side, 2 * side) for offset in (-2, -1, 0, 1)}
        places = sorted(place for place in {*near, -reach, reach - 1} if -reach <= place < reach)
        for mode in range(9):
            picked = run.rng.choice(places, (len(places) if mode in (0, 4, 8) else 6, 2))
            chosen += [(0, level, mode // 3, mode % 3, int(u), int(v)) for u, v in picked]
    await run.send(chosen)


@testcase()
async def straddle(run: TexcacheSequence) -> None:
    """Rows that fall into two lines: at the end of a line, at the edge and around it."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    rows = shapes.rows(lambda _, results: np.asarray(results["valid"].all(axis=1)))
    run.expect("there are footprints that straddle", True, len(rows) >= 20)
    await run.send(np.repeat(shapes.footprints[rows[:60]], 2))
    for level in range(run.cfg.levels):
        last = run.cfg.level_side(level) - 1
        await run.send([(1, level, 0, 0, last, v) for v in (0, last // 2, last)])


@testcase(lambda cfg: not cfg.parity, "a line looked up twice")
async def same_line_twice(run: TexcacheSequence) -> None:
    """Both rows miss the same line: one fill, and the second look-up hits."""
    shapes = Shapes(run.cfg, run.table, run.rng, Distribution(textures=4, edges=0.5, modes=(1, 2, 1)))
    rows = shapes.rows(lambda _, results: results["line"][:, 0] == results["line"][:, 1])
    run.expect("there are such footprints", True, len(rows) >= 10)
    for row in rows[:10]:
        await run.invalidate()
        before = len(run.matched("fill"))
        await run.answer(shapes.footprints[row])
        lines = shapes.results[row]["line"][shapes.results[row]["valid"] == 1]
        run.expect("fills", len(set(lines.tolist())), len(run.matched("fill")) - before)


@testcase()
async def hit_under_fill(run: TexcacheSequence) -> None:
    """Many footprints on lines that are still on their way: every line is fetched once."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    chosen = shapes.together(list(shapes.footprints[:3]))
    for footprint in chosen:
        await run.invalidate()
        await run.send([footprint] * 12)
        await run.settle()
    await run.invalidate()
    before = len(run.matched("fill"))
    await run.send([chosen[i] for i in run.rng.integers(len(chosen), size=40)])
    await run.settle()
    results = shapes.replay(chosen)
    lines = set(results["line"][results["valid"] == 1].tolist())
    run.expect("fills", True, len(run.matched("fill")) - before <= len(lines))


@testcase(lambda cfg: cfg.banks > 1, "several banks")
async def parallel_misses(run: TexcacheSequence) -> None:
    """Several lines missed in one beat: all addresses leave, in order, and all lines are written."""
    shapes = Shapes(run.cfg, run.table, run.rng, Distribution(textures=4, edges=0, far=0))
    for footprint in shapes.missing_most(12):
        await run.invalidate()
        await run.answer(footprint)
    await run.send(shapes.missing_most(40))


@testcase(lambda cfg: cfg.small_side > 1 and cfg.banks > 1, "small levels and several banks")
async def small_levels(run: TexcacheSequence) -> None:
    """Small levels live in the last bank; lines that differ in their bank bits alone are told apart."""
    last = run.cfg.levels - 1
    for turn in range(3):
        index, above = (int(run.rng.integers(size)) for size in (run.cfg.cache.sets, 16))
        textures = min(run.cfg.banks, run.cfg.textures)
        for tex in range(textures):
            run.table[tex, last] = (above * run.cfg.banks + tex) * run.cfg.cache.sets + index
        await run.write_table(run.table)
        await run.send(footprints(*((tex, last, 0, 0, turn, 0) for tex in range(textures))).repeat(2))
        await run.settle()
    banks = {run.cfg.banks - 1}
    used = {
        bank for done in run.completed for bank in np.unique(done.prediction.results["bank"][:, :2]).tolist()
    }
    run.expect("banks used", banks, used)
    small = tuple(level for level in range(run.cfg.levels) if run.cfg.is_small(level))
    await run.send(Distribution(textures=3, levels=small).draw(run.cfg, run.rng, 300))


@testcase()
async def table_entries(run: TexcacheSequence) -> None:
    """Every entry of the look-up table is its own: each texture and level once, in random order."""
    run.table = random_table(run.cfg, run.rng)
    await run.write_table(run.table)
    entries = run.rng.permutation(run.cfg.textures * run.cfg.levels)[:1500]
    await run.send([(entry // run.cfg.levels, entry % run.cfg.levels, 0, 0, 0, 0) for entry in entries])


@testcase()
async def carries(run: TexcacheSequence) -> None:
    """Base and offset add up across every bit of the address."""
    level = min(2, run.cfg.levels - 2)
    side = run.cfg.level_side(level)
    room = -(-side * side // run.cfg.line_texels)
    for bit in range(room.bit_length(), run.cfg.cache.line_bits):
        base = (1 << bit) - int(run.rng.integers(1, room))
        await run.settle()
        await run.play("lut", LutItem(run.cfg, 0, level, base))
        places = run.rng.integers(0, side, (12, 2))
        await run.send([(0, level, 0, 0, int(u), int(v)) for u, v in places])


def levels(run: TexcacheSequence) -> tuple[int, ...]:
    """Those with more than one line in a row, in each layout."""
    return tuple(
        level for level in range(run.cfg.levels) if run.cfg.level_side(level) >= 2 * run.cfg.line_texels
    )


def base_for_carry(run: TexcacheSequence, level: int, bit: int, below: int, above: int) -> int:
    """Where ``level`` must begin for an odd multiple of ``1 << bit`` to lie between the two offsets."""
    room = (1 << run.cfg.cache.line_bits) - level_lines(run.cfg, level)
    first, last = (below >> bit) + 1, (room + above) >> bit  # multiples that can
    multiple = 2 * int(run.rng.integers(first // 2, (last + 1) // 2)) + 1 << bit
    return int(run.rng.integers(max(0, multiple - above), min(room + 1, multiple - below)))


async def send_around(run: TexcacheSequence, footprint: np.void) -> None:
    """A footprint twice, then its lines looked up for others of their texels, then it again."""
    moved = []
    for u, v in ((1, 0), (0, 1), (1, 1)):
        other = footprint.copy()
        other["u"] += u
        other["v"] += v
        moved.append(other)
    await run.send([footprint, footprint, *moved, footprint])


@testcase()
async def carries_within(run: TexcacheSequence) -> None:
    """The lines of one footprint lie on both sides of each power of two, each pair of its look-ups apart."""
    within = Distribution(textures=1, levels=levels(run), edges=0.3, far=0)
    shapes = Shapes(run.cfg, np.zeros_like(run.table), run.rng, within)
    rows = [row for row in range(len(shapes.results)) if len(lines_of(shapes.results[row])) == 4]
    for bit in range(run.cfg.cache.line_bits):
        footprint = shapes.footprints[run.rng.choice(rows)]
        offsets, apart = offsets_of(run.cfg, footprint), set()
        for gap in range(3):
            base = base_for_carry(run, int(footprint["level"]), bit, *sorted(offsets)[gap : gap + 2])
            await run.invalidate()
            await run.play("lut", LutItem(run.cfg, 0, footprint["level"], base))
            await send_around(run, footprint)
            sides = [(base + offset) >> bit for offset in offsets]
            apart |= {pair for pair in combinations(range(4), 2) if sides[pair[0]] != sides[pair[1]]}
        run.expect(f"pairs of look-ups on both sides of bit {bit}", 6, len(apart))

# SPDX-License-Identifier: Apache-2.0
"""Tiles that a clear marks: docs/zcache.md, marks."""

from typing import Any

from configs.depth import ALWAYS, FUNCTIONS
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL, Surface
from tb.zcache.tests.ahead import fills_a_set
from tb.zcache.tests.bounds import at, evict

MARKS: dict[str, Any] = {"needs": lambda cfg: cfg.marks, "why": "tiles that a clear marks"}
EQUAL = FUNCTIONS.index("equal")
VALUE = 0x89ABCDEF


def asked(run: ZcacheSequence) -> tuple[int, int]:
    """Lines asked for, and those of them for which memory was not read."""
    counted = run.counted()
    return counted["fills"] + counted["prefetches"], counted["blanks"]


def cleared(run: ZcacheSequence, tiles: int) -> int:
    """Lines that a clear of so many tiles writes."""
    return max(0, tiles - run.cfg.fast_clear)


@testcase(**MARKS)
async def marked_tiles(run: ZcacheSequence) -> None:
    """No line is read that only a clear has written, by a test or ahead; what is stored in one part stays."""
    side = min(8, 1 << run.cfg.coordinate_bits)
    await run.outcomes(run.base(Surface(0x4000, side, 16)))
    before = run.counted()["writebacks"]
    await run.outcomes(run.clear(VALUE))
    run.expect("lines written", 0, run.counted()["writebacks"] - before)
    places = [(number % side, number // side) for number in range(16)]
    twice = [VALUE - 1] * 4 + [VALUE] * 12
    outcomes = await run.outcomes(run.at((0, 0), VALUE - 1, mask=0xF), run.at((0, 0), twice, func=EQUAL))
    run.expect("right after a store", ALL, outcomes[-1].result["passed"])
    await run.outcomes(run.clear(VALUE))
    before = run.counted()["writebacks"]
    for half in (0x00FF, 0xFF00):
        outcomes = await run.outcomes(*(run.at(at, VALUE, func=EQUAL, mask=half, write=0) for at in places))
        run.expect("passed", {half}, {outcome.result["passed"] for outcome in outcomes})
    lines, blanks = asked(run)
    run.expect("lines read", 0, lines - blanks)
    await run.outcomes(*(run.at(place, 77, mask=0x0F01) for place in places), run.flush())
    run.expect("lines written", 16, run.counted()["writebacks"] - before)
    for number, place in enumerate(places):
        depths = [77 if 0x0F01 >> pixel & 1 else VALUE for pixel in range(16)]
        [stored] = await run.outcomes(run.at(place, depths, func=EQUAL))
        run.expect(f"tile {number}", ALL, stored.result["passed"])
    await run.outcomes(run.base(run.surface))
    await run.outcomes(*(run.at(place, 77, func=EQUAL) for place in places))
    run.expect("lines read after a base", True, asked(run)[0] - asked(run)[1] >= 16)


@testcase(**MARKS)
async def swept(run: ZcacheSequence) -> None:
    """A flush or base writes each marked tile once, one that was read or written too; none is left."""
    limit = run.cfg.fast_clear
    sizes = (1, 16, 17, 40) if limit > 64 else (1, 15, 17, limit - 1, limit, limit + 1, 2 * limit)
    for number, tiles in enumerate(sizes):
        await run.outcomes(run.wide(tiles))
        before = run.counted()["writebacks"]
        await run.outcomes(run.clear(number), run.tile(0, 0, 9), run.clear(VALUE + number))
        written = run.counted()["writebacks"] - before
        run.expect("written by clears", 2 * cleared(run, tiles) + 1, written)
        await run.outcomes(run.tile(0, 0, 1, write=0), run.tile(3, 3, 1, mask=0))
        barrier = run.base(run.surface) if number % 2 else run.flush()
        await run.outcome(barrier)
        total = min(tiles, limit) + written
        run.expect("written in the end", total, run.counted()["writebacks"] - before)
        await run.outcomes(run.flush(), run.flush())
        run.expect("and once", total, run.counted()["writebacks"] - before)
        outcome = await run.outcome(run.tile(0, 0, VALUE + number, func=EQUAL))
        run.expect("passed", ALL, outcome.result["passed"])


@testcase(**MARKS)
async def evicted_marks(run: ZcacheSequence) -> None:
    """A marked tile that was replaced clean is marked still, one that was written is read again."""
    side, tiles = 1 << run.cfg.coordinate_bits, min(run.cfg.fast_clear, 512)
    await run.outcomes(run.base(Surface(0x100000, side, tiles)), run.clear(VALUE))
    ways, places = run.cfg.cache.ways, []
    for place in run.rivals(1024):
        if place[1] * side + place[0] < tiles:
            places.append(place)
    places = places[: 3 * ways]
    for write in (0, 1):
        await run.outcomes(*(run.at(place, VALUE - 1, mask=0x8001, write=write) for place in places))
        lines, blanks = asked(run)
        run.expect("lines read", 0, lines - blanks)
    await run.outcomes(*(run.at(place, VALUE, func=EQUAL, mask=0x7FFE) for place in places))
    run.expect("passed", {0x7FFE}, {outcome.result["passed"] for outcome in run.responses[-len(places) :]})
    run.expect("lines read again", True, asked(run)[0] - asked(run)[1] >= len(places) - ways)
    await run.outcome(run.flush())


@testcase(**MARKS)
async def forgotten_marks(run: ZcacheSequence) -> None:
    """A reset forgets marks: memory is what it was."""
    surface = Surface(0, 1, 1)
    await run.outcomes(run.tile(0, 0, 5), run.flush(), run.clear(VALUE))
    run.env.tiles.renews = False
    await run.reset()
    run.surface = surface
    outcome = await run.outcome(run.tile(0, 0, 5, func=EQUAL))
    run.expect("passed", ALL, outcome.result["passed"])
    await run.outcome(run.flush())


@testcase(
    needs=lambda cfg: cfg.marks and fills_a_set(cfg),
    why="tiles that a clear marks, and lines fetched ahead that fill a set",
)
async def reset_trees(run: ZcacheSequence) -> None:
    """A reset turns the trees back: lines of marked tiles, whose pixels the shader discards, take all ways,
    may go, and turn no tree.
    """
    ways, side = run.cfg.cache.ways, 1 << run.cfg.coordinate_bits
    run.env.tiles.renews = False
    await run.outcomes(run.wide())
    used = [run.at(place, 1) for place in run.rivals(ways)]
    outcomes = await run.outcomes(*used, used[0])
    run.expect("way of the last", 0, outcomes[-1].event["way"])  # the root points at the other half
    await run.reset()
    tiles = min(run.cfg.fast_clear, 512)
    await run.outcomes(run.base(Surface(0x100000, side, tiles)), run.clear(VALUE))
    places = [place for place in run.rivals(1024) if place[1] * side + place[0] < tiles]
    fields = {"kill": ALL} if run.cfg.given else {"mask": 0}
    hidden = [run.at(place, 1, **fields) for place in places[:ways]]
    await run.ahead(hidden)
    await run.tested(hidden, ways)
    lines, blanks = asked(run)
    run.expect("lines asked for, read", (ways, 0), (lines, lines - blanks))
    outcomes = await run.outcomes(run.at(places[ways], 1))
    run.expect("way of the next", 0, outcomes[-1].event["way"])


@testcase(**MARKS)
async def bits_of_marks(run: ZcacheSequence) -> None:
    """Tiles whose numbers differ in a bit have marks of their own, each bit of the table."""
    side, limit = 1 << run.cfg.coordinate_bits, run.cfg.fast_clear
    tiles = limit if limit <= 1024 else limit // 2 + 1  # as few as have all bits
    await run.outcomes(run.base(Surface(0x40000, side, tiles)), run.clear(VALUE))

    async def reads(number: int, blank: int, depth: int) -> None:
        before = asked(run)
        outcome = await run.outcome(at(run, number, depth, func=EQUAL))
        run.expect(f"tile {number}: passed", ALL, outcome.result["passed"])
        lines, blanks = (now - then for now, then in zip(asked(run), before, strict=True))
        run.expect(f"tile {number}: lines, blank", (1, blank), (lines, blanks))
        await evict(run, number)

    for bit in range((tiles - 1).bit_length()):
        await reads(1 << bit, 1, VALUE)
        await run.outcome(at(run, 1 << bit, bit, func=ALWAYS, write=1))
        await evict(run, 1 << bit)
        await reads(1 << bit, 0, bit)
        await reads(0, 1, VALUE)
    run.env.tiles.renews = False
    await run.reset()  # else the end of the test would write all that are marked
    run.surface = Surface()

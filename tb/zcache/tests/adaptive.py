# SPDX-License-Identifier: Apache-2.0
"""A distance that adapts: docs/zcache.md, distance."""

from typing import Any

from configs import MemoryTiming
from configs.zcache.schema import MISS
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence

ADAPTS: dict[str, Any] = {"needs": lambda cfg: cfg.adapts, "why": "a distance that adapts"}


def grown(run: ZcacheSequence, distance: int) -> int:
    """The next larger distance: from the page."""
    return min(run.cfg.shading.tiles, distance + distance // run.cfg.prefetch.step + 1)


def shrunk(run: ZcacheSequence, distance: int) -> int:
    """The next smaller one."""
    return max(1, distance - distance // run.cfg.prefetch.step - 1)


async def lose(run: ZcacheSequence) -> None:
    """A tile whose prefetch memory fails, of which nobody hears: its test misses."""
    tile = run.at(run.rivals(1)[0], 1)
    await run.outcomes(run.base(run.surface))
    run.env.poison(run.lines_of([tile]))
    await run.ahead([tile])
    run.env.heal()
    [outcome] = await run.tested([tile], 1)
    run.expect("kind, error", (MISS, 0), (outcome.event["kind"], outcome.result["err"]))


async def nearest(run: ZcacheSequence) -> int:
    """Lose lines until the distance is 1; how often it shrank."""
    distance, steps = run.cfg.prefetch.distance, 0
    while distance > 1:
        before = run.counted()["nearer"]
        await lose(run)
        if run.counted()["nearer"] != before:
            distance, steps = shrunk(run, distance), steps + 1
    return steps


async def late(run: ZcacheSequence, row: int) -> None:
    """Tiles of a row whose lines come late, while all other words in flight have been looked at ahead.

    Nothing is stored: a request whose victim waits for the write buffer would hold the others back.
    """
    cfg = run.cfg
    waiting = min(cfg.fills, 4)
    tiles = [run.tile(number % 8, row, write=0) for number in range(waiting)]
    tiles += [run.tile(0, row, test=0)] * (cfg.shading.tiles - waiting)
    await run.ahead(tiles, cfg.shading.tiles + 4)
    await run.tested(tiles, 1)


async def farthest(run: ZcacheSequence, distance: int) -> int:
    """Tiles whose lines come late until the distance is as large as can be; how often it grew."""
    steps, row = 0, 0
    while distance < run.cfg.shading.tiles:
        before = run.counted()["farther"]
        await late(run, row)
        row = (row + 1) % (1 << run.cfg.coordinate_bits)
        if run.counted()["farther"] != before:
            distance, steps = grown(run, distance), steps + 1
    return steps


@testcase(**ADAPTS)
async def to_and_fro(run: ZcacheSequence) -> None:
    """Lost lines make the distance shrink to 1, no further; late ones make it grow to all tiles, no more."""
    await run.outcomes(run.wide())
    cfg, distance, expected = run.cfg, run.cfg.prefetch.distance, 0
    while distance > 1:
        distance, expected = shrunk(run, distance), expected + 1
    run.expect("times it shrank", expected, await nearest(run))
    for _ in range(1 + 2 * cfg.prefetch.patience // cfg.prefetch.weight):
        await lose(run)
    run.expect("no further, and all lost", (expected, 0), (run.counted()["nearer"], run.counted()["farther"]))
    slow = MemoryTiming(latency=cfg.memory.latency + 2 * cfg.shading.cycles)
    run.env.memory.set_timing(slow)
    grew = await farthest(run, 1)
    for _ in range(cfg.prefetch.patience):
        await late(run, 0)
        await run.outcomes(run.base(run.surface))
    run.expect("times it grew", grew, run.counted()["farther"])
    for turn in (1, 2):  # what a step beyond the end leaves would show in the next turn
        run.env.memory.set_timing(MemoryTiming(latency=cfg.memory.latency))
        while run.counted()["nearer"] < expected + turn:
            await lose(run)
        run.env.memory.set_timing(slow)
        grew += await farthest(run, shrunk(run, cfg.shading.tiles))
        run.expect("times it grew to the end again", grew, run.counted()["farther"])


@testcase(**ADAPTS)
async def late_by_memory(run: ZcacheSequence) -> None:
    """Late tiles do not count while memory holds requests back: the distance stays, of however many."""
    cfg = run.cfg
    await run.outcomes(run.wide())
    run.env.memory.set_timing(MemoryTiming(latency=2 * cfg.shading.cycles))
    before = run.counted()
    for row in range(2 + cfg.prefetch.patience // cfg.shading.tiles):
        await run.outcomes(*(run.tile(number, row, 1) for number in range(cfg.shading.tiles)))
    counted = run.counted_since(before)
    run.expect("farther", 0, counted["farther"])
    run.expect("enough were late", True, counted["lates"] + counted["fills"] > cfg.prefetch.patience)


@testcase(**ADAPTS)
async def evicted_early(run: ZcacheSequence) -> None:
    """A line is lost that is there when it is to be prefetched, and which the tile before it evicts.

    That one can ask for its own only when it is at the test, as AR is held for another one's until then.
    """
    ways = run.cfg.cache.ways
    await run.outcomes(run.wide())
    there = [run.at(place, 1) for place in run.rivals(ways + 1)]
    await run.outcomes(*there[:ways])
    hidden = run.at(run.rivals(1, index=1)[0], 1, mask=0)
    run.env.memory.hold("ar")
    before = run.counted()["lost"]
    await run.offer(run.items([hidden, there[ways], there[0]]))
    await run.clocking.cycles(12 + (0 if run.cfg.given else run.cfg.shading.cycles))
    run.env.memory.release("ar")
    await run.settle()
    run.expect("kind", MISS, run.responses[-1].event["kind"])
    run.expect("lost", 1, run.counted()["lost"] - before)


@testcase(**ADAPTS)
async def reset_distance(run: ZcacheSequence) -> None:
    """After a reset the distance is that of power-up, and the score is 0."""
    for losses in (1, 1 + run.cfg.prefetch.patience // run.cfg.prefetch.weight):
        await run.outcomes(run.wide())
        for _ in range(losses):
            await lose(run)
        await run.reset()
        await run.outcomes(run.wide())
        tiles = run.cfg.shading.tiles
        places = [(number % 8, 2 + number // 8) for number in range(tiles)]
        items = run.items([run.at(place, 7) for place in places])
        await run.offer(items, shaded=False)
        await run.clocking.cycles(tiles * (run.latency + 8))
        if run.cfg.given:
            run.expect("looked at", run.cfg.prefetch.distance, run.counted()["prefetches"])
        run.shade(items)
        await run.settle()

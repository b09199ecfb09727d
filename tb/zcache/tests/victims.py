# SPDX-License-Identifier: Apache-2.0
"""Which line goes: docs/zcache.md, victims, where lines that nobody has used are among them."""

from typing import Any

from configs import MemoryTiming
from configs.zcache.schema import HIT, MISS, Config
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.tests.ahead import AHEAD, fills_a_set

UNTOUCHED: dict[str, Any] = {
    "needs": lambda cfg: fills_a_set(cfg) and cfg.ott and cfg.prefetch.when_untouched == "drop",
    "why": "prefetches dropped where nobody has used a line, and tiles in flight to fill a set",
}
EVICTS: dict[str, Any] = {
    "needs": lambda cfg: fills_a_set(cfg) and cfg.ott and cfg.prefetch.when_untouched == "evict",
    "why": "prefetches that take lines which nobody has used, and tiles in flight to fill a set",
}


@testcase(**UNTOUCHED)
async def untouched_set(run: ZcacheSequence) -> None:
    """A set of lines that nobody has used takes no more of them; tests take what they need all the same."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    tiles = [run.at(place, 4) for place in run.rivals(ways + 1)]
    await run.ahead(tiles)
    counted = run.counted()
    run.expect("fetched, dropped", (ways, 1), (counted["prefetches"], counted["untouched"]))
    outcomes = await run.tested(tiles, ways + 1)
    run.expect("the last is missed", MISS, outcomes[-1].event["kind"])
    run.expect("the others are hit", {HIT}, {outcome.event["kind"] for outcome in outcomes[:-1]})


@testcase(**EVICTS)
async def fresh_gives_way(run: ZcacheSequence) -> None:
    """In a set of lines that nobody has used a prefetch takes one of them, whose tile is missed."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    tiles = [run.at(place, 4) for place in run.rivals(ways + 1)]
    await run.ahead(tiles[:-1])
    await run.ahead(tiles[-1:])
    counted = run.counted()
    run.expect("fetched, dropped", (ways + 1, 0), (counted["prefetches"], counted["untouched"]))
    run.expect("replaced that nobody had used", 1, counted["unused"])
    outcomes = await run.tested(tiles, ways + 1)
    run.expect("one is missed", True, MISS in {outcome.event["kind"] for outcome in outcomes})
    run.expect("errors", {0}, {outcome.result["err"] for outcome in outcomes})


@testcase(
    needs=lambda cfg: EVICTS["needs"](cfg) and cfg.fills > cfg.cache.ways,
    why=EVICTS["why"] + ", and reads for more than all its lines",
)
async def none_gives_way(run: ZcacheSequence) -> None:
    """A set whose lines are all on their way has none to give: a prefetch is dropped."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    tiles = [run.at(place, 4) for place in run.rivals(ways + 1)]
    run.env.memory.hold("r")
    await run.ahead(tiles)
    counted = run.counted()
    run.expect("fetched, dropped", (ways, 1), (counted["prefetches"], counted["untouched"]))
    run.env.memory.release("r")
    outcomes = await run.tested(tiles, ways + 1)
    run.expect("the last is missed", MISS, outcomes[-1].event["kind"])


@testcase(**AHEAD)
async def demand_among_fresh(run: ZcacheSequence) -> None:
    """A test whose set holds prefetched lines alone, of later tiles, waits for none of them: it takes one."""
    for beat in (0, 3):
        await run.outcomes(run.wide())
        tiles = [run.at(place, 5) for place in run.rivals(run.cfg.cache.ways + 1)]
        address = run.lines_of(tiles[:1])
        run.env.memory.faults.beat = beat
        run.env.poison(address)
        await run.ahead(tiles[:1])  # it fails, and nobody hears of it
        run.env.heal()
        await run.ahead(tiles[1:])
        outcomes = await run.tested(tiles, len(tiles))
        run.expect("no error", {0}, {outcome.result["err"] for outcome in outcomes})
        await run.outcome(run.flush())


def full_set_and_others(run: ZcacheSequence) -> tuple[list[Any], list[Any]]:
    """Tiles of one set that store nothing, as many as it has ways, and as many others."""
    ways = run.cfg.cache.ways
    tiles = [run.at(place, write=0) for place in run.rivals(2 * ways)]
    return tiles[:ways], tiles[ways:]


@testcase(
    needs=lambda cfg: fills_a_set(cfg) and cfg.ott, why="lines fetched ahead that fill a set, but for one"
)
async def one_old_line(run: ZcacheSequence) -> None:
    """A prefetch takes the one line of its set that has been used, whichever it is and however lately."""
    ways, apart = run.cfg.cache.ways, 30
    for last in range(ways):
        await run.outcomes(run.wide())
        old, fresh = full_set_and_others(run)
        await run.outcomes(*old, old[last])  # the others go before it
        before, count = run.counted(), len(run.responses)
        run.env.memory.set_timing(MemoryTiming(latency=1))  # all lines come before the first test
        await run.offer(run.items([old[last]]), shaded=False)
        await run.clocking.cycles(apart)
        await run.offer(run.items(fresh[:-1]), shaded=False)
        await run.clocking.cycles(apart)
        run.shade(run.items([old[last]]))  # its test makes the tree point at others
        await run.answered(count + 1)
        await run.offer(run.items(fresh[-1:]), shaded=False)
        await run.clocking.cycles(apart)
        outcomes = await run.tested(fresh, ways)
        run.expect("kinds", {HIT}, {outcome.event["kind"] for outcome in outcomes})
        counted = run.counted_since(before)
        run.expect("fetched", ways, counted["prefetches"])
        run.expect("replaced that nobody had used", 0, counted["unused"])


@testcase(
    needs=lambda cfg: UNTOUCHED["needs"](cfg) and not cfg.walks and cfg.shading.tiles > cfg.cache.ways + 4,
    why=UNTOUCHED["why"] + ", and some more, fetched as they come",
)
async def missed_beside_one_old_line(run: ZcacheSequence) -> None:
    """A miss takes that line, too, though lines of later tiles have filled the set but for it."""
    ways, apart = run.cfg.cache.ways, 45
    for last in range(ways):
        await run.outcomes(run.wide())
        old, (missed, *later) = full_set_and_others(run)
        before, count = run.counted(), len(run.responses)
        run.env.memory.set_timing(MemoryTiming(latency=1))
        first = [*old, old[last]]  # the others go before it
        await run.offer(run.items(first), shaded=False)
        await run.clocking.cycles(apart)
        second = [old[last], missed]  # the former makes the tree point at others
        await run.offer(run.items(second), shaded=False)
        run.shade(run.items(first))
        await run.answered(count + len(first))
        await run.offer(run.items(later), shaded=False)
        await run.clocking.cycles(apart if run.cfg.given else 1)
        outcomes = await run.tested([*second, *later], 1 + len(later))
        run.expect("kinds", [MISS] + [HIT] * len(later), [outcome.event["kind"] for outcome in outcomes])
        run.expect("way", last, outcomes[0].event["way"])
        counted = run.counted_since(before)
        run.expect("dropped, replaced unused", (1, 0), (counted["untouched"], counted["unused"]))


def drops(cfg: Config) -> bool:
    """Whether a prefetch is dropped while as many lines are on their way as may, and a test can miss it."""
    dropped = cfg.prefetching and cfg.prefetch.when_busy == "drop" and not cfg.walks
    return dropped and cfg.ott and cfg.shading.tiles > cfg.fills + cfg.cache.ways + 1


@testcase(
    needs=drops, why="prefetches that are dropped, and tiles in flight to fill a set behind one of them"
)
async def missed_among_fresh(run: ZcacheSequence) -> None:
    """A tile whose prefetch was dropped comes to its test when lines of later tiles have filled its set."""
    await run.outcomes(run.wide())
    ways, fills = run.cfg.cache.ways, run.cfg.fills
    missed, *later = (run.at(place, 5) for place in run.rivals(ways + 1))
    busy = [run.at(place, 3) for place in run.rivals(fills, 1)]
    before = len(run.responses)
    run.hold()
    await run.send([run.at((0, 0), test=0), *busy, missed])
    for tile in later:
        await run.clocking.cycles(run.latency)
        await run.send([tile])
    await run.clocking.cycles(run.latency)
    counted = run.counted()
    run.expect("fetched, dropped", (fills + ways, 1), (counted["prefetches"], counted["busy"]))
    run.pace_all()
    await run.settle()
    kinds = [outcome.event["kind"] for outcome in run.responses[before + 1 :]]
    run.expect("kinds", MISS, kinds[fills])
    run.expect("replaced that nobody had used", 1, run.counted()["unused"])

# SPDX-License-Identifier: Apache-2.0
"""Lines fetched ahead: each rule of docs/zcache.md, prefetch, and what must not go wrong with them."""

from typing import Any

from configs.depth import FUNCTIONS
from configs.zcache.schema import HIT, LATE, Config
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL


def leads(cfg: Config) -> bool:
    """Whether the line of a tile that is alone in flight comes before its test."""
    return cfg.prefetching and (cfg.given or cfg.shading.cycles > cfg.memory.latency)


AHEAD: dict[str, Any] = {"needs": leads, "why": "lines fetched ahead, and time until the test"}


def fills_a_set(cfg: Config) -> bool:
    """Whether so many tiles can be in flight, with all their lines, that a set is full."""
    patient = leads(cfg) and cfg.prefetch.when_busy == "wait"
    far = not cfg.walks or cfg.prefetch.distance > cfg.cache.ways
    return bool(patient and far and cfg.shading.tiles > cfg.cache.ways)


EQUAL = FUNCTIONS.index("equal")


@testcase(**AHEAD)
async def fetched_ahead(run: ZcacheSequence) -> None:
    """A tile finds what its step has fetched; the first use of a line is told once."""
    await run.outcomes(run.wide())
    tile = run.at(run.rivals(1)[0], 3)
    await run.ahead([tile])
    first, second = await run.tested([tile], 1), await run.outcomes(tile)
    run.expect("kind, first use", (HIT, 1), (first[0].event["kind"], first[0].event["first"]))
    run.expect("kind, first use", (HIT, 0), (second[0].event["kind"], second[0].event["first"]))
    run.expect("useful", 1, run.counted()["useful"])


@testcase(needs=fills_a_set, why="lines fetched ahead that fill a set")
async def never_demanded(run: ZcacheSequence) -> None:
    """Lines of tiles that have nothing to test in the end may go when these have passed: no set is lost."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    places = run.rivals(4 * ways)
    for first in range(0, 4 * ways, ways):
        hidden = [run.at(place, 1, mask=0) for place in places[first : first + ways]]
        if run.cfg.given and first % (2 * ways):
            hidden = [run.at(place, 1, kill=ALL) for place in places[first : first + ways]]
        before = run.counted()
        await run.ahead(hidden)
        await run.tested(hidden, ways)
        counted = run.counted()
        run.expect("fetched", ways, counted["prefetches"] - before["prefetches"])
        run.expect("dropped, useful", (0, 0), (counted["untouched"], counted["useful"]))


@testcase(**AHEAD)
async def hidden_while_fetched(run: ZcacheSequence) -> None:
    """The same when the shader speaks while the line is on its way, in each cycle of that."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    for cycles in range(0, run.latency + 8, 1 if run.cfg.given else 8):
        places = run.rivals(3 * ways, skip=(cycles % 4) * ways)
        tiles = [run.at(place, 1, mask=0) for place in places[:ways]]
        await run.ahead(tiles, cycles)
        await run.tested(tiles, ways)
        await run.outcomes(*(run.at(place, 2) for place in places[ways : 2 * ways]))
    await run.outcome(run.flush())


@testcase(**AHEAD)
async def meeting(run: ZcacheSequence) -> None:
    """A test meets its own prefetch in each cycle of it: queued, offered to memory, on its way, there."""
    await run.outcomes(run.wide())
    cfg, kinds = run.cfg, set()
    lead = cfg.shading.cycles if not cfg.given else 0
    for cycles in range(run.latency + 6):
        for held in (False, True):
            if not (cycles % 4 or held):
                await run.outcomes(run.base(run.surface))
            place = run.rivals(1, skip=2 * (cycles % 4) + held)[0]
            tile = run.at(place, cycles)
            if held:
                run.env.memory.hold("ar")
            if not cfg.given:  # the line takes so long that the test comes in that cycle of it
                timing = cfg.memory.model_copy(update={"latency": max(1, lead - cycles + 4)})
                run.env.memory.set_timing(timing)
            await run.offer(run.items([tile]), shaded=False)
            await run.clocking.cycles(cycles if cfg.given else 1)
            run.shade(run.items([tile]))
            await run.clocking.cycles(3)
            if held:
                run.env.memory.release("ar")
            await run.settle()
            kinds.add(run.responses[-1].event["kind"])
    run.expect("kinds", True, {HIT, LATE} <= kinds)


@testcase(**AHEAD)
async def being_written(run: ZcacheSequence) -> None:
    """A tile whose line is being written is not fetched ahead; its test waits, and sees what was written."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    old = run.at(run.rivals(1)[0], 77)
    reading = [run.at(place, 0, write=0) for place in run.rivals(2 * ways)[1:]]
    for channel in ("aw", "b"):
        await run.outcomes(run.base(run.surface), old, *reading[: ways - 1])
        run.env.memory.hold(channel)
        before = run.counted()["writing"]
        await run.outcome_soon(reading[ways])
        again = run.at(run.rivals(1)[0], 77, func=EQUAL)
        await run.ahead([again])
        run.shade(run.items([again]))
        await run.clocking.cycles(20 + (0 if run.cfg.given else run.cfg.shading.cycles))
        run.env.memory.release(channel)
        await run.settle()
        run.expect("dropped", True, run.counted()["writing"] > before)
        run.expect("passed", ALL, run.responses[-1].result["passed"])


@testcase(**AHEAD)
async def present(run: ZcacheSequence) -> None:
    """A line that is there, or on its way, is not fetched again."""
    await run.outcomes(run.wide())
    tile = run.at(run.rivals(1)[0], 6)
    count = min(3, run.cfg.shading.tiles)
    await run.ahead([tile] * count)
    counted = run.counted()
    run.expect("fetched, dropped", (1, count - 1), (counted["prefetches"], counted["present"]))
    await run.tested([tile] * count, count)


@testcase(
    needs=lambda cfg: cfg.prefetch.mode == "queue" and leads(cfg),
    why="a queue of requests to prefetch, and time until the test",
)
async def queue_full(run: ZcacheSequence) -> None:
    """Requests wait while memory takes no address; those without a place are dropped; no other is lost."""
    await run.outcomes(run.wide())
    cfg = run.cfg
    run.env.memory.hold("ar")
    count = min(cfg.shading.tiles, cfg.prefetch.queue + 4)
    tiles = [run.at((number % 4, 2 + number // 4), 7) for number in range(count)]
    await run.offer(run.items(tiles), shaded=False)
    await run.clocking.cycles(6)
    full = run.counted()["full"]
    waits = cfg.prefetch.queue + 1  # one is offered to memory
    run.expect("dropped", max(0, count - waits), full)
    run.env.memory.release("ar")
    run.shade(run.items(tiles))
    await run.settle()
    run.expect("asked for", count, run.counted()["prefetches"] + run.counted()["fills"])


@testcase(
    needs=lambda cfg: cfg.prefetch.mode == "queue" and cfg.prefetch.when_busy == "wait",
    why="a queue of requests to prefetch that wait",
)
async def stale(run: ZcacheSequence) -> None:
    """A request whose tile has been tested in the meantime, or is just being, is dropped."""
    await run.outcomes(run.wide())
    cfg = run.cfg
    for cycles in range(12):
        run.env.memory.hold("ar")
        first = run.at(run.rivals(1, skip=cycles)[0], 8)
        hidden = run.at((3, cycles % 4), 8, mask=0)
        other = run.at((2, cycles % 8), 8)
        items = run.items([hidden, first, other])
        await run.offer(items[: cfg.shading.tiles], shaded=False)
        await run.clocking.cycles(cycles + (0 if cfg.given else cfg.shading.cycles))
        run.shade(items[: cfg.shading.tiles])
        await run.clocking.cycles(cycles)
        run.env.memory.release("ar")
        await run.settle()
    run.expect("dropped", True, run.counted()["stale"] > 0)


@testcase(needs=lambda cfg: cfg.prefetch.mode == "ahead", why="a prefetch a distance before the test")
async def distance(run: ZcacheSequence) -> None:
    """Only tiles nearer to the test than the distance are looked at; what makes no request is passed over."""
    await run.outcomes(run.wide())
    cfg = run.cfg
    count = cfg.shading.tiles
    tiles = [run.at((number % 8, 2 + number // 8), 7) for number in range(count)]
    tiles[1]["test"] = tiles[5]["test"] = 0
    await run.offer(run.items(tiles), shaded=False)
    await run.clocking.cycles(cfg.shading.tiles * (run.latency + 8))
    counted = run.counted()
    looked = sum(counted[name] for name in ("prefetches", "present", "untouched", "busy", "writing"))
    run.expect("looked at", min(cfg.prefetch.distance, count) - 2, looked)
    run.shade(run.items(tiles))
    await run.settle()


@testcase(
    needs=lambda cfg: cfg.prefetch.when_busy == "drop", why="prefetches dropped while all reads are busy"
)
async def busy(run: ZcacheSequence) -> None:
    """With all reads under way a request is dropped."""
    await run.outcomes(run.wide())
    tiles = [run.at((number, 3), 7) for number in range(min(run.cfg.shading.tiles, run.cfg.fills + 1))]
    run.env.memory.hold("r")
    await run.offer(run.items(tiles), shaded=False)
    await run.clocking.cycles(4 * len(tiles))
    run.expect("dropped", len(tiles) - run.cfg.fills, run.counted()["busy"])
    run.env.memory.release("r")
    run.shade(run.items(tiles))
    await run.settle()


@testcase(needs=lambda cfg: leads(cfg) and cfg.cache.ways > 2, why="lines fetched ahead, a tree of 4 ways")
async def fill_beside_hit(run: ZcacheSequence) -> None:
    """A prefetched line comes in the cycle of a hit in its set, or about then: both turn the tree."""
    cfg = run.cfg
    await run.outcomes(run.wide())
    slow = cfg.memory.model_copy(update={"latency": cfg.shading.cycles + 8})
    for cycles in range(run.latency + 4 if cfg.given else 24):
        places = run.rivals(cfg.cache.ways + 1)
        *there, coming, rival = (run.at(place, 1) for place in places)
        await run.outcomes(run.base(run.surface), *there)
        if not cfg.given:
            run.env.memory.set_timing(slow)
        hidden = run.items([run.item_with(coming, mask=0)])
        await run.offer(hidden, shaded=False)
        if cfg.given:
            await run.clocking.cycles(4)
            run.shade(hidden)
        await run.clocking.cycles(cycles + 1)
        await run.outcomes(there[0])
        run.env.memory.set_timing(cfg.memory)
        outcome = await run.outcome(rival)
        run.expect("error", 0, outcome.result["err"])

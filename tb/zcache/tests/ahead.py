# SPDX-License-Identifier: Apache-2.0
"""Lines fetched ahead: each rule of docs/zcache.md, prefetch, and what must not go wrong with them."""

from typing import Any

from configs.depth import FUNCTIONS
from configs.zcache.schema import HIT, LATE, MISS, Config
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL


def leads(cfg: Config) -> bool:
    """Whether the line of a tile that is alone in flight comes before its test."""
    return cfg.prefetching and (cfg.given or cfg.shading.cycles > cfg.memory.latency)


AHEAD: dict[str, Any] = {"needs": leads, "why": "lines fetched ahead, and time until the test"}
UNTOUCHED: dict[str, Any] = {
    "needs": lambda cfg: fills_a_set(cfg) and cfg.ott and cfg.prefetch.when_untouched == "drop",
    "why": "prefetches dropped where nobody has used a line, and tiles in flight to fill a set",
}
EVICTS: dict[str, Any] = {
    "needs": lambda cfg: fills_a_set(cfg) and cfg.ott and cfg.prefetch.when_untouched == "evict",
    "why": "prefetches that take lines which nobody has used, and tiles in flight to fill a set",
}


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


@testcase(**UNTOUCHED)
async def untouched_set(run: ZcacheSequence) -> None:
    """A set of lines that nobody has used takes no more of them; tests take what they need all the same."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    tiles = [run.at(place, 4) for place in run.rivals(ways + 1)]
    await run.ahead(tiles)
    counted = run.counted()
    run.expect("fetched, dropped", (ways, 1), (counted["prefetches"], counted["untouched"]))
    found = await run.tested(tiles, ways + 1)
    run.expect("the last is missed", MISS, found[-1].event["kind"])
    run.expect("the others are hit", {HIT}, {one.event["kind"] for one in found[:-1]})


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
    found = await run.tested(tiles, ways + 1)
    run.expect("one is missed", True, MISS in {one.event["kind"] for one in found})
    run.expect("errors", {0}, {one.result["err"] for one in found})


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
    found = await run.tested(tiles, ways + 1)
    run.expect("the last is missed", MISS, found[-1].event["kind"])


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
        found = await run.tested(tiles, len(tiles))
        run.expect("no error", {0}, {one.result["err"] for one in found})
        await run.outcome(run.flush())


@testcase(
    needs=lambda cfg: fills_a_set(cfg) and cfg.ott,
    why="lines fetched ahead that fill a set, but for one",
)
async def one_old_line(run: ZcacheSequence) -> None:
    """A prefetch takes the one line of its set that has been used, whichever it is and however lately."""
    ways, apart = run.cfg.cache.ways, 30
    for last in range(ways):
        await run.outcomes(run.wide())
        places = run.rivals(2 * ways)
        old = [run.at(place, write=0) for place in places[:ways]]
        fresh = [run.at(place, write=0) for place in places[ways:]]
        await run.outcomes(*old, old[last])  # the others go before it
        before, known = run.counted(), len(run.responses)
        run.near()  # all lines come before the first test
        await run.offer(run.items([old[last]]), shaded=False)
        await run.clocking.cycles(apart)
        await run.offer(run.items(fresh[:-1]), shaded=False)
        await run.clocking.cycles(apart)
        run.shade(run.items([old[last]]))  # its test makes the tree point at others
        await run.answered(known + 1)
        await run.offer(run.items(fresh[-1:]), shaded=False)
        await run.clocking.cycles(apart)
        found = await run.tested(fresh, ways)
        run.expect("kinds", {HIT}, {one.event["kind"] for one in found})
        counted = {name: value - before[name] for name, value in run.counted().items()}
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
        places = run.rivals(2 * ways)
        old = [run.at(place, write=0) for place in places[:ways]]
        missed, *later = (run.at(place, write=0) for place in places[ways:])
        before, known = run.counted(), len(run.responses)
        run.near()
        first = [*old, old[last]]  # the others go before it
        await run.offer(run.items(first), shaded=False)
        await run.clocking.cycles(apart)
        second = [old[last], missed]  # the former makes the tree point at others
        await run.offer(run.items(second), shaded=False)
        run.shade(run.items(first))
        await run.answered(known + len(first))
        await run.offer(run.items(later), shaded=False)
        await run.clocking.cycles(apart if run.cfg.given else 1)
        found = await run.tested([*second, *later], 1 + len(later))
        run.expect("kinds", [MISS] + [HIT] * len(later), [one.event["kind"] for one in found])
        run.expect("way", last, found[0].event["way"])
        counted = {name: value - before[name] for name, value in run.counted().items()}
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
    known = len(run.responses)
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
    kinds = [one.event["kind"] for one in run.responses[known + 1 :]]
    run.expect("kinds", MISS, kinds[fills])
    run.expect("replaced that nobody had used", 1, run.counted()["unused"])


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
    asked = sum(counted[name] for name in ("prefetches", "present", "untouched", "busy", "writing"))
    run.expect("looked at", min(cfg.prefetch.distance, count) - 2, asked)
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
        found = await run.outcome(rival)
        run.expect("error", 0, found.result["err"])

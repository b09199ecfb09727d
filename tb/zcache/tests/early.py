# SPDX-License-Identifier: Apache-2.0
"""Tiles at the test as soon as they are taken: what hides memory is the queue behind one that waits."""

from typing import Any

from configs.zcache.schema import HIT, LATE, MISS, Config
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL
from tb.zcache.reference import ExpectedOutcome
from tb.zcache.tests.ahead import EQUAL


def _at_once(cfg: Config) -> bool:
    """Whether no shader is before the test, and requests go ahead of it."""
    return not cfg.given and cfg.shading.cycles == 1 and cfg.prefetch.mode == "queue"


EARLY: dict[str, Any] = {"needs": _at_once, "why": "a test as soon as a tile is taken"}


@testcase(**EARLY)
async def behind_a_miss(run: ZcacheSequence) -> None:
    """While a tile waits for its line that of the next one is asked for; its own request is too late."""
    await run.outcomes(run.wide())
    first, second = (run.at(run.rivals(1, index)[0], 5) for index in (0, 1))
    outcomes = await run.outcomes(first, second)
    run.expect("kinds", (MISS, LATE), tuple(outcome.event["kind"] for outcome in outcomes))
    counted = run.counted()
    run.expect("stale", 1, counted["stale"])
    run.expect("asked for by a test, ahead", (1, 1), (counted["fills"], counted["prefetches"]))
    [alone] = await run.outcomes(run.at(run.rivals(1, skip=1)[0], 5))
    run.expect("kind of one alone", MISS, alone.event["kind"])
    run.expect("stale", 2, run.counted()["stale"])


async def _one_that_waits(run: ZcacheSequence) -> Any:
    """A tile that waits until the write of its own line is answered, which memory holds back."""
    await run.outcomes(run.wide())
    ways = run.cfg.cache.ways
    places = run.rivals(ways + 1)
    await run.outcomes(run.at(places[0], 77), *(run.at(place, 0, write=0) for place in places[1:ways]))
    run.env.memory.hold("b")
    await run.outcome_soon(run.at(places[ways], 0, write=0))
    return run.at(places[0], 77, func=EQUAL)


async def _go_on(run: ZcacheSequence, count: int) -> list[ExpectedOutcome]:
    """The write is answered; the last ``count`` outcomes."""
    run.env.memory.release("b")
    await run.settle()
    return run.responses[-count:]


async def _behind_one(run: ZcacheSequence, fails: bool) -> None:
    """While a tile waits the line of the next one comes, or fails."""
    first, behind = await _one_that_waits(run), run.at(run.rivals(1, 1)[0], 5)
    if fails:
        run.env.poison(run.lines_of([behind]))
    await run.offer(run.items([first, behind]))
    await run.clocking.cycles(2 * run.latency)
    run.env.heal()
    waited, second = await _go_on(run, 2)
    run.expect("passed behind the write", (MISS, ALL), (waited.event["kind"], waited.result["passed"]))
    expected = (MISS, 0) if fails else (HIT, 1)
    run.expect("kind, first use", expected, (second.event["kind"], second.event["first"]))
    run.expect("error, passed", (0, ALL), (second.result["err"], second.result["passed"]))
    run.expect("useful", int(not fails), run.counted()["useful"])


@testcase(**EARLY)
async def there_when_it_is_its_turn(run: ZcacheSequence) -> None:
    """A tile finds its line that came while the one before waited for a write."""
    await _behind_one(run, fails=False)


@testcase(**EARLY)
async def failed_before_its_turn(run: ZcacheSequence) -> None:
    """A line that memory fails while the tile before waits is silent: the test asks again."""
    await _behind_one(run, fails=True)


@testcase(**EARLY)
async def takes_one_of_a_later_tile(run: ZcacheSequence) -> None:
    """A tile whose line failed ahead finds its set full of lines of later tiles: it takes one of them."""
    first, ways = await _one_that_waits(run), run.cfg.cache.ways
    failed, *others = (run.at(place, 5) for place in run.rivals(ways + 1, 1))
    run.env.poison(run.lines_of([failed]))
    await run.offer(run.items([first, failed, *others[:-1]]))
    await run.clocking.cycles(ways * run.latency)
    run.env.heal()
    await run.offer(run.items(others[-1:]))
    await run.clocking.cycles(2 * run.latency)
    run.expect("asked for ahead", ways + 1, run.counted()["prefetches"])
    _, missed, *later = await _go_on(run, ways + 2)
    run.expect("kind, error", (MISS, 0), (missed.event["kind"], missed.result["err"]))
    run.expect("lines replaced that nobody had used", True, run.counted()["unused"] > 0)
    run.expect("one of them is missed", True, MISS in {outcome.event["kind"] for outcome in later})

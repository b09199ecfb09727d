# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: of a test's line, of one fetched ahead, of one that is written."""

from configs.zcache.schema import HIT, LATE, MISS
from tb.common.components.request_tests import random_errors, register
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL, Distribution
from tb.zcache.tests.ahead import AHEAD, EQUAL


@testcase()
async def missed_errors(run: ZcacheSequence) -> None:
    """A test whose line memory fails, in any beat, has an error and stores nothing; the next asks again."""
    await run.outcomes(run.wide())
    tile, beside = run.at(run.rivals(1)[0], 3), run.at(run.rivals(1, 1)[0], 3)
    for beat in range(4):
        run.env.memory.faults.beat = beat
        run.env.poison(run.lines_of([tile]))
        for _ in range(2):
            outcome, other = await run.outcomes(tile, beside)
            run.expect("error, passed", (1, 0), (outcome.result["err"], outcome.result["passed"]))
            run.expect("error of another", 0, other.result["err"])
        errors = run.counted()["errors"]
        run.expect("errors", 2 * (beat + 1), errors)
        run.env.heal()
        outcome = await run.outcome(run.item_with(tile, write=0))
        run.expect("error", 0, outcome.result["err"])
        await run.outcomes(run.flush(), run.base(run.surface))


@testcase(**AHEAD)
async def silent_errors(run: ZcacheSequence) -> None:
    """A line fetched ahead that memory fails is as good as not fetched: the test asks again."""
    await run.outcomes(run.wide())
    for beat in range(4):
        tile = run.at(run.rivals(1, skip=beat)[0], 3)
        run.env.memory.faults.beat = beat
        run.env.poison(run.lines_of([tile]))
        await run.ahead([tile])
        run.env.heal()
        [outcome] = await run.tested([tile], 1)
        run.expect("kind, error", (MISS, 0), (outcome.event["kind"], outcome.result["err"]))


@testcase(**AHEAD)
async def late_errors(run: ZcacheSequence) -> None:
    """A line that is being fetched when its test comes fails, in each cycle: the tile has an error."""
    await run.outcomes(run.wide())
    kinds = set()
    if not run.cfg.given:  # the line comes after the test
        timing = run.cfg.memory.model_copy(update={"latency": run.cfg.shading.cycles + 6})
        run.env.memory.set_timing(timing)
    for cycles in range(2, run.latency + 4, 1 if run.cfg.given else 12):
        tile = run.at(run.rivals(1, skip=cycles % 4)[0], 3)
        run.env.poison(run.lines_of([tile]))
        await run.ahead([tile], cycles)
        [outcome] = await run.tested([tile], 1)
        run.expect("error", 1, outcome.result["err"])
        kinds.add(outcome.event["kind"])
        run.env.heal()
    run.expect("a late one", True, LATE in kinds)


@testcase()
async def refused_writes(run: ZcacheSequence) -> None:
    """A victim, a flushed line or one of a clear that memory refuses: the next barrier says so, once."""
    await run.outcomes(run.wide(2))
    places = run.rivals(2 * run.cfg.cache.ways)
    old = [run.at(place, 7) for place in places[: run.cfg.cache.ways]]
    await run.outcomes(*old)
    run.env.poison(run.lines_of(old))
    outcomes = await run.outcomes(*(run.at(place, 0, write=0) for place in places[run.cfg.cache.ways :]))
    run.expect("errors of tiles", {0}, {outcome.result["err"] for outcome in outcomes})
    for barrier in (run.flush(), run.base(run.surface)):
        await run.said(barrier, 1)
        await run.said(barrier, 0)
        run.env.heal()
        await run.outcomes(*old)
        run.env.poison(run.lines_of(old))
    run.env.heal()
    await run.said(run.flush(), 0)
    run.env.poison(run.lines_of([run.tile(1, 0)]))
    if run.cfg.marks:  # it writes nothing yet
        await run.said(run.clear(0x33), 0)
        await run.said(run.base(run.surface), 1)
    else:
        await run.said(run.clear(0x33), 1)
    run.env.heal()
    await run.said(run.clear(0x33), 0)
    kept = await run.outcome(run.tile(1, 0, 0x33, func=EQUAL))
    run.expect("passed", ALL, kept.result["passed"])


@testcase()
async def refused_flush(run: ZcacheSequence) -> None:
    """A line that memory refused in a flush stays as it is, clean; stored to again, it is written."""
    await run.outcomes(run.wide())
    tile = run.at(run.rivals(1)[0], 0x77)
    await run.outcomes(tile)
    run.env.poison(run.lines_of([tile]))
    await run.said(run.flush(), 1)
    run.env.heal()
    kept = await run.outcome(run.item_with(tile, func=EQUAL, write=0))
    run.expect("kind, passed", (HIT, ALL), (kept.event["kind"], kept.result["passed"]))
    await run.said(run.flush(), 0)
    await run.outcomes(run.item_with(tile, mask=1), run.flush())


register(__name__, ZcacheSequence, random_errors, distribution=Distribution(sets=4, flushes=0.05, bases=0.0))

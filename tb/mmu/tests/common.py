# SPDX-License-Identifier: Apache-2.0
"""The tests of any block that answers requests, with a request of each side at once."""

from tb.common.components import request_tests
from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.request_tests import FLOW, RESETS, VOLUME, quiet, random_errors, register
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.sides import SIDES

STALLS = Pacing(2, 4)
OWN = ("counters_in_time",)  # which are about one stream, and have their like here

register(__name__, MmuSequence, quiet, silent=True)
register(
    __name__,
    MmuSequence,
    *(body for body in FLOW if body.__name__ not in OWN),
    *RESETS,
    random_errors,
    *VOLUME,
)


@testcase()
async def counters_in_time(run: MmuSequence) -> None:
    """A counter shows an event two cycles after it, in each cycle of many, of both caches."""
    for side in SIDES:
        run.hold()
        await run.send(side, run.draw(1)[side])
        await in_time(run, f"{side}_res", run.env.performance[f"{side}_perf"])
        run.pace(ALWAYS)
        await run.settle()


@testcase()
async def interleaved(run: MmuSequence) -> None:
    """Memory answers the caches in any order, their beats mingled, at any pace."""
    run.env.memory.mix(reorder=True, interleave=True)
    for pacing in (
        MemoryPacing(),
        MemoryPacing(jitter=30),
        MemoryPacing(9, STALLS, STALLS, STALLS, STALLS, STALLS),
    ):
        run.env.pace_memory(pacing)
        await request_tests.share(run)


@testcase()
async def offered_in_resets(run: MmuSequence) -> None:
    """Requests of both sides that are offered in the one cycle of a reset, and only there, are not taken."""
    for _ in range(max(60, run.count // 5)):
        drawn = run.draw(8)
        await run.send_records(drawn[:3])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        drivers = [run.env.agents[f"{side}_req"].driver for side in SIDES]
        for side, driver in zip(SIDES, drivers, strict=True):
            [word] = pack_words(run.cfg.streams[f"{side}_req"], columns(drawn[side][3:4]))
            driver.offer(word)
        await run.reset(1)
        for driver in drivers:
            driver.withdraw()
        await run.send_records(drawn[4:])

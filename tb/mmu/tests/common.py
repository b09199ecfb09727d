# SPDX-License-Identifier: Apache-2.0
"""The tests of any block that answers requests, with a request of each side at once; ``coincidences``."""

from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS
from tb.common.components.request_aiming import PoolAiming
from tb.common.components.request_tests import (
    FLOW,
    RESETS,
    VOLUME,
    quiet,
    random_errors,
    register,
)
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.sides import SIDES

MANY = 64  # sets
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


@testcase(needs=lambda cfg: cfg.dcache.cache.sets <= MANY, why="sets that are soon cleared after each reset")
class Coincidences(PoolAiming, MmuSequence):
    """Each pair of events of the ports is aimed at, in one cycle and one after the other; resets too."""

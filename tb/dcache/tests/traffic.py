# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, and in volume."""

from configs.dcache.schema import CLEAN, LOAD, STORE
from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.counters import LATE
from tb.common.components.pacing import ALWAYS
from tb.common.components.request_tests import FLOW, VOLUME, register
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence
from tb.dcache.items import Distribution
from tb.dcache.knobs import KNOBS

LOCAL = Distribution(sets=2)


@testcase()
async def smoke(run: DcacheSequence) -> None:
    """A few hundred random requests, then a clean: does it live?"""
    await run.send(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))
    await run.result(CLEAN)


register(__name__, DcacheSequence, *FLOW, distribution=LOCAL)


@testcase()
async def counted_when_taken(run: DcacheSequence) -> None:
    """A load or store counts when its result is taken, and not while that waits; missing or there."""
    counters, monitor = run.env.performance.counters, run.env.agents["res"].monitor
    for op, name in ((LOAD, "loads"), (STORE, "stores")):
        for again in range(2):
            before = counters()[name]
            run.hold()
            await run.send([(op, run.place(1, op))])
            while not monitor.waiting:
                await run.clocking.cycles(1)
            await run.clocking.cycles(10)
            run.expect(f"{name} while a result waits, {again} were there", before, counters()[name])
            run.pace(ALWAYS)
            await run.settle()
            await run.clocking.cycles(LATE)
            run.expect(f"{name} once it was taken", before + 1, counters()[name])


@testcase()
async def random_traffic(run: DcacheSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing; a clean at the end."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))
    await run.result(CLEAN)


register(__name__, DcacheSequence, *VOLUME)


class DcacheAiming(PoolAiming, DcacheSequence):
    """Requests of one set; the cache clears itself set by set."""

    distribution = Distribution(sets=1, full=0.05, flushes=0.03, invalidations=0.03)

    @property
    def clearing(self) -> int:
        return int(self.cfg.cache.sets)


register(__name__, DcacheAiming, coincidences)

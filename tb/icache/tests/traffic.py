# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, and in volume."""

from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.request_tests import READ_FLOW, VOLUME, register
from tb.common.components.testcase import testcase
from tb.icache.base import IcacheSequence
from tb.icache.items import Distribution
from tb.icache.knobs import KNOBS

LOCAL = Distribution(sets=2)


@testcase()
async def smoke(run: IcacheSequence) -> None:
    """A few hundred random requests: does it live?"""
    await run.send(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))


register(__name__, IcacheSequence, *READ_FLOW, distribution=LOCAL)


@testcase()
async def random_traffic(run: IcacheSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))


register(__name__, IcacheSequence, *VOLUME)


AIMED = Distribution(sets=1, invalidations=0.03)
register(__name__, (PoolAiming, IcacheSequence), coincidences, distribution=AIMED)

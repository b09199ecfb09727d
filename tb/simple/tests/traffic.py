# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, and in volume."""

from configs.simple.schema import FLUSH
from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.request_tests import FLOW, VOLUME, register
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution
from tb.simple.knobs import KNOBS

LOCAL = Distribution(sets=8)


@testcase()
async def smoke(run: SimpleSequence) -> None:
    """A few hundred random requests, then a flush: does it live?"""
    await run.send(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))
    await run.result(FLUSH)


register(__name__, SimpleSequence, *FLOW, distribution=LOCAL)


@testcase()
async def random_traffic(run: SimpleSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing; a flush at the end."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))
    await run.result(FLUSH)


register(__name__, SimpleSequence, *VOLUME)


AIMED = Distribution(sets=4, flushes=0.05, invalidations=0.03)
register(__name__, (PoolAiming, SimpleSequence), coincidences, distribution=AIMED)

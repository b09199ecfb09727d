# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, with errors and resets, and in volume."""

from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.request_tests import (
    READ_FLOW,
    RESETS,
    VOLUME,
    memory_orders,
    offered_in_resets,
    quiet,
    random_errors,
    register,
)
from tb.common.components.testcase import testcase
from tb.texcache.sequences import Distribution as Footprints
from tb.trilinear.base import TrilinearSequence
from tb.trilinear.items import Distribution
from tb.trilinear.knobs import KNOBS

LOCAL = Distribution(Footprints(textures=3, span=24))


@testcase()
async def smoke(run: TrilinearSequence) -> None:
    """A few hundred random requests: does it live?"""
    await run.send(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))


register(__name__, TrilinearSequence, quiet, silent=True)
register(
    __name__, TrilinearSequence, *READ_FLOW, memory_orders, *RESETS, offered_in_resets, random_errors,
    distribution=LOCAL, at_once=True,
)  # fmt: skip


@testcase()
async def random_traffic(run: TrilinearSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))


register(__name__, TrilinearSequence, *VOLUME)


AIMED = Distribution(Footprints(textures=2, span=16), tables=0.03, invalidations=0.05)
register(__name__, (PoolAiming, TrilinearSequence), coincidences, distribution=AIMED)

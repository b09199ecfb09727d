# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, and in volume."""

from configs.lpas.schema import FLUSH
from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.request_tests import (
    VOLUME,
    all_channels,
    memory_stalls,
    patient,
    register,
    request_gaps,
    write_orders,
)
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence
from tb.lpas.items import Distribution
from tb.lpas.knobs import KNOBS


@testcase()
async def smoke(run: LpasSequence) -> None:
    """A few hundred random requests of all PEs, then a flush: does it live?"""
    await run.send(run.draw(min(run.count, 300)))
    await run.settle()
    await run.answered(run.last, FLUSH)


register(__name__, LpasSequence, request_gaps, memory_stalls, write_orders, patient, all_channels)


@testcase()
async def random_traffic(run: LpasSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing; a flush at the end."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(80, run.count // 3)))
        await run.settle()
    await run.answered(run.last, FLUSH)


register(__name__, LpasSequence, *VOLUME)


AIMED = Distribution(sets=1, tags=4, again=0.1, stores=0.8, outside=0.8)
register(__name__, (LpasSequence, PoolAiming), coincidences, distribution=AIMED)

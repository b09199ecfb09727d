# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, in volume, and aimed at pairs of events."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tb.common.components import aiming, request_tests
from tb.common.components.aiming import PoolAiming
from tb.common.components.request_tests import FLOW, VOLUME, register
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import Distribution
from tb.zcache.knobs import KNOBS

MANY = 64  # lines of a cache
REFUSED = 0.6  # share of the lines that cannot be written, when memory fails
LOCAL = Distribution(sets=6, tags=6)
FEW_BARRIERS = Distribution(sets=6, tags=6, flushes=0.003, clears=0.002, bases=0.002)


@testcase()
async def smoke(run: ZcacheSequence) -> None:
    """A few hundred random tiles, then a flush: does it live?"""
    await run.send_records(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))
    await run.outcome(run.flush())


register(__name__, ZcacheSequence, *FLOW, distribution=FEW_BARRIERS)


@testcase()
async def random_traffic(run: ZcacheSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing; a flush at the end."""
    for distribution in KNOBS["distribution"].values():
        await run.send_records(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))
    await run.outcome(run.flush())


@testcase()
async def memory_orders(run: ZcacheSequence) -> None:
    """Lines come in any order, beats of several mingle: each tile finds its line."""
    run.distribution = FEW_BARRIERS
    await request_tests.memory_orders(run)
    await run.outcome(run.flush())


@testcase(needs=lambda cfg: cfg.given, why="a shader")
async def shader_paces(run: ZcacheSequence) -> None:
    """The shader's words come at once, in bursts, or long after the tile."""
    run.distribution = FEW_BARRIERS
    await request_tests.shader_paces(run)


register(__name__, ZcacheSequence, *VOLUME)


class ZcacheAiming(PoolAiming, ZcacheSequence):
    """Tiles of one surface, so that any of them may follow any other."""

    distribution = Distribution(sets=2, tags=6, flushes=0.03, clears=0.08, bases=0.0)

    def draw(self, count: int) -> NDArray[Any]:
        """Tiles of the surface."""
        return self.distribution.draw(self.cfg, self.rng, count, self.surface)

    def fail_some(self) -> None:
        """Lines in use; others are refused when they are written, above all that of a clear."""
        super().fail_some()
        lines = np.unique(self.lines(self.pool))
        self.env.refuse([*lines[self.rng.random(len(lines)) < REFUSED], *self.lines_of([self.tile(0, 0)])])


@testcase()
async def coincidences(run: ZcacheAiming) -> None:
    """Each pair of events of the ports in one cycle, and one after the other; resets too."""
    if (
        run.rows <= MANY
    ):  # tiles lie anywhere, if the base that each reset asks for does not take all the time
        await run.outcomes(run.wide(1))
    await aiming.coincidences(run)

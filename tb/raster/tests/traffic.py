# SPDX-License-Identifier: Apache-2.0
"""Random scenes: a few, at all paces of both ports, and in volume."""

from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np

from tb.common.components.aiming import Aiming
from tb.common.components.request_tests import STREAM_FLOW, VOLUME, register
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence
from tb.raster.items import Distribution, vertices
from tb.raster.knobs import KNOBS

SMALL = Distribution(window=32, size=12)


@testcase()
async def smoke(run: RasterSequence) -> None:
    """Does it live? A point, the first thing after power-up, then a few hundred words at random."""
    await run.send(vertices([(0, 0, 1)]))
    await run.settle()
    await run.send_records(SMALL.draw(run.cfg, run.rng, min(run.count, 300)))


register(__name__, RasterSequence, *STREAM_FLOW, distribution=SMALL)


@testcase()
async def random_scenes(run: RasterSequence) -> None:
    """One distribution after the other, at full rate."""
    for distribution in KNOBS["distribution"].values():
        await run.send_records(distribution.draw(run.cfg, run.rng, max(60, run.count // 4)))


register(__name__, RasterSequence, *VOLUME)


class RasterAiming(Aiming, RasterSequence):
    """A few words at a time, in the order in which they were drawn."""

    times, reset_times = 8, 4
    distribution = Distribution(window=16, size=8, passes=0.2, each=10)
    pool: Any

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        return [self.words]

    async def words(self) -> None:
        """The first, and eight in a row."""
        first = int(self.rng.integers(len(self.pool) - 8))
        await self.send_records(np.concatenate([self.pool[:1], self.pool[first : first + 8]]))

    def fail_some(self) -> None:
        """There is nothing that fails."""


@testcase()
async def coincidences(run: RasterAiming) -> None:
    """Each pair of events of the ports in one cycle, and one after the other; resets too."""
    run.pool = run.draw(200)
    await run.aim()

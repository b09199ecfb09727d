# SPDX-License-Identifier: Apache-2.0
"""Whatever can meet at the ports meets."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import cocotb

from tb.common.components.aiming import Aiming
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import Distribution

CHUNK = 10  # quads
DISTRIBUTION = Distribution(log2=(2, 5), walk=0.3)


class TexunitAiming(TexunitSequence, Aiming):
    """Words that go beside each other on all streams."""

    times, patience, after, stale = 1, 150, 80, 0.1
    eager = False  # the units leave reset before the testbench knows

    pool: Any

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        return [partial(self.some, unit) for unit in range(self.cfg.units)]

    async def some(self, unit: int) -> None:
        """A primitive and quads of it."""
        prim = self.pool[int(self.rng.integers(len(self.pool)))]
        await self.begin(prim, unit)
        await self.send(DISTRIBUTION.quads(self.rng, prim, CHUNK), unit)

    def after_reset(self) -> None:
        """The units need primitives anew."""
        for unit in range(self.cfg.units):
            cocotb.start_soon(self.begin(self.pool[unit % len(self.pool)], unit))

    def fail_some(self) -> None:
        self.env.poison([line for prim in self.pool for line in self.near(prim)])


@testcase()
async def coincidences(run: TexunitAiming) -> None:
    """Each pair of events of the ports, of one unit and of two, in one cycle and in two; resets too."""
    run.pool = [DISTRIBUTION.prim(run.cfg, run.rng, invalidate=0.3) for _ in range(8)]
    await run.aim()

# SPDX-License-Identifier: Apache-2.0
"""The test ``coincidences``: both sides, memory and the control port."""

from collections.abc import Awaitable, Callable

import numpy as np
from numpy.typing import NDArray

from configs.mmu.schema import Config
from tb.common.components.axi_lite import OKAY
from tb.common.components.request_aiming import PoolAiming
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.sides import SIDES

NOWHERE = 0x200  # no register
SHOWN = ("state", "icache_perf", "dcache_perf", "perf", "base")  # read without a cache
LONG = 1024  # cycles


def clearing(cfg: Config) -> int:
    """Cycles in which sets and rows are cleared after a reset."""
    return max(cfg.icache.cache.sets, cfg.dcache.cache.sets, cfg.data_ram.rows)


@testcase(needs=lambda cfg: clearing(cfg) <= LONG, why="sets and rows that are soon cleared after each reset")
class Coincidences(PoolAiming, MmuSequence):
    """Each pair of events of the ports is aimed at, in one cycle and one after the other; resets too.

    Which request comes before which access of the control port is known to the block alone. So the port does
    what comes to the same: it sets the base of a block that nobody fetches from, reads counters, and status
    while nothing fails; and what is refused.
    """

    failing = False

    @property
    def clearing(self) -> int:
        """See :meth:`VirtualSequence.clearing`."""
        return clearing(self.cfg)

    def draw(self, count: int) -> NDArray[np.void]:
        """Pairs [count], none of the last block."""
        drawn = super().draw(count)
        drawn["icache"]["block"] %= self.cfg.icache.blocks - 1
        return drawn

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        """See :meth:`Aiming.sending`."""
        return [*super().sending(), self.writes, self.writes, self.reads, self.reads]

    def fail_some(self) -> None:
        """See :meth:`Aiming.fail_some`."""
        super().fail_some()
        self.failing = True

    async def after_round(self) -> None:
        """See :meth:`Aiming.after_round`: no error is left that a later status would show."""
        if self.failing and self.cfg.dcache.nonblocking:
            await self.command("flush")  # lines that memory failed stay, and fail
        for side in SIDES:
            expected = self.env.reference.model.status(side)
            self.expect(f"{side} status", expected, await self.read(f"{side}_status"))
        self.failing = False

    async def writes(self) -> None:
        """A base, or what is refused."""
        last = self.cfg.icache.blocks - 1
        if self.failing or self.rng.random() < 0.3:
            response = await self.env.control.write(NOWHERE, 0)
            self.expect("refused", True, response is None or response != OKAY)
        elif (response := await self.write("base", 0x40, last)) is not None:
            self.expect("response", OKAY, response)
            self.env.reference.model.base(last, 0x40)

    async def reads(self) -> None:
        """A counter, or a status, or what is refused."""
        names = [*SHOWN, "", *(f"{side}_status" for side in SIDES if not self.failing)]
        name = names[self.rng.integers(len(names))]
        if not name:
            access = await self.env.control.read(NOWHERE)
            self.expect("refused", True, access is None or access.response != OKAY)
        elif (found := await self.read(name)) is not None and name.endswith("status"):
            self.expect(name, self.env.reference.model.status(name.removesuffix("_status")), found)

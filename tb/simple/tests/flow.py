# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel; slow, irregular and picky memory."""

from dataclasses import replace
from typing import Any

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution

LOCAL = Distribution(sets=8)
SLOW = Pacing(run=2, pause=4)
RARE = Pacing(run=1, pause=12)


class Flow(SimpleSequence):
    """Sends shares of N."""

    async def traffic(self, pacing: Pacing = ALWAYS) -> None:
        """Some requests, and a rest."""
        await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 10)), pacing)
        await self.settle()


@testcase()
class ResultBackPressure(Flow):
    """The consumer takes results now and then: nothing is lost or repeated."""

    async def body(self) -> None:
        """Several ways of being slow."""
        for pacing in (Pacing(1, 1), SLOW, Pacing(10, 40), RARE):
            self.pace(pacing)
            await self.traffic()
        self.pace(ALWAYS)


@testcase()
class RequestGaps(Flow):
    """Requests with pauses between them."""

    async def body(self) -> None:
        """From dense to sparse."""
        for pacing in (Pacing(4, 1), SLOW, RARE):
            await self.traffic(pacing)


@testcase()
class MemoryStalls(Flow):
    """Each channel of the memory waits, one after the other, then all at once."""

    async def body(self) -> None:
        """AR, R, AW, W, B, latency."""
        names = ("address", "beat", "write_address", "write_beat", "answer")
        stalls = [replace(MemoryPacing(), **dict[str, Any]({name: RARE})) for name in names]
        stalls += [MemoryPacing(jitter=60), MemoryPacing(30, SLOW, SLOW, SLOW, SLOW, SLOW)]
        for pacing in stalls:
            self.env.pace_memory(pacing)
            await self.traffic()


@testcase()
class WriteOrders(Flow):
    """A memory that takes the address of a write before its data, and one that wants the data first."""

    async def body(self) -> None:
        """Both, and as it comes."""
        self.env.scoreboard.steady = False
        memory = self.env.axi["m_axi"].memory
        for order in ("address first", "data first", "any"):
            memory.wait_for(order)
            await self.traffic()


@testcase()
class AllChannels(Flow):
    """Everything stalls at random at once."""

    async def body(self) -> None:
        """New distributions every now and then."""
        for _ in range(6):
            paces = [
                Pacing(float(self.rng.integers(1, 12)), float(self.rng.integers(1, 8))) for _ in range(7)
            ]
            self.pace(paces[0])
            self.env.pace_memory(MemoryPacing(int(self.rng.integers(40)), *paces[1:6]))
            await self.traffic(paces[6])
        self.pace(ALWAYS)

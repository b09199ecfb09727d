# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` requests per test."""

import cocotb

from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution
from tb.simple.knobs import KNOBS


@testcase()
class RandomTraffic(SimpleSequence):
    """One distribution after the other, at full rate, with the memory's exact timing."""

    async def body(self) -> None:
        """An equal share of N for each; a flush lets memory be compared with all that was stored."""
        for distribution in KNOBS["distribution"].values():
            await self.send(distribution.draw(self.cfg, self.rng, max(50, self.count // 5)))
        await self.flush()


class Rounds(SimpleSequence):
    """Rounds of traffic; in each something else may happen beside it."""

    async def round(self, beside: str, distribution: Distribution, size: int) -> None:
        """Some requests; memory refuses some of them, or a reset comes."""
        drawn = distribution.draw(self.cfg, self.rng, size)
        if beside == "errors":
            await self.settle()
            lines = drawn["word"] >> self.cfg.slot_bits
            self.env.poison([int(line) for line in lines[self.rng.random(size) < 0.2]])
        sending = cocotb.start_soon(self.send(drawn, self.choose("request")))
        if beside == "reset":
            await self.clocking.cycles(int(self.rng.integers(1, 200)))
            await self.reset(int(self.rng.integers(1, 5)))
        await sending
        await self.settle()
        self.env.heal()


@testcase()
class RandomEverything(Rounds):
    """Traffic, pacing of every channel, errors and resets, all at random."""

    async def body(self) -> None:
        """Other choices in each round."""
        for _ in range(max(8, self.count // 50)):
            self.pace(self.choose("result"))
            self.env.pace_memory(self.choose("memory"))
            await self.round(self.choose("beside"), self.choose("distribution"), 50)
        self.pace(ALWAYS)


@testcase()
class Steered(Rounds):
    """Everything at random, within the options that the run is steered to (or any)."""

    async def body(self) -> None:
        """N requests in rounds, of the same choices."""
        beside, distribution = self.choose("beside"), self.choose("distribution")
        self.pace(self.choose("result"))
        self.env.pace_memory(self.choose("memory"))
        for at in range(0, self.count, 50):
            await self.round(beside, distribution, min(50, self.count - at))
        self.pace(ALWAYS)

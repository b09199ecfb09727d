# SPDX-License-Identifier: Apache-2.0
"""Several units at the one port to memory: who is served when, and whose data comes."""

import cocotb

from tb.common.components.pacing import MemoryPacing, Pacing, random_pacing
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import Distribution, primitive

SPREAD = Distribution(log2=(4, 9), lods=(-1, 2), walk=0.3)


@testcase(lambda cfg: cfg.units > 1, "several units")
class FirstComeFirstServed(TexunitSequence):
    """Units that ask while another one's colour table is read, or while memory takes no address."""

    async def body(self) -> None:
        """Each unit has the table once; the others begin in any cycle of it."""
        for turn in range(3 * self.cfg.units):
            if turn >= self.cfg.units:
                self.env.pace_memory(MemoryPacing(address=Pacing(2, 3 + turn)))
            tasks = []
            for unit in self.rng.permutation(self.cfg.units):
                kind = 2 + turn % 2 if unit == turn % self.cfg.units else int(self.rng.integers(4))
                tasks.append(cocotb.start_soon(self.some(int(unit), kind)))
                await self.clocking.cycles(int(self.rng.integers(1, 80)))
            for task in tasks:
                await task
        self.env.pace_memory(MemoryPacing())

    async def some(self, unit: int, kind: int) -> None:
        """A primitive and a few quads."""
        prim = primitive(base=int(self.rng.integers(1 << 20)), log2w=7, log2h=7, format=kind, invalidate=1)
        for _ in range(2):
            await self.begin(prim, unit)
            await self.send(SPREAD.quads(self.rng, prim, 3), unit)


@testcase(lambda cfg: cfg.units > 1, "several units")
class Interleaved(TexunitSequence):
    """Beats of several units' lines mingle: each goes to the unit of its id."""

    async def body(self) -> None:
        """With pauses between them, and without."""
        self.env.memory.mix(reorder=True, interleave=True)
        for turn in range(4):
            self.env.pace_memory(MemoryPacing(jitter=40 * turn, beat=random_pacing(self.rng)))
            await self.on_all_units(SPREAD, 60, each=10)
        await self.settle()

# SPDX-License-Identifier: Apache-2.0
"""Resets in the worst moments: as those of ``texunit``, with much more under way."""

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence, TexpipeTest
from tb.texpipe.tests.waits import Counting
from tb.texunit.items import primitive, quads_at
from tb.texunit.resets import Side
from tb.texunit.tests import resets
from tb.texunit.tests.resets import SIDES

RESETS: tuple[tuple[Kind, Side], ...] = (
    ("design", "both"), ("design", "gpu"), ("design", "tex"), ("memory", "both"), ("all", "both"),
)  # fmt: skip


class Lasting(resets.StormSequence):
    """A unit takes quads as fast as they come: so many, so far apart that they last through all resets."""

    each, offered = 150, Pacing(1, 40)

    def again(self) -> None:
        """A primitive with a colour table has none the next time: else a lone unit would read without end."""
        for prim in self.prims:
            prim["format"] ^= 2
        super().again()


@testcase()
class ResetStorm(Lasting, TexpipeSequence, resets.ResetStorm):
    """Resets of any side at random times, again and again, all units at work, errors under way."""


@testcase()
class ResetsWhileHeld(Lasting, TexpipeSequence, resets.ResetsWhileHeld):
    """Resets of any side while results, primitives, quads or channels of memory are held."""


@testcase()
class ResetAtEveryCycle(TexpipeSequence, resets.ResetAtEveryCycle):
    """A reset in each cycle of a quad's way, be it whole or empty; only what comes after it is answered."""


class ShortResets(Lasting, resets.ShortResets):
    """Of one edge, one side after the other."""


@testcase()
class ShortResetStorm(TexpipeTest, resets.ShortResetStorm):
    """Resets of one edge, one side after the other, and a GPU whose clock is 2.7 times as fast."""

    sequence = ShortResets


@testcase()
class ResetWhileOneEnds(TexpipeTest, resets.ResetWhileOneEnds):
    """A reset that comes while another one ends, at every distance, of the same side and of the other."""


@testcase()
class ResetWhileOneEndsGpuFaster(TexpipeTest, resets.ResetWhileOneEndsGpuFaster):
    """The same with a GPU whose clock is 2.7 times as fast."""


@testcase()
class ResetOfIdle(TexpipeSequence, resets.ResetOfIdle):
    """A reset of one edge of a side of units that have answered all: none gives anything, early or late."""


@testcase()
class ResetAfterError(TexpipeSequence, resets.ResetAfterError):
    """A reset while a line, a pixel or a quad that has failed is not complete: the next one has no error."""


@testcase()
class CountersBeginAnew(Counting):
    """A reset while everything waits: nothing of before it is counted behind it, no result comes."""

    async def body(self) -> None:
        """Results have no place, a line does not come, tags are far ahead, a primitive waits."""
        for kind, side in RESETS:
            await self.begin(self.prim())
            await self.lines([0])
            await self.settle()
            self.hold()
            self.env.memory.hold("r")
            await self.lines([0] * (self.cfg.fifo.depth + 1) + [8] * (self.cfg.ahead.depth + 2))
            await self.begin(self.prim(invalidate=1))
            await self.clocking.cycles(100)
            await self.counted("everything waits", "prim", "ahead", "memory", "result")
            await self.reset(2, kind, side)
            await self.clocking.cycles(4)
            counters = self.env.performance[0].counters()
            del counters["quad_wait_cycles"]  # of those since then
            counted = {name: value for name, value in counters.items() if value}
            self.expect(f"counted since the reset of {kind}, {side}", {}, counted)
            self.env.memory.release("r")
            self.pace(ALWAYS)
            await self.clocking.cycles(20)


@testcase()
class ResetOfSetUp(TexpipeSequence):
    """A reset while a number is needed, each of them once, and of a table that is known: all is forgotten."""

    async def body(self) -> None:
        """Behind it four primitives need not wait, and a table is read."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        for number in range(PRIMS):
            self.env.memory.hold("r")
            for _ in range(number + 1):
                await self.begin(self.prim())
            await self.lines([8] * (self.cfg.ahead.depth + 8))
            await self.clocking.cycles(self.cfg.ahead.depth + 100)
            await self.reset(2, side=SIDES[number % 3])
            self.env.memory.release("r")
            for line in range(PRIMS):
                await self.begin(self.prim())
                await self.clocking.cycles(30)
                self.in_setup(0)
                await self.lines([line])
            await self.settle()
        for side in (*SIDES, SIDES[0]):
            await self.begin(primitive(base=500, log2w=3, log2h=3, format=3))
            await self.send(quads_at([(0.3, 0.3)]))
            await self.settle()
            await self.reset(2, side=side)


@testcase()
class ResetWhileAsking(TexpipeSequence):
    """A reset while a pixel has asked for some of its lines: the next one asks for all that it misses."""

    async def body(self) -> None:
        """The first address waits at the port."""
        prim = primitive(base=640, log2w=8, log2h=8, max_lod=0, bilinear=1, invalidate=1)
        quads = quads_at([(16 / 256, 16 / 256)], valid=1)  # the corner of a tile
        for side in SIDES:
            self.env.memory.hold("ar")
            await self.begin(prim)
            await self.send(quads)
            while not self.env.offered:
                await self.clocking.cycles(1)
            await self.clocking.cycles(5)
            await self.reset(2, side=side)
            self.env.memory.release("ar")
            await self.begin(prim)
            await self.send(quads)
            await self.settle()

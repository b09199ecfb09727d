# SPDX-License-Identifier: Apache-2.0
"""Waiting that is counted: what stands still, and whose counter says so."""

import cocotb

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.texpipe.base import LEVELS, PLACES, TexpipeSequence
from tb.texunit.items import primitive, quads_at

ASKING = 8  # pixels that have left the look-up and whose lines are still to be asked for
BEFORE = 24  # pixels, at most, in the stages before the look-up


class Counting(TexpipeSequence):
    """Looks at the counters while something stands still."""

    async def counted(self, what: str, *names: str) -> None:
        """These counters of cycles count each cycle from now on, no other one does."""
        expected = {f"{name}_wait_cycles": self.CYCLES for name in names}
        self.expect(f"counted while {what}", expected, await self.waits())


@testcase()
class Waiting(Counting):
    """Each counter of cycles counts its own cause, and no other one does meanwhile."""

    async def body(self) -> None:
        """Nothing to do; a line from afar; tags far ahead; a primitive that waits; results held."""
        cycles = {"quad_wait_cycles": self.CYCLES}
        await self.begin(self.prim())
        await self.settle()
        self.expect("counted while idle", cycles, await self.waits())
        self.env.memory.set_timing(MemoryTiming(latency=1200))
        await self.lines([0])
        await self.clocking.cycles(100)
        cycles |= {"memory_wait_cycles": self.CYCLES}
        self.expect("counted while a line comes", cycles, await self.waits())
        waiting = cocotb.start_soon(self.begin(self.prim(invalidate=1)))
        await self.clocking.cycles(60)
        cycles = {"memory_wait_cycles": self.CYCLES, "prim_wait_cycles": self.CYCLES}
        self.expect("counted while a primitive waits", cycles, await self.waits())
        await waiting
        await self.settle()
        room = self.cfg.ahead.depth + 2
        sending = cocotb.start_soon(self.send(self.quads([0] * (room + 40))))
        await self.clocking.cycles(room + 150)
        cycles = {"memory_wait_cycles": self.CYCLES, "ahead_wait_cycles": self.CYCLES}
        self.expect("counted while tags are ahead", cycles, await self.waits())
        await sending
        await self.settle()
        self.env.memory.set_timing(MemoryTiming(latency=1))
        self.hold()
        sending = cocotb.start_soon(self.send(self.quads([0] * (room + 6 * self.cfg.fifo.depth + 200))))
        await self.clocking.cycles(700)
        counted = await self.waits()
        self.expect("counted while results wait", self.CYCLES, counted.get("result_wait_cycles"))
        self.expect("counted as waiting for memory", 0, counted.get("memory_wait_cycles", 0))
        self.pace(ALWAYS)
        await sending
        await self.settle()


@testcase()
class ResultsAreAwaited(Counting):
    """A full FIFO of results is no waiting until one more is there; hits behind it wait for no memory."""

    async def body(self) -> None:
        """As many results as fit, one more; then, all places being taken, a line that comes and two hits."""
        depth = self.cfg.fifo.depth
        self.env.memory.set_timing(MemoryTiming(latency=1))
        await self.begin(self.prim())
        await self.lines([0])
        await self.settle()
        self.hold()
        await self.lines([0] * depth)
        await self.clocking.cycles(depth + 100)
        await self.counted("results fill their FIFO", "quad")
        await self.lines([0])
        await self.clocking.cycles(60)
        await self.counted("a result has no place", "quad", "result")
        await self.lines([0] * PLACES + [404, 0, 0])
        await self.clocking.cycles(150)
        await self.counted("hits wait behind a line that came", "quad", "result")
        self.pace(ALWAYS)


@testcase()
class WaitingAtTheBrim(Counting):
    """A pixel that misses waits for a place as one that hits; without a place for quads none is missing."""

    async def body(self) -> None:
        """As many pixels as the cache holds while a line comes; then quads until no more is taken."""
        depth = self.cfg.ahead.depth
        await self.begin(self.prim())
        self.env.memory.hold("r")
        await self.lines([8] * (depth + 1) + [404])
        await self.clocking.cycles(depth + 100)
        await self.counted("a pixel that misses has no place", "quad", "ahead", "memory")
        self.env.memory.release("r")
        await self.settle()
        self.env.memory.hold("r")
        quads = self.quads([16] * (self.most_pixels // 4 + 1 + LEVELS), valid=15)
        await self.send(quads[:-1])
        await self.clocking.cycles(depth + 100)
        await self.counted("there is a place for one quad", "quad", "ahead", "memory")
        await self.send(quads[-1:])
        await self.clocking.cycles(40)
        await self.counted("there is no place for a quad", "ahead", "memory")
        self.env.memory.release("r")


@testcase()
class NumberIsAwaited(Counting):
    """A primitive waits if its number is in use: that is counted, and not that there is no quad."""

    async def body(self) -> None:
        """Quads before the look-up, which stands still behind a line, need the number."""
        await self.begin(self.prim())
        self.env.memory.hold("r")
        await self.lines([8] * (self.cfg.ahead.depth + 2))
        await self.begin(self.prim())
        await self.lines([8] * 4)
        for _ in range(PRIMS):
            await self.begin(self.prim())
        await self.clocking.cycles(self.cfg.ahead.depth + 100)
        await self.counted("a primitive waits for its number", "prim", "ahead", "memory")
        self.env.memory.release("r")
        await self.lines([0])


@testcase()
class TableIsAwaited(Counting):
    """While a colour table comes a pixel that needs it is counted, and a primitive with another."""

    async def body(self) -> None:
        """Its lines do not come, the pixel's is there."""
        await self.begin(self.prim(format=2, base=500))
        await self.lines([0])
        for number in range(self.cfg.tables):
            await self.begin(self.prim(format=2, base=5000 + 64 * number))
        await self.settle()
        self.env.memory.hold("r")
        await self.begin(self.prim(format=2, base=500))
        await self.clocking.cycles(60)
        await self.counted("a table comes", "quad")
        await self.lines([0])
        await self.clocking.cycles(60)
        await self.counted("a pixel waits for its table", "table", "quad")
        await self.begin(self.prim(format=2, base=9000))
        await self.clocking.cycles(60)
        await self.counted("a primitive waits for the table before its own", "table", "prim")
        self.env.memory.release("r")
        await self.lines([8])


@testcase()
class EachLineIsAwaited(Counting):
    """A pixel that lacks several lines waits for each of them, not for its first alone."""

    async def body(self) -> None:
        """Lines come one by one, with long pauses."""
        self.env.memory.set_timing(MemoryTiming(latency=1, gap=self.CYCLES + 60))
        await self.begin(primitive(base=640, log2w=8, log2h=8, max_lod=0, bilinear=1, invalidate=1))
        await self.send(quads_at([(16 / 256, 16 / 256)], valid=1))
        for left in (3, 2, 1):
            while self.env.bursts != left or self.env.reads.compared != 4:
                await self.clocking.cycles(1)
            await self.clocking.cycles(10)
            await self.counted(f"{left} lines of a pixel are missing", "quad", "memory")


@testcase(
    lambda cfg: cfg.ahead.depth >= cfg.lines.depth + ASKING,
    "more pixels of look-ahead than lines under way and pixels that wait to ask",
)
class AskingIsCounted(Counting):
    """A pixel stays in the look-up while those before it have asked for all lines that may be under way."""

    async def body(self) -> None:
        """Each pixel misses a line, and none comes."""
        await self.begin(self.prim())
        await self.lines([0])
        await self.settle()
        self.env.memory.hold("r")
        looked_up = self.env.flights[0].handed["beat"]
        before, count = len(looked_up), self.cfg.lines.depth + ASKING
        sending = cocotb.start_soon(
            self.lines([37 * n for n in range(1, count + 2 + BEFORE + 2 * self.cfg.fifo.depth)])
        )
        await self.clocking.cycles(2 * count + 200)
        await self.counted("no more lines can be asked for", "ask", "memory")
        self.expect("pixels that have left the look-up", count, len(looked_up) - before)
        self.env.memory.release("r")
        await sending

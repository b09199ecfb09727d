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
async def waiting(run: Counting) -> None:
    """Each counter of cycles counts its own cause, and no other one does meanwhile."""
    cycles = {"quad_wait_cycles": run.CYCLES}
    await run.begin(run.prim())
    await run.settle()
    run.expect("counted while idle", cycles, await run.waits())
    run.env.memory.set_timing(MemoryTiming(latency=1200))
    await run.lines([0])
    await run.clocking.cycles(100)
    cycles |= {"memory_wait_cycles": run.CYCLES}
    run.expect("counted while a line comes", cycles, await run.waits())
    waiting = cocotb.start_soon(run.begin(run.prim(invalidate=1)))
    await run.clocking.cycles(60)
    cycles = {"memory_wait_cycles": run.CYCLES, "prim_wait_cycles": run.CYCLES}
    run.expect("counted while a primitive waits", cycles, await run.waits())
    await waiting
    await run.settle()
    room = run.cfg.ahead.depth + 2
    sending = cocotb.start_soon(run.send(run.quads([0] * (room + 40))))
    await run.clocking.cycles(room + 150)
    cycles = {"memory_wait_cycles": run.CYCLES, "ahead_wait_cycles": run.CYCLES}
    run.expect("counted while tags are ahead", cycles, await run.waits())
    await sending
    await run.settle()
    run.env.memory.set_timing(MemoryTiming(latency=1))
    run.hold()
    sending = cocotb.start_soon(run.send(run.quads([0] * (room + 6 * run.cfg.fifo.depth + 200))))
    await run.clocking.cycles(700)
    counted = await run.waits()
    run.expect("counted while results wait", run.CYCLES, counted.get("result_wait_cycles"))
    run.expect("counted as waiting for memory", 0, counted.get("memory_wait_cycles", 0))
    run.pace(ALWAYS)
    await sending
    await run.settle()


@testcase()
async def results_are_awaited(run: Counting) -> None:
    """A full FIFO of results is no waiting until one more is there; hits behind it wait for no memory."""
    depth = run.cfg.fifo.depth
    run.env.memory.set_timing(MemoryTiming(latency=1))
    await run.begin(run.prim())
    await run.lines([0])
    await run.settle()
    run.hold()
    await run.lines([0] * depth)
    await run.clocking.cycles(depth + 100)
    await run.counted("results fill their FIFO", "quad")
    await run.lines([0])
    await run.clocking.cycles(60)
    await run.counted("a result has no place", "quad", "result")
    await run.lines([0] * PLACES + [404, 0, 0])
    await run.clocking.cycles(150)
    await run.counted("hits wait behind a line that came", "quad", "result")
    run.pace(ALWAYS)


@testcase()
async def waiting_at_the_brim(run: Counting) -> None:
    """A pixel that misses waits for a place as one that hits; without a place for quads none is missing."""
    depth = run.cfg.ahead.depth
    await run.begin(run.prim())
    run.env.memory.hold("r")
    await run.lines([8] * (depth + 1) + [404])
    await run.clocking.cycles(depth + 100)
    await run.counted("a pixel that misses has no place", "quad", "ahead", "memory")
    run.env.memory.release("r")
    await run.settle()
    run.env.memory.hold("r")
    quads = run.quads([16] * (run.most_pixels // 4 + 1 + LEVELS), valid=15)
    await run.send(quads[:-1])
    await run.clocking.cycles(depth + 100)
    await run.counted("there is a place for one quad", "quad", "ahead", "memory")
    await run.send(quads[-1:])
    await run.clocking.cycles(40)
    await run.counted("there is no place for a quad", "ahead", "memory")
    run.env.memory.release("r")


@testcase()
async def number_is_awaited(run: Counting) -> None:
    """A primitive waits if its number is in use: that is counted, and not that there is no quad."""
    await run.begin(run.prim())
    run.env.memory.hold("r")
    await run.lines([8] * (run.cfg.ahead.depth + 2))
    await run.begin(run.prim())
    await run.lines([8] * 4)
    for _ in range(PRIMS):
        await run.begin(run.prim())
    await run.clocking.cycles(run.cfg.ahead.depth + 100)
    await run.counted("a primitive waits for its number", "prim", "ahead", "memory")
    run.env.memory.release("r")
    await run.lines([0])


@testcase()
async def table_is_awaited(run: Counting) -> None:
    """While a colour table comes a pixel that needs it is counted, and a primitive with another."""
    await run.begin(run.prim(format=2, base=500))
    await run.lines([0])
    for number in range(run.cfg.tables):
        await run.begin(run.prim(format=2, base=5000 + 64 * number))
    await run.settle()
    run.env.memory.hold("r")
    await run.begin(run.prim(format=2, base=500))
    await run.clocking.cycles(60)
    await run.counted("a table comes", "quad")
    await run.lines([0])
    await run.clocking.cycles(60)
    await run.counted("a pixel waits for its table", "table", "quad")
    await run.begin(run.prim(format=2, base=9000))
    await run.clocking.cycles(60)
    await run.counted("a primitive waits for the table before its own", "table", "prim")
    run.env.memory.release("r")
    await run.lines([8])


@testcase()
async def each_line_is_awaited(run: Counting) -> None:
    """A pixel that lacks several lines waits for each of them, not for its first alone."""
    run.env.memory.set_timing(MemoryTiming(latency=1, gap=run.CYCLES + 60))
    await run.begin(primitive(base=640, log2w=8, log2h=8, max_lod=0, bilinear=1, invalidate=1))
    await run.send(quads_at([(16 / 256, 16 / 256)], valid=1))
    for left in (3, 2, 1):
        while run.env.bursts != left or run.env.reads.compared != 4:
            await run.clocking.cycles(1)
        await run.clocking.cycles(10)
        await run.counted(f"{left} lines of a pixel are missing", "quad", "memory")


@testcase(
    lambda cfg: cfg.ahead.depth >= cfg.lines.depth + ASKING,
    "more pixels of look-ahead than lines under way and pixels that wait to ask",
)
async def asking_is_counted(run: Counting) -> None:
    """A pixel stays in the look-up while those before it have asked for all lines that may be under way."""
    await run.begin(run.prim())
    await run.lines([0])
    await run.settle()
    run.env.memory.hold("r")
    looked_up = run.env.flights[0].handed["beat"]
    before, count = len(looked_up), run.cfg.lines.depth + ASKING
    sending = cocotb.start_soon(
        run.lines([37 * n for n in range(1, count + 2 + BEFORE + 2 * run.cfg.fifo.depth)])
    )
    await run.clocking.cycles(2 * count + 200)
    await run.counted("no more lines can be asked for", "ask", "memory")
    run.expect("pixels that have left the look-up", count, len(looked_up) - before)
    run.env.memory.release("r")
    await sending

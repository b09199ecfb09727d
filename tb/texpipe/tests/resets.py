# SPDX-License-Identifier: Apache-2.0
"""Resets in the worst moments: as those of ``texunit``, with much more under way."""

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import register, testcase
from tb.texpipe.base import TexpipeClocks, TexpipeSequence
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


register(__name__, (Lasting, TexpipeSequence), resets.reset_storm)
register(__name__, (Lasting, TexpipeSequence, resets.HoldingSequence), resets.resets_while_held)
register(__name__, TexpipeSequence, resets.reset_at_every_cycle)
register(__name__, (Lasting, TexpipeClocks, resets.ShortResets), resets.short_reset_storm)
register(__name__, TexpipeClocks, resets.reset_while_one_ends, resets.reset_while_one_ends_gpu_faster)
register(__name__, TexpipeSequence, resets.reset_of_idle, resets.reset_after_error)


@testcase()
async def counters_begin_anew(run: Counting) -> None:
    """A reset while everything waits: nothing of before it is counted behind it, no result comes."""
    for kind, side in RESETS:
        await run.begin(run.prim())
        await run.lines([0])
        await run.settle()
        run.hold()
        run.env.memory.hold("r")
        await run.lines([0] * (run.cfg.fifo.depth + 1) + [8] * (run.cfg.ahead.depth + 2))
        await run.begin(run.prim(invalidate=1))
        await run.clocking.cycles(100)
        await run.counted("everything waits", "prim", "ahead", "memory", "result")
        await run.reset(2, kind, side)
        await run.clocking.cycles(4)
        counters = run.env.performance[0].counters()
        del counters["quad_wait_cycles"]  # of those since then
        counted = {name: value for name, value in counters.items() if value}
        run.expect(f"counted since the reset of {kind}, {side}", {}, counted)
        run.env.memory.release("r")
        run.pace(ALWAYS)
        await run.clocking.cycles(20)


@testcase()
async def reset_of_set_up(run: TexpipeSequence) -> None:
    """A reset while a number is needed, each of them once, and of a table that is known: all is forgotten."""
    run.env.memory.set_timing(MemoryTiming(latency=1))
    for number in range(PRIMS):
        run.env.memory.hold("r")
        for _ in range(number + 1):
            await run.begin(run.prim())
        await run.lines([8] * (run.cfg.ahead.depth + 8))
        await run.clocking.cycles(run.cfg.ahead.depth + 100)
        await run.reset(2, side=SIDES[number % 3])
        run.env.memory.release("r")
        for line in range(PRIMS):
            await run.begin(run.prim())
            await run.clocking.cycles(30)
            run.in_setup(0)
            await run.lines([line])
        await run.settle()
    for side in (*SIDES, SIDES[0]):
        await run.begin(primitive(base=500, log2w=3, log2h=3, format=3))
        await run.send(quads_at([(0.3, 0.3)]))
        await run.settle()
        await run.reset(2, side=side)


@testcase()
async def reset_while_asking(run: TexpipeSequence) -> None:
    """A reset while a pixel has asked for some of its lines: the next one asks for all that it misses."""
    prim = primitive(base=640, log2w=8, log2h=8, max_lod=0, bilinear=1, invalidate=1)
    quads = quads_at([(16 / 256, 16 / 256)], valid=1)  # the corner of a tile
    for side in SIDES:
        run.env.memory.hold("ar")
        await run.begin(prim)
        await run.send(quads)
        while not run.env.offered:
            await run.clocking.cycles(1)
        await run.clocking.cycles(5)
        await run.reset(2, side=side)
        run.env.memory.release("ar")
        await run.begin(prim)
        await run.send(quads)
        await run.settle()

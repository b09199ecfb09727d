# SPDX-License-Identifier: Apache-2.0
"""Resets in the worst moments: at random with all units at work, and while another one ends."""

from itertools import product
from typing import Any, get_args

import cocotb
from cocotb.task import Task

from configs import MemoryTiming
from tb.common.components.acting import hold_some, storm
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing, random_pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.texunit.base import ClocksSequence, TexunitSequence
from tb.texunit.items import Distribution, primitive, quads_at
from tb.texunit.resets import Side

SIDES: tuple[Side, ...] = get_args(Side)
KINDS: tuple[Kind, ...] = ("design", "design", "design", "memory", "all")
FINE = Distribution(log2=(2, 6), lods=(-2, 1), filters=(1,), full=0.9)


class StormSequence(TexunitSequence):
    """Traffic on all units that goes on through resets: after each the units get their primitives anew."""

    turns, pulses = 2, 25
    each, offered = 40, ALWAYS  # of each unit in a turn, and how fast

    async def through_resets(self) -> None:
        """In turns; with errors under way, lines of all units out of order, and results held back."""
        units = range(self.cfg.units)
        self.env.memory.mix(reorder=True, interleave=True)
        for turn in range(self.turns):
            self.prims = [FINE.prim(self.cfg, self.rng) for _ in units]
            self.prims[turn % self.cfg.units]["format"] = 3 - turn % 2
            self.env.pace_memory(
                MemoryPacing(jitter=60 * turn, address=Pacing(3, 6), beat=random_pacing(self.rng))
            )
            self.pace(random_pacing(self.rng))
            self.env.poison([line for prim in self.prims for line in self.near(prim)])
            self.beginning: list[Task[None]] = [
                cocotb.start_soon(self.begin(self.prims[n], n)) for n in units
            ]
            sending = [
                cocotb.start_soon(
                    self.send(FINE.quads(self.rng, self.prims[unit], self.each), unit, self.offered)
                )
                for unit in units
            ]
            await storm(self, self.pulses, self.cfg.cache.sets + 600, self.pulse)
            self.env.pace_memory(MemoryPacing())
            self.pace(ALWAYS)
            for task in (*self.beginning, *sending):
                await task
            await self.settle()
            self.env.heal()

    async def pulse(self) -> None:
        """Any reset, for any time."""
        kind, side = KINDS[self.rng.integers(len(KINDS))], SIDES[self.rng.integers(3)]
        await self.reset(int(self.rng.integers(1, 12)), kind, side)
        self.again()

    def again(self) -> None:
        """Offer the primitives that have been taken."""
        for unit, task in enumerate(self.beginning):
            if task.done():
                self.beginning[unit] = cocotb.start_soon(self.begin(self.prims[unit], unit))


@testcase()
async def reset_storm(run: StormSequence) -> None:
    """Resets of any side at random times, again and again, all units at work, errors under way."""
    await run.through_resets()


class HoldingSequence(StormSequence):
    """Ends of the ports are held around each reset."""

    async def pulse(self) -> None:
        """Each end is held in a quarter of them, from some cycles before the reset until it is over."""
        held = hold_some(self)
        await self.clocking.cycles(int(self.rng.integers(1, 60)))
        await super().pulse()
        for end in held:
            end.go()


@testcase()
async def resets_while_held(run: HoldingSequence) -> None:
    """Resets of any side while results, primitives, quads or channels of memory are held."""
    await run.through_resets()


@testcase()
async def reset_at_every_cycle(run: TexunitSequence) -> None:
    """A reset in each cycle of a quad's way, be it whole or empty; only what comes after it is answered."""
    prim = primitive(base=640, log2w=5, log2h=5, max_lod=0, bilinear=1)
    quads = quads_at([(0.1, 0.1), (0.4, 0.7)], 0.3)
    for valid, cycles in product((0, 15), range(1, 40)):
        quads["valid"] = valid
        await run.begin(prim)
        await run.settle()
        await run.send(quads[:1])
        await run.clocking.cycles(cycles)
        await run.reset(1 + cycles % 2, KINDS[-(cycles % 3)], SIDES[cycles // 3 % 3])
        quads["valid"] = 15 - valid
        sending = cocotb.start_soon(run.send(quads))
        await run.clocking.cycles(cycles % 5)
        await run.begin(prim)
        await sending
        await run.settle()


class ShortResets(StormSequence, ClocksSequence):
    """Of one edge, one side after the other."""

    async def pulse(self) -> None:
        """One to three, each some edges after the one before."""
        await self.env.resets.short(
            *((self.side(), int(self.rng.integers(12))) for _ in range(self.rng.integers(1, 4)))
        )
        self.again()

    def side(self) -> Any:
        """A side."""
        return ("gpu", "tex")[self.rng.integers(2)]


@testcase(clocks="gpu faster", gpu_half=386)
async def short_reset_storm(run: ShortResets) -> None:
    """Resets of one edge, one side after the other, and a GPU whose clock is 2.7 times as fast."""
    await run.through_resets()


@testcase()
async def reset_while_one_ends(run: ClocksSequence) -> None:
    """A reset that comes while another one ends, at every distance, of the same side and of the other."""
    for first in ("gpu", "tex"):
        for second in ("gpu", "tex"):
            for after in range(28):
                await run.env.resets.short((first, 0), (second, after))
                prim = FINE.prim(run.cfg, run.rng)
                await run.begin(prim)
                if after % 9 == 8:
                    await run.send(FINE.quads(run.rng, prim, 2))
                    await run.settle()


@testcase(clocks="gpu faster", gpu_half=386)
async def reset_while_one_ends_gpu_faster(run: ClocksSequence) -> None:
    """The same with a GPU whose clock is 2.7 times as fast."""
    await reset_while_one_ends(run)


@testcase()
async def reset_of_idle(run: TexunitSequence) -> None:
    """A reset of one edge of a side of units that have answered all: none gives anything, early or late.

    A side's pointers go back: seen before the request for a reset is, they would be words that nobody wrote.
    """
    watching = False

    def nothing_comes() -> bool:
        for unit in range(run.cfg.units):
            level = str(getattr(run.bench.dut, f"res{unit}_valid").value)
            run.expect(f"res{unit}_valid, all being answered", "0", level)
        return watching

    prim = primitive(base=640, log2w=5, log2h=5, max_lod=0, bilinear=1)
    for turn in range(16):
        for unit in range(run.cfg.units):
            await run.begin(prim, unit)
            await run.send(quads_at([(0.1, 0.1)] * (1 + turn % 3), 0.3), unit)
        await run.settle()
        watching = True
        run.bench.clockings["gpu_clk"].on_sample(nothing_comes)
        await run.env.resets.short((("tex", "gpu")[turn % 4 == 3], 0))
        watching = False


@testcase()
async def reset_after_error(run: TexunitSequence) -> None:
    """A reset while a line, a pixel or a quad that has failed is not complete: the next one has no error."""
    run.env.memory.set_timing(MemoryTiming(latency=15))
    for turn in range(24):
        kind: Kind = ("design", "memory")[turn % 2]
        prim = primitive(base=int(run.rng.integers(1 << 20)), log2w=5, log2h=5, max_lod=0, bilinear=1)
        quads = quads_at([(0.1, 0.1), (0.4, 0.7)], 0.3)
        run.env.pace_memory(MemoryPacing(beat=Pacing(1, 4)))
        run.env.poison(range(prim["base"], prim["base"] + 1000))
        await run.begin(prim)
        sending = cocotb.start_soon(run.send(quads))
        while not run.env.bursts:
            await run.clocking.cycles(1)
        await run.clocking.cycles(int(run.rng.integers(1, 120)))
        await run.reset(2, kind, SIDES[turn // 2 % 3])
        run.env.heal()
        run.env.pace_memory(MemoryPacing())
        await run.begin(prim)
        await sending
        await run.send(quads[:1])
        await run.settle()

# SPDX-License-Identifier: Apache-2.0
"""Unrelated clocks of other ratios, drifting clocks, and resets of one side or both."""

from typing import ClassVar

import cocotb

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence, TexunitTest, drifting
from tb.texunit.items import Distribution
from tb.texunit.resets import Side

LOCAL = Distribution(log2=(2, 6), lods=(-2, 2))


class PausedTraffic(TexunitSequence):
    """Random traffic with pauses on both sides."""

    async def body(self) -> None:
        """On all units."""
        self.pace(Pacing(5, 3))
        await self.on_all_units(LOCAL, max(120, self.count // 6), each=30)
        self.pace(ALWAYS)
        await self.settle()


@testcase()
class ResetEachSide(TexunitSequence):
    """Reset of both sides, of the GPU's, of the texture units'; idle, in traffic, twice in a row."""

    async def body(self) -> None:
        """Afterwards a primitive is needed, and all lines are read anew."""
        sides: tuple[Side, ...] = ("both", "gpu", "tex")
        self.env.pace_memory(MemoryPacing(jitter=60))
        for turn in range(4):
            for side in sides:
                prim = LOCAL.prim(self.cfg, self.rng)
                await self.begin(prim)
                sending = cocotb.start_soon(self.send(LOCAL.quads(self.rng, prim, 30)))
                await self.clocking.cycles(int(self.rng.integers(1, 1500 if turn % 2 else 200)))
                await self.reset(int(self.rng.integers(1, 12)), side=side)
                if turn == 2:
                    await self.reset(1, side=sides[self.rng.integers(3)])
                await self.begin(prim)
                await sending
                await self.settle()
                if turn == 0:
                    await self.reset(1, side=side)


@testcase()
class ResetAgain(TexunitSequence):
    """Resets of any side in short order, with lines of several on their way, waiting addresses and errors."""

    async def body(self) -> None:
        """All units, in rounds; colour tables keep as many lines on their way as there are places."""
        kinds: tuple[Kind, ...] = ("design", "design", "memory", "design", "all")
        sides: tuple[Side, ...] = ("both", "gpu", "tex")
        units = range(self.cfg.units)
        self.env.memory.mix(reorder=True)
        for turn in range(4):
            self.env.pace_memory(MemoryPacing(jitter=200, address=Pacing(2, 12), beat=Pacing(3, 3)))
            prims = [LOCAL.prim(self.cfg, self.rng) for _ in units]
            prims[turn % self.cfg.units]["format"] = 2 + turn % 2
            self.env.poison(self.near(prims[0]))
            for kind in kinds:
                tasks = [cocotb.start_soon(self.begin(prim, unit)) for unit, prim in enumerate(prims)]
                await self.clocking.cycles(int(self.rng.integers(20, 300)))
                await self.reset(int(self.rng.integers(1, 12)), kind, sides[self.rng.integers(3)])
                for task in tasks:
                    await task
            self.env.pace_memory(MemoryPacing())
            for unit, prim in enumerate(prims):
                await self.begin(prim, unit)
                await self.send(LOCAL.quads(self.rng, prim, 10), unit)
            await self.settle()
            self.env.heal()


class ClocksTest(TexunitTest):
    """Half periods of the GPU's clock in picoseconds, and how far both wander."""

    sequence = PausedTraffic
    gpu_half: ClassVar[int] = 1250
    spread: ClassVar[float] = 0.0

    def build_phase(self) -> None:
        """Before the clocks start."""
        super().build_phase()
        halves = {"tex_clk": 1042, "gpu_clk": self.gpu_half}
        for name, half in halves.items():
            self.bench.clockings[name].drift(drifting(self.bench.rng(name), half, self.spread))


@testcase()
class GpuFaster(ClocksTest):
    """The GPU's clock is 2.7 times as fast."""

    clocks = "gpu faster"
    gpu_half = 386


@testcase()
class GpuMuchSlower(ClocksTest):
    """The GPU's clock is seven times slower."""

    clocks = "gpu much slower"
    gpu_half = 7310


@testcase()
class Drifting(ClocksTest):
    """Both clocks wander by a fifth, so that their edges meet in every order."""

    clocks = "drifting"
    gpu_half = 1060
    spread = 0.2


@testcase()
class ResetWhileDrifting(ClocksTest):
    """The same with clocks that drift."""

    sequence = ResetEachSide
    clocks = "drifting"
    gpu_half = 1500
    spread = 0.3

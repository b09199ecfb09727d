# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` quads per test."""

import cocotb

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import Distribution
from tb.texunit.resets import Side

DISTRIBUTIONS = (
    Distribution(),
    Distribution(log2=(0, 3), edges=0.5, full=0.3),
    Distribution(log2=(0, 11), lods=(-3, 12), walk=0.2),
    Distribution(log2=(5, 8), lods=(-2, 0.5), walk=0.95, reach=1),
    Distribution(formats=(1,), filters=(1,), walk=0.5),
    Distribution(log2=(4, 7), lods=(-1, 1), walk=0, reach=0.2),
)


@testcase()
class RandomTraffic(TexunitSequence):
    """One distribution after the other, on all units, at full rate."""

    async def body(self) -> None:
        """An equal share of N for each."""
        for distribution in DISTRIBUTIONS:
            await self.on_all_units(distribution, max(60, self.count // len(DISTRIBUTIONS)))


@testcase()
class RandomEverything(TexunitSequence):
    """Traffic, pacing of every channel, errors, invalidations and resets of either side, all at random."""

    async def body(self) -> None:
        """Rounds of traffic; some end in a reset."""
        sides: tuple[Side, ...] = ("both", "gpu", "tex")
        for _ in range(max(8, self.count // 60)):
            self.env.memory.reorder = bool(self.rng.random() < 0.5)
            jitter = int(self.rng.integers(100)) if self.rng.random() < 0.5 else 0
            self.env.pace_memory(MemoryPacing(jitter, self.pacing(), self.pacing()))
            self.pace(self.pacing())
            distribution = DISTRIBUTIONS[self.rng.integers(len(DISTRIBUTIONS))]
            prims = [distribution.prim(self.cfg, self.rng) for _ in range(self.cfg.units)]
            if self.rng.random() < 0.3:
                self.env.reference.poison(self.near(prims[0]))
            tasks = []
            for unit, prim in enumerate(prims):
                await self.begin(prim, unit)
                quads = distribution.quads(self.rng, prim, max(4, 60 // self.cfg.units))
                tasks.append(cocotb.start_soon(self.send(quads, unit, self.pacing())))
            if self.rng.random() < 0.4:
                await self.clocking.cycles(int(self.rng.integers(1, 400)))
                await self.reset(int(self.rng.integers(1, 10)), sides[self.rng.integers(3)])
                for unit, prim in enumerate(prims):
                    await self.begin(prim, unit)
            for task in tasks:
                await task
            self.pace(ALWAYS)
            await self.settle()
            self.env.reference.heal()

    def pacing(self) -> Pacing:
        """Full rate half of the time, else anything from nearly full to slow."""
        if self.rng.random() < 0.5:
            return ALWAYS
        return Pacing(float(self.rng.integers(1, 20)), float(self.rng.integers(1, 10)))


@testcase()
class Steered(TexunitSequence):
    """Everything at random, within the options that the run is steered to (or any)."""

    async def body(self) -> None:
        """N quads in rounds, on all units."""
        beside = self.choose("beside")
        self.env.pace_memory(self.choose("memory"))
        result, request, distribution = (self.choose(knob) for knob in ("result", "request", "distribution"))
        self.pace(result)
        share = max(1, 60 // self.cfg.units)
        for _ in range(0, self.count, share * self.cfg.units):
            prims = [distribution.prim(self.cfg, self.rng) for _ in range(self.cfg.units)]
            if beside == "errors":
                self.env.reference.poison(self.near(prims[0]))
            tasks = []
            for unit, prim in enumerate(prims):
                await self.begin(prim, unit)
                tasks.append(
                    cocotb.start_soon(self.send(distribution.quads(self.rng, prim, share), unit, request))
                )
            if beside.startswith("reset"):
                await self.clocking.cycles(int(self.rng.integers(1, 400)))
                await self.reset(int(self.rng.integers(1, 10)), beside.split()[1])
                for unit, prim in enumerate(prims):
                    await self.begin(prim, unit)
            for task in tasks:
                await task
            await self.settle()
            self.env.reference.heal()

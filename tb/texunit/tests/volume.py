# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` quads per test."""

from typing import get_args

import cocotb
from cocotb.task import Task

from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.texcache.rounds import RandomRounds, Rounds, SteeredRounds
from tb.texunit.base import TexunitSequence
from tb.texunit.knobs import DISTRIBUTIONS
from tb.texunit.resets import Side

SIDES: tuple[Side, ...] = get_args(Side)


@testcase()
async def random_traffic(run: TexunitSequence) -> None:
    """One distribution after the other, on all units, at full rate."""
    for distribution in DISTRIBUTIONS.values():
        await run.on_all_units(distribution, max(60, run.count // len(DISTRIBUTIONS)))


class QuadRounds(TexunitSequence, Rounds):
    """Quads on all units; beside them errors, and resets of either side."""

    share: int  # quads of each unit in a round

    async def rounds(self) -> None:
        self.share = max(4, self.chunk // self.cfg.units)
        self.chunk = self.share * self.cfg.units
        await super().rounds()

    async def start_round(self, count: int) -> list[Task[None]]:
        """A primitive for each unit, and its share of quads."""
        self.prims = [self.distribution.prim(self.cfg, self.rng) for _ in range(self.cfg.units)]
        if self.errors():
            self.env.poison(self.near(self.prims[0]))
        tasks = []
        for unit, prim in enumerate(self.prims):
            await self.begin(prim, unit)
            quads = self.distribution.quads(self.rng, prim, self.share)
            tasks.append(cocotb.start_soon(self.send(quads, unit, self.request_pacing())))
        return tasks

    def errors(self) -> bool:
        """Whether lines fail in this round."""
        raise NotImplementedError

    async def restart(self, sides: tuple[Side, ...]) -> None:
        """Some time later reset one of ``sides``; the units need primitives anew, and show that they work."""
        await self.clocking.cycles(int(self.rng.integers(1, 400)))
        cycles = int(self.rng.integers(1, 10))
        await self.reset(cycles, side=sides[self.rng.integers(len(sides))] if len(sides) > 1 else sides[0])
        for unit, prim in enumerate(self.prims):
            await self.begin(prim, unit)
            await self.send(self.distribution.quads(self.rng, prim, 2), unit)

    async def after_round(self) -> None:
        """All is answered, and the memory heals."""
        await self.settle()
        self.env.heal()


class RandomMix(QuadRounds, RandomRounds):
    """New options in each round."""

    order = ("memory", "result", "distribution")
    distributions = DISTRIBUTIONS
    least, jitter = 8, 100

    def vary_memory(self) -> None:
        """The order between the units, too."""
        self.env.memory.mix(reorder=bool(self.rng.random() < 0.5))
        super().vary_memory()

    def errors(self) -> bool:
        """Now and then."""
        return bool(self.rng.random() < 0.3)

    async def beside(self) -> None:
        """Now and then a reset of any side."""
        if self.rng.random() < 0.4:
            await self.restart(SIDES)

    async def after_round(self) -> None:
        """Results are not held back any more."""
        self.pace(ALWAYS)
        await super().after_round()


class SteeredMix(QuadRounds, SteeredRounds):
    """Options that the run is steered to."""

    order = ("memory", "result", "request", "distribution")

    def errors(self) -> bool:
        """If that is what happens."""
        return bool(self.happening == "errors")

    async def beside(self) -> None:
        """A reset of the side that was chosen, if one was."""
        if self.happening.startswith("reset"):
            await self.restart((self.happening.split()[1],))


@testcase()
async def random_everything(run: RandomMix) -> None:
    """Traffic, pacing of every channel, errors, invalidations and resets of either side, all at random."""
    await run.rounds()


@testcase()
async def steered(run: SteeredMix) -> None:
    """Everything at random, within the options that the run is steered to (or any)."""
    await run.rounds()

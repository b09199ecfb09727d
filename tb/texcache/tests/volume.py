# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` footprints per test."""

from dataclasses import replace

import cocotb
import numpy as np
from cocotb.task import Task

from tb.common.components.pacing import random_pacing
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.knobs import DISTRIBUTIONS
from tb.texcache.rounds import RandomRounds, Rounds, SteeredRounds
from tb.texcache.sequences import random_table

WRITES = 10  # of the table, at once


@testcase()
async def random_traffic(run: TexcacheSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing."""
    share = max(50, run.count // len(DISTRIBUTIONS))
    for distribution in DISTRIBUTIONS.values():
        await run.send(distribution.draw(run.cfg, run.rng, share))


class FootprintRounds(TexcacheSequence, Rounds):
    """Footprints, and beside them table writes, invalidations and resets."""

    async def start_round(self, count: int) -> list[Task[None]]:
        """Send footprints."""
        distribution = self.distribution
        if distribution.levels:
            levels = tuple(level % self.cfg.levels for level in distribution.levels)
            distribution = replace(distribution, levels=levels)
        footprints = distribution.draw(self.cfg, self.rng, count)
        return [cocotb.start_soon(self.send(footprints, self.request_pacing()))]

    async def beside(self) -> None:
        """One of the happenings, some time later."""
        await self.clocking.cycles(int(self.rng.integers(1, 100)))
        happenings = {"rewrite": self.rewrite, "drop": self.invalidate, "restart": self.restart}
        if happening := happenings.get(self.what()):
            await happening()

    def what(self) -> str:
        """The happening of this round."""
        raise NotImplementedError

    async def rewrite(self) -> None:
        """Write some entries of the table."""
        tex = self.rng.integers(self.cfg.textures, size=WRITES)
        level = self.rng.integers(self.cfg.levels, size=WRITES)
        base = random_table(self.cfg, self.rng)[tex, level]
        gaps = random_pacing(self.rng).gaps(self.rng, WRITES)
        await self.play("lut", LutItem(self.cfg, tex, level, base, gaps))

    async def restart(self) -> None:
        """Reset."""
        await self.clocking.cycles(1)
        await self.reset(int(self.rng.integers(1, 4)))

    async def change_errors(self) -> None:
        """Once all is answered the memory heals, or lines around the bases of some levels fail."""
        await self.settle()
        self.env.heal()
        if self.rng.random() < 0.7:
            bases = self.table[:3].reshape(-1).astype(np.int64)
            lines = (bases[:, None] + self.rng.integers(0, 16, size=4)).reshape(-1)
            self.env.poison([int(line) for line in lines if line >> self.cfg.cache.line_bits == 0])


class RandomMix(FootprintRounds, RandomRounds):
    """New options in each round."""

    distributions = DISTRIBUTIONS

    def what(self) -> str:
        """Any; in two of five rounds nothing."""
        happenings = ("nothing", "nothing", "rewrite", "drop", "restart")
        return happenings[self.rng.integers(len(happenings))]

    async def after_round(self) -> None:
        """Now and then other lines fail."""
        if self.rng.random() < 0.2:
            await self.change_errors()


class SteeredMix(FootprintRounds, SteeredRounds):
    """Options that the run is steered to."""

    def what(self) -> str:
        """As chosen."""
        return str(self.happening)

    async def before_round(self) -> None:
        """Other lines fail, if that is what happens."""
        if self.happening == "errors":
            await self.change_errors()


@testcase()
async def random_everything(run: RandomMix) -> None:
    """Traffic, pacing of every channel, errors, table writes, invalidations and resets, all at random."""
    await run.rounds()


@testcase()
async def steered(run: SteeredMix) -> None:
    """Everything at random, within the options that the run is steered to (or any)."""
    await run.rounds()

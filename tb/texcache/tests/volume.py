# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` footprints per test."""

from dataclasses import replace

import cocotb
import numpy as np

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.sequences import Distribution, random_table

#: from nothing but hits to nothing but misses, on a few levels or all, at edges and far beyond
DISTRIBUTIONS = (
    Distribution(textures=1, span=8, edges=0, far=0),
    Distribution(textures=2, step=3),
    Distribution(textures=4, span=32),
    Distribution(textures=1000),
    Distribution(textures=3, edges=1, modes=(1, 1, 1)),
    Distribution(textures=2, far=1),
)


def random_pacing(rng: np.random.Generator) -> Pacing:
    """Full rate half of the time, else anything from nearly full to slow."""
    if rng.random() < 0.5:
        return ALWAYS
    return Pacing(float(rng.integers(1, 20)), float(rng.integers(1, 10)))


@testcase()
class RandomTraffic(TexcacheSequence):
    """One distribution after the other, at full rate, with the memory's exact timing."""

    async def traffic(self) -> None:
        """An equal share of N for each."""
        for distribution in DISTRIBUTIONS:
            await self.send(distribution.draw(self.cfg, self.rng, max(50, self.count // len(DISTRIBUTIONS))))


@testcase()
class RandomEverything(TexcacheSequence):
    """Traffic, pacing of every channel, errors, table writes, invalidations and resets, all at random."""

    async def traffic(self) -> None:
        """Rounds of traffic; in each something else happens beside it."""
        chunk = 60
        beside = (self.nothing, self.nothing, self.rewrite, self.drop, self.restart)
        for _ in range(max(6, self.count // chunk)):
            self.pace(random_pacing(self.rng))
            jitter = int(self.rng.integers(60)) if self.rng.random() < 0.5 else 0
            self.env.pace_memory(MemoryPacing(jitter, random_pacing(self.rng), random_pacing(self.rng)))
            distribution = DISTRIBUTIONS[self.rng.integers(len(DISTRIBUTIONS))]
            footprints = distribution.draw(self.cfg, self.rng, chunk)
            sending = cocotb.start_soon(self.send(footprints, random_pacing(self.rng)))
            await self.clocking.cycles(int(self.rng.integers(1, 100)))
            await beside[self.rng.integers(len(beside))]()
            await sending
            if self.rng.random() < 0.2:
                await self.settle()
                self.change_errors()

    async def nothing(self) -> None:
        """Leave the traffic alone."""

    async def rewrite(self) -> None:
        """Write some entries of the table."""
        count = 10
        tex, level = (
            self.rng.integers(self.cfg.textures, size=count),
            self.rng.integers(self.cfg.levels, size=count),
        )
        base = random_table(self.cfg, self.rng)[tex, level]
        await self.play(
            "lut", LutItem(self.cfg, tex, level, base, random_pacing(self.rng).gaps(self.rng, count))
        )

    async def drop(self) -> None:
        """Invalidate."""
        await self.invalidate()

    async def restart(self) -> None:
        """Reset."""
        await self.clocking.cycles(1)
        await self.reset(int(self.rng.integers(1, 4)))

    def change_errors(self) -> None:
        """The memory heals, or lines around the bases of some levels fail."""
        self.env.reference.heal()
        if self.rng.random() < 0.7:
            bases = self.table[:3].reshape(-1).astype(np.int64)
            lines = (bases[:, None] + self.rng.integers(0, 16, size=4)).reshape(-1)
            self.env.reference.poison([int(line) for line in lines if line >> self.cfg.cache.line_bits == 0])


@testcase()
class Steered(RandomEverything):
    """Everything at random, within the options that the run is steered to (or any)."""

    async def traffic(self) -> None:
        """N footprints in rounds."""
        chunk, beside = 60, self.choose("beside")
        self.pace(self.choose("result"))
        self.env.pace_memory(self.choose("memory"))
        distribution, pacing = self.choose("distribution"), self.choose("request")
        if distribution.levels:
            levels = tuple(level % self.cfg.levels for level in distribution.levels)
            distribution = replace(distribution, levels=levels)
        for at in range(0, self.count, chunk):
            if beside == "errors":
                await self.settle()
                self.change_errors()
            footprints = distribution.draw(self.cfg, self.rng, min(chunk, self.count - at))
            sending = cocotb.start_soon(self.send(footprints, pacing))
            await self.clocking.cycles(int(self.rng.integers(1, 100)))
            if beside in ("rewrite", "drop", "restart"):
                await getattr(self, beside)()
            await sending

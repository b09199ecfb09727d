# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` quads per test."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texpipe.knobs import DISTRIBUTIONS
from tb.texunit.tests import volume


@testcase()
class RandomTraffic(TexpipeSequence):
    """One distribution after the other, on all units, at full rate."""

    async def body(self) -> None:
        """An equal share of N for each; primitives are short, so that several are in a unit."""
        for distribution in DISTRIBUTIONS.values():
            await self.on_all_units(distribution, max(60, self.count // len(DISTRIBUTIONS)), each=6)


@testcase()
class RandomEverything(TexpipeSequence, volume.RandomEverything):
    """Traffic, pacing of every channel, errors, invalidations and resets of either side, all at random."""

    distributions = DISTRIBUTIONS


@testcase()
class Steered(TexpipeSequence, volume.Steered):
    """Everything at random, within the options that the run is steered to (or any)."""

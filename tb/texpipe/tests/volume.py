# SPDX-License-Identifier: Apache-2.0
"""Constrained random traffic in volume: ``N`` quads per test."""

from tb.common.components.testcase import register, testcase
from tb.texpipe.base import TexpipeSequence
from tb.texpipe.knobs import DISTRIBUTIONS
from tb.texunit.tests import volume


@testcase()
async def random_traffic(run: TexpipeSequence) -> None:
    """One distribution after the other, on all units, at full rate."""
    for distribution in DISTRIBUTIONS.values():
        await run.on_all_units(distribution, max(60, run.count // len(DISTRIBUTIONS)), each=6)


register(__name__, (TexpipeSequence, volume.RandomMix), volume.random_everything, distributions=DISTRIBUTIONS)
register(__name__, (TexpipeSequence, volume.SteeredMix), volume.steered)

# SPDX-License-Identifier: Apache-2.0
"""Random scenes: a few, at all paces of both ports, and in volume."""

from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence
from tb.raster.items import Distribution

SMALL = Distribution(window=32, size=12)


@testcase()
async def smoke(run: RasterSequence) -> None:
    """A few hundred words at random: does it live?"""
    await run.send_records(SMALL.draw(run.cfg, run.rng, min(run.count, 300)))

# SPDX-License-Identifier: Apache-2.0
"""The first test to run."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import Distribution


@testcase()
async def smoke(run: TexpipeSequence) -> None:
    """A few hundred random quads on all units: does it live?"""
    await run.on_all_units(Distribution(), min(run.count, 300))

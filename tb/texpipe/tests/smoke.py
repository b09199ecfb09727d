# SPDX-License-Identifier: Apache-2.0
"""The first test to run."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import Distribution


@testcase()
class Smoke(TexpipeSequence):
    """A few hundred random quads on all units: does it live?"""

    async def body(self) -> None:
        """All formats, modes and filters."""
        await self.on_all_units(Distribution(), min(self.count, 300))

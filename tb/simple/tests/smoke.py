# SPDX-License-Identifier: Apache-2.0
"""The first test to run."""

from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


@testcase()
class Smoke(SimpleSequence):
    """A few hundred random requests, then a flush: does it live?"""

    async def body(self) -> None:
        """All four operations."""
        await self.send(Distribution(sets=8).draw(self.cfg, self.rng, min(self.count, 300)))
        await self.flush()

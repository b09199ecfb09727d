# SPDX-License-Identifier: Apache-2.0
"""The first test to run."""

from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.sequences import Distribution


@testcase()
class Smoke(TexcacheSequence):
    """A few hundred random footprints: does it live?"""

    async def traffic(self) -> None:
        """Random, with some locality."""
        await self.send(Distribution(textures=2, span=16).draw(self.cfg, self.rng, min(self.count, 300)))

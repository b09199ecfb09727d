# SPDX-License-Identifier: Apache-2.0
"""The first test to run."""

from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.sequences import Distribution


@testcase()
async def smoke(run: TexcacheSequence) -> None:
    """A few hundred random footprints: does it live?"""
    await run.send(Distribution(textures=2, span=16).draw(run.cfg, run.rng, min(run.count, 300)))

# SPDX-License-Identifier: Apache-2.0
"""Every entry of the mip ROM in the formats that ``every_mip`` does not read it in."""

from tb.common.components.testcase import testcase
from tb.texunit.tests.addresses import NearMemory, every_level


@testcase()
async def every_mip_every_format(run: NearMemory) -> None:
    """Each level of each size in the three formats that ``every_mip`` leaves out for it."""
    run.answer_at_once()
    for turn in (1, 2, 3):
        await every_level(run, turn)

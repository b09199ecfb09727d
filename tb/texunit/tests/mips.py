# SPDX-License-Identifier: Apache-2.0
"""Every entry of the mip ROM in the formats that ``every_mip`` does not read it in."""

from tb.common.components.testcase import testcase
from tb.texunit.tests.addresses import NearMemory, every_level


@testcase()
class EveryMipEveryFormat(NearMemory):
    """Each level of each size in the three formats that ``every_mip`` leaves out for it."""

    async def body(self) -> None:
        """Each size has another format in each turn."""
        self.answer_at_once()
        for turn in (1, 2, 3):
            await every_level(self, turn)

# SPDX-License-Identifier: Apache-2.0
"""Several units at the one port to memory: as those tests of ``texunit``."""

from tb.common.components.testcase import register, testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import reads


@testcase(lambda cfg: cfg.units > 1, "several units")
async def units_at_one_port(run: TexpipeSequence) -> None:
    """Units that ask while another one's colour table is read, or while memory takes no address."""
    await reads.first_come_first_served(run)


register(__name__, TexpipeSequence, reads.interleaved)

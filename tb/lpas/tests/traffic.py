# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, and in volume."""

from configs.lpas.schema import FLUSH
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence


@testcase()
async def smoke(run: LpasSequence) -> None:
    """A few hundred random requests of all PEs, then a flush: does it live?"""
    await run.send(run.draw(min(run.count, 300)))
    await run.settle()
    await run.answered(run.last, FLUSH)

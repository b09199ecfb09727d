# SPDX-License-Identifier: Apache-2.0
"""Unrelated clocks, drifting clocks, resets of one side or both: the tests of ``texunit``."""

from tb.common.components.testcase import register
from tb.texpipe.base import TexpipeClocks, TexpipeSequence
from tb.texunit.tests import clocks

register(__name__, TexpipeSequence, clocks.reset_each_side, clocks.reset_again)
register(
    __name__,
    TexpipeClocks,
    clocks.gpu_faster,
    clocks.gpu_much_slower,
    clocks.drifting,
    clocks.reset_while_drifting,
)

# SPDX-License-Identifier: Apache-2.0
"""What is sampled: the tests of ``texunit`` on the pipelined unit, whose samples are the same."""

from tb.common.components.testcase import register
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import sampling as common

register(
    __name__,
    TexpipeSequence,
    common.levels,
    common.rows_and_columns,
    common.wrap_modes,
    common.rounding,
    common.formats,
)

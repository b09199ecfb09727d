# SPDX-License-Identifier: Apache-2.0
"""What is sampled: the tests of ``texunit`` on the pipelined unit, whose samples are the same."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import sampling


@testcase()
class Levels(TexpipeSequence, sampling.Levels):
    """Every level, its thresholds one step below and above, and gradients that saturate."""


@testcase()
class RowsAndColumns(TexpipeSequence, sampling.RowsAndColumns):
    """Which row and column the level comes from, for every set of valid pixels, the empty one too."""


@testcase()
class WrapModes(TexpipeSequence, sampling.WrapModes):
    """Each mode in u and v at and around every edge, negative, at exactly 1.0 and far away; down to 1 x n."""


@testcase()
class Rounding(TexpipeSequence, sampling.Rounding):
    """Weights: every eighth bit of the coordinate, ties among them, on sides where they need rounding."""


@testcase()
class Formats(TexpipeSequence, sampling.Formats):
    """All four formats on all levels; a texel of three bytes in two lines; tables of both sizes."""

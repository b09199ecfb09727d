# SPDX-License-Identifier: Apache-2.0
"""Unrelated clocks, drifting clocks, resets of one side or both: as the tests of ``texunit``."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence, TexpipeTest
from tb.texunit.tests import clocks


@testcase()
class ResetEachSide(TexpipeSequence, clocks.ResetEachSide):
    """Reset of both sides, of the GPU's, of the texture units'; idle, in traffic, twice in a row."""


@testcase()
class ResetAgain(TexpipeSequence, clocks.ResetAgain):
    """Resets of any side in short order, with lines of several on their way, waiting addresses and errors."""


@testcase()
class GpuFaster(TexpipeTest, clocks.GpuFaster):
    """The GPU's clock is 2.7 times as fast."""


@testcase()
class GpuMuchSlower(TexpipeTest, clocks.GpuMuchSlower):
    """The GPU's clock is seven times slower."""


@testcase()
class Drifting(TexpipeTest, clocks.Drifting):
    """Both clocks wander by a fifth, so that their edges meet in every order."""


@testcase()
class ResetWhileDrifting(TexpipeTest, clocks.ResetWhileDrifting):
    """The same with clocks that drift."""

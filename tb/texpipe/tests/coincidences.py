# SPDX-License-Identifier: Apache-2.0
"""Whatever can meet at the ports meets."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import coincidences


@testcase()
class Coincidences(TexpipeSequence, coincidences.Coincidences):
    """Each pair of events of the ports, of one unit and of two, in one cycle and in two; resets too."""

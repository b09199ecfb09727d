# SPDX-License-Identifier: Apache-2.0
"""Several units at the one port to memory: as those tests of ``texunit``."""

from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import reads


@testcase(lambda cfg: cfg.units > 1, "several units")
class UnitsAtOnePort(TexpipeSequence, reads.FirstComeFirstServed):
    """Units that ask while another one's colour table is read, or while memory takes no address."""


@testcase(lambda cfg: cfg.units > 1, "several units")
class Interleaved(TexpipeSequence, reads.Interleaved):
    """Beats of several units' lines mingle: each goes to the unit of its id."""

# SPDX-License-Identifier: Apache-2.0
"""Whatever can meet at the ports meets."""

from tb.common.components.request_aiming import RequestAiming
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


@testcase()
class Coincidences(RequestAiming, SimpleSequence):
    """Each pair of events of the ports in one cycle, and one after the other; resets too."""

    distribution = Distribution(sets=4, flushes=0.05, invalidations=0.03)

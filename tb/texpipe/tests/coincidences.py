# SPDX-License-Identifier: Apache-2.0
"""Whatever can meet at the ports meets."""

from tb.common.components.testcase import register
from tb.texpipe.base import TexpipeSequence
from tb.texunit.tests import coincidences

register(__name__, (TexpipeSequence, coincidences.TexunitAiming), coincidences.coincidences)

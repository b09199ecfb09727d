# SPDX-License-Identifier: Apache-2.0
"""Resets in the worst moments: as those of ``texunit``, with much more under way."""

from tb.common.components.pacing import Pacing
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence, TexpipeTest
from tb.texunit.tests import resets


class Lasting:
    """A unit takes quads as fast as they come: so many, so far apart that they last through all resets."""

    each, offered = 150, Pacing(1, 40)


@testcase()
class ResetStorm(Lasting, TexpipeSequence, resets.ResetStorm):
    """Resets of any side at random times, again and again, all units at work, errors under way."""


@testcase()
class ResetsWhileHeld(Lasting, TexpipeSequence, resets.ResetsWhileHeld):
    """Resets of any side while results, primitives, quads or channels of memory are held."""


@testcase()
class ResetAtEveryCycle(TexpipeSequence, resets.ResetAtEveryCycle):
    """A reset in each cycle of a quad's way, be it whole or empty; only what comes after it is answered."""


class ShortResets(Lasting, resets.ShortResets):
    """Of one edge, one side after the other."""


@testcase()
class ShortResetStorm(TexpipeTest, resets.ShortResetStorm):
    """Resets of one edge, one side after the other, and a GPU whose clock is 2.7 times as fast."""

    sequence = ShortResets


@testcase()
class ResetWhileOneEnds(TexpipeTest, resets.ResetWhileOneEnds):
    """A reset that comes while another one ends, at every distance, of the same side and of the other."""


@testcase()
class ResetWhileOneEndsGpuFaster(TexpipeTest, resets.ResetWhileOneEndsGpuFaster):
    """The same with a GPU whose clock is 2.7 times as fast."""


@testcase()
class ResetOfIdle(TexpipeSequence, resets.ResetOfIdle):
    """A reset of one edge of a side of units that have answered all: none gives anything, early or late."""


@testcase()
class ResetAfterError(TexpipeSequence, resets.ResetAfterError):
    """A reset while a line, a pixel or a quad that has failed is not complete: the next one has no error."""

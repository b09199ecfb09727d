# SPDX-License-Identifier: Apache-2.0
"""Widths: tests of ``texunit`` on the pipelined unit, and lines that its cache might mistake."""

from models.texpipe.banks import line_of
from tb.common.components.aliases import alias_rounds
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import primitive, quads_at
from tb.texunit.tests import addresses, mips


@testcase()
class EveryMip(TexpipeSequence, addresses.EveryMip):
    """Each level of each size, square and not: every entry of the ROM that a quad can reach."""


@testcase()
class EveryMipEveryFormat(TexpipeSequence, mips.EveryMipEveryFormat):
    """Each level of each size in the three formats that ``every_mip`` leaves out for it."""


@testcase()
class Coordinates(TexpipeSequence, addresses.Coordinates):
    """Coordinates around each power of two and at the ends of their range, u and v apart, in every mode."""


@testcase()
class Gradients(TexpipeSequence, addresses.Gradients):
    """Differences around each power of two: to the right and down, in u, in v and in both, of either sign."""


@testcase()
class Carries(TexpipeSequence, addresses.Carries):
    """Sums that make an address: a carry into each bit of texel number, three times it, table and base."""


@testcase()
class Aliases(TexpipeSequence, addresses.NearMemory):
    """Lines that differ in one bit of tag or set index, in every way: none is taken for the other."""

    async def body(self) -> None:
        """Each is a texture of one texel: of the first bank, to which all others are alike."""
        self.answer_at_once()
        sets = self.cfg.cache.sets
        for lines in alias_rounds(self.cfg.cache, self.rng):
            for number, line in enumerate(lines):
                base = line_of(self.cfg.cache.set_bits, line // sets, line % sets)
                await self.begin(primitive(base=base, invalidate=int(not number)))
                await self.send(quads_at([(0.5, 0.5)], valid=1))

# SPDX-License-Identifier: Apache-2.0
"""Widths: tests of ``texunit`` on the pipelined unit, and lines that its cache might mistake."""

from models.texpipe.banks import line_of
from tb.common.components.aliases import alias_rounds
from tb.common.components.testcase import register, testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import primitive, quads_at
from tb.texunit.tests import addresses, mips


class TexpipeNear(TexpipeSequence, addresses.NearMemory):
    """With a memory that answers at once."""


register(
    __name__,
    TexpipeNear,
    addresses.every_mip,
    mips.every_mip_every_format,
    addresses.coordinates,
    addresses.gradients,
    addresses.carries,
)


@testcase()
async def aliases(run: TexpipeNear) -> None:
    """Lines that differ in one bit of tag or set index, in every way: none is taken for the other.

    Each is a texture of one texel: of the first bank, to which all others are alike.
    """
    run.answer_at_once()
    sets = run.cfg.cache.sets
    for lines in alias_rounds(run.cfg.cache, run.rng):
        for number, line in enumerate(lines):
            base = line_of(run.cfg.cache.set_bits, line // sets, line % sets)
            await run.begin(primitive(base=base, invalidate=int(not number)))
            await run.send(quads_at([(0.5, 0.5)], valid=1))

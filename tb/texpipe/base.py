# SPDX-License-Identifier: Apache-2.0
"""What the tests of the pipelined texture unit share: those of ``texunit`` run on it as they are."""

from typing import Any

from numpy.typing import NDArray

from models.memory import Memory
from models.texpipe import TexpipeModel
from models.texpipe.timing import COORDINATE_CYCLES, LINES_CYCLES
from tb.texpipe.env import TexpipeEnv
from tb.texunit.base import ClocksSequence, ClocksTest, TexunitSequence, TexunitTest
from tb.texunit.items import primitive, quads_at

WIDE = 10  # log2 of the sides of a texture of which lines are chosen
LEVELS = 16  # quads that wait for their level, or with it
PLACES = 32  # pixels that have been read and whose result has no place yet


class TexpipeTest(TexunitTest):
    """Starts a virtual sequence on the environment of the pipelined units; clocks are counted as there."""

    env_class = TexpipeEnv


class TexpipeSequence(TexunitSequence):
    """Primitives and quads, as there; pixels chosen line by line."""

    test_class = TexpipeTest

    def prim(self, **fields: int) -> Any:
        """A texture of 1024 x 1024, one level, nearest, RGBA8: each pixel is one line."""
        return primitive(**{"base": 0, "log2w": WIDE, "log2h": WIDE, "max_lod": 0, **fields})

    def first_line(self, prim: Any) -> int:
        """Line address of its level 0."""
        return int(prim["base"]) + sum(max(4, 1024 >> mip) ** 2 for mip in range(1, WIDE + 1)) // 4

    def quads(self, lines: list[int], valid: int = 1) -> NDArray[Any]:
        """Quads whose pixels (all alike) are in these lines of level 0, counted from its start."""
        tile = 4 / 1024
        places = [
            ((line // 4 % 256 + 0.1) * tile, (line // 1024 * 4 + line % 4 + 0.5) / 1024) for line in lines
        ]
        return quads_at(places, valid=valid)

    def in_setup(self, count: int) -> None:
        """So many primitives of the first unit wait in its set-up."""
        self.expect("primitives that wait", count, self.env.flights[0].prims_in_setup)

    async def lines(self, lines: list[int], unit: int = 0) -> None:
        """Sample a pixel in each of these lines."""
        await self.send(self.quads(lines), unit)

    def lines_of(self, prim: Any, quad: Any) -> list[list[int]]:
        """Line addresses of each beat of a quad."""
        model = TexpipeModel(self.cfg, Memory(0))
        model.start(prim)
        _, beats = model.quad(quad)
        return [[int(line) for line in beat["line"][beat["valid"] == 1]] for beat in beats]

    @property
    def most_pixels(self) -> int:
        """Pixels that have begun when a line that does not come holds up as many as fit: a multiple of four.

        They are in the tag FIFO, one before it and one in the look-up, and in the stages up to there. A quad
        whose pixels have not begun and ``LEVELS`` others are behind them.
        """
        return int(self.cfg.ahead.depth) + 2 + LINES_CYCLES + COORDINATE_CYCLES - 1

    async def cycles_of(self, quads: NDArray[Any], unit: int = 0) -> int:
        """Cycles of ``tex_clk`` from offering ``quads`` to a settled unit to their last answer."""
        await self.settle(1)
        began = self.clocking.cycle
        await self.send(quads, unit)
        await self.settle(1)
        return self.clocking.cycle - began


class TexpipeClocksTest(TexpipeTest, ClocksTest):
    """Clocks of the sequence's own."""


class TexpipeClocks(TexpipeSequence, ClocksSequence):
    """See :class:`ClocksSequence`."""

    test_class = TexpipeClocksTest

# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``raster`` share: short words for scenes."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import D32
from configs.raster.schema import Config
from models.raster import VERTEX as WORD
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.virtual_sequence import VirtualSequence
from tb.raster.env import RasterEnv
from tb.raster.items import Distribution, begin, vertices
from tb.raster.machine import MachineOutcome


class RasterTest(BaseTest):
    """Starts a virtual sequence on the environment of ``raster``."""

    env_class = RasterEnv


class RasterSequence(VirtualSequence):
    """Scenes are VERTEX arrays, or lists of records (:mod:`tb.raster.items`)."""

    test_class = RasterTest
    cfg: Config
    env: RasterEnv
    distribution = Distribution()

    @property
    def side(self) -> int:
        """The largest width and height of a window, in pixels."""
        return 4 << self.cfg.coordinate_bits

    def draw(self, count: int) -> NDArray[Any]:
        """Words [count] at random."""
        return self.distribution.draw(self.cfg, self.rng, count)

    async def send_records(self, words: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Send VERTEX array [n]; returns when the last was taken."""
        await self.send_words("vtx", pack_words(self.cfg.streams["vtx"], columns(words)), pacing)

    async def send(self, words: Iterable[Any], pacing: Pacing = ALWAYS) -> None:
        """The same of records."""
        await self.send_records(np.array(list(words), WORD), pacing)

    async def outcomes(self, words: Iterable[Any]) -> list[MachineOutcome]:
        """Send words in a row; what became of them, once all is at rest."""
        return await self.answers(self.send(words))

    async def draws(
        self, topology: int, corners: Iterable[Sequence[int]], size: tuple[int, int] = (32, 32), **state: int
    ) -> list[set[tuple[int, int]]]:
        """Draw vertices in a window of ``size`` pixels; the pixels (x, y) of each primitive, in order."""
        first = begin(topology, *size, **{"format": D32, **state})
        outcomes = await self.outcomes([first, *vertices(corners)])
        return [pixels(outcome.tiles) for outcome in outcomes if outcome.work["primitive"]]


def pixels(tiles: NDArray[Any]) -> set[tuple[int, int]]:
    """The pixels (x, y) that TILE [n] cover."""
    return {
        (4 * int(tile["x"]) + n % 4, 4 * int(tile["y"]) + n // 4)
        for tile in tiles
        for n in range(16)
        if tile["mask"] >> n & 1
    }

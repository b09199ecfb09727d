# SPDX-License-Identifier: Apache-2.0
"""Words of ``tile`` under construction."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import SIDE
from models.kernels import allocating
from models.raster.records import TILE


@allocating
def with_room(out: NDArray[Any], count: int, more: int) -> NDArray[Any]:
    """``out``, or a longer array that begins with its first ``count``, so that ``more`` go in."""
    if count + more <= len(out):
        return out
    longer = np.empty(2 * len(out) + more, TILE)
    longer[:count] = out[:count]
    return longer


@allocating
def start_word(word: Any, state: Any, x: int, y: int) -> None:
    """Makes ``word`` the tile (x, y), with nothing drawn in it yet."""
    word.op = 0
    word.x, word.y = x, y
    word.mask = 0
    word.test, word.func, word.write, word.format = state.test, state.func, state.write, state.format
    word.depth[:] = 0
    word.prim = state.prim
    word.step = 0


@allocating
def draw_pixel(word: Any, x: int, y: int, depth: int) -> None:
    """Puts pixel (x, y) of the screen, which lies in this tile, into it."""
    pixel = (y % SIDE) * SIDE + x % SIDE
    word.mask |= 1 << pixel
    word.depth[pixel] = depth

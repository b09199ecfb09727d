# SPDX-License-Identifier: Apache-2.0
"""Where the texels of a texture unit's textures lie: formats, mips from smallest to largest, tiles of 4 x 4.

Source: "FuryGpu's Texture Units", sections on mip offsets and texel addresses.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.kernels import kernel

RGBA8, RGB8, RGBA8_TABLE, RGB8_TABLE = range(4)
TEXEL_BYTES = (4, 3, 1, 1)
COLOUR_BYTES = (4, 3, 4, 3)
TABLE_BYTES = (0, 0, 256 * 4, 256 * 3)
MAX_LOG2 = 11
TILE = 16  # texels
INVALID = (1 << 18) - 1


def mips(log2w: int, log2h: int) -> int:
    """Levels of a complete chain."""
    return max(log2w, log2h) + 1


def mip_tiles(log2w: int, log2h: int, mip: int) -> int:
    """Tiles of a mip: each side takes at least one."""
    columns = -(-max((1 << log2w) >> mip, 1) // 4)
    rows = -(-max((1 << log2h) >> mip, 1) // 4)
    return columns * rows


def mip_offset(log2w: int, log2h: int, mip: int) -> int:
    """Tiles before ``mip``: those of all smaller ones; all ones for what cannot be."""
    if max(log2w, log2h) > MAX_LOG2 or mip >= mips(log2w, log2h):
        return INVALID
    return sum(mip_tiles(log2w, log2h, smaller) for smaller in range(mip + 1, mips(log2w, log2h)))


@cache
def offset_table() -> NDArray[np.int64]:
    """:func:`mip_offset` of [log2 width, log2 height, mip], 16 each."""
    shape = (16, 16, 16)
    return np.array([mip_offset(*index) for index in np.ndindex(shape)], np.int64).reshape(shape)


def texture_bytes(log2w: int, log2h: int, kind: int) -> int:
    """Bytes of colour table and complete chain."""
    tiles = sum(mip_tiles(log2w, log2h, mip) for mip in range(mips(log2w, log2h)))
    return TABLE_BYTES[kind] + tiles * TILE * TEXEL_BYTES[kind]


@kernel
def texel_index(x: int, y: int, width: int) -> int:
    """Texels before texel (x, y) in a mip of ``width`` texels: tiles row by row, and in a tile the same."""
    columns = max(width >> 2, 1)
    return ((y >> 2) * columns + (x >> 2)) * TILE + (y & 3) * 4 + (x & 3)


def pack_texture(
    levels: Sequence[NDArray[Any]], kind: int, palette: NDArray[np.uint8] | None = None
) -> bytes:
    """A texture's bytes as they lie in memory.

    ``levels``: a complete chain, largest first: uint8 [h, w, 4] for plain formats, indices uint8 [h, w] for
    tabled ones, with ``palette`` uint8 [256, 4]. Unused texels of a padded tile are 0. Raises
    :class:`UserError` for a chain that is not complete.
    """
    height, width = levels[0].shape[:2]
    log2w, log2h = width.bit_length() - 1, height.bit_length() - 1
    if len(levels) != mips(log2w, log2h):
        raise UserError(
            f"{len(levels)} levels of a {width} x {height} texture: {mips(log2w, log2h)} are needed"
        )
    size, channels = TEXEL_BYTES[kind], COLOUR_BYTES[kind]
    parts = [] if palette is None else [palette[:, :channels].tobytes()]
    for mip in reversed(range(len(levels))):
        level = levels[mip]
        rows, columns = level.shape[:2]
        memory = np.zeros((mip_tiles(log2w, log2h, mip) * TILE, size), np.uint8)
        y, x = np.mgrid[:rows, :columns]
        index = ((y // 4) * max(columns // 4, 1) + x // 4) * 16 + (y % 4) * 4 + x % 4
        memory[index] = level.reshape(rows, columns, -1)[..., :size]
        parts.append(memory.tobytes())
    return b"".join(parts)

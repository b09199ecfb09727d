# SPDX-License-Identifier: Apache-2.0
"""Mip chains as words of memory: RGBA bytes, R in the lowest, in the layout of a configuration."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.kernels import kernel
from models.texcache.address import LAYOUTS, texel_offset
from models.texcache.lut import allocate, first_level
from workloads.textures import Texture
from workloads.textures.mipmaps import Rgba


class TextureMemory(NamedTuple):
    """``lut`` [textures, levels] of line addresses; ``image`` words from byte address ``base`` on."""

    lut: NDArray[np.uint32]
    base: int
    image: NDArray[np.uint32]


def write_textures(cfg: Config, textures: Sequence[Texture], base: int = 0) -> TextureMemory:
    """The chains of ``textures`` one after the other; texture i has id i. Gaps between levels hold zeros.

    Raises :class:`UserError` for too many or too large textures, and for a base that is no line's start.
    """
    lut, total = allocate(cfg, [texture.side for texture in textures], base)
    image = np.zeros(total // 4, np.uint32)
    for tex, texture in enumerate(textures):
        first = first_level(cfg, texture.side)
        for level, pixels in enumerate(texture.levels, first):
            start = int(lut[tex, level]) * cfg.line_texels - base // 4
            image[start : start + pixels.shape[0] ** 2] = arrange(cfg, pixels)
    return TextureMemory(lut, base, image)


def arrange(cfg: Config, pixels: Rgba) -> NDArray[np.uint32]:
    """The texels of one level [side, side, 4] as words in the order in which ``cfg`` keeps them."""
    rows = words(pixels)
    ordered = np.empty(rows.size, np.uint32)
    _scatter(LAYOUTS.index(cfg.layout), rows, len(rows).bit_length() - 1, ordered)
    return ordered


def words(pixels: Rgba) -> NDArray[np.uint32]:
    """RGBA bytes [..., 4] as words [...], whatever the machine's byte order."""
    return np.ascontiguousarray(pixels).view("<u4")[..., 0].astype(np.uint32)


@kernel
def _scatter(layout: int, rows: NDArray[np.uint32], log2_side: int, ordered: NDArray[np.uint32]) -> None:
    side = len(rows)
    for y in range(side):
        for x in range(side):
            ordered[texel_offset(layout, x, y, log2_side)] = rows[y, x]

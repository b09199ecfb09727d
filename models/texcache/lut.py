# SPDX-License-Identifier: Apache-2.0
"""Where the mip chains of textures lie in memory: the contents of the texture cache's look-up table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import TEXEL_BYTES, Config


def allocate(cfg: Config, sides: Sequence[int], base: int = 0) -> tuple[NDArray[np.uint32], int]:
    """Places the mip chains of square textures one after the other from byte address ``base``.

    ``sides`` gives the largest side of each texture; texture i gets the levels of that side down to 1 x 1, in
    this order, each at the start of a line. Returns (line addresses [textures, levels], total bytes); entries
    of levels that a texture does not have are 0. Raises :class:`UserError` for what does not fit ``cfg``.
    """
    if len(sides) > cfg.textures:
        raise UserError(
            f"{len(sides)} textures: {cfg.name} holds {cfg.textures}; a larger table has them: "
            f'SET="textures={1 << (len(sides) - 1).bit_length()}" (256 at most)'
        )
    if base < 0 or base % cfg.cache.line_bytes:
        raise UserError(
            f"texture memory at byte address {base}: must be a multiple of a line's "
            f"{cfg.cache.line_bytes} bytes"
        )
    lut = np.zeros((cfg.textures, cfg.levels), np.uint32)
    lines = [
        [level_lines(cfg, level) for level in range(first_level(cfg, side), cfg.levels)] for side in sides
    ]
    total = sum(map(sum, lines)) * cfg.cache.line_bytes
    if base + total > 1 << cfg.cache.address_bits:
        raise UserError(
            f"{total} bytes of textures from {base}: beyond the {cfg.cache.address_bits}-bit address space"
        )
    line = base // cfg.cache.line_bytes
    for tex, chain in enumerate(lines):
        ends = np.cumsum([line, *chain])
        lut[tex, cfg.levels - len(chain) :] = ends[:-1]
        line = int(ends[-1])
    return lut, total


def first_level(cfg: Config, side: int) -> int:
    """Level of the machine at which a texture of ``side`` texels begins (0: ``max_side``)."""
    if side < 1 or side & (side - 1) or side > cfg.max_side:
        raise UserError(f"texture side {side}: must be a power of two up to max_side={cfg.max_side}")
    return cfg.levels - side.bit_length()


def level_lines(cfg: Config, level: int) -> int:
    """Lines that ``level`` occupies, the last one perhaps in part."""
    return -(-(cfg.level_side(level) ** 2) * TEXEL_BYTES // cfg.cache.line_bytes)

# SPDX-License-Identifier: Apache-2.0
"""Addresses of the texture cache: texel layouts, what is looked up, a line's place in the cache.

A footprint is the 2 x 2 texels of one bilinear request: texel 0 at (u, v), 1 at (u+1, v), 2 at (u, v+1) and 3
at (u+1, v+1), every coordinate wrapped on its own. Level n of any texture is a square of ``max_side >> n``.
A texel address counts texels (words of 4 bytes), a line address counts lines.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.kernels import kernel
from models.wrapping import wrap

#: one request; coordinates are signed and not yet wrapped
FOOTPRINT = np.dtype(
    [("tex", "u2"), ("level", "u1"), ("mode_u", "u1"), ("mode_v", "u1"), ("u", "i2"), ("v", "i2")]
)
LAYOUTS = ("row-major", "tile4x4", "morton")
ROW_MAJOR, TILE4X4, MORTON = range(3)

#: texel whose line each look-up slot asks for: left and right of the two rows, in the order L0 L1 R0 R1
SLOT_TEXEL = (0, 2, 1, 3)


class Geometry(NamedTuple):
    """What the kernels need to know of a configuration."""

    log2_max_side: int
    layout: int
    offset_bits: int  # texel in line
    set_bits: int
    banks: int
    small_side: int
    every_texel: bool  # look all four texels up
    line_mask: int


def geometry(cfg: Config) -> Geometry:
    """The kernels' view of ``cfg``. Raises :class:`UserError` beyond 32-bit word addresses."""
    if cfg.texel_bits > 32:
        raise UserError(
            f"address_bits={cfg.cache.address_bits}: the models take at most 34 (32-bit word addresses)"
        )
    return Geometry(
        log2_max_side=cfg.levels - 1,
        layout=LAYOUTS.index(cfg.layout),
        offset_bits=cfg.place_bits,
        set_bits=cfg.cache.set_bits,
        banks=cfg.banks,
        small_side=cfg.small_side,
        every_texel=cfg.lookup == "texel",
        line_mask=(1 << cfg.cache.line_bits) - 1,
    )


@kernel
def spread(x: int) -> int:
    """Moves bit i of ``x`` (up to 16 bits) to bit 2i."""
    x = (x | x << 8) & 0x00FF00FF
    x = (x | x << 4) & 0x0F0F0F0F
    x = (x | x << 2) & 0x33333333
    return (x | x << 1) & 0x55555555


@kernel
def texel_offset(layout: int, x: int, y: int, log2_side: int) -> int:
    """Place of texel (x, y) in its level of side ``1 << log2_side``, in texels.

    Tiles of 4 x 4 and blocks of 8 x 1 keep their shape whatever the line holds; levels too small for one are
    row-major. The blocks' bits are interleaved x0 y0 x1 y1 ... until x, three bits shorter, has no more.
    """
    if layout == TILE4X4 and log2_side >= 2:
        tile = ((y >> 2) << (log2_side - 2)) + (x >> 2)
        return tile * 16 + (y & 3) * 4 + (x & 3)
    if layout == MORTON and log2_side >= 3:
        shared = log2_side - 3
        low_y = y & ((1 << shared) - 1)
        block = (y >> shared) << (2 * shared) | spread(low_y) << 1 | spread(x >> 3)
        return block * 8 + (x & 7)
    return (y << log2_side) + x


@kernel
def texel_addresses(geo: Geometry, lut: NDArray[np.uint32], footprint: Any) -> tuple[int, int, int, int]:
    """Texel addresses of the four texels; they wrap around at the end of the address space."""
    log2_side = geo.log2_max_side - footprint.level
    side = 1 << log2_side
    x0, x1 = wrap(footprint.mode_u, footprint.u, side), wrap(footprint.mode_u, footprint.u + 1, side)
    y0, y1 = wrap(footprint.mode_v, footprint.v, side), wrap(footprint.mode_v, footprint.v + 1, side)
    base: Any = np.int64(lut[footprint.tex, footprint.level]) << geo.offset_bits
    mask = (geo.line_mask << geo.offset_bits) | ((1 << geo.offset_bits) - 1)
    return (
        (base + texel_offset(geo.layout, x0, y0, log2_side)) & mask,
        (base + texel_offset(geo.layout, x1, y0, log2_side)) & mask,
        (base + texel_offset(geo.layout, x0, y1, log2_side)) & mask,
        (base + texel_offset(geo.layout, x1, y1, log2_side)) & mask,
    )


@kernel
def looked_up(geo: Geometry, slot: int, addresses: tuple[int, int, int, int]) -> bool:
    """Whether ``slot`` is looked up: a right-hand texel only if its line is not its left neighbour's."""
    if slot < 2 or geo.every_texel:
        return True
    right = SLOT_TEXEL[slot]
    return addresses[right] >> geo.offset_bits != addresses[right - 1] >> geo.offset_bits


@kernel
def is_small(geo: Geometry, level: int) -> bool:
    """Whether ``level`` lives in the last bank only."""
    return (1 << geo.log2_max_side) >> level < geo.small_side


@kernel
def bank_of(geo: Geometry, line: int, small: bool) -> int:
    """The single-port cache of ``line``: the address bits above the set, the last one for small levels."""
    if small:
        return geo.banks - 1
    return (line >> geo.set_bits) & (geo.banks - 1)


@kernel
def set_of(geo: Geometry, line: int) -> int:
    """The set of ``line`` within its bank."""
    return line & ((1 << geo.set_bits) - 1)


@kernel
def tag_of(geo: Geometry, line: int) -> int:
    """The stored tag of ``line``: all above the set index, the bank's bits included."""
    return line >> geo.set_bits

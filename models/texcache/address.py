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
from models.kernels import inlined, kernel
from models.wrapping import wrap_four

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
    parity: bool  # the parity of a line's row and column chooses its bank
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
        parity=cfg.parity,
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
    return row_offset(layout, y, log2_side) + column_offset(layout, x, log2_side)


@kernel
def row_offset(layout: int, y: int, log2_side: int) -> int:
    """What row ``y`` adds to a texel's place: a footprint has two rows, and four texels."""
    if layout == TILE4X4 and log2_side >= 2:
        return ((y >> 2) << (log2_side - 2)) * 16 + (y & 3) * 4
    if layout == MORTON and log2_side >= 3:
        shared = log2_side - 3
        low_y = y & ((1 << shared) - 1)
        return ((y >> shared) << (2 * shared) | spread(low_y) << 1) * 8
    return y << log2_side


@kernel
def column_offset(layout: int, x: int, log2_side: int) -> int:
    """What column ``x`` adds to a texel's place."""
    if layout == TILE4X4 and log2_side >= 2:
        return (x >> 2) * 16 + (x & 3)
    if layout == MORTON and log2_side >= 3:
        return spread(x >> 3) * 8 + (x & 7)
    return x


class Texels(NamedTuple):
    """The four texels of a footprint: their addresses, and the sides of their lines (see :func:`side_of`)."""

    address: tuple[int, int, int, int]
    side: tuple[int, int, int, int]


@inlined
def texels(geo: Geometry, lut: NDArray[np.uint32], footprint: Any) -> Texels:
    """Where the four texels are; addresses wrap around at the end of the address space."""
    log2_side = geo.log2_max_side - footprint.level
    x: Any = np.int64(footprint.u)
    y: Any = np.int64(footprint.v)
    x0, x1, y0, y1 = wrap_four((footprint.mode_u, footprint.mode_v), x, y, (log2_side, log2_side))
    base: Any = np.int64(lut[footprint.tex, footprint.level]) << geo.offset_bits
    mask = (geo.line_mask << geo.offset_bits) | ((1 << geo.offset_bits) - 1)
    left, right = column_offset(geo.layout, x0, log2_side), column_offset(geo.layout, x1, log2_side)
    upper, lower = row_offset(geo.layout, y0, log2_side), row_offset(geo.layout, y1, log2_side)
    a, b, c, d = upper + left, upper + right, lower + left, lower + right
    address = (base + a) & mask, (base + b) & mask, (base + c) & mask, (base + d) & mask
    if not geo.parity:
        return Texels(address, (0, 0, 0, 0))
    bits, width = geo.offset_bits, line_width(geo, log2_side)
    height = min(bits - width, log2_side)
    x0, x1, y0, y1 = x0 >> width, x1 >> width, y0 >> height, y1 >> height
    side = (
        side_of(x0, y0, a >> bits), side_of(x1, y0, b >> bits), side_of(x0, y1, c >> bits),
        side_of(x1, y1, d >> bits),
    )  # fmt: skip
    return Texels(address, side)


@kernel
def line_width(geo: Geometry, log2_side: int) -> int:
    """Log2 of the columns that a line covers in a level; the rest of its texels are rows."""
    n, inside = log2_side, geo.offset_bits
    if geo.layout == TILE4X4 and n >= 2:
        return min(inside, 2) + min(max(inside - 4, 0), n - 2)  # a tile's columns, then tiles of a row
    if geo.layout == MORTON and n >= 3:
        pairs = max(inside - 3, 0)  # bits above a block, of x and y in turn until x has no more
        return min(inside, 3) + min((pairs + 1) >> 1, n - 3)
    return min(inside, n)


@kernel
def side_of(column: int, row: int, line: int) -> int:
    """With banks by parity, which half of the banks has a line: 0 or 1.

    ``column``, ``row``: where it is among the lines of its level; ``line``: which of them it is. The lowest
    bit of its address tells the parity of one of these (and of where the level begins); this is the other
    one's.
    """
    return (column ^ row ^ line) & 1


@kernel
def looked_up(geo: Geometry, addresses: tuple[int, int, int, int]) -> tuple[bool, bool, bool, bool]:
    """Which slots are looked up: a right-hand texel only if its line is not its left neighbour's.

    With banks by parity no texel is whose line an earlier slot has.
    """
    a, b = addresses[0] >> geo.offset_bits, addresses[1] >> geo.offset_bits
    c, d = addresses[2] >> geo.offset_bits, addresses[3] >> geo.offset_bits
    if geo.parity:
        return True, c != a, b != a and b != c, d != a and d != b and d != c
    return True, True, geo.every_texel or b != a, geo.every_texel or d != c


@kernel
def is_small(geo: Geometry, level: int) -> bool:
    """Whether ``level`` lives in the last bank only."""
    return (1 << geo.log2_max_side) >> level < geo.small_side


@kernel
def bank_of(geo: Geometry, line: int, side: int, small: bool) -> int:
    """The single-port cache of ``line``: the address bits above the set, the last one for small levels.

    By parity: ``side`` (:func:`side_of`) and the line address's lowest bit.
    """
    if geo.parity:
        return side << 1 | line & 1
    if small:
        return geo.banks - 1
    return (line >> geo.set_bits) & (geo.banks - 1)


@kernel
def set_of(geo: Geometry, line: int) -> int:
    """The set of ``line`` within its bank: its lowest bits; by parity, three groups above the lowest bit."""
    mask = (1 << geo.set_bits) - 1
    if geo.parity:
        above = line >> 1
        return (above ^ above >> geo.set_bits ^ above >> (2 * geo.set_bits)) & mask
    return line & mask


@kernel
def tag_of(geo: Geometry, line: int) -> int:
    """The stored tag of ``line``: all above the set index, the bank's bits included.

    With a folded set that is all that is needed, too: the set gives the bits below.
    """
    return line >> geo.set_bits


@kernel
def line_of(geo: Geometry, bank: int, index: int, tag: int) -> int:
    """The line of a tag in a set of a bank: the inverse of the three functions above."""
    if not geo.parity:
        return tag << geo.set_bits | index
    high = tag >> 1  # bits of the second group and above
    group = (index ^ high ^ high >> geo.set_bits) & ((1 << geo.set_bits) - 1)
    return (high << geo.set_bits | group) << 1 | bank & 1

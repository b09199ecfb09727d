# SPDX-License-Identifier: Apache-2.0
"""Which bank of a unit's cache a line is in: two lines of one pixel never are in the same.

The texels of a pixel are a texel, the one right of it and the two below these, each coordinate wrapped on its
own. Tiles of 4 x 4 have four lines of 16 bytes (RGBA8), three (RGB8) or one (tabled).
"""

from models.kernels import kernel
from models.texunit.address import RGB8, RGBA8

BANKS = 8
LOW_BITS = 3  # of a line address, which tell banks apart, mostly: no part of the set


@kernel
def bank_of(kind: int, column: int, row: int, line: int) -> int:
    """The bank of line ``line`` of the tile in column ``column`` and row ``row`` of a mip's tiles.

    Tiles side by side are in different halves. In a half, lines are told apart by their rows in the tile
    (RGBA8); by their number in it and the tile's row, as the last of a tile and the first of the tile below
    are neighbours (RGB8); or by the tile's row and another bit of its column (tabled).
    """
    half = column & 1
    if kind == RGBA8:
        inner = line & 3
    elif kind == RGB8:
        inner = (line + row) & 3
    else:
        inner = (row & 1) << 1 | (column >> 1) & 1
    return half << 2 | inner


@kernel
def set_of(line: int, set_bits: int) -> int:
    """The set of a line address in its bank: three groups of bits above the lowest three, exclusive or."""
    above = line >> LOW_BITS
    return (above ^ above >> set_bits ^ above >> 2 * set_bits) & ((1 << set_bits) - 1)


def line_of(set_bits: int, tag: int, index: int) -> int:
    """The line address with the set ``index``, and ``tag``: its bits but those that the set gives back."""
    high, low = tag >> LOW_BITS, tag & (1 << LOW_BITS) - 1
    folded = (high ^ high >> set_bits) & (1 << set_bits) - 1
    return (high << set_bits | index ^ folded) << LOW_BITS | low

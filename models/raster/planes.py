# SPDX-License-Identifier: Apache-2.0
"""Depth as a linear function over the screen, in fixed point: gradients, and the words of pixels.

v has 24 fraction bits below depth's 32, and is kept modulo 2^60. Kernels keep it modulo 2^64, as int64 wraps
around, and look at its low 60 bits alone.
"""

from typing import Any

from configs.depth import D16, D24X8
from models.kernels import allocating
from models.raster.records import SUBPIXEL, X, Y, Z

FRACTION = 24  # bits of v below those of depth
V_BITS = 60
DEPTH_MAX = (1 << 32) - 1
_PIECE = 8  # bits of a quotient at a time: a remainder is below 2^47
_SPARE = 64 - V_BITS


@allocating
def gradient(numerator: int, denominator: int) -> int:
    """floor(``numerator`` * 2^24 / ``denominator``) modulo 2^64, of below 2^56 and above 0, below 2^48.

    The product has up to 80 bits: the quotient is made in pieces, by long division.
    """
    quotient = numerator // denominator
    remainder = numerator - quotient * denominator
    for _ in range(FRACTION // _PIECE):
        remainder <<= _PIECE
        digit = remainder // denominator
        remainder -= digit * denominator
        quotient = (quotient << _PIECE) + digit
    return quotient


@allocating
def plane(a: Any, b: Any, c: Any, area: int) -> tuple[int, int]:
    """Gx and Gy of a triangle of this ``area``, which is positive."""
    dz_b, dz_c = b[Z] - a[Z], c[Z] - a[Z]
    across = gradient(dz_b * (c[Y] - a[Y]) - dz_c * (b[Y] - a[Y]), area)
    down = gradient(dz_c * (b[X] - a[X]) - dz_b * (c[X] - a[X]), area)
    return across, down


@allocating
def value_at(a: Any, gradients: tuple[int, int], x: int, y: int) -> int:
    """The v of pixel (x, y) on the plane through corner ``a``."""
    across, down = gradients
    return (a[Z] << FRACTION) + across * (SUBPIXEL * x - a[X]) + down * (SUBPIXEL * y - a[Y])


@allocating
def depth_word(v: int, format: int) -> int:
    """The word of a drawn pixel in its format."""
    signed = (v << _SPARE) >> _SPARE
    depth = min(max((signed + (1 << (FRACTION - 1))) >> FRACTION, 0), DEPTH_MAX)
    if format == D24X8:
        return depth >> 8
    return depth >> 16 if format == D16 else depth

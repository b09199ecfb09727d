# SPDX-License-Identifier: Apache-2.0
"""Texture sampling in 8-bit fixed point: from a coordinate to texels and weights, from texels to a colour.

The rules are those of Mesa llvmpipe's RGBA8 sampler; ``rounding=False`` truncates instead, as cheaper
hardware does. Wrap modes are those of OpenGL ES 3.0, section 3.8.9, on each texel's place. :func:`sample`
filters whole images: nearest, bilinear, trilinear.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.kernels import allocating, kernel
from models.wrapping import wrap

NEAREST, BILINEAR, TRILINEAR = "nearest", "bilinear", "trilinear"
FILTERS = (NEAREST, BILINEAR, TRILINEAR)


@kernel
def lerp(p: Any, q: Any, a: Any, half: Any = 128) -> Any:
    """From ``p`` to ``q`` by ``a`` / 256; rounded with ``half`` 128, truncated with 0."""
    return p + (((q - p) * a + half) >> 8)


@kernel
def bilinear(texels: Any, fu: Any, fv: Any, half: Any = 128) -> int:
    """Four packed RGBA8 texels (upper left, upper right, lower left, lower right), filtered."""
    colour = 0
    for shift in range(0, 32, 8):
        s0, s1 = (int(texels[0]) >> shift) & 255, (int(texels[1]) >> shift) & 255
        s2, s3 = (int(texels[2]) >> shift) & 255, (int(texels[3]) >> shift) & 255
        upper, lower = lerp(s0, s1, int(fu), half), lerp(s2, s3, int(fu), half)
        colour |= lerp(upper, lower, int(fv), half) << shift
    return colour


@kernel
def between(p: int, q: int, a: int, half: int = 128) -> int:
    """Two packed colours, mixed by ``a`` / 256: between two levels. ``half`` as of :func:`lerp`."""
    colour = 0
    for shift in range(0, 32, 8):
        colour |= lerp((p >> shift) & 255, (q >> shift) & 255, a, half) << shift
    return colour


@kernel
def scaled(u: int, log2: int, rounding: bool) -> int:
    """s16.16 coordinate ``u`` on a side of 2 ** ``log2`` texels: texels times 256, from texel 0's centre.

    Rounded to nearest, ties to even, or truncated.
    """
    value = u << log2  # 16 fraction bits, of which 8 stay
    place, rest = value >> 8, value & 255
    if rounding and (rest > 128 or (rest == 128 and place & 1)):
        place += 1
    return place - 128


@kernel
def whole(u: int, log2: int) -> int:
    """s16.16 coordinate ``u``: the texel it falls into."""
    return (u << log2) >> 16


@allocating
def _filtered(
    levels: NDArray[np.uint32], starts: NDArray[np.int64], log2w: int, log2h: int, level: int, u: int, v: int,
    mode_u: int, mode_v: int, linear: bool,
) -> int:  # fmt: skip
    w, h = max(log2w - level, 0), max(log2h - level, 0)
    start = starts[level]
    if not linear:
        x, y = wrap(mode_u, whole(u, w), w), wrap(mode_v, whole(v, h), h)
        return int(levels[start + (y << w) + x])
    x, y = scaled(u, w, True), scaled(v, h, True)
    texels = np.empty(4, np.uint32)
    for k in range(4):
        column = wrap(mode_u, (x >> 8) + (k & 1), w)
        row = wrap(mode_v, (y >> 8) + (k >> 1), h)
        texels[k] = levels[start + (row << w) + column]
    return bilinear(texels, x & 255, y & 255)


@kernel
def _sample(
    levels: NDArray[np.uint32], starts: NDArray[np.int64], log2w: int, log2h: int, uv: NDArray[np.int64],
    lods: NDArray[np.int64], modes: tuple[int, int], kind: int, out: NDArray[np.uint32],
) -> None:  # fmt: skip
    last = len(starts) - 1
    for i in range(len(uv)):
        u, v = uv[i, 0], uv[i, 1]
        if kind < 2:
            level = min(max((lods[i] + 128) >> 8, 0), last)
            out[i] = _filtered(levels, starts, log2w, log2h, level, u, v, modes[0], modes[1], kind == 1)
            continue
        level, weight = min(max(lods[i] >> 8, 0), last), lods[i] & 255
        colour = _filtered(levels, starts, log2w, log2h, level, u, v, modes[0], modes[1], True)
        if lods[i] > 0 and level < last:
            coarser = _filtered(levels, starts, log2w, log2h, level + 1, u, v, modes[0], modes[1], True)
            colour = between(colour, coarser, weight)
        out[i] = colour


def packed(image: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """RGBA image uint8 [h, w, 4] as words [h, w], red in the low byte."""
    return np.ascontiguousarray(image).view("<u4")[..., 0].astype(np.uint32)


def sample(
    levels: Sequence[NDArray[np.uint8]],
    uv: NDArray[Any],
    lod: NDArray[Any] | float = 0.0,
    *,
    modes: tuple[int, int] = (0, 0),
    filtering: str = BILINEAR,
) -> NDArray[np.uint8]:
    """RGBA [n, 4] of coordinates ``uv`` (s16.16 integers [n, 2]) on a mip chain.

    ``levels``: uint8 [h, w, 4], powers of two, largest first. ``lod`` [n] or a number: the level, rounded to
    the nearest (ties up) for nearest and bilinear, weighted in 1/256 for trilinear. ``modes``: 0 repeat, 1
    clamp, 2 mirror for u and v. Raises :class:`UserError` for an unknown filter or a chain of other sizes.
    """
    if filtering not in FILTERS:
        raise UserError(f"unknown filter {filtering!r}: choose one of {', '.join(FILTERS)}")
    height, width = levels[0].shape[:2]
    log2w, log2h = width.bit_length() - 1, height.bit_length() - 1
    for number, level in enumerate(levels):
        want = max(height >> number, 1), max(width >> number, 1), 4
        if level.shape != want or (1 << log2w, 1 << log2h) != (width, height):
            raise UserError(f"level {number} is {level.shape}: sides must be powers of two, each level half")
    starts = np.cumsum([0, *(level.shape[0] * level.shape[1] for level in levels[:-1])]).astype(np.int64)
    words = np.concatenate([packed(level).reshape(-1) for level in levels])
    places = np.asarray(uv, np.int64).reshape(-1, 2)
    lods = np.broadcast_to(np.floor(np.asarray(lod, np.float64) * 256).astype(np.int64), len(places))
    out = np.empty(len(places), np.uint32)
    _sample(words, starts, log2w, log2h, places, lods.copy(), modes, FILTERS.index(filtering), out)
    return out.astype("<u4").view(np.uint8).reshape(-1, 4)

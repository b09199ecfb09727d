# SPDX-License-Identifier: Apache-2.0
"""The sampler: fragments become bilinear footprints, the texels of footprints become colours.

All arithmetic is 8-bit fixed point, by the rules of Mesa llvmpipe's RGBA8 sampler (see ``models.sampler``):

* x = rint(float32(u) * float32(256 * side)) - 128; the upper left texel is x >> 8, the weight x & 255;
* level (bilinear) rint(lambda); level and weight (trilinear) floor(lambda), floor(256 * frac(lambda));
* lerp p + (((q - p) * a + 128) >> 8), first along u, then along v, then between the levels.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.sampler import between, bilinear
from models.texcache.address import FOOTPRINT
from models.wrapping import CLAMP, MIRROR, wrap

#: the machine in which levels are numbered: level 0 has this side
MAX_SIDE = 1024
_TOP = MAX_SIDE.bit_length() - 1


class Samples(NamedTuple):
    """Footprints in the order in which they are asked for, arrays of shape [n].

    ``pixel`` is the number of the fragment; the two footprints of a trilinear sample follow each other, have
    the same ``pixel``, and both carry the weight ``lw`` of the second; ``fu``, ``fv``: weights of the right
    and the lower texels, in 1/256.
    """

    footprints: NDArray[Any]
    pixel: NDArray[np.uint32]
    fu: NDArray[np.uint8]
    fv: NDArray[np.uint8]
    lw: NDArray[np.uint8]

    def take(self, which: Any) -> "Samples":
        """Some of the samples."""
        return Samples(*(column[which] for column in self))


def sample(
    fragments: NDArray[Any],
    tex: NDArray[np.int64],
    side: NDArray[np.int64],
    modes: NDArray[np.uint8],
    trilinear: bool,
) -> Samples:
    """Footprints of FRAGMENT array ``fragments`` [m].

    ``tex``, ``side`` and ``modes`` [.., 2] are indexed by the fragments' ``prim``. Coordinates are brought
    into the range of a footprint (see :func:`reduced`) without changing the texels that they mean.
    """
    most = len(fragments) * (2 if trilinear else 1)
    out = Samples(
        np.zeros(most, FOOTPRINT),
        np.empty(most, np.uint32),
        *(np.zeros(most, np.uint8) for _ in range(3)),
    )
    return out.take(slice(_sample(fragments, tex, side, modes, trilinear, out)))


@kernel
def fixed(u: Any, side: int) -> int:
    """Texture coordinate ``u`` (float32) as texels times 256, seen from the centre of texel 0."""
    return int(np.rint(np.float32(u) * np.float32(256 * side))) - 128


@kernel
def reduced(mode: int, texel: int, side: int) -> int:
    """An upper left texel within -1..2 * side - 1 that means the same two texels under ``mode``."""
    if mode == CLAMP:
        return min(max(texel, -1), side - 1)
    if mode == MIRROR:
        return texel & (2 * side - 1)
    return texel & (side - 1)


@kernel
def choose_levels(lod: Any, last: int, trilinear: bool) -> tuple[int, int, int]:
    """First level, how many levels (1 or 2) and the weight of the second, for levels 0..last of a texture."""
    # as llvmpipe does: nearest for bilinear; a magnified or smallest texture has a single level
    if not trilinear:
        return int(min(max(np.rint(lod), 0.0), float(last))), 1, 0
    if lod <= 0.0:
        return 0, 1, 0
    if lod >= last:
        return last, 1, 0
    level = int(np.floor(lod))
    return level, 2, int(np.floor(256.0 * (lod - level)))


@kernel
def _sample(
    fragments: NDArray[Any],
    tex: NDArray[np.int64],
    side: NDArray[np.int64],
    modes: NDArray[np.uint8],
    trilinear: bool,
    out: Samples,
) -> int:
    count = 0
    for i in range(len(fragments)):
        prim = fragments[i].prim
        last = 0
        while side[prim] >> last > 1:
            last += 1
        first, levels, weight = choose_levels(fragments[i].lod, last, trilinear)
        for level in range(first, first + levels):
            width = side[prim] >> level
            x, y = fixed(fragments[i].u, width), fixed(fragments[i].v, width)
            footprint = out.footprints[count]
            footprint.tex = tex[prim]
            footprint.level = _TOP - last + level
            footprint.mode_u, footprint.mode_v = modes[prim, 0], modes[prim, 1]
            footprint.u = reduced(modes[prim, 0], x >> 8, width)
            footprint.v = reduced(modes[prim, 1], y >> 8, width)
            out.pixel[count] = i
            out.fu[count], out.fv[count], out.lw[count] = x & 255, y & 255, weight
            count += 1
    return count


@kernel
def fetch(
    texels: NDArray[np.uint32], starts: NDArray[np.int64], footprints: NDArray[Any], out: NDArray[np.uint32]
) -> None:
    """The four texels of each footprint into ``out`` [n, 4], straight from row-major levels, without a cache.

    Level l of texture t begins at ``texels[starts[t, l]]``.
    """
    for i in range(len(footprints)):
        f = footprints[i]
        log2_side = _TOP - f.level
        for k in range(4):
            x, y = wrap(f.mode_u, f.u + (k & 1), log2_side), wrap(f.mode_v, f.v + (k >> 1), log2_side)
            out[i, k] = texels[starts[f.tex, f.level] + (y << log2_side) + x]


@kernel
def filtered(samples: Samples, texels: NDArray[np.uint32], out: NDArray[np.uint8]) -> None:
    """RGBA of each fragment into ``out`` [fragments, 4] from ``texels`` [n, 4] of the samples."""
    colour = 0
    for i in range(len(samples.pixel)):
        pixel, before = samples.pixel[i], colour
        colour = bilinear(texels[i], samples.fu[i], samples.fv[i])
        if i > 0 and samples.pixel[i - 1] == pixel:
            colour = between(before, colour, int(samples.lw[i]))
        for channel in range(4):
            out[pixel, channel] = colour >> (8 * channel) & 255

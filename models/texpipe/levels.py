# SPDX-License-Identifier: Apache-2.0
"""The level of a quad, and of two levels that are mixed how much of the second one."""

from typing import Any

from models.kernels import kernel
from models.texunit import lod_of, square_of

ONE = 1 << 16  # of a square: a step of a texel
LARGEST = (1 << 32) - 1


@kernel
def level_of(prim: Any, quad: Any, trilinear: bool) -> tuple[int, int]:
    """Level of a quad, and its fraction in 1/256: the share of the next level; 0 if the level is alone.

    ``trilinear``: the unit mixes levels, if the primitive asks for it. Then the level is half the logarithm
    of the quad's square, in 1/256: its leading one tells 128 each, the seven bits below that one are taken
    for the rest. Level 0 alone where the texture is magnified, the last one alone from there on.
    """
    if not (trilinear and prim.trilinear):
        return lod_of(prim, quad), 0
    square, last = min(square_of(prim, quad), LARGEST), int(prim.max_lod)
    if square < ONE:
        return 0, 0
    octaves = 0
    while square >> octaves >= 2 * ONE:
        octaves += 1
    lod = 128 * octaves + (square >> octaves + 9) % 128
    return (lod >> 8, lod & 255) if lod >> 8 < last else (last, 0)

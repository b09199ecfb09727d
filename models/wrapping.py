# SPDX-License-Identifier: Apache-2.0
"""Wrap modes: which texel of a level a coordinate beyond its edges means."""

from models.kernels import kernel

REPEAT, CLAMP, MIRROR = range(3)


@kernel
def wrap(mode: int, x: int, side: int) -> int:
    """Coordinate ``x`` brought into a side that is a power of two (OpenGL ES 3.2, section 8.14.2)."""
    there = x & (2 * side - 1)  # of the level and its mirror image
    mirrored = min(there, 2 * side - 1 - there)
    chosen = mirrored if mode == MIRROR else x & (side - 1)  # no branch, which modes at random would mislead
    return min(max(x, 0), side - 1) if mode == CLAMP else chosen

# SPDX-License-Identifier: Apache-2.0
"""Wrap modes: which texel of a level a coordinate beyond its edges means."""

from typing import Any

import numpy as np

from models.kernels import inlined, kernel

REPEAT, CLAMP, MIRROR = range(3)


@kernel
def wrap(mode: int, x: int, log2_side: int) -> int:
    """Coordinate ``x`` brought into a side of ``1 << log2_side`` (OpenGL ES 3.2, section 8.14.2).

    There is no branch on the mode's bits, CLAMP and MIRROR, which modes at random would mislead.
    """
    clamp, mirror = np.int64(mode) & 1, np.int64(mode) >> 1
    last = (1 << log2_side) - 1
    repeated = (x ^ -(x >> log2_side & mirror)) & last  # all bits turned: counted from the other end
    return int(repeated ^ ((repeated ^ min(max(x, 0), last)) & -clamp))


@inlined
def wrap_four(
    modes: tuple[int, int], x: Any, y: Any, log2_sides: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Columns of the texel at (x, y) and of the one right of it, their rows and those below: each wrapped on
    its own. ``modes`` and ``log2_sides``: of u and v.

    Most are inside, and at no edge: that is asked first (a tenth of a model's time). Below 0 is far up.
    """
    last_x, last_y = np.uint64((1 << log2_sides[0]) - 1), np.uint64((1 << log2_sides[1]) - 1)
    if (np.uint64(x) < last_x) & (np.uint64(y) < last_y):
        return x, x + 1, y, y + 1
    return (
        wrap(modes[0], x, log2_sides[0]), wrap(modes[0], x + 1, log2_sides[0]),
        wrap(modes[1], y, log2_sides[1]), wrap(modes[1], y + 1, log2_sides[1]),
    )  # fmt: skip

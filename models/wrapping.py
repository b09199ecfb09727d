# SPDX-License-Identifier: Apache-2.0
"""Wrap modes: which texel of a level a coordinate beyond its edges means."""

import numpy as np

from models.kernels import kernel

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

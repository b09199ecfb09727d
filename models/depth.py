# SPDX-License-Identifier: Apache-2.0
"""The depth test: eight compare functions on 24 bits, before texturing ("early") or after it ("late").

A fragment passes where ``depth FUNCTION stored`` holds (OpenGL 4.6, section 17.3.4); without DEPTH_TEST all
pass. What passes and is not killed by its alpha is stored if its triangle has DEPTH_WRITE. The test knows
nothing of edges or textures: the rasterizer gives covered quads with the depth of each pixel.

Early, only pixels that pass are textured; one that is killed afterwards has been textured, and is not stored.
Late, all covered pixels are textured. Both orders show the same pixels and leave the same depths.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.kernels import allocating, kernel

EARLY, LATE = "early", "late"
WHEN = (EARLY, LATE)

#: compare functions in OpenGL's order: bit 0 lets what is less pass, bit 1 equal, bit 2 greater
NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL, ALWAYS = range(8)
FUNCTIONS = ("never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always")

#: what a triangle does; flags can be added
DEPTH_TEST, DEPTH_WRITE = 1, 2
DEPTH_MAX = (1 << 24) - 1


@allocating
def level_of(z: float) -> int:
    """Window depth ``z``, clamped to 0..1, as 24 bits, rounded to the nearest."""
    return int(min(max(z, 0.0), 1.0) * DEPTH_MAX + 0.5)


@kernel
def compares(function: int, level: int, stored: int) -> bool:
    """Whether ``level FUNCTION stored`` holds."""
    if level < stored:
        return function & LESS != 0
    if level > stored:
        return function & GREATER != 0
    return function & EQUAL != 0


@allocating
def tested(triangle: Any, quad: Any, mask: int, killed: int, depth: NDArray[np.int32]) -> int:
    """Which pixels of ``mask`` in SCREEN_QUAD ``quad`` pass, a bit each; stores depths of those not killed.

    ``triangle`` has ``flags`` and a function ``compare``; ``depth`` [height, width] is the buffer.
    """
    passed = 0
    for p in range(4):
        if not mask >> p & 1:
            continue
        x, y, level = quad.x + (p & 1), quad.y + (p >> 1), quad.depth[p]
        if triangle.flags & DEPTH_TEST and not compares(triangle.compare, level, depth[y, x]):
            continue
        passed |= 1 << p
        if triangle.flags & DEPTH_WRITE and not killed >> p & 1:
            depth[y, x] = level
    return passed


#: what the test needs of a triangle
STATE = np.dtype([("flags", "u1"), ("compare", "u1")])


def states(flags: NDArray[np.uint8], compare: NDArray[np.uint8]) -> NDArray[Any]:
    """STATE [n] of the triangles' ``flags`` and compare functions."""
    made = np.empty(len(flags), STATE)
    made["flags"], made["compare"] = flags, compare
    return made


def cleared(width: int, height: int, level: int = DEPTH_MAX) -> NDArray[np.int32]:
    """A depth buffer [height, width], all at ``level``."""
    return np.full((height, width), level, np.int32)


@allocating
def run_test(
    quads: NDArray[Any], state: NDArray[Any], killed: NDArray[np.uint8], depth: NDArray[np.int32]
) -> NDArray[np.uint8]:
    """Tests covered SCREEN_QUAD array ``quads`` [n] in order against ``depth``, and stores there.

    ``state``: STATE by the quads' ``prim``; ``killed`` [n]: pixels that their alpha discards, a bit each.
    Returns those that pass [n], killed ones among them.
    """
    passed = np.empty(len(quads), np.uint8)
    for i in range(len(quads)):
        passed[i] = tested(state[quads[i].prim], quads[i], quads[i].valid, killed[i], depth)
    return passed

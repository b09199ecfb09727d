# SPDX-License-Identifier: Apache-2.0
"""Words that go in and out of ``raster``, and what its kernels work on."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.depth import PIXELS, SIDE
from configs.raster.schema import SUBPIXEL_BITS
from models.kernels import allocating

SUBPIXEL = 1 << SUBPIXEL_BITS
HALF = SUBPIXEL // 2
X, Y, Z = range(3)  # columns of a corner: 1/256 pixel, 1/256 pixel, depth / 2^32

_STATE = [("test", "u1"), ("func", "u1"), ("write", "u1"), ("format", "u1")]
#: a word of ``vtx``: begin, vertex, restart, pass
VERTEX = np.dtype(
    [("op", "u1"), ("topology", "u1"), *_STATE, ("command", "u1"), ("x", "i4"), ("y", "i4"), ("z", "u4")]
)
#: a word of ``tile``; ``step``: the cycle of its primitive's walk in which it was found, from 0 on
TILE = np.dtype(
    [
        ("op", "u1"), ("x", "u2"), ("y", "u2"), ("mask", "u2"), *_STATE, ("depth", "u4", PIXELS),
        ("prim", "u2"), ("step", "i4"),
    ]
)  # fmt: skip
#: What became of a word of ``vtx``. ``setup``: cycles of set-up, 0 if nothing went there; ``walk``: cycles of
#: the walk, while nobody holds it back; ``primitive``: it completed one; ``words`` of ``tile`` that it gave;
#: ``pixels`` that they cover; ``visited``: tiles looked at, of a point or line those given on.
WORK = np.dtype(
    [
        ("setup", "i4"), ("walk", "i4"), ("primitive", "u1"), ("words", "i4"), ("pixels", "i4"),
        ("visited", "i4"),
    ]
)  # fmt: skip
#: what a begin sets, and how far it has come since: ``held`` vertices of a primitive that is not complete
STATE = np.dtype(
    [
        ("topology", "u1"), *_STATE, ("width", "i8"), ("height", "i8"), ("held", "i8"), ("prim", "u2"),
    ]
)  # fmt: skip


class Machine(NamedTuple):
    """One rasterizer. ``setup``: cycles of a line or triangle; ``state`` STATE [1]; ``corners`` [3, 3]: the
    vertices collected so far, then those of the primitive: x, y, z of A, B, C.
    """

    serpentine: bool
    visited: bool
    setup: int
    state: NDArray[Any]
    corners: NDArray[np.int64]


def columns(tiles: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """TILE [n] by field of the stream ``tile``, ``depth0`` to ``depth15`` among them."""
    names = [name for name in TILE.names or () if name not in ("depth", "step")]
    return {name: tiles[name] for name in names} | {f"depth{n}": tiles["depth"][:, n] for n in range(PIXELS)}


@allocating
def with_room(out: NDArray[Any], count: int, more: int) -> NDArray[Any]:
    """``out``, or a longer array that begins with its first ``count``, so that ``more`` go in."""
    if count + more <= len(out):
        return out
    longer = np.empty(2 * len(out) + more, TILE)
    longer[:count] = out[:count]
    return longer


@allocating
def start_word(word: Any, state: Any, x: int, y: int) -> None:
    """Makes ``word`` the tile (x, y), with nothing drawn in it yet."""
    word.op = 0
    word.x, word.y = x, y
    word.mask = 0
    word.test, word.func, word.write, word.format = state.test, state.func, state.write, state.format
    word.depth[:] = 0
    word.prim = state.prim
    word.step = 0


@allocating
def draw_pixel(word: Any, x: int, y: int, depth: int) -> None:
    """Puts pixel (x, y) of the screen, which lies in this tile, into it."""
    pixel = (y % SIDE) * SIDE + x % SIDE
    word.mask |= 1 << pixel
    word.depth[pixel] = depth

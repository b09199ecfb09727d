# SPDX-License-Identifier: Apache-2.0
"""Golden rasterizer: textured triangles become fragments with perspective-correct coordinates and LOD.

The screen is drawn tile by tile, within a tile triangle by triangle (tile-based rendering); with a tile as
large as the screen this is immediate mode, in rows of 2 x 2 quads. Rules, equal to Mesa llvmpipe's where a
picture depends on them:

* coverage: integer edge functions on 8 sub-pixel bits; a pixel centre on a left or top edge belongs to the
  triangle, on a right or bottom edge it does not;
* depth: 24 bits, tested (:mod:`models.depth`) before texturing or left to be tested after it;
* u and v: interpolated by the exact edge functions, divided by the interpolated 1/w, at every pixel;
* derivatives: differences within a quad, from its upper left pixel to the right and down; pixels of the quad
  outside the triangle are evaluated too (helper pixels) but yield no fragment;
* lambda = log2 of the longer of the two derivatives in texels, one per quad.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.depth import DEPTH_MAX, DEPTH_TEST, DEPTH_WRITE, LESS, cleared, level_of, tested
from models.kernels import allocating
from models.rasterizer_setup import CULL_BACK, MAX_SCREEN, SCREEN_TRIANGLE, SUBPIXEL, set_up

__all__ = ["CULL_BACK", "DEPTH_TEST", "DEPTH_WRITE", "FRAGMENT", "MAX_SCREEN", "rasterize"]

#: One textured pixel of one triangle: position, triangle, coordinates (1.0 is one texture), LOD lambda
FRAGMENT = np.dtype([("x", "u2"), ("y", "u2"), ("prim", "u4"), ("u", "f4"), ("v", "f4"), ("lod", "f4")])
#: a 2 x 2 quad at even (x, y): coordinates and 24-bit depths of its pixels, row by row (depths of covered
#: ones alone, else 0); bit p of ``valid``: pixel p is textured
SCREEN_QUAD = np.dtype(
    [
        ("x", "u2"), ("y", "u2"), ("prim", "u4"), ("valid", "u1"), ("lod", "f4"), ("uv", "f8", (4, 2)),
        ("depth", "i4", 4),
    ]
)  # fmt: skip
_TINY = 1e-30


def rasterize(
    clip_space: NDArray[np.float64],
    uv: NDArray[np.float64],
    side: NDArray[np.int64],
    flags: NDArray[np.uint8],
    width: int,
    height: int,
    tile: int = 0,
) -> NDArray[Any]:
    """Draws triangles in order, tested early with "less"; FRAGMENT in the order in which a GPU textures them.

    Arguments and errors as of :func:`rasterize_quads`.
    """
    return fragments_of(rasterize_quads(clip_space, uv, side, flags, width, height, tile))


def rasterize_quads(
    clip_space: NDArray[np.float64],
    uv: NDArray[np.float64],
    side: NDArray[np.int64],
    flags: NDArray[np.uint8],
    width: int,
    height: int,
    tile: int = 0,
    *,
    compare: NDArray[np.uint8] | None = None,
    clear: int = DEPTH_MAX,
    late: bool = False,
) -> NDArray[Any]:
    """Draws triangles in order; returns the SCREEN_QUAD array in the order in which a GPU would texture them.

    ``clip_space`` [n, 3, 4] and ``uv`` [n, 3, 2] are corners, ``side`` [n] the texture's side in texels (for
    lambda), ``flags`` [n] sums of DEPTH_TEST, DEPTH_WRITE and CULL_BACK (front is counterclockwise, y up).
    ``tile`` is the side of a tile in pixels, even; 0 draws the whole screen at once. Depth is compared by
    ``compare`` [n], LESS by default, with a buffer of ``clear``; if the test is ``late`` it is left to
    :func:`models.depth.run_test`, and all that is covered is valid. Raises :class:`UserError` for an
    impossible screen or tile.
    """
    if not (1 <= width <= MAX_SCREEN and 1 <= height <= MAX_SCREEN):
        raise UserError(f"picture of {width}x{height}: sides must be 1..{MAX_SCREEN}")
    if tile < 0 or tile % 2:
        raise UserError(f"tile of {tile} pixels: must be an even number (or 0 for no tiles)")
    n = len(clip_space)
    if compare is None:
        compare = np.full(n, LESS, np.uint8)
    shapes = [array.shape for array in (clip_space, uv, side, flags, compare)]
    if shapes != [(n, 3, 4), (n, 3, 2), (n,), (n,), (n,)]:
        raise ValueError(f"shapes {shapes} do not agree")
    if not (np.isfinite(clip_space).all() and np.isfinite(uv).all()):
        raise UserError("a triangle has a corner that is not a finite number")
    screen = np.zeros(7 * n, SCREEN_TRIANGLE)
    corners, coordinates = np.ascontiguousarray(clip_space, "f8"), np.ascontiguousarray(uv, "f8")
    state = np.ascontiguousarray(flags, "u1"), np.ascontiguousarray(compare, "u1")
    screen = screen[: set_up(corners, coordinates, *state, width, height, screen)]
    step = tile or max(width + width % 2, height + height % 2)
    starts, members = _bin(screen, step, width, height)
    depth = cleared(0, 0) if late else cleared(width, height, clear)
    return _draw(
        screen, starts, members, np.ascontiguousarray(side, "i8"), step, (width, height), late, depth
    )


@allocating
def _bin(screen: NDArray[Any], step: int, width: int, height: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Which triangles reach each tile, by their bounds: members[starts[t]:starts[t + 1]] in drawing order."""
    columns, rows = (width + step - 1) // step, (height + step - 1) // step
    starts = np.zeros(columns * rows + 1, np.int64)
    for i in range(len(screen)):
        left, right, top, bottom = screen[i].bounds
        for row in range(top // step, bottom // step + 1):
            for column in range(left // step, right // step + 1):
                starts[row * columns + column + 1] += 1
    starts = np.cumsum(starts)
    members = np.empty(starts[-1], np.int64)
    free = starts.copy()
    for i in range(len(screen)):
        left, right, top, bottom = screen[i].bounds
        for row in range(top // step, bottom // step + 1):
            for column in range(left // step, right // step + 1):
                members[free[row * columns + column]] = i
                free[row * columns + column] += 1
    return starts, members


@allocating
def _draw(
    screen: NDArray[Any],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
    side: NDArray[np.int64],
    step: int,
    size: tuple[int, int],
    late: bool,
    depth: NDArray[np.int32],
) -> NDArray[Any]:
    width, height = size
    columns = (width + step - 1) // step
    out = np.empty(max(1024, width * height // 2), SCREEN_QUAD)
    count = 0
    for tile in range(len(starts) - 1):
        left, top = tile % columns * step, tile // columns * step
        for member in members[starts[tile] : starts[tile + 1]]:
            triangle = screen[member]
            x0, x1 = max(left, triangle.bounds[0]), min(left + step - 1, triangle.bounds[1])
            y0, y1 = max(top, triangle.bounds[2]), min(top + step - 1, triangle.bounds[3])
            room = (x1 - x0 + 3) // 2 * ((y1 - y0 + 3) // 2)
            if len(out) < count + room:
                longer = np.empty(2 * len(out) + room, SCREEN_QUAD)
                longer[:count] = out[:count]
                out = longer
            count = draw_triangle(triangle, (x0, x1, y0, y1), side[triangle.prim], late, depth, out, count)
    return out[:count].copy()


@allocating
def edge(triangle: Any, k: int, x: int, y: int) -> Any:
    """Edge function of the side opposite corner k at pixel (x, y): positive inside, the three sum to area."""
    i, j = (k + 1) % 3, (k + 2) % 3
    dx, dy = np.int64(triangle.x[j] - triangle.x[i]), np.int64(triangle.y[j] - triangle.y[i])
    return dx * (y * SUBPIXEL - triangle.y[i]) - dy * (x * SUBPIXEL - triangle.x[i])


@allocating
def owns_edge(triangle: Any, k: int) -> bool:
    """Whether points exactly on the side opposite corner k belong to the triangle: left and top sides do."""
    i, j = (k + 1) % 3, (k + 2) % 3
    dx, dy = triangle.x[j] - triangle.x[i], triangle.y[j] - triangle.y[i]
    return dy < 0 or (dy == 0 and dx > 0)


@allocating
def draw_triangle(
    triangle: Any, box: Any, side: int, late: bool, depth: NDArray[np.int32], out: NDArray[Any], count: int
) -> int:
    """Draws the quads of screen ``triangle`` within ``box`` (first and last column and row).

    Appends quads to ``out`` from ``count`` on and returns the new count.
    """
    x0, x1, y0, y1 = box
    first = np.empty(3, np.int64)  # edge functions at the row's first quad; a point is inside where all >= 0
    right, down = np.empty(3, np.int64), np.empty(3, np.int64)
    left = x0 & ~1
    for k in range(3):
        first[k] = edge(triangle, k, left, y0 & ~1) - (0 if owns_edge(triangle, k) else 1)
        right[k] = edge(triangle, k, 1, 0) - edge(triangle, k, 0, 0)
        down[k] = edge(triangle, k, 0, 1) - edge(triangle, k, 0, 0)
    for y in range(y0 & ~1, y1 + 1, 2):
        e0, e1, e2 = first[0], first[1], first[2]
        for x in range(left, x1 + 1, 2):
            mask = 0
            for p in range(4):
                px, py = x + (p & 1), y + (p >> 1)
                a = e0 + (p & 1) * right[0] + (p >> 1) * down[0]
                b = e1 + (p & 1) * right[1] + (p >> 1) * down[1]
                c = e2 + (p & 1) * right[2] + (p >> 1) * down[2]
                if (a | b | c) >= 0 and x0 <= px <= x1 and y0 <= py <= y1:
                    mask |= 1 << p
            if mask:
                count = draw_quad(triangle, x, y, mask, side, late, depth, out, count)
            e0 += 2 * right[0]
            e1 += 2 * right[1]
            e2 += 2 * right[2]
        for k in range(3):
            first[k] += 2 * down[k]
    return count


@allocating
def draw_quad(
    triangle: Any, x: int, y: int, mask: int, side: int, late: bool, depth: NDArray[np.int32],
    out: NDArray[Any], count: int,
) -> int:  # fmt: skip
    """Depth, coordinates and LOD of the quad at (x, y); ``mask`` has a bit per covered pixel.

    Unless the test is ``late``, what fails it is left out.
    """
    quad = out[count]
    quad.x, quad.y, quad.prim = x, y, triangle.prim
    for p in range(4):
        quad.depth[p] = depth_at(triangle, x + (p & 1), y + (p >> 1)) if mask >> p & 1 else 0
    quad.valid = mask if late else tested(triangle, quad, mask, 0, depth)
    if not quad.valid:
        return count
    uv = quad.uv
    for p in range(4):
        uv[p, 0], uv[p, 1] = coordinates_at(triangle, x + (p & 1), y + (p >> 1))
    across = (uv[1, 0] - uv[0, 0]) ** 2 + (uv[1, 1] - uv[0, 1]) ** 2
    along = (uv[2, 0] - uv[0, 0]) ** 2 + (uv[2, 1] - uv[0, 1]) ** 2
    quad.lod = 0.5 * np.log2(max(across, along, _TINY) * side * side)
    return count + 1


@allocating
def fragments_of(quads: NDArray[Any]) -> NDArray[Any]:
    """The drawn pixels of SCREEN_QUAD array ``quads``, in order: FRAGMENT [m]."""
    total = 0
    for quad in quads:
        for p in range(4):
            total += quad.valid >> p & 1
    out = np.empty(total, FRAGMENT)
    count = 0
    for quad in quads:
        for p in range(4):
            if quad.valid >> p & 1:
                fragment = out[count]
                fragment.x, fragment.y = quad.x + (p & 1), quad.y + (p >> 1)
                fragment.prim = quad.prim
                fragment.u, fragment.v, fragment.lod = quad.uv[p, 0], quad.uv[p, 1], quad.lod
                count += 1
    return out


@allocating
def depth_at(triangle: Any, x: int, y: int) -> int:
    """Depth at pixel (x, y), 24 bits."""
    z = 0.0
    for k in range(3):
        z += edge(triangle, k, x, y) * triangle.z[k]
    return level_of(z / triangle.area)


@allocating
def coordinates_at(triangle: Any, x: int, y: int) -> tuple[float, float]:
    """Coordinates u and v at pixel (x, y); helper pixels beyond the horizon get very large ones."""
    iw, uw, vw = 0.0, 0.0, 0.0
    for k in range(3):
        weight = float(edge(triangle, k, x, y))
        iw += weight * triangle.iw[k]
        uw += weight * triangle.uw[k]
        vw += weight * triangle.vw[k]
    iw = max(iw, _TINY)
    return uw / iw, vw / iw

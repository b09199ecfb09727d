# SPDX-License-Identifier: Apache-2.0
"""First half of the rasterizer: triangles in clip space become clipped, snapped triangles on the screen.

A clip-space vertex is (x, y, z, w) as in OpenGL: visible where -w <= x, y, z <= w. Screen x runs to the
right and y down; a pixel's centre has integer screen coordinates, which are kept as integers in units of
1/256 pixel. Vertices are transformed and snapped in float32 as Mesa's llvmpipe does it, so that coverage is
the same.

Polygons are clipped at the near and far planes, and sideways only far outside the screen (a guard band):
there the edge functions would leave the range in which integers are exact as float64.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.kernels import allocating

SUBPIXEL_BITS = 8
SUBPIXEL = 1 << SUBPIXEL_BITS
MAX_SCREEN = 4096  # largest width or height in pixels
GUARD = 8192  # pixels that a triangle may reach beyond the centre of the screen

CULL_BACK = 4  # of a triangle's flags, beside those of the depth test

#: A triangle ready to be drawn. ``x`` and ``y`` in 1/256 pixel, ordered so that ``area`` (twice the area) is
#: positive; ``z`` is window depth 0..1; ``iw`` 1/w, ``uw`` u/w, ``vw`` v/w, all linear on the screen.
#: ``bounds``: first and last pixel column, first and last row, already within the screen.
SCREEN_TRIANGLE = np.dtype(
    [
        ("x", "i4", 3),
        ("y", "i4", 3),
        ("z", "f8", 3),
        ("iw", "f8", 3),
        ("uw", "f8", 3),
        ("vw", "f8", 3),
        ("bounds", "i4", 4),
        ("area", "i8"),
        ("prim", "u4"),
        ("flags", "u1"),
        ("compare", "u1"),
    ]
)
_X, _Y, _Z, _W = range(4)


@allocating
def plane_distance(vertex: NDArray[np.float64], plane: int, guard_x: float, guard_y: float) -> Any:
    """Signed distance of a clip-space vertex from plane 0 near, 1 far, 2..5 guard band; inside is >= 0."""
    if plane == 0:
        return vertex[_W] + vertex[_Z]
    if plane == 1:
        return vertex[_W] - vertex[_Z]
    if plane < 4:
        return guard_x * vertex[_W] + (vertex[_X] if plane == 2 else -vertex[_X])
    return guard_y * vertex[_W] + (vertex[_Y] if plane == 4 else -vertex[_Y])


@allocating
def clip(polygon: NDArray[np.float64], guard_x: float, guard_y: float) -> NDArray[np.float64]:
    """Sutherland and Hodgman: the part of ``polygon`` [n, 6] (x, y, z, w, u, v) inside all six planes.

    A cut is computed from its inner to its outer vertex, so that two triangles that share an edge get the
    same vertex from it, bit by bit, and no gap opens between them.
    """
    for plane in range(6):
        n = len(polygon)
        distance = np.empty(n)
        for i in range(n):
            distance[i] = plane_distance(polygon[i], plane, guard_x, guard_y)
        if n == 0 or distance.min() >= 0.0:
            continue
        kept = np.empty((n + 1, 6))
        count = 0
        for i in range(n):
            j = (i + 1) % n
            if distance[i] >= 0.0:
                kept[count] = polygon[i]
                count += 1
            if (distance[i] >= 0.0) != (distance[j] >= 0.0):
                inner, outer = (i, j) if distance[i] >= 0.0 else (j, i)
                part = distance[inner] / (distance[inner] - distance[outer])
                kept[count] = polygon[inner] + part * (polygon[outer] - polygon[inner])
                count += 1
        polygon = kept[:count]
    return polygon


@allocating
def snap(clip_coordinate: float, inverse_w: Any, scale: Any, centre: Any) -> int:
    """Viewport transform of one coordinate in float32, rounded to 1/256 pixel; pixel centres are whole."""
    window = np.float32(np.float32(clip_coordinate) * inverse_w) * scale + centre
    return int(np.rint((np.float32(window) - np.float32(0.5)) * np.float32(SUBPIXEL)))


@allocating
def _place(out: Any, polygon: NDArray[np.float64], corners: Any, width: int, height: int) -> None:
    """Fills the geometry of screen triangle ``out`` from three corners of a clipped polygon."""
    half_x, half_y = np.float32(width) * np.float32(0.5), np.float32(height) * np.float32(0.5)
    for k in range(3):
        vertex = polygon[corners[k]]
        inverse = 1.0 / vertex[_W]
        out.x[k] = snap(vertex[_X], np.float32(inverse), half_x, half_x)
        out.y[k] = snap(vertex[_Y], np.float32(inverse), -half_y, half_y)
        out.z[k] = 0.5 + 0.5 * vertex[_Z] * inverse
        out.iw[k] = inverse
        out.uw[k] = vertex[4] * inverse
        out.vw[k] = vertex[5] * inverse
    ax, ay = np.int64(out.x[1] - out.x[0]), np.int64(out.y[1] - out.y[0])
    bx, by = np.int64(out.x[2] - out.x[0]), np.int64(out.y[2] - out.y[0])
    out.area = ax * by - ay * bx
    out.bounds[0] = max(0, -(-out.x.min() // SUBPIXEL))
    out.bounds[1] = min(width - 1, out.x.max() // SUBPIXEL)
    out.bounds[2] = max(0, -(-out.y.min() // SUBPIXEL))
    out.bounds[3] = min(height - 1, out.y.max() // SUBPIXEL)


@allocating
def _turn(out: Any) -> None:
    """Swaps two corners, which makes a negative area positive."""
    for values in (out.z, out.iw, out.uw, out.vw):
        values[1], values[2] = values[2], values[1]
    out.x[1], out.x[2] = out.x[2], out.x[1]
    out.y[1], out.y[2] = out.y[2], out.y[1]
    out.area = -out.area


@allocating
def _outside(triangle: NDArray[np.float64]) -> bool:
    """Whether all three corners lie beyond one plane of the view volume."""
    for axis in range(3):
        above, below = 0, 0
        for k in range(3):
            above += triangle[k, axis] > triangle[k, _W]
            below += triangle[k, axis] < -triangle[k, _W]
        if above == 3 or below == 3:
            return True
    return False


@allocating
def set_up(
    clip_space: NDArray[np.float64],
    uv: NDArray[np.float64],
    flags: NDArray[np.uint8],
    compare: NDArray[np.uint8],
    width: int,
    height: int,
    out: NDArray[Any],
) -> int:
    """Clips, snaps and culls triangles ``clip_space`` [n, 3, 4] with ``uv`` [n, 3, 2] into ``out``, in order.

    ``flags`` and ``compare`` [n] go with them.
    ``out`` must have room for 7 n entries (a triangle cut by six planes has at most nine corners). Returns
    how many were written: those that have an area and reach a pixel.
    """
    count = 0
    guard_x, guard_y = 2.0 * GUARD / width, 2.0 * GUARD / height
    for prim in range(len(clip_space)):
        if _outside(clip_space[prim]):
            continue
        polygon = np.empty((3, 6))
        polygon[:, :4] = clip_space[prim]
        polygon[:, 4:] = uv[prim]
        polygon = clip(polygon, guard_x, guard_y)
        for last in range(2, len(polygon)):
            triangle = out[count]
            _place(triangle, polygon, (0, last - 1, last), width, height)
            # y is turned over between clip space and screen: what is counterclockwise there is negative here
            if triangle.area == 0 or (triangle.area > 0 and flags[prim] & CULL_BACK):
                continue
            if triangle.bounds[0] > triangle.bounds[1] or triangle.bounds[2] > triangle.bounds[3]:
                continue
            if triangle.area < 0:
                _turn(triangle)
            triangle.prim = prim
            triangle.flags = flags[prim]
            triangle.compare = compare[prim]
            count += 1
    return count

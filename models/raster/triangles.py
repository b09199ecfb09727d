# SPDX-License-Identifier: Apache-2.0
"""Triangles: edge functions over the tiles of their bounds, row after row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import SIDE
from models.kernels import allocating
from models.raster.planes import depth_word, plane, value_at
from models.raster.records import SUBPIXEL, Machine, X, Y, draw_pixel, start_word, with_room


@allocating
def area_of(corners: NDArray[np.int64]) -> int:
    """Twice the area in (1/256 pixel)^2, positive if A, B, C run clockwise on the screen (y is down)."""
    a, b, c = corners[0], corners[1], corners[2]
    return (b[X] - a[X]) * (c[Y] - a[Y]) - (b[Y] - a[Y]) * (c[X] - a[X])


@allocating
def exchange(corners: NDArray[np.int64]) -> None:
    """B for C, which turns the triangle's winding around."""
    for axis in range(3):
        corners[1, axis], corners[2, axis] = corners[2, axis], corners[1, axis]


@allocating
def tile_bounds(corners: NDArray[np.int64], axis: int, size: int) -> tuple[int, int]:
    """First and last tile of the bounds along ``axis``, in a window of ``size`` pixels, or last < first."""
    first = max(-(-corners[:, axis].min() // SUBPIXEL), 0)
    last = min(corners[:, axis].max() // SUBPIXEL, size - 1)
    if last < first:
        return 0, -1
    return first // SIDE, last // SIDE


@allocating
def edge_functions(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """[3, 3]: of each side E at pixel (0, 0), and how it grows from pixel to pixel rightwards and downwards.

    Of sides that are neither left nor top it is E - 1: pixels are inside where all three are 0 or more.
    """
    edges = np.empty((3, 3), np.int64)
    for k in range(3):
        p, q = corners[k], corners[(k + 1) % 3]
        dx, dy = q[X] - p[X], q[Y] - p[Y]
        owned = dy < 0 or (dy == 0 and dx > 0)
        edges[k, 0] = dy * p[X] - dx * p[Y] - (0 if owned else 1)
        edges[k, 1] = -dy * SUBPIXEL
        edges[k, 2] = dx * SUBPIXEL
    return edges


@allocating
def draw_triangle(
    machine: Machine, corners: NDArray[np.int64], out: NDArray[Any], count: int
) -> tuple[NDArray[Any], int, int, int]:
    """Appends its words to ``out`` from ``count`` on; ``corners`` may be exchanged.

    Returns ``out`` or a longer one, the new count, pixels drawn and tiles looked at.
    """
    state = machine.state[0]
    area = area_of(corners)
    if area == 0:
        return out, count, 0, 0
    if area < 0:
        exchange(corners)
        area = -area
    left, right = tile_bounds(corners, X, state.width)
    top, bottom = tile_bounds(corners, Y, state.height)
    if right < left or bottom < top:
        return out, count, 0, 0
    edges = edge_functions(corners)
    gradients = plane(corners[0], corners[1], corners[2], area)
    visited, pixels = 0, 0
    for row in range(top, bottom + 1):
        out = with_room(out, count, right - left + 1)
        backwards = machine.serpentine and (row - top) % 2 == 1
        for place in range(right - left + 1):
            column = right - place if backwards else left + place
            word = out[count]
            start_word(word, state, column, row)
            drawn = draw_tile(word, state, corners[0], edges, gradients)
            word.step = visited
            pixels += drawn
            visited += 1
            if drawn or machine.visited:
                count += 1
    return out, count, pixels, visited


@allocating
def draw_tile(word: Any, state: Any, a: Any, edges: NDArray[np.int64], gradients: tuple[int, int]) -> int:
    """Draws the triangle's pixels into the tile of ``word``; returns how many there are."""
    pixels = 0
    left, top = np.int64(word.x) * SIDE, np.int64(word.y) * SIDE
    for y in range(top, min(top + SIDE, state.height)):
        for x in range(left, min(left + SIDE, state.width)):
            inside = True
            for k in range(3):
                inside &= edges[k, 0] + edges[k, 1] * x + edges[k, 2] * y >= 0
            if inside:
                draw_pixel(word, x, y, depth_word(value_at(a, gradients, x, y), state.format))
                pixels += 1
    return pixels

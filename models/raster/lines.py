# SPDX-License-Identifier: Apache-2.0
"""Points, and lines by the diamond-exit rule."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import SIDE
from models.kernels import allocating
from models.raster.planes import FRACTION, depth_word
from models.raster.records import HALF, SUBPIXEL, Machine, X, Y, Z, draw_pixel, start_word, with_room


@allocating
def nearest(place: int) -> int:
    """The pixel whose centre is nearest to ``place`` in 1/256 pixel, of two the left or upper one."""
    return -((HALF - place) // SUBPIXEL)


@allocating
def draw_point(
    machine: Machine, a: NDArray[np.int64], out: NDArray[Any], count: int
) -> tuple[NDArray[Any], int]:
    """Appends its word, if it lies in the window, to ``out`` from ``count`` on; returns ``out`` and count."""
    state = machine.state[0]
    x, y = nearest(a[X]), nearest(a[Y])
    if not (0 <= x < state.width and 0 <= y < state.height):
        return out, count
    out = with_room(out, count, 1)
    start_word(out[count], state, x // SIDE, y // SIDE)
    draw_pixel(out[count], x, y, depth_word(a[Z] << FRACTION, state.format))
    return out, count + 1


@allocating
def in_diamond(point: Any, x: int, y: int) -> bool:
    """Whether a corner is inside the diamond of pixel (x, y)."""
    return abs(point[X] - SUBPIXEL * x) + abs(point[Y] - SUBPIXEL * y) < HALF


@allocating
def draw_line(
    machine: Machine, a: NDArray[np.int64], b: NDArray[np.int64], out: NDArray[Any], count: int
) -> tuple[NDArray[Any], int, int, int]:
    """Appends the words of a line from ``a`` to ``b``, which differ, to ``out`` from ``count`` on.

    Returns ``out`` or a longer one, the new count, pixels drawn and cycles of the walk.
    """
    state = machine.state[0]
    major, minor, size = X, Y, state.width
    if abs(b[X] - a[X]) < abs(b[Y] - a[Y]):
        major, minor, size = Y, X, state.height
    length = abs(b[major] - a[major])
    sign = 1 if b[major] > a[major] else -1
    slope = ((b[Z] - a[Z]) << FRACTION) // length
    column = -(-a[major] // SUBPIXEL) if sign > 0 else a[major] // SUBPIXEL  # the first with t >= 0
    if sign * (SUBPIXEL * (column - sign) - a[major]) > -HALF:
        column -= sign
    out = with_room(out, count, size + 1)
    pixels, steps = 0, 0
    pending = False  # the word out[count] has pixels, and is not out yet
    while True:
        t = sign * (SUBPIXEL * column - a[major])
        if t >= length or (steps and (column >= size if sign > 0 else column < 0)):
            break
        row = nearest(a[minor]) if t < 0 else row_of(a[minor], b[minor], t, length)
        x, y = (column, row) if major == X else (row, column)
        if is_drawn(state, a, b, x, y, t):
            word = out[count]
            if pending and (word.x != x // SIDE or word.y != y // SIDE):
                word.step = steps
                count += 1
                pending = False
            if not pending:
                start_word(out[count], state, x // SIDE, y // SIDE)
                pending = True
            draw_pixel(out[count], x, y, depth_word((a[Z] << FRACTION) + slope * t, state.format))
            pixels += 1
        steps += 1
        column += sign
    if pending:
        out[count].step = steps
        count += 1
    return out, count, pixels, steps + 1 if steps else 0


@allocating
def row_of(from_minor: int, to_minor: int, t: int, length: int) -> int:
    """Y(X): the row nearest to the line in the column at ``t`` of its ``length``."""
    numerator = from_minor * length + (to_minor - from_minor) * t - HALF * length
    return -(-numerator // (SUBPIXEL * length))


@allocating
def is_drawn(state: Any, a: Any, b: Any, x: int, y: int, t: int) -> bool:
    """Whether the line draws the pixel (x, y) of a column that it walks over, at ``t``."""
    if not (0 <= x < state.width and 0 <= y < state.height):
        return False
    return not in_diamond(b, x, y) and (t >= 0 or in_diamond(a, x, y))

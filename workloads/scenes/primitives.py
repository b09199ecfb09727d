# SPDX-License-Identifier: Apache-2.0
"""Primitives: points, lines, triangles, strips and fans, all as triangles of three corners.

A point is a triangle whose corners are equal, a line one whose last two are; neither has an area, so nothing
is drawn of it where triangles alone are. A strip and a fan are what they are assembled to; which vertices a
machine is sent for them, :func:`vertices` says.
"""

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.depth import ALWAYS
from workloads.scenes.shapes import Part

POINTS, LINES, TRIANGLES, STRIP, FAN = range(5)
PRIMITIVES = ("points", "lines", "triangles", "strip", "fan")
CHAINED = (STRIP, FAN)  # a triangle shares two corners with the one before
Vertices = NDArray[np.float64]


def points(positions: Vertices, uv: Vertices) -> Part:
    """A point at each of ``positions`` [n, 3], with coordinates ``uv`` [n, 2]."""
    return _picked(positions, uv, np.arange(len(positions))[:, None] + np.zeros(3, int))


def lines(positions: Vertices, uv: Vertices) -> Part:
    """A line for each two vertices, ``positions`` [2 n, 3] and ``uv`` [2 n, 2]."""
    return _picked(positions, uv, 2 * np.arange(len(positions) // 2)[:, None] + (0, 1, 1))


def strip(positions: Vertices, uv: Vertices) -> Part:
    """Triangles of each three vertices in a row, [n + 2, 3] and [n + 2, 2]; all face as the first does."""
    number = np.arange(len(positions) - 2)[:, None]
    return _picked(positions, uv, number + np.where(number % 2, (1, 0, 2), (0, 1, 2)))


def fan(positions: Vertices, uv: Vertices) -> Part:
    """Triangles of the first vertex and each two in a row, [n + 2, 3] and [n + 2, 2]."""
    return _picked(positions, uv, np.arange(len(positions) - 2)[:, None] * (0, 1, 1) + (0, 1, 2))


def _picked(positions: Vertices, uv: Vertices, corners: NDArray[np.int64]) -> Part:
    return Part(np.asarray(positions, float)[corners], np.asarray(uv, float)[corners])


def vertices(primitive: NDArray[np.uint8], begins: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The vertices that a machine is sent for triangles [n], in order: numbers of triangle and corner [m, 2].

    ``primitive`` [n]: types; ``begins`` [n]: whether a strip or a fan begins anew.
    """
    whole = ~np.isin(primitive, CHAINED) | begins
    sent = np.zeros((len(primitive), 3), bool)
    sent[:, 0] = whole
    sent[:, 1] = whole & (primitive != POINTS)
    sent[:, 2] = (primitive != POINTS) & (primitive != LINES)
    return np.argwhere(sent)


def check_state(compare: int, kill: int, primitive: int, positions: Vertices) -> None:
    """Raises :class:`UserError` for a state that there is not, and for points and lines that are none."""
    for what, value, most in (
        ("compare", compare, ALWAYS),
        ("kill", kill, 255),
        ("primitive", primitive, len(PRIMITIVES) - 1),
    ):
        if not 0 <= value <= most:
            raise UserError(f"mesh: {what}={value}: must be 0 to {most}")
    equal = {POINTS: (0, 1), LINES: (1,)}.get(primitive, ())
    if any((positions[:, corner] != positions[:, 2]).any() for corner in equal):
        raise UserError(f"mesh of {PRIMITIVES[primitive]}: make its positions with {PRIMITIVES[primitive]}()")


def beginnings(primitive: int, begins: NDArray[np.bool_] | None, positions: Vertices) -> NDArray[np.bool_]:
    """``begins`` [n] of a mesh, by default true of a strip's or a fan's first triangle and of all else.

    Raises :class:`UserError` where a triangle does not continue the one before it.
    """
    count = len(positions)
    if begins is None:
        begins = np.full(count, primitive not in CHAINED)
        begins[:1] = True
    begins = np.asarray(begins, bool)
    if begins.shape != (count,) or not begins[:1].all() or (primitive not in CHAINED and not begins.all()):
        raise UserError(f"mesh of {PRIMITIVES[primitive]}: its first triangle begins, and each of a list")
    after = np.flatnonzero(~begins)
    if primitive == FAN:
        shared = positions[after - 1][:, [0, 2]]
    else:  # the corner added last is the third one; the oldest of three is left out
        parity = after - np.maximum.accumulate(np.where(begins, np.arange(count), 0))[after]
        kept = np.where(parity[:, None] % 2, (2, 1), (0, 2))  # corners of the triangle before
        shared = positions[after - 1][np.arange(len(after))[:, None], kept]
    if (positions[after][:, :2] != shared).any():
        raise UserError(f"mesh of {PRIMITIVES[primitive]}: a triangle does not continue the one before it")
    return begins

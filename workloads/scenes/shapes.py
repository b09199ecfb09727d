# SPDX-License-Identifier: Apache-2.0
"""Shapes that scenes are built of. Lengths are metres, y is up, front faces are counterclockwise."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = Sequence[float] | NDArray[np.float64]


class Part(NamedTuple):
    """Triangles: ``positions`` [n, 3, 3] and ``uv`` [n, 3, 2]."""

    positions: NDArray[np.float64]
    uv: NDArray[np.float64]

    def moved(self, offset: Vector) -> "Part":
        """Shifted by ``offset``."""
        return Part(self.positions + np.asarray(offset, float), self.uv)

    def turned(self, angle: float, axis: int = 1) -> "Part":
        """Turned about an axis (0 x, 1 y, 2 z) through the origin by ``angle`` radians."""
        a, b = (axis + 1) % 3, (axis + 2) % 3
        matrix = np.eye(3)
        matrix[a, a] = matrix[b, b] = np.cos(angle)
        matrix[b, a], matrix[a, b] = np.sin(angle), -np.sin(angle)
        return Part(self.positions @ matrix.T, self.uv)


def join(parts: Sequence[Part]) -> Part:
    """All triangles of ``parts``, in order."""
    empty = Part(np.empty((0, 3, 3)), np.empty((0, 3, 2)))
    return Part(*(np.concatenate(column) for column in zip(empty, *parts, strict=True)))


def quad(corner: Vector, across: Vector, down: Vector, repeats: tuple[float, float] = (1, 1)) -> Part:
    """A rectangle from its upper left ``corner`` as seen from the front; the texture repeats along edges."""
    a, u, v = (np.asarray(vector, float) for vector in (corner, across, down))
    corners = np.array([a, a + v, a + u + v, a + u])
    s, t = repeats
    uv = np.array([(0, 0), (0, t), (s, t), (s, 0)], float)
    order = [[0, 1, 2], [0, 2, 3]]
    return Part(corners[order], uv[order])


def box(size: Vector, repeats: float = 1) -> Part:
    """A box that stands on the origin, every face with the whole texture ``repeats`` times."""
    w, h, d = size
    x, y, z = w / 2, h, d / 2
    r = (repeats, repeats)
    return join(
        [
            quad((-x, y, z), (w, 0, 0), (0, -h, 0), r),
            quad((x, y, -z), (-w, 0, 0), (0, -h, 0), r),
            quad((x, y, z), (0, 0, -d), (0, -h, 0), r),
            quad((-x, y, -z), (0, 0, d), (0, -h, 0), r),
            quad((-x, y, -z), (w, 0, 0), (0, 0, d), r),
            quad((-x, 0, z), (w, 0, 0), (0, 0, -d), r),
        ]
    )


def surface(
    function: Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike],
    columns: int,
    rows: int,
    repeats: tuple[float, float],
) -> Part:
    """A curved surface: ``function(s, t)`` gives [.., 3] for s, t 0..1, rightwards and downwards in front."""
    t, s = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 1, columns + 1), indexing="ij")
    points = np.asarray(function(s, t), float)
    uv = np.stack([s * repeats[0], t * repeats[1]], axis=-1)

    def triangles(grid: NDArray[np.float64]) -> NDArray[np.float64]:
        a, d, b, c = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
        pairs = np.stack([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)], axis=2)
        return np.asarray(pairs.reshape(-1, 3, grid.shape[-1]))

    return Part(triangles(points), triangles(uv))


def sphere(radius: float, columns: int = 16, rows: int = 8) -> Part:
    """A ball around the origin."""

    def point(s: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = 2 * np.pi * s, np.pi * t
        return radius * np.stack([np.sin(b) * np.sin(a), np.cos(b), np.sin(b) * np.cos(a)], axis=-1)

    return surface(point, columns, rows, (2, 1))


def cylinder(radius: float, height: float, columns: int = 14) -> Part:
    """A barrel standing on the origin, with a lid."""

    def side(s: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        a, bulge = 2 * np.pi * s, radius * (1 + 0.12 * np.sin(np.pi * t))
        return np.stack([bulge * np.sin(a), height * (1 - t), bulge * np.cos(a)], axis=-1)

    angle = 2 * np.pi * np.arange(columns) / columns
    rim = np.stack([radius * np.sin(angle), np.full(columns, height), radius * np.cos(angle)], axis=-1)
    centre = np.broadcast_to([0.0, height, 0.0], rim.shape)
    lid = np.stack([centre, rim, np.roll(rim, -1, axis=0)], axis=1)
    return join([surface(side, columns, 3, (2, 1)), Part(lid, 0.5 + 0.5 * lid[..., ::2] / radius)])


def torus(radius: float, tube: float, columns: int = 20, rows: int = 10) -> Part:
    """A ring that stands upright on the origin."""

    def point(s: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = 2 * np.pi * s, -2 * np.pi * t
        distance = radius + tube * np.cos(b)
        return np.stack(
            [distance * np.cos(a), radius + tube - distance * np.sin(a), -tube * np.sin(b)], axis=-1
        )

    return surface(point, columns, rows, (4, 1))


def cards(width: float, height: float, count: int = 2) -> Part:
    """Upright rectangles that cross at the origin: the cheap tree of games."""
    card = quad((-width / 2, height, 0), (width, 0, 0), (0, -height, 0))
    return join([card.turned(np.pi * i / count) for i in range(count)])

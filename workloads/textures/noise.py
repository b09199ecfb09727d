# SPDX-License-Identifier: Apache-2.0
"""Building blocks of procedural textures. All of them repeat seamlessly and take their chance from a seed.

A plane is float32 [side, side], usually 0..1; a picture is float32 [side, side, 3], sRGB 0..1.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


def grid(side: int) -> tuple[Plane, Plane]:
    """Coordinates x and y of every texel's centre, 0..1."""
    centres = ((np.arange(side) + 0.5) / side).astype(np.float32)
    x, y = np.meshgrid(centres, centres)
    return x, y


def value_noise(rng: np.random.Generator, side: int, columns: int, rows: int = 0) -> Plane:
    """Smooth random values on a lattice of ``columns`` x ``rows`` cells (square if not given)."""
    rows = rows or columns
    lattice = rng.random((rows, columns), dtype=np.float32)

    def along(cells: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Plane]:
        position = (np.arange(side) + 0.5) / side * cells
        cell = np.floor(position).astype(np.int64)
        t = (position - cell).astype(np.float32)
        return cell % cells, (cell + 1) % cells, t * t * (3 - 2 * t)

    x0, x1, tx = along(columns)
    y0, y1, ty = along(rows)
    across = lattice[:, x0] + (lattice[:, x1] - lattice[:, x0]) * tx
    return np.asarray(across[y0] + (across[y1] - across[y0]) * ty[:, None], dtype=np.float32)


def fractal(
    rng: np.random.Generator, side: int, cells: int, octaves: int, gain: float = 0.5, stretch: int = 1
) -> Plane:
    """Sum of octaves of value noise, scaled to 0..1; ``stretch`` > 1 draws it out along x."""
    total, weight = np.zeros((side, side), np.float32), 1.0
    for octave in range(octaves):
        rows = min(cells << octave, side)
        total += np.float32(weight) * value_noise(rng, side, max(1, rows // stretch), rows)
        weight *= gain
    return normalised(total)


def cellular(rng: np.random.Generator, side: int, cells: int) -> tuple[Plane, Plane, NDArray[np.int64]]:
    """Worley noise: distance to the nearest and second nearest of ``cells`` ** 2 points, the nearest one's
    number.

    Distances are in cells.
    """
    points = rng.random((cells, cells, 2), dtype=np.float32)
    x, y = grid(side)
    x, y = x * cells, y * cells
    column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    first, second = np.full((side, side), 9, np.float32), np.full((side, side), 9, np.float32)
    owner = np.zeros((side, side), np.int64)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            i, j = (row + dy) % cells, (column + dx) % cells
            distance = np.hypot(column + dx + points[i, j, 0] - x, row + dy + points[i, j, 1] - y)
            nearer = distance < first
            second = np.where(nearer, first, np.minimum(second, distance))
            first = np.where(nearer, distance, first)
            owner = np.where(nearer, i * cells + j, owner)
    return first, second, owner


def normalised(plane: Plane) -> Plane:
    """``plane`` stretched to 0..1."""
    low, high = plane.min(), plane.max()
    return np.asarray((plane - low) / max(high - low, np.float32(1e-9)), dtype=np.float32)


def smoothstep(low: float, high: float, x: Plane) -> Plane:
    """0 below ``low``, 1 above ``high``, smooth between."""
    t = np.clip((x - np.float32(low)) / np.float32(high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), dtype=np.float32)


def palette(t: Plane, *stops: Sequence[int]) -> NDArray[np.float32]:
    """A picture whose colour runs through ``stops`` (sRGB bytes, evenly spaced) as ``t`` goes from 0 to 1."""
    places = np.linspace(0, 1, len(stops))
    channels = [np.interp(t, places, [stop[c] / 255 for stop in stops]) for c in range(3)]
    return np.stack(channels, axis=-1).astype(np.float32)


def mix(a: NDArray[np.float32], b: NDArray[np.float32], t: Plane) -> NDArray[np.float32]:
    """Picture ``a`` where ``t`` is 0, ``b`` where it is 1."""
    return np.asarray(a + (b - a) * t[..., None], dtype=np.float32)


def relief(height: Plane, strength: float) -> Plane:
    """Light on a height field from the upper left: about 1 where it is flat."""
    slope = (np.roll(height, 1, 1) - height) + (np.roll(height, 1, 0) - height)
    return np.asarray(np.clip(1 - slope * np.float32(strength * len(height) / 256), 0.3, 1.6), np.float32)

# SPDX-License-Identifier: Apache-2.0
"""Batches in clip space become runs of corners in window coordinates, whole where nothing is cut off.

Polygons are clipped as in :mod:`models.rasterizer_setup`, at near and far plane and at the guard band; lines
alike, points are drawn if they lie in the view volume. What lies beyond one plane of it is left out.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import FAN, LINE_STRIP, LINES, POINTS, STRIP, TRIANGLES
from models.kernels import allocating
from models.rasterizer_setup import CULL_BACK, GUARD, SCREEN_TRIANGLE, clip, plane_distance, set_up, snap
from workloads.scenes.depth import Batch

#: corners in window coordinates [k, 3]: x and y in 1/256 pixel, depth 0..1 between near and far plane
Run = NDArray[np.float64]
_X, _Y, _Z, _W = range(4)


def window_runs(batch: Batch, width: int, height: int) -> list[Run]:
    """The runs of a batch in clip space, as they are drawn; each begins anew (a list has but one).

    A strip or fan is cut into what needs no clipping and, one by one, what does.
    """
    if batch.topology == TRIANGLES:
        runs = [_triangles(run, batch.culled, width, height) for run in batch.runs]
    elif batch.topology == POINTS:
        runs = [_placed(run[_visible(run)], width, height) for run in batch.runs]
    else:
        runs = [part for run in batch.runs for part in _parts(batch.topology, run, width, height)]
    runs = [run for run in runs if len(run)]
    if batch.topology in (TRIANGLES, POINTS, LINES):
        return [np.concatenate(runs)] if runs else []
    return runs


def _triangles(corners: NDArray[np.float64], culled: bool, width: int, height: int) -> Run:
    """A list of triangles, those left out that have no area or lie between the pixels, too."""
    count = len(corners) // 3
    flags = np.full(count, CULL_BACK if culled else 0, np.uint8)
    screen = np.zeros(7 * count, SCREEN_TRIANGLE)
    uv, compare = np.zeros((count, 3, 2)), np.zeros(count, np.uint8)  # of no concern here
    clip_space = np.ascontiguousarray(corners[: 3 * count].reshape(-1, 3, 4))
    screen = screen[: set_up(clip_space, uv, flags, compare, width, height, screen)]
    return np.stack([screen[name].astype(float) for name in "xyz"], axis=-1).reshape(-1, 3)


def _visible(corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which corners lie in the view volume."""
    return np.asarray((np.abs(corners[:, :3]) <= corners[:, 3:]).all(axis=1))


def _parts(topology: int, run: NDArray[np.float64], width: int, height: int) -> Iterator[Run]:
    """A run of lines, or of a strip or fan of triangles, in parts."""
    members = primitives(topology, len(run))
    guard = 2.0 * GUARD / width, 2.0 * GUARD / height
    whole = _inside(run, *guard)[members].all(axis=1)
    outside = _beyond(run)[:, members].all(axis=2).any(axis=0)
    kind = np.where(outside, 0, np.where(whole, 1, 2))
    starts = np.flatnonzero(np.diff(kind, prepend=-1))
    for first, last in zip(starts, [*starts[1:], len(kind)], strict=True):
        if kind[first] == 1:
            shared = [0] if topology == FAN else []
            own = np.arange(members[first][len(shared)], members[last - 1][-1] + 1)
            yield _placed(run[[*shared, *own]], width, height)
        elif kind[first] == 2:
            for corners in members[first:last]:
                yield _placed(_clipped(topology, run[corners], *guard), width, height)


def primitives(topology: int, count: int) -> NDArray[np.int64]:
    """Which of ``count`` corners of a run each line or triangle has, [n, 2 or 3]."""
    if topology == LINES:
        return np.arange(count // 2 * 2).reshape(-1, 2)
    if topology == FAN:
        rim = np.arange(1, max(count - 1, 1))
        return np.stack([0 * rim, rim, rim + 1], axis=1)
    size = 2 if topology == LINE_STRIP else 3
    return np.arange(max(count - size + 1, 0))[:, None] + np.arange(size)


def _beyond(corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[6, k]: whether each corner lies beyond a plane of the view volume."""
    w = corners[:, _W]
    sides = [corners[:, axis] * sign > w for axis in (_X, _Y, _Z) for sign in (1, -1)]
    return np.array(sides)


def _clipped(
    topology: int, corners: NDArray[np.float64], guard_x: float, guard_y: float
) -> NDArray[np.float64]:
    """What is left of a line or triangle, as a run of the same topology."""
    polygon = np.zeros((len(corners), 6))
    polygon[:, :4] = corners
    polygon = clip(polygon, guard_x, guard_y)[:, :4]
    if topology in (LINES, LINE_STRIP):  # a polygon with two corners: the cuts come twice
        others = np.flatnonzero((polygon != polygon[:1]).any(axis=1))
        return polygon[[0, others[0]]] if len(others) else polygon[:0]
    if topology == STRIP:  # of a convex polygon: from corner 0 to and fro
        count = len(polygon)
        order = [(n + 1) // 2 if n % 2 else count - n // 2 for n in range(1, count)]
        return polygon[[0, *order]] if count else polygon
    return polygon


@allocating
def _inside(corners: NDArray[np.float64], guard_x: float, guard_y: float) -> NDArray[np.bool_]:
    """Which corners no plane cuts off."""
    inside = np.ones(len(corners), np.bool_)
    for i in range(len(corners)):
        for plane in range(6):
            inside[i] &= plane_distance(corners[i], plane, guard_x, guard_y) >= 0.0
    return inside


@allocating
def _placed(corners: NDArray[np.float64], width: int, height: int) -> Any:
    """Corners [k, 4] in front of the camera in window coordinates, snapped as those of triangles."""
    out = np.empty((len(corners), 3))
    half_x, half_y = np.float32(width) * np.float32(0.5), np.float32(height) * np.float32(0.5)
    for i in range(len(corners)):
        inverse = 1.0 / corners[i, _W]
        out[i, 0] = snap(corners[i, _X], np.float32(inverse), half_x, half_x)
        out[i, 1] = snap(corners[i, _Y], np.float32(inverse), -half_y, half_y)
        out[i, 2] = 0.5 + 0.5 * corners[i, _Z] * inverse
    return out

# SPDX-License-Identifier: Apache-2.0
"""Polygons in space, convex or not, as triangles."""

import mapbox_earcut
import numpy as np
from numpy.typing import NDArray

FLAT = 1e-9  # of the area of a polygon: smaller turns to the right, and differences in area, are rounding


def triangulated(points: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers [n, 3] of the corners of triangles that cover polygons, in their order and facing as they do.

    ``points`` [m, 3]: the corners of all polygons, ``sizes`` [p] of each, at least 3. A convex polygon
    becomes a fan from its first corner, and so does one whose edges cross; from any other, seen along its
    mean normal, ears are cut.
    """
    starts = np.cumsum(sizes) - sizes
    triangles, owners = [], []
    for size in np.unique(sizes):
        which = np.flatnonzero(sizes == size)
        corners = starts[which, None] + np.arange(size)
        concave, normals = _concave(points[corners])
        rim = np.arange(1, size - 1)
        fan = corners[:, np.stack([0 * rim, rim, rim + 1], axis=1)]
        triangles.append(fan[~concave].reshape(-1, 3))
        owners.append(np.repeat(which[~concave], size - 2))
        for polygon, ring, normal in zip(which[concave], corners[concave], normals[concave], strict=True):
            ears = ring[_ears(points[ring], normal)]
            triangles.append(ears)
            owners.append(np.full(len(ears), polygon))
    if not triangles:
        return np.zeros((0, 3), np.int64)
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.asarray(np.concatenate(triangles)[order])


def _concave(rings: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether polygons [p, n, 3] turn both ways, [p]; their normals (Newell), twice the area long, [p, 3]."""
    with np.errstate(all="ignore"):  # corners beyond all limits are refused later
        spokes = rings - rings[:, :1]
        normals = np.cross(spokes[:, 1:-1], spokes[:, 2:]).sum(axis=1)
        edges = np.roll(rings, -1, axis=1) - rings
        turns = np.einsum("pnx,px->pn", np.cross(edges, np.roll(edges, -1, axis=1)), normals)
        return (turns < -FLAT * (normals**2).sum(axis=1)[:, None]).any(axis=1), normals


def _ears(ring: NDArray[np.float64], normal: NDArray[np.float64]) -> NDArray[np.int64]:
    """Corners [n, 3] of the triangles of one polygon ``ring`` [k, 3], counterclockwise around ``normal``."""
    across = np.cross(np.eye(3)[np.argmin(np.abs(normal))], normal)
    across /= np.linalg.norm(across)
    length = np.linalg.norm(normal)
    flat = (ring - ring[0]) @ np.stack([across, np.cross(normal, across) / length], axis=1)
    ears = mapbox_earcut.triangulate_float64(flat, np.array([len(ring)], np.uint32)).reshape(-1, 3)
    edges = flat[ears[:, 1:]] - flat[ears[:, :1]]
    turns = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
    if abs(np.abs(turns).sum() - length) > 1e3 * FLAT * length:  # edges cross
        rim = np.arange(1, len(ring) - 1)
        return np.stack([0 * rim, rim, rim + 1], axis=1)
    return np.where((turns < 0)[:, None], ears[:, ::-1], ears).astype(np.int64)

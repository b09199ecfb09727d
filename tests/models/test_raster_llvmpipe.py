# SPDX-License-Identifier: Apache-2.0
"""Coverage of ``raster``'s model against that of Mesa's llvmpipe, which nobody here wrote.

Triangles by way of ``models/rasterizer.py``, which equals llvmpipe (``tests/workloads/texcache``); points and
lines against stored pictures that ``oracle/lines.py`` made.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.raster.schema import BEGIN, LINES, POINTS, VERTEX
from models.raster import VERTEX as WORD
from models.raster import RasterModel
from models.rasterizer_setup import SUBPIXEL

MODEL = load("raster", "base")


def draw(topology: int, corners: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    """The words of ``tile`` of ``corners`` [n, 2], x and y in 1/256 pixel."""
    words = np.zeros(1 + len(corners), WORD)
    words["op"] = VERTEX
    words[0] = (BEGIN, topology, 1, 1, 1, 1, 0, width, height, 0)
    words["x"][1:], words["y"][1:] = corners.T
    return RasterModel(MODEL).feed(words)[0]


def pixels_of(tiles: NDArray[Any]) -> NDArray[np.int64]:
    """All drawn pixels [m, 3]: primitive, y, x, sorted."""
    word, pixel = np.nonzero(tiles["mask"][:, None] >> np.arange(16) & 1)
    x, y = (4 * tiles[axis][word].astype(int) for axis in "xy")
    found = np.stack([tiles["prim"][word].astype(int), y + pixel // 4, x + pixel % 4], axis=1)
    return found[np.lexsort(found.T[::-1])]


def stored(kind: str, topology: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Corners [n, ends, 2] of ``kind``; pixels [m, 2], x and y, that are ours alone, and llvmpipe's alone."""
    with np.load(Path(__file__).with_name("oracle") / "lines.npz") as file:
        corners = file[f"{kind}_corners"].astype(int)
        theirs = np.unpackbits(file[f"{kind}_pixels"], axis=1)
    ours = np.zeros_like(theirs)
    _, y, x = pixels_of(draw(topology, corners.reshape(-1, 2), *theirs.shape[::-1])).T
    ours[y, x] = 1
    assert theirs.sum() >= len(corners)
    return corners, np.argwhere(ours > theirs)[:, ::-1], np.argwhere(theirs > ours)[:, ::-1]


def test_points_are_llvmpipes() -> None:
    """Half of them lie on borders of pixels."""
    corners, ours, theirs = stored("points", POINTS)
    assert len(corners) == 3000
    assert not len(ours) and not len(theirs)


def test_lines_are_llvmpipes_but_for_its_rounding() -> None:
    """5 of 600 differ by one pixel.

    4 pass within 1/1024 pixel of the middle between two rows (or columns), and llvmpipe's slope is rounded:
    its pixel is the neighbour. One begins in the very column of a centre, and llvmpipe leaves its first
    pixel out.
    """
    corners, ours, theirs = stored("lines", LINES)
    assert len(corners) == 600
    moved = []
    for pixel in ours:
        a, b = owner(corners, pixel)
        major = int(abs(b[0] - a[0]) < abs(b[1] - a[1]))
        along = (SUBPIXEL * pixel[major] - a[major]) / (b[major] - a[major])
        if along == 0:
            continue
        beside = a[1 - major] + along * (b[1 - major] - a[1 - major]) - SUBPIXEL * pixel[1 - major]
        assert abs(abs(beside) - SUBPIXEL / 2) < 0.25, (a, b, pixel)
        step = [0, 0]
        step[1 - major] = int(np.sign(beside))
        moved.append((pixel + step).tolist())
    assert sorted(moved) == sorted(theirs.tolist())
    assert len(moved) == 4 and len(ours) == 5


def owner(corners: NDArray[np.int64], pixel: NDArray[np.int64]) -> NDArray[np.int64]:
    """The line whose bounds have a pixel: each has a square of its own."""
    low, high = corners.min(axis=1) - SUBPIXEL, corners.max(axis=1) + SUBPIXEL
    (found,) = np.flatnonzero(((low <= SUBPIXEL * pixel) & (SUBPIXEL * pixel <= high)).all(axis=1))
    return np.asarray(corners[found])

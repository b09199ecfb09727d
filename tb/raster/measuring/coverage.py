# SPDX-License-Identifier: Apache-2.0
"""Pixels that the golden model draws beside those of other rasterizers.

Points and lines: beside pictures of Mesa's llvmpipe, which nobody here wrote (tests/models/oracle).
Triangles: beside :mod:`models.rasterizer`, which equals llvmpipe in every pixel of stored pictures of other
triangles (tests/workloads/texcache/test_llvmpipe.py).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.raster.schema import BEGIN, LINES, POINTS, TRIANGLES, VERTEX
from models.raster import VERTEX as WORD
from models.raster import RasterModel
from models.rasterizer import rasterize
from models.rasterizer_setup import SCREEN_TRIANGLE, set_up
from utils.keys import ROOT

STORED = ROOT / "tests" / "models" / "oracle" / "lines.npz"
COUNT, SIZE = 400, (320, 200)  # triangles, and the picture that they lie in


def against_others() -> dict[str, dict[str, int]]:
    """By kind: primitives, pixels that the other one draws, and those that one of both draws alone."""
    with np.load(STORED) as file:
        stored = {name: file[name] for name in file.files}
    compared = {}
    for kind, topology in (("points", POINTS), ("lines", LINES)):
        corners = stored[f"{kind}_corners"].astype(int)
        theirs = np.unpackbits(stored[f"{kind}_pixels"], axis=1)
        ours = drawn(topology, corners.reshape(-1, 2), (theirs.shape[1], theirs.shape[0]))
        compared[kind] = _compared(len(corners), ours > 0, theirs > 0)
    return {**compared, "triangles": triangles()}


def triangles() -> dict[str, int]:
    """The same of triangles at random, how often each pixel is drawn."""
    rng, (width, height) = np.random.default_rng(1), SIZE
    clip = np.ones((COUNT, 3, 4))
    near = rng.normal(0, 1, (COUNT, 3, 2)) * rng.choice([0.01, 0.05, 0.3], (COUNT, 1, 1))
    clip[..., :2] = rng.uniform(-1, 1, (COUNT, 1, 2)) + near
    clip[..., 2] = 0
    uv, flags, compare = np.zeros((COUNT, 3, 2)), np.zeros(COUNT, np.uint8), np.zeros(COUNT, np.uint8)
    screen = np.zeros(7 * COUNT, SCREEN_TRIANGLE)
    screen = screen[: set_up(clip, uv, flags, compare, width, height, screen)]
    ours = drawn(TRIANGLES, np.stack([screen["x"], screen["y"]], axis=-1).reshape(-1, 2), SIZE)
    fragments = rasterize(clip, uv, np.ones(COUNT, np.int64), flags, width, height)
    theirs = np.zeros_like(ours)
    np.add.at(theirs, (fragments["y"], fragments["x"]), 1)
    return _compared(COUNT, ours, theirs)


def _compared(count: int, ours: NDArray[Any], theirs: NDArray[Any]) -> dict[str, int]:
    apart = np.abs(ours.astype(np.int64) - theirs.astype(np.int64))
    return {"primitives": count, "pixels": int(theirs.sum()), "differ": int(apart.sum())}


def drawn(topology: int, corners: NDArray[Any], size: tuple[int, int]) -> NDArray[np.int64]:
    """How often each pixel [height, width] is drawn; ``corners`` [n, 2], x and y in 1/256 pixel."""
    words = np.zeros(1 + len(corners), WORD)
    words["op"] = VERTEX
    words[0] = (BEGIN, topology, 1, 1, 1, 1, 0, *size, 0)
    words["x"][1:], words["y"][1:] = corners.T
    tiles = RasterModel(load("raster", "base")).feed(words)[0]
    word, pixel = np.nonzero(tiles["mask"][:, None] >> np.arange(16) & 1)
    x, y = (4 * tiles[axis][word].astype(int) for axis in "xy")
    counts = np.zeros(size[::-1], np.int64)
    np.add.at(counts, (y + pixel // 4, x + pixel % 4), 1)
    return counts

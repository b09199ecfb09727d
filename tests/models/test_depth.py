# SPDX-License-Identifier: Apache-2.0
"""The depth test: its functions, early against late, and both against Mesa's llvmpipe, live and headless; and
the depth cache's own beside it.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from configs import load
from configs.depth import BASE, CLEAR, D16, D24X8, D32, FLUSH
from models.depth import (
    DEPTH_MAX,
    DEPTH_TEST,
    DEPTH_WRITE,
    FUNCTIONS,
    cleared,
    compares,
    run_test,
    states,
)
from models.memory import Memory
from models.rasterizer import CULL_BACK, SCREEN_QUAD, rasterize_quads
from models.zcache import WORD, run
from tests.models.llvmpipe_depth import GlDepth

SIZE = (70, 46)  # no multiples of a tile
#: quad of a tile, pixel of the quad, pixel of the tile
PLACES = [
    (quad, pixel, 8 * (quad >> 1) + 4 * (pixel >> 1) + 2 * (quad & 1) + (pixel & 1))
    for quad, pixel in product(range(4), range(4))
]


@pytest.fixture(scope="module")
def gl() -> GlDepth:
    """Fails, rather than skips, where Mesa is missing: 'make test' installs it."""
    return GlDepth()


@pytest.mark.parametrize("seed", range(3))
def test_the_depth_cache_tests_a_tile_as_its_quads(seed: int) -> None:
    """Of one tile again and again, all functions, with and without test and writing, pixels killed."""
    rng, count = np.random.default_rng(seed), 300
    words, kill = np.zeros(count + 3, WORD), np.zeros(count + 3, int)
    tiles = words[2:-1]
    words["op"][[0, 1, -1]] = BASE, CLEAR, FLUSH
    words["depth"][0, :3], words["depth"][1, 0] = (0, 1, 1), rng.integers(0, DEPTH_MAX)
    tiles["depth"] = rng.choice(rng.integers(0, DEPTH_MAX, 7), (count, 16))
    tiles["mask"], tiles["func"] = rng.integers(0, 1 << 16, count), rng.integers(0, 8, count)
    tiles["test"] = rng.random(count) < 0.8
    tiles["write"] = tiles["test"] & (rng.random(count) < 0.6)
    kill[2:-1] = rng.integers(0, 1 << 16, count) & rng.integers(0, 1 << 16, count)
    outcome = run(load("zcache", "tiny"), words, Memory(1), kill=kill)

    quads, killed = np.zeros(4 * count, SCREEN_QUAD), np.zeros(4 * count, np.uint8)
    for quad, pixel, place in PLACES:
        mine = quads[quad::4]
        mine["x"], mine["y"], mine["prim"] = 2 * (quad & 1), 2 * (quad >> 1), np.arange(count)
        mine["valid"] |= ((tiles["mask"] >> place & 1) << pixel).astype(np.uint8)
        mine["depth"][:, pixel] = tiles["depth"][:, place]
        killed[quad::4] |= ((kill[2:-1] >> place & 1) << pixel).astype(np.uint8)
    flags = (DEPTH_TEST * tiles["test"] + DEPTH_WRITE * tiles["write"]).astype(np.uint8)
    depth = cleared(4, 4, int(words["depth"][1, 0]))
    passed = run_test(quads, states(flags, tiles["func"].astype(np.uint8)), killed, depth) & ~killed
    ours = outcome.results["passed"][2:-1]
    for quad, pixel, place in PLACES:
        assert (ours >> place & 1 == passed[quad::4] >> pixel & 1).all()
    assert (outcome.memory.line(0).view("<u4").reshape(4, 4) == depth).all()
    assert 0.1 < np.bitwise_count(ours).sum() / np.bitwise_count(tiles["mask"]).sum() < 0.9


class Crowd:
    """Overlapping triangles with states of all kinds.

    ``flat``: each of one depth out of nine, in binary fractions, w = 1; and within the screen, at whose
    border llvmpipe cuts triangles and snaps the cuts.
    """

    def __init__(self, seed: int, n: int = 120, flat: bool = False, size: tuple[int, int] = SIZE) -> None:
        rng = np.random.default_rng(seed)
        self.size = size
        self.clip = np.ones((n, 3, 4))
        self.clip[..., :2] = rng.uniform(-1, 1, (n, 1, 2)) + rng.normal(0, 0.5, (n, 3, 2))
        if flat:
            self.clip[..., :2] = np.clip(self.clip[..., :2], -1, 1)
        self.clip[..., 2] = rng.integers(-4, 5, (n, 1)) / 4 if flat else rng.uniform(-0.9, 0.9, (n, 3))
        if not flat:
            self.clip *= rng.uniform(0.5, 2, (n, 3, 1))
        self.clip = self.clip.astype("f4").astype(float)
        self.uv, self.side = rng.uniform(0, 1, (n, 3, 2)), np.full(n, 64)
        self.compare = rng.integers(0, 8, n).astype(np.uint8)
        self.flags = rng.choice([0, 0, 0, CULL_BACK], n) + rng.choice([0, 1, 1, 1], n) * DEPTH_TEST
        self.flags = (self.flags + rng.choice([0, 1], n) * DEPTH_WRITE).astype(np.uint8)
        untested = self.flags & DEPTH_TEST == 0
        self.flags[untested] &= 0xFF - DEPTH_WRITE  # as in OpenGL
        self.clear = int(rng.integers(0, DEPTH_MAX))

    def quads(self, late: bool, tile: int = 0) -> NDArray[Any]:
        given = self.clip, self.uv, self.side, self.flags
        return rasterize_quads(*given, *self.size, tile, compare=self.compare, clear=self.clear, late=late)

    def test(self, quads: NDArray[Any], killed: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[Any]]:
        """What passes, and the buffer after it."""
        depth = cleared(*self.size, self.clear)
        return run_test(quads, states(self.flags, self.compare), killed, depth), depth


def textured(quads: NDArray[Any]) -> int:
    return int(np.unpackbits(quads["valid"]).sum())


@pytest.mark.parametrize("tile", [0, 8, 32])
@pytest.mark.parametrize("flat", [False, True])
def test_early_textures_what_passes_late(tile: int, flat: bool) -> None:
    """Quad by quad, in the same order, with the same coordinates, lambda and depths."""
    crowd = Crowd(tile + flat, flat=flat)
    early, late = crowd.quads(late=False, tile=tile), crowd.quads(late=True, tile=tile)
    passed, _ = crowd.test(late, np.zeros(len(late), np.uint8))
    assert (passed & ~late["valid"] == 0).all()
    assert 0.1 < textured(early) / textured(late) < 0.9
    kept = late[passed != 0]
    kept["valid"] = passed[passed != 0]
    assert kept.tobytes() == early.tobytes()


def test_all_that_is_covered_is_textured_late() -> None:
    crowd, free = Crowd(5), Crowd(5)
    free.flags &= CULL_BACK
    assert crowd.quads(late=True).tobytes() == free.quads(late=True).tobytes() == free.quads(False).tobytes()


def test_depth_of_pixels_that_are_not_covered_is_zero() -> None:
    quads = Crowd(6).quads(late=True)
    covered = np.unpackbits(quads["valid"][:, None], axis=1, bitorder="little")[:, :4] != 0
    assert (quads["depth"][~covered] == 0).all() and (quads["depth"][covered] > 0).mean() > 0.99


#: of depths that are drawn, the lowest and the highest; below, floats may be flushed to 0
RANGES = {
    D24X8: (0, DEPTH_MAX), D16: (0, 0xFFFF),
    D32: (int(np.finfo("f4").tiny.view("u4")), int(np.float32(1).view("u4"))),
}  # fmt: skip


@pytest.mark.parametrize("form", RANGES, ids=["D24X8", "D16", "D32F"])
@pytest.mark.parametrize("function", range(8), ids=FUNCTIONS)
def test_llvmpipe_lets_the_same_pixels_pass(gl: GlDepth, function: int, form: int) -> None:
    """Depths written by a shader, many of them equal or one apart; picture and buffer, every pixel.

    Floats from 0 to 1 are compared as words.
    """
    rng, (low, top) = np.random.default_rng(function), RANGES[form]
    stored, level = rng.integers(low, top, (2, 128, 128), endpoint=True)
    near = np.clip(stored + rng.choice([-1, 0, 0, 1], stored.shape), low, top)
    level = np.where(rng.random(stored.shape) < 0.7, near, level)
    stored[0, :2], level[0, :2] = (low, top), (top, low)
    for write in (True, False):
        shown, depth = gl.levels(stored, level, function, write, form)
        pairs = np.stack([level, stored], -1).reshape(-1, 2)
        assert shown.ravel().tolist() == [compares(function, *pair) for pair in pairs]
        assert (depth == np.where(shown & write, level, stored)).all()


@pytest.mark.parametrize("seed", range(4))
def test_llvmpipe_shows_the_same_triangles_in_every_pixel(gl: GlDepth, seed: int) -> None:
    """All functions, with and without test and writing, on what the draws before have left."""
    crowd = Crowd(seed, 400, flat=True, size=(64, 48))
    crowd.flags &= DEPTH_TEST | DEPTH_WRITE
    crowd.clear = [DEPTH_MAX, 0, (DEPTH_MAX + 1) // 2, DEPTH_MAX][seed]
    count, last, left = gl.triangles(crowd.clip, crowd.flags, crowd.compare, crowd.clear, crowd.size)
    quads = crowd.quads(late=True)
    passed, depth = crowd.test(quads, np.zeros(len(quads), np.uint8))
    ours_count, ours_last = np.zeros((2, 48, 64), int)
    for quad, mask in zip(quads, passed, strict=True):
        for p in np.flatnonzero(mask >> np.arange(4) & 1):
            ours_count[quad["y"] + (p >> 1), quad["x"] + (p & 1)] += 1
            ours_last[quad["y"] + (p >> 1), quad["x"] + (p & 1)] = quad["prim"] + 1
    assert 0.05 < ours_count.sum() / textured(quads) < 0.9
    assert (ours_count == count).all()
    assert (ours_last == last).all()
    assert (depth == left).all()

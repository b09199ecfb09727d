# SPDX-License-Identifier: Apache-2.0
"""Runs of corners in clip space: what is cut off, and that nothing else changes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.raster.schema import BEGIN, FAN, LINE_STRIP, LINES, POINTS, STRIP, TRIANGLES
from models.raster import RasterModel
from workloads.raster.clipping import _clipped, primitives, window_runs
from workloads.raster.vertices import fixed_point, vertex_frame
from workloads.scenes.depth import Batch, DepthScene
from workloads.scenes.scene import Camera

SIZE = WIDTH, HEIGHT = 64, 48
GUARD = 2.0 * 8192 / WIDTH, 2.0 * 8192 / HEIGHT
COMPILED = settings(deadline=None, max_examples=100)
CAMERA = Camera((0, 0, 0), (0, 0, -1))
seeds = st.integers(0, 2**32 - 1)


def random_run(seed: int, count: int) -> NDArray[np.float64]:
    """Corners in front of and behind the camera, in and far outside the view."""
    rng = np.random.default_rng(seed)
    run = rng.normal(0, 1, (count, 4)) * (1.5, 1.5, 1.2, 0.0)
    run[:, 3] = rng.normal(0.7, 0.7, count)
    return np.asarray(run * rng.choice([1.0, 1.0, 300.0], (count, 1)))


def pixels(batch: Batch) -> NDArray[np.int64]:
    """How often each pixel is drawn, [HEIGHT, WIDTH]."""
    counts = np.zeros((HEIGHT, WIDTH), np.int64)
    if not window_runs(batch, *SIZE):
        return counts
    scene = DepthScene("test", (CAMERA,), lambda _camera, _aspect: [batch])
    tiles, _ = RasterModel(load("raster", "base")).feed(vertex_frame(scene, *SIZE).words)
    word, pixel = np.nonzero(tiles["mask"][:, None] >> np.arange(16) & 1)
    x, y = (4 * tiles[axis][word].astype(int) for axis in "xy")
    np.add.at(counts, (y + pixel // 4, x + pixel % 4), 1)
    return counts


@COMPILED
@given(seeds, st.sampled_from([STRIP, FAN]))
def test_a_strip_or_fan_covers_what_its_triangles_cover(seed: int, topology: int) -> None:
    run = random_run(seed, 8)
    alone = run[primitives(topology, 8)].reshape(-1, 4)
    assert (pixels(Batch(topology, [run])) == pixels(Batch(TRIANGLES, [alone]))).all()


@COMPILED
@given(seeds)
def test_a_line_strip_draws_what_its_lines_draw(seed: int) -> None:
    run = random_run(seed, 8)
    lines = run[primitives(LINE_STRIP, 8)].reshape(-1, 4)
    assert (pixels(Batch(LINE_STRIP, [run])) == pixels(Batch(LINES, [lines]))).all()


@COMPILED
@given(seeds)
def test_lines_are_cut_at_the_planes_and_keep_their_direction(seed: int) -> None:
    a, b = random_run(seed, 2)
    clipped = _clipped(LINES, np.array([a, b]), *GUARD)
    part = np.linspace(0, 1, 2001)[:, None]
    along = a + part * (b - a)
    x, y, z, w = along.T
    inside = (np.abs(z) <= w) & (np.abs(x) <= GUARD[0] * w) & (np.abs(y) <= GUARD[1] * w)
    if not inside.any():
        assert len(clipped) == 0 or np.abs(clipped[1] - clipped[0]).max() <= np.abs(b - a).max() / 2000
        return
    ends = part[inside][[0, -1], 0]
    own = (clipped - a) @ (b - a) / ((b - a) @ (b - a))
    assert clipped == pytest.approx(a + own[:, None] * (b - a), abs=1e-9 * np.abs([a, b]).max())
    assert own == pytest.approx(ends, abs=1 / 2000 + 1e-9)


@COMPILED
@given(seeds)
def test_points_are_drawn_if_the_view_volume_has_them(seed: int) -> None:
    run = random_run(seed, 40)
    (corners,) = window_runs(Batch(POINTS, [run]), *SIZE) or [np.empty((0, 3))]
    visible = (np.abs(run[:, :3]) <= run[:, 3:]).all(axis=1)
    wanted = (run[visible, :3] / run[visible, 3:]) * (WIDTH / 2, -HEIGHT / 2, 0.5)
    wanted += np.array([WIDTH / 2 - 0.5, HEIGHT / 2 - 0.5, 0.5])
    wanted *= (256, 256, 1)
    assert corners == pytest.approx(wanted, abs=0.51)
    assert (corners[:, 2] == pytest.approx(wanted[:, 2])) and (
        (corners[:, 2] >= 0) & (corners[:, 2] <= 1)
    ).all()


def test_a_strip_that_needs_no_clipping_stays_one() -> None:
    """And one with a corner behind the camera keeps its others together."""
    run = np.array([[x / 10 - 0.4, (x % 2) / 2, 0.1, 1.0] for x in range(9)])
    assert [len(part) for part in window_runs(Batch(STRIP, [run]), *SIZE)] == [9]
    run[4, 3] = 0.05  # before the near plane
    run[4, 2] = -0.1
    assert [len(part) for part in window_runs(Batch(STRIP, [run]), *SIZE)] == [4, 4, 4, 4, 4]
    run[:, 0] += 3  # beside the view
    assert window_runs(Batch(STRIP, [run]), *SIZE) == []


@pytest.mark.parametrize("near, far, wanted", [(0, 1, 3 << 30), (1, 0, 1 << 30), (0.5, 1, 7 << 29)])
def test_depth_goes_from_near_to_far(near: float, far: float, wanted: int) -> None:
    point = Batch(POINTS, [np.array([[0.0, 0.0, 0.5, 1.0]])], near=near, far=far)
    scene = DepthScene("test", (CAMERA,), lambda _camera, _aspect: [point])
    words = vertex_frame(scene, *SIZE).words
    assert words["z"][words["op"] == BEGIN + 1].tolist() == [wanted]
    assert fixed_point(np.array([0.0, 1.0, 2.0**-32])).tolist() == [0, (1 << 32) - 1, 1]


def test_members_of_runs() -> None:
    assert primitives(LINES, 5).tolist() == [[0, 1], [2, 3]]
    assert primitives(LINE_STRIP, 3).tolist() == [[0, 1], [1, 2]]
    assert primitives(STRIP, 4).tolist() == [[0, 1, 2], [1, 2, 3]]
    assert primitives(FAN, 4).tolist() == [[0, 1, 2], [0, 2, 3]]
    for topology in (LINES, LINE_STRIP, STRIP, FAN):
        none: Any = primitives(topology, 1)
        assert none.size == 0

# SPDX-License-Identifier: Apache-2.0
"""The rasterizer against exact arithmetic, analytic planes, and its own invariants."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError
from models.rasterizer import CULL_BACK, DEPTH_TEST, DEPTH_WRITE, FRAGMENT, rasterize
from models.rasterizer_setup import SUBPIXEL
from models.rasterizer_setup import clip as cut
from tests.models.raster_exact import covers
from workloads.scenes.scene import Camera

SOLID = DEPTH_TEST | DEPTH_WRITE
WIDTH, HEIGHT = 32, 16  # powers of two: snapped coordinates survive the viewport transform exactly
COMPILED = settings(deadline=None, max_examples=200)

point = st.tuples(st.integers(-12 * SUBPIXEL, 44 * SUBPIXEL), st.integers(-12 * SUBPIXEL, 28 * SUBPIXEL))
coarse = st.tuples(st.integers(-4, 36), st.integers(-4, 20)).map(lambda p: (p[0] * SUBPIXEL, p[1] * SUBPIXEL))
corner = st.one_of(point, coarse, coarse.map(lambda p: (p[0] + SUBPIXEL // 2, p[1])))


def from_fixed(points: Any) -> NDArray[np.float64]:
    """Clip-space corners of points in 1/256 pixel, where pixel centres are whole pixels."""
    xy = (np.asarray(points, float) / SUBPIXEL + 0.5) / (WIDTH, HEIGHT)
    clip = np.ones((*xy.shape[:-1], 4))
    clip[..., 0], clip[..., 1], clip[..., 2] = 2 * xy[..., 0] - 1, 1 - 2 * xy[..., 1], 0
    return clip


def draw(
    clip: NDArray[np.float64],
    flags: int = 0,
    tile: int = 0,
    size: tuple[int, int] = (WIDTH, HEIGHT),
    uv: NDArray[np.float64] | None = None,
    side: int = 1,
) -> NDArray[Any]:
    n = len(clip)
    coordinates = np.zeros((n, 3, 2)) if uv is None else uv
    return rasterize(clip, coordinates, np.full(n, side), np.full(n, flags, np.uint8), *size, tile)


def times_covered(fragments: NDArray[Any], size: tuple[int, int] = (WIDTH, HEIGHT)) -> NDArray[np.int64]:
    counts = np.zeros((size[1], size[0]), np.int64)
    np.add.at(counts, (fragments["y"], fragments["x"]), 1)
    return counts


@COMPILED
@given(corner, corner, corner)
def test_coverage_equals_exact_arithmetic_with_symbolic_perturbation(a: Any, b: Any, c: Any) -> None:
    counts = times_covered(draw(from_fixed([[a, b, c]])))
    corners = [(*corner, 0) for corner in (a, b, c)]
    wanted = [[int(covers(corners, x, y)) for x in range(WIDTH)] for y in range(HEIGHT)]
    assert counts.tolist() == wanted


@COMPILED
@given(st.integers(0, 2**32 - 1))
def test_a_triangulated_ground_in_perspective_is_watertight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground, matrix = random_ground(rng), camera(rng)
    clip = np.concatenate([ground, np.ones((*ground.shape[:2], 1))], axis=-1) @ matrix.T
    assert (clip[..., 3] < 0).any()  # some of it is behind the camera
    signed = times_covered_by_winding(clip, (64, 48))
    assert signed.max() == 1
    assert signed.min() == 0
    assert (signed[36:] == 1).all()  # near ground, from side to side


def times_covered_by_winding(clip: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.int64]:
    """Triangles of one winding minus those of the other, for each pixel.

    Corners snap to 1/256 pixel, which turns slivers over; seen so, a closed surface stays closed.
    """
    front, back = (
        times_covered(draw(corners, CULL_BACK, size=size), size) for corners in (clip, clip[:, ::-1])
    )
    return front - back


def random_ground(rng: np.random.Generator) -> NDArray[np.float64]:
    """A square of 80 x 80 at height 0 in irregular triangles without T-junctions, [n, 3, 3]."""
    cuts = [np.concatenate([[-40], np.sort(rng.uniform(-39, 39, 9)), [40]]) for _ in range(2)]
    x, z = np.meshgrid(*cuts)
    x[1:-1, 1:-1] += rng.uniform(-0.3, 0.3, (9, 9)) * np.minimum(np.diff(x)[1:-1, 1:], np.diff(x)[1:-1, :-1])
    points = np.stack([x, np.zeros_like(x), z], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2).reshape(-1, 3, 3)


def camera(rng: np.random.Generator) -> NDArray[np.float64]:
    """World to clip space: 2 above the ground, turned anyhow, looking slightly down; 90 by 73.7 degrees."""
    turn, tilt = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.3)
    look = np.sin(turn) * np.cos(tilt), -np.sin(tilt), np.cos(turn) * np.cos(tilt)
    return Camera((0, 2, 0), look, fov_y=2 * np.degrees(np.arctan(3 / 4)), far=200).matrix(4 / 3)


@COMPILED
@given(st.integers(0, 2**32 - 1))
def test_coordinates_and_lambda_on_a_plane_are_those_of_ray_casting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, size = camera(rng), (64, 48)
    ground = np.array(
        [[(-90, 0, -90), (-90, 0, 90), (90, 0, 90)], [(-90, 0, -90), (90, 0, 90), (90, 0, -90)]]
    )
    clip = np.concatenate([ground, np.ones((2, 3, 1))], axis=-1) @ matrix.T
    fragments = draw(clip, size=size, uv=ground[..., [0, 2]] / 8.0, side=256)
    assert len(fragments) > 1000

    def cast(x: Any, y: Any) -> NDArray[np.float64]:
        """Texture coordinates where the ray through a pixel's centre meets the ground."""
        ends = []
        for z in (-0.5, 0.5):
            ndc = np.stack([(x + 0.5) / 32 - 1, 1 - (y + 0.5) / 24, np.full(len(x), z), np.ones(len(x))])
            world = np.linalg.inv(matrix) @ ndc
            ends.append(world[:3] / world[3])
        t = ends[0][1] / (ends[0][1] - ends[1][1])
        return np.asarray((ends[0] + t * (ends[1] - ends[0]))[[0, 2]] / 8.0)

    x, y = fragments["x"].astype(int), fragments["y"].astype(int)
    safe = y > y.min() + 8  # away from the horizon, where snapping moves coordinates far
    x, y, fragments = x[safe], y[safe], fragments[safe]
    wanted, left, top = cast(x, y), x & ~1, y & ~1
    across, along = cast(left + 1, top) - cast(left, top), cast(left, top + 1) - cast(left, top)
    moved = np.abs(across).sum(axis=0) + np.abs(along).sum(axis=0)  # by one pixel
    error = np.abs(np.stack([fragments["u"], fragments["v"]]) - wanted)
    assert (error < 0.02 * moved + 1e-5).all()
    lod = np.log2(256 * np.sqrt(np.maximum((across**2).sum(axis=0), (along**2).sum(axis=0))))
    assert np.abs(fragments["lod"] - lod).max() < 0.05


def crowd(seed: int, n: int = 60) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Overlapping triangles in any depth and perspective; and texture coordinates."""
    rng = np.random.default_rng(seed)
    clip = np.empty((n, 3, 4))
    clip[..., :2] = rng.uniform(-1, 1, (n, 1, 2)) + rng.normal(0, 0.5, (n, 3, 2))
    clip[..., 2], clip[..., 3] = rng.uniform(-0.9, 0.9, (n, 3)), 1.0
    clip *= rng.uniform(0.5, 2, (n, 3, 1))
    return clip, rng.uniform(0, 1, (n, 3, 2))


@pytest.mark.parametrize("tile", [2, 8, 16, 32])
@pytest.mark.parametrize("flags", [0, SOLID, CULL_BACK, SOLID | CULL_BACK])
def test_tiles_only_change_the_order(tile: int, flags: int) -> None:
    clip, uv = crowd(tile)
    size = (70, 45)  # no multiple of a tile
    scan, tiled = (draw(clip, flags, step, size, uv, 64) for step in (0, tile))
    key = ("prim", "y", "x")
    assert len(scan) > 500
    assert (np.sort(scan, order=key) == np.sort(tiled, order=key)).all()
    place = tiled["y"].astype(int) // tile * 1000 + tiled["x"].astype(int) // tile
    assert (np.diff(place) >= 0).all()
    for here in np.unique(place):
        assert (np.diff(tiled["prim"][place == here].astype(int)) >= 0).all()


def test_scan_order_goes_triangle_by_triangle_in_rows_of_quads() -> None:
    clip, uv = crowd(5)
    fragments = draw(clip, 0, 0, (64, 48), uv)
    x, y = fragments["x"].astype(int), fragments["y"].astype(int)
    place = [fragments["prim"].astype(int), y // 2, x // 2, y % 2, x % 2]
    order = sum(part * weight for part, weight in zip(place, (10**9, 10**6, 10**3, 10, 1), strict=True))
    assert (np.diff(order) > 0).all()


def test_depth_is_interpolated_over_the_triangle() -> None:
    corners = [[(-9000, -9000), (-9000, 40000), (40000, -9000)]] * 2
    clip = from_fixed(corners)
    clip[0, :, 2] = 0.0
    clip[1, :, 2] = from_fixed(corners)[1, :, 0] * 0.01  # nearer on the left half of the screen
    fragments = draw(clip, SOLID)
    assert set(fragments["x"][fragments["prim"] == 1].tolist()) == set(range(WIDTH // 2))


def test_culling_keeps_what_is_counterclockwise_seen_with_y_up() -> None:
    front = np.array([[(-1, -1, 0, 1), (1, -1, 0, 1), (0, 1, 0, 1)]], float)
    back = front[:, ::-1]
    assert len(draw(front, CULL_BACK)) == len(draw(back)) == len(draw(front)) > 0
    assert len(draw(back, CULL_BACK)) == 0


def test_invisible_triangles_yield_nothing() -> None:
    flat = from_fixed([[(0, 0), (2560, 2560), (1280, 1280)]])
    behind = np.array([[(-1, -1, -3, -2), (1, -1, -3, -2), (0, 1, -3, -2)]], float)
    beyond = np.array([[(-1, -1, 3, 2), (1, -1, 3, 2), (0, 1, 3, 2)]], float)
    between_pixels = from_fixed([[(10, 10), (10, 200), (200, 10)]])
    beside = from_fixed([[(9000, 0), (9000, 2000), (12000, 0)]])
    for clip in (flat, behind, beyond, between_pixels, beside, np.empty((0, 3, 4))):
        fragments = draw(clip)
        assert fragments.dtype == FRAGMENT
        assert len(fragments) == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_nearer_than_near_or_farther_than_far_is_cut_off(sign: int) -> None:
    """Depth runs from -2 to 2 (in units of w) across the screen: the middle half is in the view volume."""
    slope = from_fixed([[(-9000, -9000), (-9000, 40000), (40000, -9000)]])
    slope[..., 2] = sign * 2 * slope[..., 0]
    columns = times_covered(draw(slope, SOLID)).all(axis=0)
    assert columns.tolist() == [8 <= x < 24 for x in range(WIDTH)]


@COMPILED
@given(st.integers(0, 2**32 - 1))
def test_a_shared_edge_is_cut_at_the_same_point_from_both_sides(seed: int) -> None:
    """Bit by bit, whichever triangle it belongs to and however that one is wound."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 6)) * rng.choice([1e-3, 1.0, 1e3], (2, 1))
    a[2:4] = 0.5, 1.0
    b[2:4] = -3.0, 1.0  # nearer than the near plane
    apexes = rng.normal(size=(4, 6))
    apexes[:, 3] += 9
    sides = [
        cut(np.array([*edge, apex]), 1e9, 1e9)
        for edge, apex in zip([(a, b), (b, a)] * 2, apexes, strict=True)
    ]
    cuts = [{tuple(vertex) for vertex in side} for side in sides]
    shared = set.intersection(*cuts)
    assert tuple(a) in shared
    assert len(shared) == 2  # the inner corner and the cut


@pytest.mark.parametrize("size, tile", [((0, 5), 0), ((5, 5000), 0), ((5, 5), 3), ((5, 5), -2)])
def test_impossible_screens_are_refused(size: tuple[int, int], tile: int) -> None:
    with pytest.raises(UserError):
        draw(from_fixed([[(0, 0), (0, 99), (99, 0)]]), 0, tile, size)


def test_corners_that_are_no_numbers_are_refused() -> None:
    clip = from_fixed([[(0, 0), (0, 999), (999, 0)]])
    clip[0, 1, 2] = np.nan
    with pytest.raises(UserError, match="finite"):
        draw(clip)


def test_a_picture_of_one_pixel() -> None:
    fragments = draw(np.array([[(-1, -1, 0, 1), (3, -1, 0, 1), (-1, 3, 0, 1)]], float), SOLID, 0, (1, 1))
    assert fragments[["x", "y", "prim"]].tolist() == [(0, 0, 0)]

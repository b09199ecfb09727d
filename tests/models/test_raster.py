# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``raster`` against exact arithmetic, and against what must hold whatever is drawn."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from configs.raster.schema import (
    BEGIN,
    FAN,
    LINE_STRIP,
    LINES,
    PASS,
    POINTS,
    STRIP,
    TOPOLOGIES,
    TRIANGLES,
    VERTEX,
    Config,
)
from models.raster import TILE, RasterModel, columns
from models.raster import VERTEX as WORD
from models.raster.planes import gradient
from tests.models import raster_exact as exact

COMPILED = settings(deadline=None, max_examples=300)
BASE = load("raster", "base")
WIDTH, HEIGHT = 19, 13  # no multiple of a tile
DEPTHS = (0, 1, (1 << 31) - 1, (1 << 32) - 1)

fine = st.integers(-6 * 256, 26 * 256)
coarse = st.integers(-12, 52).map(lambda place: place * 128)  # pixel centres and borders: ties
near = st.integers(-2, 10).map(lambda place: place * 128)  # few, so that sides are level, too
far = st.integers(-(1 << 22), (1 << 22) - 1)
place = st.one_of(fine, coarse, coarse, far)
depth = st.one_of(st.integers(0, (1 << 32) - 1), st.sampled_from(DEPTHS))
corner = st.one_of(st.tuples(place, place, depth), st.tuples(near, near, depth))


def words_of(run: Any, op: int = VERTEX, **fields: int) -> NDArray[Any]:
    """A word for each (x, y, z) of ``run``."""
    out = np.zeros(len(run), WORD)
    out["op"] = op
    out["x"], out["y"], out["z"] = np.array(run, np.int64).reshape(-1, 3).T
    for name, value in fields.items():
        out[name] = value
    return out


def begin(topology: int, width: int = WIDTH, height: int = HEIGHT, **state: int) -> NDArray[Any]:
    return words_of([(width, height, 0)], BEGIN, topology=topology, **{"format": 1, **state})


@st.composite
def streams(draw: st.DrawFn) -> tuple[Config, NDArray[Any]]:
    """A configuration and words of any kind for it."""
    walk, emit = draw(st.sampled_from(["rows", "serpentine"])), draw(st.sampled_from(["covered", "visited"]))
    state = st.tuples(st.integers(0, 1), st.integers(0, 7), st.integers(0, 1), st.integers(0, 2))
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        test, func, write, form = draw(state)
        size = draw(st.integers(1, WIDTH)), draw(st.integers(1, HEIGHT))
        topology = draw(st.integers(0, len(TOPOLOGIES) - 1))
        parts.append(begin(topology, *size, test=test, func=func, write=write, format=form))
        vertices = words_of(draw(st.lists(corner, min_size=1, max_size=9)))
        for at in draw(st.lists(st.integers(0, len(vertices) - 1), max_size=2)):
            vertices[at]["op"] = draw(st.sampled_from([2, PASS]))
            vertices[at]["command"] = draw(st.integers(0, 3))
        parts.append(vertices)
    parts = parts[draw(st.integers(0, 1)) :]  # there may be no begin
    return load("raster", "base", [f"walk={walk}", f"emit={emit}"]), np.concatenate(parts)


def as_words(tiles: NDArray[Any]) -> list[dict[str, Any]]:
    """TILE records as the oracle writes them."""
    out = []
    for one in tiles:
        plain = {name: int(one[name]) for name in ("op", "x", "y", "mask", "prim")}
        state = tuple(int(one[name]) for name in ("test", "func", "write", "format"))
        out.append({**plain, "state": state, "depth": one["depth"].tolist()})
    return out


@COMPILED
@given(streams())
def test_every_word_is_that_of_exact_arithmetic(stream: tuple[Config, NDArray[Any]]) -> None:
    cfg, words = stream
    tiles, work = RasterModel(cfg).feed(words)
    assert as_words(tiles) == exact.expected(cfg, words)
    assert work["words"].sum() == len(tiles)


@COMPILED
@given(streams(), st.data())
def test_chunks_of_words_give_what_all_at_once_give(stream: Any, data: st.DataObject) -> None:
    cfg, words = stream
    whole, parts = RasterModel(cfg), RasterModel(cfg)
    tiles, work = whole.feed(words)
    cut = data.draw(st.integers(0, len(words)))
    found = [parts.feed(one) for one in (words[:cut], *np.split(words[cut:], len(words) - cut or 1))]
    assert (np.concatenate([one for one, _ in found]) == tiles).all()
    assert (np.concatenate([one for _, one in found]) == work).all()
    assert parts.counters == whole.counters


@COMPILED
@given(st.integers(-(1 << 56) + 1, (1 << 56) - 1), st.integers(1, (1 << 47) - 1))
@example((1 << 56) - 1, 1)
@example(-1, (1 << 47) - 1)
def test_gradients_are_floors_of_quotients_of_80_bits(numerator: int, denominator: int) -> None:
    wanted = (numerator << 24) // denominator
    assert (gradient(numerator, denominator) - wanted) % (1 << 64) == 0


@COMPILED
@given(corner, corner, corner, st.integers(0, 2))
def test_depths_are_those_of_the_exact_plane(a: Any, b: Any, c: Any, turn: int) -> None:
    """To one step of 2^-32, whichever corner is the first and however the triangle is wound."""
    corners = [(a, b, c), (b, c, a), (c, b, a)][turn]
    tiles, _ = RasterModel(BASE).feed(np.concatenate([begin(TRIANGLES), words_of(corners)]))
    (p, q, r), area = exact.ordered(list(corners))
    for (x, y), value in drawn(tiles).items():
        dx, dy = 256 * x - p[0], 256 * y - p[1]
        part_q = Fraction(dx * (r[1] - p[1]) - dy * (r[0] - p[0]), area)
        part_r = Fraction(dy * (q[0] - p[0]) - dx * (q[1] - p[1]), area)
        plane = p[2] + part_q * (q[2] - p[2]) + part_r * (r[2] - p[2])
        assert min(a[2], b[2], c[2]) <= plane <= max(a[2], b[2], c[2])
        assert abs(value - plane) <= 1


def drawn(tiles: NDArray[Any]) -> dict[tuple[int, int], int]:
    """Depth of each drawn pixel; none is drawn twice."""
    found: dict[tuple[int, int], int] = {}
    for one in tiles:
        for n in range(16):
            if one["mask"] >> n & 1:
                place = 4 * int(one["x"]) + n % 4, 4 * int(one["y"]) + n // 4
                assert place not in found
                found[place] = int(one["depth"][n])
    return found


def test_the_depth_of_a_first_pixel_far_behind_a_short_line_is_that_of_60_bits() -> None:
    """Pixel 0, whose centre is 12 times the line's length behind A: v leaves its 60 bits."""
    steep = words_of([(120, 0, 0), (130, 0, (1 << 32) - 1)])
    words = np.concatenate([begin(LINES), steep])
    tiles, _ = RasterModel(BASE).feed(words)
    assert as_words(tiles) == exact.expected(BASE, words)
    assert drawn(tiles) == {(0, 0): (1 << 32) - 1}
    words["z"][1:] >>= 1  # half the slope: it stays below 0, and is clamped
    assert drawn(RasterModel(BASE).feed(words)[0]) == {(0, 0): 0}


@COMPILED
@given(
    st.one_of(st.tuples(fine, fine), st.tuples(near, near)),
    st.lists(st.integers(60, 8000), min_size=8, max_size=8),
    st.one_of(st.just(0.0), st.floats(0, 1)),
)
def test_a_fan_around_a_point_covers_each_pixel_exactly_once(hub: Any, reach: Any, turn: float) -> None:
    """Triangles at a common edge share no pixel and leave none out, also on level and upright ones."""
    angle = 2 * np.pi * (np.arange(9) + turn) / 8
    middle = np.clip(hub, 0, (256 * WIDTH, 256 * HEIGHT))
    length = 256.0 * np.array([*reach, reach[0]])
    rim = middle + np.rint(length[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1))
    rim[-1] = rim[0]
    run = [(*middle, 0), *((x, y, 1 << 31) for x, y in rim)]
    tiles, _ = RasterModel(BASE).feed(np.concatenate([begin(FAN), words_of(run)]))
    assert len(drawn(tiles)) == WIDTH * HEIGHT


@COMPILED
@given(st.integers(0, 2**32 - 1), st.sampled_from(["rows", "serpentine"]))
def test_a_tile_comes_once_of_a_primitive_and_in_order(seed: int, walk: str) -> None:
    rng = np.random.default_rng(seed)
    run = np.concatenate([rng.integers(-20 * 256, 90 * 256, (18, 2)), rng.integers(0, 1 << 32, (18, 1))], 1)
    words = np.concatenate([begin(TRIANGLES, 64, 64), words_of(run)])
    tiles, work = RasterModel(load("raster", "base", [f"walk={walk}"])).feed(words)
    assert max(Counter(zip(tiles["prim"], tiles["y"], tiles["x"], strict=True)).values(), default=1) == 1
    assert tiles["mask"].all()
    assert (np.diff(tiles["prim"].astype(int)) >= 0).all()
    for prim in np.unique(tiles["prim"]):
        mine = tiles[tiles["prim"] == prim]
        assert (np.diff(mine["y"].astype(int)) >= 0).all()
        ways = {
            int(np.sign(step))
            for row in np.unique(mine["y"])
            for step in np.diff(mine["x"][mine["y"] == row].astype(int))
        }
        assert ways <= ({1} if walk == "rows" else {1, -1})
    assert work["walk"].sum() == work["visited"].sum() >= len(tiles)


def test_pixels_outside_the_window_are_not_drawn_and_their_words_are_zero() -> None:
    whole = [(-9000, -9000, 5 << 28), (-9000, 40000, 5 << 28), (40000, -9000, 5 << 28)]
    tiles, _ = RasterModel(BASE).feed(np.concatenate([begin(TRIANGLES, 6, 5), words_of(whole)]))
    assert tiles["mask"].tolist() == [0xFFFF, 0x3333, 0x000F, 0x0003]
    for one in tiles:
        bits = [int(one["mask"]) >> n & 1 for n in range(16)]
        assert one["depth"].tolist() == [5 << 28 if bit else 0 for bit in bits]


@COMPILED
@given(st.tuples(fine, fine), st.tuples(fine, fine))
def test_lines_leave_the_diamonds_of_their_pixels(a: tuple[int, int], b: tuple[int, int]) -> None:
    """OpenGL's rule in its own words: drawn is whose diamond the line meets, but for that which B is in."""
    assume(a != b)
    words = np.concatenate([begin(LINES), words_of([(*a, 0), (*b, 0)])])
    found = set(drawn(RasterModel(BASE).feed(words)[0]))
    for x in range(WIDTH):
        for y in range(HEIGHT):
            nearest = distance(a, b, (256 * x, 256 * y))
            if nearest != 128:  # else the line touches the diamond: a tie
                out = abs(b[0] - 256 * x) + abs(b[1] - 256 * y) >= 128
                assert ((x, y) in found) == (nearest < 128 and out), (x, y)


def distance(a: tuple[int, int], b: tuple[int, int], centre: tuple[int, int]) -> Fraction:
    """The least |dx| + |dy| from ``centre`` to a point of the line: at an end, or where dx or dy is 0."""
    p, q = ([one[axis] - centre[axis] for axis in range(2)] for one in (a, b))
    parts = [Fraction(0), Fraction(1)]
    for axis in range(2):
        if p[axis] != q[axis]:
            parts.append(min(max(Fraction(p[axis], p[axis] - q[axis]), Fraction(0)), Fraction(1)))
    return min(sum((abs(p[axis] + s * (q[axis] - p[axis])) for axis in range(2)), Fraction(0)) for s in parts)


@COMPILED
@given(fine, fine, fine, fine, st.sampled_from([0, 1]))
def test_a_level_line_cut_in_two_has_the_pixels_of_the_whole(
    a: int, b: int, cut: int, y: int, turn: int
) -> None:
    """Wherever it is cut, and none of them twice."""
    middle = sorted((a, b, cut))[1]
    run = [(y, at, 0) if turn else (at, y, 0) for at in (a, middle, b)]
    whole = RasterModel(BASE).feed(np.concatenate([begin(LINES), words_of([run[0], run[2]])]))[0]
    strip = RasterModel(BASE).feed(np.concatenate([begin(LINE_STRIP), words_of(run)]))[0]
    pixels = [set(drawn(strip[strip["prim"] == prim])) for prim in (0, 1)]
    assert pixels[0] | pixels[1] == set(drawn(whole))
    assert not pixels[0] & pixels[1]


@pytest.mark.parametrize(
    "name, value", [("topology", 6), ("format", 3), ("x", 0), ("x", 4097), ("y", -1), ("y", 4097)]
)
def test_a_begin_that_means_nothing_is_refused(name: str, value: int) -> None:
    words = begin(POINTS)
    words[name] = value
    with pytest.raises(UserError, match=f"begin: {name}={value}: base"):
        RasterModel(BASE).feed(words)


def test_reset_forgets_vertices_state_and_counters() -> None:
    model = RasterModel(BASE)
    corners = words_of([(0, 0, 0), (900, 0, 0), (0, 900, 0)])
    model.feed(np.concatenate([begin(STRIP), corners[:2]]))
    model.reset()
    tiles, _ = model.feed(corners)
    assert as_words(tiles) == exact.expected(BASE, corners)
    wanted = {"vertices": 3, "primitives": 3, "empty": 2, "tiles": 1, "pixels": 1, "visited": 1}
    assert model.counters == wanted | {"setup_cycles": 6}


def test_columns_are_the_fields_of_the_stream() -> None:
    assert set(columns(np.zeros(1, TILE))) == {one.name for one in BASE.streams["tile"].fields}
    assert set(WORD.names or ()) == {one.name for one in BASE.streams["vtx"].fields}

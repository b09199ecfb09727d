# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``raster`` against exact arithmetic, and against what must hold whatever is drawn."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from configs.raster.schema import (
    BEGIN,
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
    for tile in tiles:
        plain = {name: int(tile[name]) for name in ("op", "x", "y", "mask", "prim")}
        state = tuple(int(tile[name]) for name in ("test", "func", "write", "format"))
        out.append({**plain, "state": state, "depth": tile["depth"].tolist()})
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
    fed = [parts.feed(piece) for piece in (words[:cut], *np.split(words[cut:], len(words) - cut or 1))]
    assert (np.concatenate([made for made, _ in fed]) == tiles).all()
    assert (np.concatenate([spent for _, spent in fed]) == work).all()
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
    depths: dict[tuple[int, int], int] = {}
    for tile in tiles:
        for n in range(16):
            if tile["mask"] >> n & 1:
                place = 4 * int(tile["x"]) + n % 4, 4 * int(tile["y"]) + n // 4
                assert place not in depths
                depths[place] = int(tile["depth"][n])
    return depths


def test_the_depth_of_a_first_pixel_far_behind_a_short_line_is_that_of_60_bits() -> None:
    """Pixel 0, whose centre is 12 times the line's length behind A: v leaves its 60 bits."""
    steep = words_of([(120, 0, 0), (130, 0, (1 << 32) - 1)])
    words = np.concatenate([begin(LINES), steep])
    tiles, _ = RasterModel(BASE).feed(words)
    assert as_words(tiles) == exact.expected(BASE, words)
    assert drawn(tiles) == {(0, 0): (1 << 32) - 1}
    words["z"][1:] >>= 1  # half the slope: it stays below 0, and is clamped
    assert drawn(RasterModel(BASE).feed(words)[0]) == {(0, 0): 0}


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
    assert set(columns(np.zeros(1, TILE))) == {field.name for field in BASE.streams["tile"].fields}
    assert set(WORD.names or ()) == {field.name for field in BASE.streams["vtx"].fields}

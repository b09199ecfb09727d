# SPDX-License-Identifier: Apache-2.0
"""The texture unit's golden model: against the source's ROM script, a naive cache, fractions, and by hand."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from models.memory import Memory, read_word
from models.texunit import (
    PRIM,
    QUAD,
    TexunitModel,
    lod_of,
    room,
    table_errors,
)
from models.texunit.address import (
    INVALID,
    mip_offset,
    pack_texture,
    texel_index,
    texture_bytes,
)

CFG = load("texunit", "one-unit")
SMALL = load("texunit", "small")


def prim(**fields: int) -> Any:
    made = np.zeros(1, PRIM)[0]
    made["max_lod"] = max(fields.get("log2w", 0), fields.get("log2h", 0))
    for name, value in fields.items():
        made[name] = value
    return made


def quad(uv: Any, valid: int = 15) -> Any:
    made = np.zeros(1, QUAD)[0]
    made["valid"], made["uv"] = valid, uv
    return made


def test_mip_offsets_are_those_of_the_published_script() -> None:
    """The script: sums over mips from the smallest up to the one asked for, sides of at least 4."""
    for log2w in range(16):
        for log2h in range(16):
            mips = max(log2w, log2h) + 1
            for mip in range(16):
                offset = INVALID
                if log2w < 12 and log2h < 12 and mip < 13 and mip < mips:
                    offset = 0
                    for current in range(mips - 1, mip, -1):
                        offset += 1 << (max(log2w - current, 2) + max(log2h - current, 2) - 4)
                assert mip_offset(log2w, log2h, mip) == offset
    assert mip_offset(11, 11, 0) < 1 << 18


@pytest.mark.parametrize(("width", "height"), [(4, 4), (16, 8), (8, 32), (64, 4)])
def test_tiles_cover_a_mip_once(width: int, height: int) -> None:
    indices = sorted(texel_index(x, y, width) for y in range(height) for x in range(width))
    assert indices == list(range(width * height))
    assert {texel_index(x, y, width) // 16 for y in range(4) for x in range(4)} == {0}


@pytest.mark.parametrize("valid", range(16))
def test_rows_and_columns_by_hand(valid: int) -> None:
    """Upper row 2, lower row 16, left column 4, right column 8 texels: which two are looked at."""
    made = prim(log2w=8, log2h=8)
    step = 65536 // 256
    uv = np.zeros((4, 2), np.int64)
    uv[1, 0], uv[3, 0] = 2 * step, 16 * step
    uv[2, 1], uv[3, 1] = 4 * step, 8 * step
    right = valid & 0b1010 == 0b1010
    lower = valid & 0b1100 == 0b1100
    row = np.array([uv[3] - uv[2], uv[1] - uv[0]])[0 if lower else 1] / step
    column = np.array([uv[3] - uv[1], uv[2] - uv[0]])[0 if right else 1] / step
    want = max(float(row @ row), float(column @ column))
    assert lod_of(made, quad(uv, valid)) == round(np.log2(want) / 2 + 1e-9)


def opengl(mode: int, i: int, size: int) -> int:
    """Table 3.16 of OpenGL ES 3.0: the texel that place ``i`` means."""
    if mode == 0:
        return i % size
    if mode == 1:
        return max(0, min(size - 1, i))
    mirrored = i % (2 * size) - size
    mirrored = mirrored if mirrored >= 0 else -(1 + mirrored)
    return (size - 1) - mirrored


def reference(levels: NDArray[Any], u: int, v: int, modes: tuple[int, int], linear: bool) -> list[int]:
    """Colour of one sample by OpenGL's formulas in fractions, weights to 1/256."""
    h, w = levels.shape[:2]
    x, y = Fraction(u, 65536) * w, Fraction(v, 65536) * h
    if not linear:
        return levels[opengl(modes[1], y.__floor__(), h), opengl(modes[0], x.__floor__(), w)].tolist()
    fine = [round(place * 256) - 128 for place in (x, y)]  # Python rounds half to even
    (i, a), (j, b) = (divmod(place, 256) for place in fine)
    texel = [
        levels[opengl(modes[1], j + dy, h), opengl(modes[0], i + dx, w)].astype(int)
        for dy in (0, 1)
        for dx in (0, 1)
    ]

    def mix(p: Any, q: Any, weight: int) -> Any:
        return np.floor((p * 256 + (q - p) * weight + 128) / 256).astype(int)

    mixed = mix(mix(texel[0], texel[1], a), mix(texel[2], texel[3], a), b)
    return [int(channel) for channel in mixed]


def chain(rng: np.random.Generator, log2w: int, log2h: int, kind: int) -> list[NDArray[Any]]:
    shape = [(max(1 << log2h >> m, 1), max(1 << log2w >> m, 1)) for m in range(max(log2w, log2h) + 1)]
    if kind > 1:
        return [rng.integers(0, 256, size, dtype=np.uint8) for size in shape]
    return [rng.integers(0, 256, (*size, 4), dtype=np.uint8) for size in shape]


coordinates = st.one_of(
    st.integers(-(1 << 18), 1 << 18),
    st.builds(lambda n, k: (n << 16) + k, st.integers(-3, 3), st.integers(-2, 2)),
    st.builds(lambda n, k: n << 16 >> k, st.integers(-9, 9), st.integers(0, 8)),
)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 5), st.integers(0, 5), st.integers(0, 3), st.tuples(st.integers(0, 2), st.integers(0, 2)),
    st.booleans(), st.lists(st.tuples(coordinates, coordinates), min_size=4, max_size=4), st.integers(0, 5),
    st.integers(0, 1 << 32),
)  # fmt: skip
def test_samples_are_those_of_the_formulas(
    log2w: int, log2h: int, kind: int, modes: tuple[int, int], linear: bool,
    places: list[tuple[int, int]], level: int, seed: int,
) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    levels = chain(rng, log2w, log2h, kind)
    palette = rng.integers(0, 256, (256, 4), dtype=np.uint8)
    data = pack_texture(levels, kind, palette if kind > 1 else None)
    assert len(data) == texture_bytes(log2w, log2h, kind)
    image = np.frombuffer(data + bytes(-len(data) % 4), "<u4")
    model = TexunitModel(CFG, Memory(1, 4096, image))
    # all pixels at one level: the gradient is in the fourth pixel's place, which is then not valid
    made = prim(
        base=256, log2w=log2w, log2h=log2h, format=kind, mode_u=modes[0], mode_v=modes[1],
        bilinear=linear, max_lod=min(level, max(log2w, log2h)),
    )  # fmt: skip
    model.start(made)
    result, _ = model.quad(quad(places), np.arange(32))
    colours = levels[result["lod"]] if kind < 2 else palette[levels[result["lod"]]]
    colours = colours.reshape(*levels[result["lod"]].shape[:2], 4).copy()
    if kind % 2:
        colours[..., 3] = 255
    for pixel, (u, v) in enumerate(places):
        got = [int(result["texel"][pixel]) >> shift & 255 for shift in (0, 8, 16, 24)]
        assert got == reference(colours, u, v, modes, linear), (pixel, made)


class NaiveCache:
    """The published pseudo-code, with lists."""

    def __init__(self, sets: int, ways: int) -> None:
        self.ways = ways
        self.lines: list[list[int | None]] = [[None] * ways for _ in range(sets)]
        self.older = [0] * sets
        self.last: int | None = None

    def query(self, line: int, phase: int) -> tuple[bool, bool, int]:
        """Repeat, hit, way."""
        if line == self.last:
            return True, False, 0
        self.last = line
        index = line % len(self.lines)
        here = self.lines[index]
        if line in here:
            way = here.index(line)
            self.older[index] = int(way < self.ways // 2)
            return False, True, way
        half = self.ways // 2
        way = here.index(None) if None in here else self.older[index] * half + phase % half
        here[way] = line
        return False, False, way


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from([2, 4, 8]))
def test_the_cache_is_that_of_the_pseudo_code(seed: int, ways: int) -> None:
    rng = np.random.default_rng(seed)
    cfg = SMALL.with_(cache={"ways": ways})
    model, naive = TexunitModel(cfg, Memory(seed & 0xFFFF)), NaiveCache(cfg.cache.sets, ways)
    made = prim(log2w=6, log2h=6, bilinear=int(rng.integers(2)), format=int(rng.integers(3)))
    model.start(made)
    phases = rng.integers(0, 1000, 32)
    for _ in range(60):
        uv = rng.integers(0, 65536, 2) + rng.integers(-1500, 1500, (4, 2))
        _, queries = model.quad(quad(uv, int(rng.integers(16))), phases)
        for k, query in enumerate(queries):
            want = naive.query(int(query["line"]), int(phases[k]))
            assert (bool(query["repeat"]), bool(query["hit"]), int(query["way"])) == want


def test_errors_are_reported_and_not_kept() -> None:
    memory = Memory(1)
    model = TexunitModel(SMALL, memory)
    made = prim(log2w=4, log2h=4, max_lod=0)
    model.start(made)
    where = quad(np.full((4, 2), 100), 1)
    _, queries = model.quad(where, np.zeros(32))
    memory.poison([int(queries[0]["line"])])
    model.start(prim(log2w=4, log2h=4, max_lod=0, invalidate=1))
    for _ in range(2):
        result, queries = model.quad(where, np.zeros(32))
        assert (result["err"], queries[0]["err"], queries[0]["hit"], queries[0]["repeat"]) == (1, 1, 0, 0)
    memory.heal()
    result, queries = model.quad(where, np.zeros(32))
    assert (result["err"], queries[0]["hit"]) == (0, 0)


@pytest.mark.parametrize(("kind", "size"), [(2, 4), (3, 3)])
def test_a_table_at_the_end_of_the_address_space_goes_on_at_its_start(kind: int, size: int) -> None:
    last = (1 << CFG.cache.line_bits) - 1
    words = Memory(seed=5)
    model = TexunitModel(CFG, words)
    model.start(prim(base=last, format=kind))
    for index in range(256):
        places = [(16 * last + size * index + byte) % (1 << CFG.cache.address_bits) for byte in range(size)]
        parts = [int(read_word(words.contents, at // 4)) >> 8 * (at % 4) & 255 for at in places]
        assert int(model.state.colours[index]) == int.from_bytes([*parts, 255][:4], "little")


def test_errors_of_a_table_at_the_end_of_the_address_space_are_those_of_its_lines() -> None:
    first = (1 << CFG.cache.line_bits) - 40
    bad = {first + 39: 1, 0: 1, 7: 1, 8: 0, first - 1: 0}  # 40 lines at the end, 8 at the start
    for line, errors in bad.items():
        memory = Memory(seed=5, poisoned=[line])
        model = TexunitModel(CFG, memory)
        model.start(prim(base=first, format=3))
        assert (int(model.state.table_error[0]), table_errors(CFG, memory, prim(base=first, format=3))) == (
            errors,
            errors,
        ), line


def test_a_table_with_an_error_marks_every_result_of_its_primitive() -> None:
    model = TexunitModel(SMALL, Memory(1, poisoned=[1000 + 47]))
    where = quad(np.full((4, 2), 100), 15)
    for kind, err in ((3, 1), (2, 1), (0, 0)):
        model.start(prim(base=1000, log2w=2, log2h=2, format=kind))
        assert model.quad(where, np.zeros(32))[0]["err"] == err


def test_a_quad_without_pixels_asks_for_nothing() -> None:
    model = TexunitModel(SMALL, Memory(1))
    model.start(prim(log2w=3, log2h=3, bilinear=1))
    result, queries = model.quad(quad(np.zeros((4, 2)), 0), np.zeros(32))
    assert len(queries) == 0
    assert result["texel"].tolist() == [0, 0, 0, 0]


def a_stream() -> tuple[Any, Any, Any]:
    """Primitives of each format, 200 quads of any pixels, and whose each is."""
    rng = np.random.default_rng(5)
    prims = np.array([prim(base=64 * i, log2w=5, log2h=4, format=i, bilinear=1) for i in range(4)])
    quads = np.zeros(200, QUAD)
    quads["valid"], quads["uv"] = rng.integers(0, 16, 200), rng.integers(-70000, 70000, (200, 4, 2))
    return prims, quads, np.sort(rng.integers(0, 4, 200))


def test_records_are_used_again_and_values_left_out() -> None:
    """What stood in the records is gone, and nothing but texels hangs on their values."""
    stream = a_stream()
    memory = Memory(3, poisoned=[70, 75, 140])
    results, queries = TexunitModel(SMALL, memory).replay(*stream)
    assert results["err"].any() and queries["evict"].any() and results["texel"].any()
    used = room(230)
    used.results.view("u1")[:], used.queries.view("u1")[:] = 0xA5, 0xA5
    again, new_queries = TexunitModel(SMALL, memory).replay(*stream, out=used)
    assert again.base is used.results and new_queries.base is used.queries
    assert again.tobytes() == results.tobytes() and new_queries.tobytes() == queries.tobytes()
    again, new_queries = TexunitModel(SMALL, memory).replay(*stream, values=False, out=used)
    assert not again["texel"].any() and new_queries.tobytes() == queries.tobytes()
    assert all((again[name] == results[name]).all() for name in ("valid", "err", "lod", "queries"))
    with pytest.raises(UserError, match="room for 199 quads, 200 are asked for"):
        TexunitModel(SMALL, memory).replay(*stream, out=room(199))


def test_replay_is_quad_by_quad() -> None:
    prims, quads, owner = a_stream()
    results, queries = TexunitModel(SMALL, Memory(3)).replay(prims, quads, owner)
    model, at, current = TexunitModel(SMALL, Memory(3)), 0, -1
    for i in range(200):
        while current < owner[i]:
            current += 1
            model.start(prims[current])
        result, mine = model.quad(quads[i], np.arange(at, at + 32))
        assert result == results[i]
        assert (mine == queries[at : at + len(mine)]).all()
        at += len(mine)
    assert at == len(queries)


def test_an_incomplete_chain_is_refused() -> None:
    with pytest.raises(UserError, match="2 levels of a 8 x 4 texture: 4 are needed"):
        pack_texture([np.zeros((4, 8, 4), np.uint8), np.zeros((2, 4, 4), np.uint8)], 0)

# SPDX-License-Identifier: Apache-2.0
"""The pipelined texture unit's model: samples are those of ``texunit``, banks never meet in a pixel."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import configs
from configs import UserError
from models.memory import Memory
from models.sampler import NEAREST, TRILINEAR, sample
from models.texpipe import BEAT, TexpipeModel, room
from models.texpipe.banks import BANKS, bank_of, line_of, set_of
from models.texpipe.levels import ONE, level_of
from models.texunit import PRIM, TexunitModel, lod_of
from models.texunit.address import TEXEL_BYTES, pack_texture, texel_index
from models.wrapping import wrap
from tb.texunit.items import Distribution, primitive, quads_at
from workloads.texunit.quads import QuadStream, pieces

LARGEST = 6  # log2 of sides; larger mips only repeat what is in these


def neighbours(mode: int, log2: int) -> set[tuple[int, int]]:
    """Wrapped coordinates of all pairs of texels beside each other."""
    beyond = range(-(2 << log2) - 1, (2 << log2) + 1)
    return {(wrap(mode, x, log2), wrap(mode, x + 1, log2)) for x in beyond}


def footprints(log2w: int, log2h: int) -> Iterator[list[tuple[int, int]]]:
    """The texels of each pixel that a mip can have."""
    pairs = [set[tuple[int, int]]().union(*(neighbours(m, n) for m in range(3))) for n in (log2w, log2h)]
    for (x0, x1), (y0, y1) in product(*pairs):
        yield [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]


@pytest.mark.parametrize("kind", (0, 1, 2))
def test_two_lines_of_a_pixel_never_are_in_one_bank(kind: int) -> None:
    size = TEXEL_BYTES[kind]
    for log2w, log2h in product(range(LARGEST + 1), repeat=2):
        for texels in footprints(log2w, log2h):
            banks: dict[int, int] = {}
            for x, y in texels:
                place = texel_index(x, y, 1 << log2w) * size
                for line in range(place // 16, (place + size - 1) // 16 + 1):
                    bank = bank_of(kind, x >> 2, y >> 2, line - place // (16 * size) * size)
                    assert 0 <= bank < BANKS
                    assert banks.setdefault(bank, line) == line, f"{log2w} {log2h} {texels}"
            assert len(set(banks.values())) == len(banks) <= 4


@pytest.mark.parametrize("set_bits", (1, 3, 7, 9))
def test_set_and_tag_give_the_line_back(set_bits: int) -> None:
    rng = np.random.default_rng(1)
    for line in rng.integers(0, 1 << 27, 1000).tolist():
        tag = line >> 3 + set_bits << 3 | line & 7
        assert line_of(set_bits, tag, set_of(line, set_bits)) == line


@pytest.mark.parametrize("preset", ("one-unit", "narrow"))
def test_samples_are_those_of_the_published_unit(preset: str) -> None:
    cfg = configs.load("texpipe", preset)
    theirs = configs.load("texunit", "one-unit").with_(rounding=cfg.rounding)
    rng, memory = np.random.default_rng(3), Memory(3)
    ours, other = TexpipeModel(cfg, memory), TexunitModel(theirs, memory)
    prims = np.array([Distribution().prim(cfg, rng) for _ in range(60)], PRIM)
    quads = np.concatenate([Distribution().quads(rng, prim, 20) for prim in prims])
    of = np.repeat(np.arange(len(prims)), 20)
    result, beats = ours.replay(prims, quads, of)
    wanted, queries = other.replay(prims, quads, of)
    for name in ("texel", "valid", "lod"):
        assert (result[name] == wanted[name]).all()
    assert not result["err"].any() and len(beats) == int(result["beats"].sum())
    lines = {int(line) for beat in beats for line in beat["line"][beat["valid"] == 1]}
    assert lines == {int(line) for line in queries["line"]}


@pytest.mark.parametrize("least", (1, 30, 10_000))
def test_a_stream_in_pieces(least: int) -> None:
    """Whole primitives, with and without quads: the same records, the same counters."""
    cfg = configs.load("texpipe", "tiny")
    rng, memory = np.random.default_rng(4), Memory(4)
    prims = np.array([Distribution().prim(cfg, rng) for _ in range(30)], PRIM)
    each = rng.integers(0, 12, len(prims))
    each[0], each[-3:] = 40, 0
    quads = np.concatenate(
        [Distribution().quads(rng, prim, 40)[:n] for prim, n in zip(prims, each, strict=True)]
    )
    stream = QuadStream(prims, quads, np.repeat(np.arange(len(prims)), each))
    whole, parts = TexpipeModel(cfg, memory), TexpipeModel(cfg, memory)
    results, beats = whole.replay(*stream)
    cut = pieces(stream, least)
    assert all(len(piece.quads) >= least for piece in cut[:-1])
    made = [parts.replay(*piece) for piece in cut]
    assert (np.concatenate([result for result, _ in made]) == results).all()
    assert (np.concatenate([part for _, part in made]) == beats).all()
    assert whole.counts == parts.counts


def test_a_table_is_read_again_only_if_it_must() -> None:
    cfg = configs.load("texpipe", "tiny")
    model = TexpipeModel(cfg, Memory(1, poisoned=[300]))
    read = []
    for base, kind, invalidate in (
        (64, 2, 0), (64, 2, 0), (64, 0, 0), (64, 2, 0), (64, 3, 0), (80, 3, 0), (80, 3, 1), (1, 0, 1),
        (80, 3, 0), (290, 2, 0), (290, 2, 0),  # a line of this one fails: it stays
        (500, 2, 0), (290, 2, 0), (600, 2, 0), (290, 2, 0), (500, 2, 0),  # not into the slot used last
    ):  # fmt: skip
        before = model.counts["tables"]
        model.start(primitive(base=base, log2w=2, log2h=2, format=kind, invalidate=invalidate))
        read.append(model.counts["tables"] - before)
    assert read == [1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1]


def test_an_error_stays_with_its_line() -> None:
    cfg = configs.load("texpipe", "tiny")
    memory = Memory(1, poisoned=[7])
    model = TexpipeModel(cfg, memory)
    texel = quads_at([(0.5, 0.5)], valid=1)[0]
    errors = []
    for base in (7, 7, 6, 7):
        model.start(primitive(base=base, log2w=0, log2h=0))
        errors.append(int(model.quad(texel)[0]["err"]))
        memory.heal()
    assert errors == [1, 1, 0, 1]
    for base in (7 + 4096 * 8, 7 + 8192 * 8):  # two others of its set
        model.start(primitive(base=base, log2w=0, log2h=0))
        _, beats = model.quad(texel)
        assert beats.dtype == BEAT
    model.start(primitive(base=7, log2w=0, log2h=0))
    assert not model.quad(texel)[0]["err"]


def exact_level(prim: Any, quad: Any) -> float:
    """Logarithm of the longer step of a whole quad in texels, cut to 1/256 and saturated as the unit does."""
    sides = 2 ** np.array([prim["log2w"], prim["log2h"]], np.int64)
    corners = quad["uv"].astype(np.int64)
    steps = [np.minimum(np.abs(corners[a] - corners[b]) * sides >> 8, 0xFFFF) for a, b in ((3, 2), (3, 1))]
    square = min(max(int((step**2).sum()) for step in steps), (1 << 32) - 1)
    return float(np.log2(max(square, 1) / ONE) / 2)


def test_a_level_with_its_fraction_is_half_a_logarithm() -> None:
    """At most 0.043 + 1/256 below it, as long as it is exact at powers of two and linear between; the nearest
    whole level is the level of a primitive that wants one.
    """
    cfg, rng = configs.load("texpipe", "trilinear"), np.random.default_rng(5)
    shapes, levels = Distribution(lods=(-2, 11), full=1, trilinear=1), set()
    for _ in range(300):
        prim = shapes.prim(cfg, rng)
        prim["max_lod"] = 15
        for quad in shapes.quads(rng, prim, 10):
            level, fraction = level_of(prim, quad, True)
            lod, exact = level + fraction / 256, exact_level(prim, quad)
            assert lod <= max(exact, 0) < lod + 0.043 + 1 / 256
            assert min(int(lod + 0.5), 8) == lod_of(prim, quad)
            for last in range(10):
                prim["max_lod"] = last
                assert level_of(prim, quad, True) == ((level, fraction) if level < last else (last, 0))
            prim["max_lod"] = 15
            assert level_of(prim, quad, False) == (lod_of(prim, quad), 0)
            levels.add(level)
    assert levels == set(range(8))


@pytest.mark.parametrize("linear", (False, True))
@pytest.mark.parametrize("sides", ((64, 64), (128, 8), (1, 32)))
def test_two_levels_are_mixed_as_the_sampler_mixes_them(sides: tuple[int, int], linear: bool) -> None:
    """The sampler has no tiles, lines or quads, and takes levels as they are given; it is llvmpipe's."""
    width, height = sides
    rng = np.random.default_rng([width, height])
    levels = [
        rng.integers(0, 256, (max(height >> m, 1), max(width >> m, 1), 4), dtype=np.uint8)
        for m in range(max(sides).bit_length())
    ]
    image = np.frombuffer(pack_texture(levels, 0), "<u4").astype(np.uint32)
    prim = primitive(
        log2w=width.bit_length() - 1, log2h=height.bit_length() - 1, mode_u=2, mode_v=1, bilinear=linear,
        trilinear=1,
    )  # fmt: skip
    quads = Distribution(lods=(-1, 7)).quads(rng, prim, 3000)
    model = TexpipeModel(configs.load("texpipe", "trilinear"), Memory(1, 0, image))
    result, beats = model.replay(np.array([prim], PRIM), quads, np.zeros(len(quads)))
    lod = np.repeat(result["lod"] + result["fraction"] / 256, 4)
    uv = quads["uv"].reshape(-1, 2)
    if linear:
        wanted = sample(levels, uv, lod, modes=(2, 1), filtering=TRILINEAR)
    else:
        near, far = (sample(levels, uv, np.floor(lod) + n, modes=(2, 1), filtering=NEAREST) for n in (0, 1))
        weight = np.rint(lod % 1 * 256).astype(np.int64)[:, None]
        wanted = (near + ((far.astype(np.int64) - near) * weight + 128 >> 8)).astype(np.uint8)
    drawn = np.unpackbits(quads["valid"][:, None], axis=1, bitorder="little")[:, :4].reshape(-1) == 1
    texels = result["texel"].astype("<u4").reshape(-1).view(np.uint8).reshape(-1, 4)
    assert (texels[drawn] == wanted[drawn]).all()
    pixels = np.bitwise_count(result["valid"])
    mixed = int(pixels[result["fraction"] > 0].sum())
    assert model.counts["mixed"] == mixed > 4000
    assert len(beats) == int(np.maximum(pixels, 1).sum()) + mixed


def test_truncated_mixing_is_never_above() -> None:
    """Levels of one colour each, 200 and 101, mixed by 127 of 256."""
    levels = [np.full((4 >> m, 4 >> m, 4), colour, np.uint8) for m, colour in enumerate((200, 101, 7))]
    image = np.frombuffer(pack_texture(levels, 0), "<u4").astype(np.uint32)
    prim = primitive(log2w=2, log2h=2, bilinear=1, trilinear=1)
    quad = quads_at([(0.1, 0.1)], valid=1)
    quad["uv"][0, 1, 0] += round(2**0.5 * 256) * 64
    mixed = []
    for preset in ("trilinear", "trilinear-tiny"):
        model = TexpipeModel(configs.load("texpipe", preset), Memory(1, 0, image))
        result, _ = model.replay(np.array([prim], PRIM), quad, np.zeros(1))
        assert (result["lod"][0], result["fraction"][0]) == (0, 127)
        mixed.append(int(result["texel"][0, 0]) & 255)
    assert mixed == [200 + (-99 * 127 + half >> 8) for half in (128, 0)]


def test_a_primitive_that_wants_one_level_is_sampled_as_without_the_filter() -> None:
    rng, memory = np.random.default_rng(3), Memory(3)
    plain, with_it = (configs.load("texpipe", name) for name in ("one-unit", "trilinear"))
    prims = np.array([Distribution().prim(plain, rng) for _ in range(40)], PRIM)
    quads = np.concatenate([Distribution().quads(rng, prim, 20) for prim in prims])
    of = np.repeat(np.arange(len(prims)), 20)
    first, second = (TexpipeModel(cfg, memory).replay(prims, quads, of) for cfg in (plain, with_it))
    assert all((left == right).all() for left, right in zip(first, second, strict=True))
    prims["trilinear"] = 1  # which a unit without the filter does not see
    again = TexpipeModel(plain, memory).replay(prims, quads, of)
    assert all((left == right).all() for left, right in zip(first, again, strict=True))
    assert not np.array_equal(TexpipeModel(with_it, memory).replay(prims, quads, of)[0], first[0])


def test_records_that_are_used_again_and_no_texels() -> None:
    """Whatever they held before; the rest is the same without the texels' values."""
    cfg = configs.load("texpipe", "trilinear-tiny")
    rng, memory = np.random.default_rng(3), Memory(3, poisoned=range(0, 4096, 7))
    shapes = Distribution(trilinear=1)
    prims = np.array([shapes.prim(cfg, rng) for _ in range(40)], PRIM)
    prims["base"] %= 64
    quads = np.concatenate([shapes.quads(rng, prim, 5) for prim in prims])
    quads["valid"][::9] = 0  # one beat that asks for nothing
    stream = prims, quads, np.repeat(np.arange(len(prims)), 5)
    first, used = TexpipeModel(cfg, memory), room(230)
    results, beats = first.replay(*stream)
    assert results["fraction"].any() and results["err"].any() and beats["evict"].any()
    for values in (True, False):
        used.results.view("u1")[:], used.beats.view("u1")[:] = 0xA5, 0xA5
        model = TexpipeModel(cfg, memory)
        again, new_beats = model.replay(*stream, values=values, out=used)
        assert again.base is used.results and new_beats.base is used.beats and model.counts == first.counts
        assert new_beats.tobytes() == beats.tobytes()
        same = [name for name in results.dtype.names if values or name != "texel"]
        assert all((again[name] == results[name]).all() for name in same)
        assert again["texel"].any() == values
    with pytest.raises(UserError, match="room for 199 quads, 200 are asked for"):
        TexpipeModel(cfg, memory).replay(*stream, out=room(199))

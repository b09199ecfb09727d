# SPDX-License-Identifier: Apache-2.0
"""The pipelined texture unit's model: samples are those of ``texunit``, banks never meet in a pixel."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import configs
from models.memory import Memory
from models.texpipe import BEAT, TexpipeModel
from models.texpipe.banks import BANKS, bank_of, line_of, set_of
from models.texunit import PRIM, TexunitModel
from models.texunit.address import TEXEL_BYTES, texel_index
from models.wrapping import wrap
from tb.texunit.items import Distribution, primitive, quads_at

LARGEST = 6  # log2 of sides; larger mips only repeat what is in these


def neighbours(mode: int, side: int) -> set[tuple[int, int]]:
    """Wrapped coordinates of all pairs of texels beside each other."""
    return {(wrap(mode, x, side), wrap(mode, x + 1, side)) for x in range(-2 * side - 1, 2 * side + 1)}


def footprints(log2w: int, log2h: int) -> Iterator[list[tuple[int, int]]]:
    """The texels of each pixel that a mip can have."""
    pairs = [set[tuple[int, int]]().union(*(neighbours(m, 1 << n) for m in range(3))) for n in (log2w, log2h)]
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


def test_a_table_is_read_again_only_if_it_must() -> None:
    cfg = configs.load("texpipe", "tiny")
    model = TexpipeModel(cfg, Memory(1, poisoned=[300]))
    read = []
    for base, kind, invalidate in (
        (64, 2, 0), (64, 2, 0), (64, 0, 0), (64, 2, 0), (64, 3, 0), (80, 3, 0), (80, 3, 1), (1, 0, 1),
        (80, 3, 0), (290, 2, 0), (290, 2, 0),
    ):  # fmt: skip
        before = model.counts["tables"]
        model.start(primitive(base=base, log2w=2, log2h=2, format=kind, invalidate=invalidate))
        read.append(model.counts["tables"] - before)
    assert read == [1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1]


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

# SPDX-License-Identifier: Apache-2.0
"""The golden model against the naive one, field by field, and the properties it must keep."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, load
from models import lru
from models.memory import Memory, word
from models.texcache import FOOTPRINT, RESULT, TexcacheModel, allocate
from models.texcache.address import LAYOUTS, geometry, line_of, tag_of
from tests.models.naive import NaiveTexcache
from tests.models.strategies import COMPILED, footprints, machines, random_footprints, tables

SEED = 11


def compare(cfg: Any, lut: Any, footprints: Any, poisoned: Any = ()) -> TexcacheModel:
    """Runs both models and compares every field of every footprint; returns the golden one."""
    model = TexcacheModel(cfg, Memory(SEED, poisoned=poisoned), lut)
    naive = NaiveTexcache(cfg, lut, lambda address: word(SEED, address), poisoned)
    results = model.replay(footprints)
    got = {name: results[name].tolist() for name in RESULT.names or ()}
    for index, f in enumerate(footprints):
        expected = naive.access(f)
        assert expected.keys() == got.keys()
        for name, value in expected.items():
            assert got[name][index] == value, f"{cfg.name}: {name} of footprint {index}, {f}"
    return model


@settings(COMPILED, max_examples=150)
@given(st.data())
def test_agrees_with_the_naive_model(data: st.DataObject) -> None:
    cfg = data.draw(machines())
    lut = data.draw(tables(cfg))
    compare(cfg, lut, data.draw(footprints(cfg)), data.draw(st.sets(st.integers(0, 63), max_size=20)))


@pytest.mark.parametrize(
    "preset",
    [
        "paper", "single-port", "single-bank", "tile4x4", "morton", "direct", "large", "tiny",
        "conflict-free", "conflict-free-tiny",
    ],
)  # fmt: skip
def test_agrees_with_the_naive_model_on_presets(preset: str) -> None:
    """A long walk over textures of several sizes, with a fifth of the lines poisoned."""
    cfg = load("texcache", preset, ["max_side=64"])
    sides = [64, 32, 16, 8]
    lut = allocate(cfg, sides, base=1 << 16)[0]
    walk = random_footprints(cfg, 6000, seed=3, span=48)
    walk["tex"] %= len(sides)
    walk["level"] = np.maximum(walk["level"], walk["tex"])
    lines = np.unique(TexcacheModel(cfg, Memory(SEED), lut).replay(walk)["line"])
    counters = compare(cfg, lut, walk, lines[::5]).counters
    assert min(counters.values()) > 0, f"the walk left something out: {counters}"


@settings(COMPILED, max_examples=100)
@given(st.sampled_from([16, 32, 64, 128]), st.sampled_from(LAYOUTS), st.data())
def test_banks_by_parity_never_meet(line_bytes: int, layout: str, data: st.DataObject) -> None:
    """Every footprint takes one beat, a line is always in one bank, and tags lead back to their lines."""
    values = {"line_bytes": line_bytes, "layout": layout, "max_side": 32, "textures": 2, "data_bits": 64}
    cfg = load("texcache", "conflict-free", [f"{name}={value}" for name, value in values.items()])
    lut = allocate(cfg, [32, 32], base=data.draw(st.integers(0, 9)) * line_bytes)[0]
    results = TexcacheModel(cfg, Memory(SEED), lut).replay(data.draw(footprints(cfg)))
    assert (results["beats"] == 1).all()
    asked = results["valid"] == 1
    bank_of: dict[int, int] = {}
    columns = (results[name][asked].tolist() for name in ("line", "bank", "set"))
    for line, bank, index in zip(*columns, strict=True):
        assert bank_of.setdefault(line, bank) == bank
        assert line_of(geometry(cfg), bank, index, tag_of(geometry(cfg), line)) == line


@settings(COMPILED, max_examples=40)
@given(st.data())
def test_replay_is_a_loop_of_accesses(data: st.DataObject) -> None:
    """One array, two arrays, or one by one: the same results, counters and state."""
    cfg = data.draw(machines())
    lut, walk = data.draw(tables(cfg)), data.draw(footprints(cfg))
    cut = data.draw(st.integers(0, len(walk)))
    whole, parts, single = (TexcacheModel(cfg, Memory(SEED), lut) for _ in range(3))
    results = whole.replay(walk)
    assert np.array_equal(np.concatenate([parts.replay(walk[:cut]), parts.replay(walk[cut:])]), results)
    assert np.array_equal(np.array([single.access(f) for f in walk], RESULT), results)
    assert whole.counters == parts.counters == single.counters
    assert np.array_equal(whole.state.sets, parts.state.sets)
    assert np.array_equal(whole.state.sets, single.state.sets)


@settings(COMPILED, max_examples=40)
@given(st.data())
def test_no_set_ever_holds_a_line_twice(data: st.DataObject) -> None:
    cfg = data.draw(machines())
    model = TexcacheModel(cfg, Memory(SEED), data.draw(tables(cfg)))
    for f in data.draw(footprints(cfg)):
        model.access(f)
        for row, one in enumerate(model.state.sets):
            held = [tag for tag in one["tag"] if tag != lru.EMPTY]
            assert len(held) == len(set(held)), f"{cfg.name}: duplicate in set {row}: {held}"


@settings(COMPILED, max_examples=60)
@given(st.data())
def test_counters_are_sums_of_results(data: st.DataObject) -> None:
    cfg = data.draw(machines())
    poisoned = data.draw(st.sets(st.integers(0, 63), max_size=30))
    model = TexcacheModel(cfg, Memory(SEED, poisoned=poisoned), data.draw(tables(cfg)))
    walk = data.draw(footprints(cfg))
    results = model.replay(walk)
    missed = (results["valid"] == 1) & (results["hit"] == 0)
    assert model.counters == {
        "footprints": len(walk),
        "footprint_hits": int((~missed.any(axis=1)).sum()),
        "lookups": int(results["valid"].sum()),
        "hits": int(results["hit"].sum()),
        "misses": int(missed.sum()),
        "evictions": int(results["evict"].sum()),
        "errors": sum(int(line) in poisoned for line in results["line"][missed]),
    }


@settings(COMPILED, max_examples=40)
@given(st.data())
def test_slots_that_are_not_looked_up_are_zero(data: st.DataObject) -> None:
    cfg = data.draw(machines())
    results = TexcacheModel(cfg, Memory(SEED), data.draw(tables(cfg))).replay(data.draw(footprints(cfg)))
    for name in ("hit", "bank", "set", "way", "evict", "victim", "line"):
        assert not results[name][results["valid"] == 0].any(), name
    assert not results["victim"][results["evict"] == 0].any()
    assert results["beats"].min() >= 1
    assert (results["beats"] <= results["valid"].sum(axis=1)).all()


def model_of(*overrides: str, sides: tuple[int, ...] = (1024,), **memory: Any) -> TexcacheModel:
    """A model of the paper's machine with its textures from address 0."""
    cfg = load("texcache", "paper", overrides)
    return TexcacheModel(cfg, Memory(SEED, **memory), allocate(cfg, sides)[0])


def test_straddling_row_looks_the_right_hand_line_up() -> None:
    """Texels 7 and 8 of a row lie in lines 0 and 1; 1024 texels down it is 128 lines on, in the same bank."""
    result = model_of().access((0, 0, 0, 0, 7, 0))
    assert result["valid"].tolist() == [1, 1, 1, 1]
    assert result["line"].tolist() == [0, 128, 1, 129]
    assert result["set"].tolist() == [0, 0, 1, 1]
    assert result["bank"].tolist() == [0, 0, 0, 0]
    assert result["beats"] == 4


def test_rows_in_different_banks_take_one_beat() -> None:
    """Level 3 has 128 texels in a row, 16 lines: the row below lies in the next bank."""
    result = model_of().access((0, 3, 0, 0, 0, 5))
    assert result["valid"].tolist() == [1, 1, 0, 0]
    assert abs(int(result["bank"][1]) - int(result["bank"][0])) in (1, 3)
    assert result["beats"] == 1


def test_repeating_edge_straddles_and_clamped_edge_does_not() -> None:
    repeat = model_of().access((0, 0, 0, 0, 1023, 0))
    clamp = model_of().access((0, 0, 1, 1, 1023, 0))
    assert repeat["valid"].tolist() == [1, 1, 1, 1]
    assert repeat["line"].tolist() == [127, 255, 0, 128]
    assert clamp["valid"].tolist() == [1, 1, 0, 0]
    assert clamp["texel"].tolist() == [word(SEED, address) for address in (1023, 1023, 2047, 2047)]


@pytest.mark.parametrize(("level", "last_only"), [(5, False), (6, True), (10, True)])
def test_levels_smaller_than_32_live_in_the_last_bank(level: int, last_only: bool) -> None:
    model = model_of()
    every = np.array([(0, level, 0, 0, x, y) for y in range(0, 32, 2) for x in range(0, 32, 2)], FOOTPRINT)
    results = model.replay(every)
    banks = set(results["bank"][results["valid"] == 1].tolist())
    assert banks == ({3} if last_only else {0, 1, 2, 3})
    assert (results["beats"] == results["valid"].sum(axis=1)).all() or not last_only


def test_tags_of_small_levels_tell_bank_bits_apart() -> None:
    """Lines 0 and 16 differ in the bank bits alone; in the last bank they share a set and must not mix."""
    model = model_of()
    model.set_lut(1, 6, 0)
    model.set_lut(2, 6, 16)
    first, second = model.access((1, 6, 1, 1, 0, -1)), model.access((2, 6, 1, 1, 0, -1))
    assert first["set"][0] == second["set"][0]
    assert first["bank"][0] == second["bank"][0] == 3
    assert second["hit"].tolist() == [0, 1, 0, 0], "the other line must miss; its second row is the same line"
    assert first["way"][0] != second["way"][0]


def test_second_look_up_of_a_missed_line_hits() -> None:
    """A 2 x 2 level is one line: both rows look it up, the second finds it asked for."""
    result = model_of().access((0, 9, 0, 0, 0, 0))
    assert result["line"][0] == result["line"][1]
    assert result["hit"].tolist() == [0, 1, 0, 0]
    assert result["beats"] == 2


def test_every_texel_is_looked_up_behind_a_single_port() -> None:
    cfg = load("texcache", "single-port")
    result = TexcacheModel(cfg, Memory(SEED), allocate(cfg, [1024])[0]).access((0, 0, 0, 0, 0, 0))
    assert result["valid"].tolist() == [1, 1, 1, 1]
    assert result["line"].tolist() == [0, 128, 0, 128]
    assert result["hit"].tolist() == [0, 0, 1, 1]
    assert result["beats"] == 4


def test_victims_after_reset_and_invalidate() -> None:
    """Rows 8 apart of a 64 x 64 level are 64 lines apart: the same set of the same bank."""
    model = model_of()
    thrash = np.array([(0, 4, 1, 1, 0, 8 * k) for k in range(6)], FOOTPRINT)
    for again in (model.invalidate, model.reset):
        results = model.replay(thrash)
        assert results["way"][:, 0].tolist() == [0, 1, 2, 3, 0, 1]
        assert results["evict"][:, 0].tolist() == [0, 0, 0, 0, 1, 1]
        assert results["victim"][4:, 0].tolist() == (results["line"][:2, 0] >> 4).tolist()
        again()
    assert set(model.counters.values()) == {0}


def test_invalidate_keeps_counters_and_drops_lines() -> None:
    model = model_of()
    model.access((0, 0, 0, 0, 0, 0))
    model.invalidate()
    assert model.access((0, 0, 0, 0, 0, 0))["hit"].tolist() == [0, 0, 0, 0]
    assert model.counters["footprints"] == 2
    assert model.counters["evictions"] == 0


def test_poison_stays_until_eviction_or_invalidation() -> None:
    model = model_of(poisoned=[0])
    footprint = (0, 0, 1, 1, 0, 0)
    assert model.access(footprint)["err"] == 1
    model.memory.heal()
    assert model.access(footprint)["err"] == 1, "the line was filled with an error and is still there"
    assert model.access((0, 0, 1, 1, 8, 0))["err"] == 0, "the lines beside it are sound"
    model.invalidate()
    assert model.access(footprint)["err"] == 0
    model.memory.poison([128])
    assert model.access(footprint)["err"] == 0, "the second row was filled before its memory broke"
    assert model.counters["errors"] == 1


def test_poison_of_a_straddled_line_and_after_eviction() -> None:
    model = model_of(poisoned=[1])
    assert model.access((0, 0, 1, 1, 6, 0))["err"] == 0
    assert model.access((0, 0, 1, 1, 7, 0))["err"] == 1, "the right-hand texel comes from the poisoned line"
    model.memory.heal()
    model.replay(np.array([(0, 0, 1, 1, 8, 1 + 2 * k) for k in range(4)], FOOTPRINT))
    assert model.access((0, 0, 1, 1, 8, 0))["err"] == 0, "evicted and filled again"


def test_table_writes_take_effect_and_leave_the_callers_table_alone() -> None:
    cfg = load("texcache", "paper")
    lut = allocate(cfg, [1024])[0]
    model = TexcacheModel(cfg, Memory(SEED), lut)
    model.set_lut(5, 0, 1000)
    assert model.access((5, 0, 1, 1, 0, 0))["line"][0] == 1000
    assert lut[5, 0] == 0


def test_addresses_wrap_at_the_end_of_the_address_space() -> None:
    model = model_of()
    model.set_lut(0, 0, (1 << 27) - 1)
    result = model.access((0, 0, 0, 0, 7, 0))
    assert result["line"].tolist() == [(1 << 27) - 1, 127, 0, 128]


@settings(COMPILED, max_examples=40)
@given(st.data())
def test_without_values_and_into_old_records(data: st.DataObject) -> None:
    """All but the texels is the same, whatever the records hold."""
    cfg = data.draw(machines())
    lut, asked = data.draw(tables(cfg)), data.draw(footprints(cfg))
    models = [TexcacheModel(cfg, Memory(SEED, poisoned=range(0, 64, 3)), lut) for _ in range(2)]
    expected = models[0].replay(asked)
    old = np.full(len(asked) * RESULT.itemsize, 0xA5, np.uint8).view(RESULT)
    assert models[1].replay(asked, values=False, out=old) is old
    expected["texel"] = 0
    assert (old == expected).all() and models[0].counters == models[1].counters


def test_records_that_do_not_fit_are_refused() -> None:
    cfg = load("texcache", "tiny")
    model = TexcacheModel(cfg, Memory(SEED), allocate(cfg, [cfg.max_side])[0])
    for out in (np.zeros(3, RESULT), np.zeros(2, "u1")):
        with pytest.raises(UserError, match="2 footprints need as many of RESULT"):
            model.replay(np.zeros(2, FOOTPRINT), out=out)


def test_texels_come_from_the_image() -> None:
    """A picture stored row by row is read back by footprints, edges repeating."""
    cfg = load("texcache", "paper")
    picture = np.arange(64 * 64, dtype=np.uint32).reshape(64, 64)
    lut, _ = allocate(cfg, [64], base=4096)
    model = TexcacheModel(cfg, Memory(SEED, 4096, picture), lut)
    for u, v in ((0, 0), (63, 63), (-1, 5), (17, 40)):
        expected = [picture[(v + dv) % 64, (u + du) % 64] for dv in (0, 1) for du in (0, 1)]
        assert model.access((0, 4, 0, 0, u, v))["texel"].tolist() == expected

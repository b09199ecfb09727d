# SPDX-License-Identifier: Apache-2.0
"""The golden model against the naive one, field by field, and the properties it must keep."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, load
from models.memory import Memory, word
from models.texcache import FOOTPRINT, RESULT, TexcacheModel, allocate
from models.texcache.address import LAYOUTS, geometry, line_of, tag_of
from tests.models.naive import NaiveTexcache
from tests.models.strategies import COMPILED, footprints, machines, random_footprints, tables

SEED = 11


def agree(model: TexcacheModel, naive: NaiveTexcache, footprints: Any) -> None:
    """Every field of every footprint."""
    results = model.replay(footprints)
    got = {name: results[name].tolist() for name in RESULT.names or ()}
    for index, f in enumerate(footprints):
        expected = naive.access(f)
        assert expected.keys() == got.keys()
        for name, value in expected.items():
            assert got[name][index] == value, f"{naive.cfg.name}: {name} of footprint {index}, {f}"


@settings(COMPILED, max_examples=200)
@given(st.data())
def test_agrees_with_the_naive_model(data: st.DataObject) -> None:
    """A line that memory failed stays until it is evicted or forgotten; the caller's table is not written."""
    cfg = data.draw(machines())
    lut = data.draw(tables(cfg))
    before, model = lut.copy(), TexcacheModel(cfg, Memory(SEED), lut)
    naive = NaiveTexcache(cfg, lut.copy(), lambda address: word(SEED, address))
    operations = st.sampled_from(["invalidate", "reset", "table", "poison", "heal"])
    for operation in data.draw(st.lists(operations, max_size=5)):
        if operation == "table":
            tex, level, line = (data.draw(st.integers(0, most)) for most in (1, cfg.levels - 1, 64))
            model.set_lut(tex, level, line)
            naive.lut[tex, level] = line
        elif operation == "poison":
            lines = data.draw(st.sets(st.integers(0, 63)))
            model.memory.poison(lines)
            naive.poisoned |= lines
        elif operation == "heal":
            model.memory.heal()
            naive.poisoned.clear()
        else:
            counts = {"invalidate": model.counters, "reset": dict.fromkeys(model.counters, 0)}[operation]
            getattr(model, operation)()
            naive.invalidate()
            assert model.counters == counts
        agree(model, naive, data.draw(footprints(cfg)))
    assert (lut == before).all()


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
    walk = random_footprints(cfg, 6000, 3)
    walk["tex"] %= len(sides)
    walk["level"] = np.maximum(walk["level"], walk["tex"])
    lines = np.unique(TexcacheModel(cfg, Memory(SEED), lut).replay(walk)["line"])
    model = TexcacheModel(cfg, Memory(SEED, poisoned=lines[::5]), lut)
    agree(model, NaiveTexcache(cfg, lut, lambda address: word(SEED, address), lines[::5]), walk)
    assert min(model.counters.values()) > 0, f"the walk left something out: {model.counters}"


@settings(COMPILED, max_examples=100)
@given(st.sampled_from([16, 32, 64, 128]), st.sampled_from(LAYOUTS), st.data())
def test_banks_by_parity_never_meet(line_bytes: int, layout: str, data: st.DataObject) -> None:
    """Every footprint takes one beat, a line is always in one bank, and tags lead back to their lines."""
    values = {"line_bytes": line_bytes, "layout": layout, "max_side": 32, "textures": 2, "data_bits": 64}
    cfg = load("texcache", "conflict-free", [f"{name}={value}" for name, value in values.items()])
    lut = allocate(cfg, [32, 32], base=data.draw(st.integers(0, 9)) * line_bytes)[0]
    results = TexcacheModel(cfg, Memory(SEED), lut).replay(data.draw(footprints(cfg)))
    assert (results["beats"] == 1).all()
    needed = results["valid"] == 1
    bank_of: dict[int, int] = {}
    columns = (results[name][needed].tolist() for name in ("line", "bank", "set"))
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
def test_without_values_and_into_old_records(data: st.DataObject) -> None:
    """All but the texels is the same, whatever the records hold."""
    cfg = data.draw(machines())
    lut, requests = data.draw(tables(cfg)), data.draw(footprints(cfg))
    models = [TexcacheModel(cfg, Memory(SEED, poisoned=range(0, 64, 3)), lut) for _ in range(2)]
    expected = models[0].replay(requests)
    old = np.full(len(requests) * RESULT.itemsize, 0xA5, np.uint8).view(RESULT)
    assert models[1].replay(requests, values=False, out=old) is old
    expected["texel"] = 0
    assert (old == expected).all() and models[0].counters == models[1].counters


def test_records_that_do_not_fit_are_refused() -> None:
    cfg = load("texcache", "tiny")
    model = TexcacheModel(cfg, Memory(SEED), allocate(cfg, [cfg.max_side])[0])
    for out in (np.zeros(3, RESULT), np.zeros(2, "u1")):
        with pytest.raises(UserError, match="2 footprints need as many of RESULT"):
            model.replay(np.zeros(2, FOOTPRINT), out=out)

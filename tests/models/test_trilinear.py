# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``trilinear`` against two texture caches that are asked one footprint after the other, and
against texels read straight from memory."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, load
from configs.trilinear.schema import BILINEAR, INVALIDATE, TABLE, TRILINEAR, Config
from models.memory import Memory
from models.texcache import TexcacheModel
from models.trilinear import REQUEST, RESULT, TrilinearModel
from tb.texcache.sequences import random_table
from tb.trilinear.items import Distribution, table_requests

CFG: Config = load("trilinear", "tiny")


def naive(cfg: Config, memory: Memory, requests: Any) -> list[tuple[list[int], int]]:
    """Texels and error of each request, by two caches and a table, one request after the other."""
    table = np.zeros((cfg.half.textures, cfg.half.levels), np.uint32)
    caches = [TexcacheModel(cfg.half, memory, table) for _ in range(2)]
    answers = []
    for request in requests:
        level, modes = int(request["level"]), (request["mode_u"], request["mode_v"])
        if request["op"] == TABLE:
            for cache in caches:  # either may keep the whole table
                cache.set_lut(int(request["tex"]), level, int(request["line"]))
        if request["op"] == INVALIDATE:
            for cache in caches:
                cache.invalidate()
        accesses = []
        if request["op"] in (BILINEAR, TRILINEAR):
            accesses.append((level, request["u0"], request["v0"]))
        if request["op"] == TRILINEAR and cfg.half.level_side(level) > 1:
            accesses.append((level + 1, request["u1"], request["v1"]))
        texels, failed = [], 0
        for at, u, v in accesses:
            result = caches[at % 2].access((request["tex"], at, *modes, u, v))
            texels += result["texel"].tolist()
            failed |= int(result["err"])
        answers.append((texels + [0] * (8 - len(texels)), failed))
    return answers


@settings(max_examples=30)
@given(st.integers(0, 1 << 20), st.sampled_from([0.0, 0.1]))
def test_as_two_caches_one_after_the_other(seed: int, failing: float) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(CFG.half, rng)
    drawn = Distribution(tables=0.1, invalidations=0.05).draw(CFG, rng, 80)
    requests = np.concatenate([table_requests(CFG, table), drawn])
    lines = table.reshape(-1)[rng.random(table.size) < failing].tolist()
    memory = Memory(seed, poisoned=lines)
    results = TrilinearModel(CFG, memory).replay(requests)
    expected = naive(CFG, memory, requests)
    assert results["texel"].tolist() == [texels for texels, _ in expected]
    assert results["err"].tolist() == [failed for _, failed in expected]


def test_texels_are_those_of_memory() -> None:
    """Of a sample inside of both levels: row-major places, without the address arithmetic of the cache."""
    cfg: Config = CFG.with_(half={"layout": "row-major"})
    model, memory = TrilinearModel(cfg, Memory(5)), Memory(5)
    bases = {2: 4096, 3: 9000}
    requests = np.zeros(3, REQUEST)
    requests[:2]["op"] = TABLE
    requests[:2]["level"], requests[:2]["line"] = list(bases), list(bases.values())
    requests[2]["op"], requests[2]["level"] = TRILINEAR, 2
    requests[2]["u0"], requests[2]["v0"], requests[2]["u1"], requests[2]["v1"] = 6, 3, 2, 5
    got = model.replay(requests)[2]["texel"].tolist()
    want = []
    for level, u, v in ((2, 6, 3), (3, 2, 5)):
        first = bases[level] * cfg.half.line_texels
        want += [memory.read(first + (v + k // 2) * cfg.half.level_side(level) + u + k % 2) for k in range(4)]
    assert got == want


def test_the_table_outlives_a_reset_and_lines_do_not() -> None:
    model = TrilinearModel(CFG, Memory(1))
    rng = np.random.default_rng(1)
    model.replay(table_requests(CFG, random_table(CFG.half, rng)))
    sample = np.zeros(1, REQUEST)
    sample["op"] = TRILINEAR
    first, again = model.replay(np.repeat(sample, 2))
    assert not first["even"]["hit"].any() and again["even"]["hit"].sum() == again["even"]["valid"].sum()
    model.reset()
    [after] = model.replay(sample)
    assert not after["even"]["hit"].any() and not after["odd"]["hit"].any()
    assert after["texel"].tolist() == first["texel"].tolist()
    assert model.counters == {"samples": 1, "pairs": 1}


LIMITS = {"tex": 4, "level": 7, "mode_u": 3, "mode_v": 3} | dict.fromkeys(("u0", "v0", "u1", "v1"), 128)


@pytest.mark.parametrize(
    ("op", "used"),
    [
        (BILINEAR, {"tex", "level", "mode_u", "mode_v", "u0", "v0"}),
        (TRILINEAR, set(LIMITS)),
        (INVALIDATE, set()),
        (TABLE, {"tex", "level"}),
    ],
)
def test_requests_that_do_not_fit(op: int, used: set[str]) -> None:
    """The first one is named, those before it are done; fields that an ``op`` does not use may be any."""
    for field, limit in LIMITS.items():
        signed = field[0] in "uv"
        for value in (limit, -limit - 1) if signed else (limit,):
            requests = np.zeros(3, REQUEST)
            requests["op"] = TRILINEAR, op, TRILINEAR
            requests[1][field] = value
            model = TrilinearModel(CFG, Memory(1))
            if field in used:
                with pytest.raises(UserError, match=rf"request 1, .*'{field}': {value},.* takes op 0\.\.3"):
                    model.replay(requests)
                assert model.counters == {"samples": 1, "pairs": 1}
            else:
                model.replay(requests)
            requests[1][field] = value + 1 if value < 0 else limit - 1
            TrilinearModel(CFG, Memory(1)).replay(requests)


def test_the_smallest_level_has_no_next_one() -> None:
    """Whatever the coordinates of that: the sample is a bilinear one."""
    requests = np.zeros(2, REQUEST)
    requests["op"], requests["level"] = TRILINEAR, CFG.last_level
    requests[1]["u1"], requests[1]["v1"] = 1 << 30, -1 << 31
    plain, moved = TrilinearModel(CFG, Memory(1)).replay(requests)
    assert plain["needs"] == moved["needs"] == 1 and plain["texel"].tolist() == moved["texel"].tolist()


@pytest.mark.parametrize(("op", "field", "value"), [(4, "op", 4), (TABLE, "line", 1 << 27)])
def test_an_op_or_a_line_that_does_not_fit(op: int, field: str, value: int) -> None:
    requests = np.zeros(1, REQUEST)
    requests["op"] = op
    requests[field] = value
    with pytest.raises(UserError, match="request 0"):
        TrilinearModel(CFG, Memory(1)).replay(requests)


def test_records_that_are_used_again_and_no_texels() -> None:
    """Whatever they held before; the rest is the same without the texels' values."""
    rng = np.random.default_rng(4)
    drawn = Distribution(tables=0.1, invalidations=0.05).draw(CFG, rng, 300)
    table = random_table(CFG.half, rng)
    requests = np.concatenate([table_requests(CFG, table), drawn])
    memory = Memory(4, poisoned=table.reshape(-1)[::5].tolist())
    first = TrilinearModel(CFG, memory)
    results = first.replay(requests)
    assert results["err"].any() and results["odd"]["evict"].any()
    used = np.empty(len(requests), RESULT)
    for values in (True, False):
        used.view("u1")[:] = 0xA5
        model = TrilinearModel(CFG, memory)
        assert model.replay(requests, values=values, out=used) is used
        assert model.counters == first.counters
        assert used["texel"].any() == values and (not values or (used["texel"] == results["texel"]).all())
        assert all((used[name] == results[name]).all() for name in ("err", "needs"))
        for half in ("even", "odd"):
            names = [name for name in results[half].dtype.names if values or name != "texel"]
            assert all((used[half][name] == results[half][name]).all() for name in names)
    for wrong in (used[1:], np.empty(len(requests), REQUEST)):
        with pytest.raises(UserError, match="need as many of RESULT"):
            TrilinearModel(CFG, memory).replay(requests, out=wrong)

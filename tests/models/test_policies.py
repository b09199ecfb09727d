# SPDX-License-Identifier: Apache-2.0
"""Replacement policies: the tables of docs/replacement.md, what they amount to, and simulators of others."""

from collections.abc import Callable
from typing import Any

import libcachesim
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.simt import LFU, LRU, POLICIES, PSEUDO_LRU, ROUND_ROBIN
from models import lru, policies
from models.belady import optimal_hits
from models.comparison import OPTIMUM, Geometry, compared, frequency_hits
from models.dcache import DcacheModel
from models.icache import IcacheModel
from models.memory import Memory
from tests.models.strategies import COMPILED
from workloads.simt import requests
from workloads.simt.programs import PROGRAMS, prepare

WAYS = (1, 2, 3, 4, 6, 8, 11, 16)
NEVER = 1 << 62


def victims(policy: int, ways: int, count: int) -> list[int]:
    """Ways filled one after the other, from reset on."""
    [state], chosen = policies.new_states(policy, 1, ways), list[int]()
    for _ in range(count):
        chosen.append(policies.victim(policy, ways, state))
        policies.use(policy, ways, state, chosen[-1], True)
    return chosen


@pytest.mark.parametrize(
    ("policy", "ways", "order"),
    [
        (ROUND_ROBIN, 16, "0123456789abcdef"), (ROUND_ROBIN, 4, "0123"),
        (LFU, 16, "fedcba9876543210"), (LFU, 4, "3210"),
        (LRU, 16, "0123456789abcdef"), (LRU, 4, "0123"),
        (PSEUDO_LRU, 16, "26ae048c37bf159d"), (PSEUDO_LRU, 4, "2031"), (PSEUDO_LRU, 8, "26043715"),
        (ROUND_ROBIN, 3, "012"), (LFU, 3, "210"), (LRU, 3, "012"), (PSEUDO_LRU, 2, "01"),
        *((policy, 1, "0") for policy in range(4)),
    ],
)  # fmt: skip
def test_cold_fill(policy: int, ways: int, order: str) -> None:
    """Each way once, and then in the same order again."""
    assert victims(policy, ways, 2 * ways) == 2 * [int(way, 16) for way in order]


@pytest.mark.parametrize(("policy", "ways", "state"), [
    (ROUND_ROBIN, 16, 0), (LFU, 16, 0x0123456789ABCDEF), (LRU, 16, 0x0123456789ABCDEF), (PSEUDO_LRU, 16, 0),
    (ROUND_ROBIN, 4, 0), (LFU, 4, 0x1B), (LRU, 4, 0x1B), (PSEUDO_LRU, 4, 0),
    (ROUND_ROBIN, 3, 0), (LFU, 3, 0b000110), (LRU, 3, 0b000110), (PSEUDO_LRU, 3, 0),
])  # fmt: skip
def test_state_after_reset(policy: int, ways: int, state: int) -> None:
    assert policies.packed(policy, ways, policies.new_states(policy, 1, ways)[0]) == state


# Pseudo-LRU


@COMPILED
@given(st.integers(1, 16), st.lists(st.tuples(st.booleans(), st.integers(0, 15)), max_size=120))
def test_pseudo_lru_as_time_stamps_say(ways: int, accesses: list[tuple[bool, int]]) -> None:
    """The group, in it the half, in that the way whose latest use is longest ago, of those that there are."""
    stamp = [4 * (way // 4) + (0 if way & 2 else 2) + way % 2 - 100 for way in range(ways)]
    [state] = policies.new_states(PSEUDO_LRU, 1, ways)
    for now, (hit, way) in enumerate(accesses):
        chosen, size = 0, 16
        for part in (4, 2, 1):
            parts = range(chosen, min(chosen + size, ways), part)
            chosen, size = min(parts, key=lambda first, part=part: max(stamp[first : first + part])), part  # type: ignore[misc]
        assert policies.victim(PSEUDO_LRU, ways, state) == chosen
        used = way % ways if hit else chosen
        stamp[used] = now
        policies.use(PSEUDO_LRU, ways, state, used, not hit)


def test_a_valid_line_may_go_while_a_way_is_empty() -> None:
    """4 ways, A B B C B D: D takes the place of A, and way 1 stays empty; not with invalid ways first."""
    for first, expected in ((False, [2, 0, 0, 3, 0, 2]), (True, [0, 1, 1, 2, 1, 3])):
        lines = np.array([1, 2, 2, 3, 2, 4])
        assert policies.run(PSEUDO_LRU, np.zeros_like(lines), lines, 1, 4, first)[1].tolist() == expected


# "LFU"


@pytest.mark.parametrize("ways", WAYS)
def test_lfu_hits_as_lru_does_and_not_as_counts_of_uses_would(ways: int) -> None:
    rows, lines = traffic(ways, 20_000)
    (hits, used), (same, other) = (policies.run(policy, rows, lines, 4, ways) for policy in (LFU, LRU))
    assert (hits == same).all() and (used == ways - 1 - other).all()
    assert (hits.sum() != frequency_hits(rows, lines, 4, ways).sum()) == (ways > 1)


# Uses that change nothing


@COMPILED
@given(st.sampled_from(range(4)), st.sampled_from(WAYS), st.lists(st.integers(0, 15), max_size=60))
def test_a_second_use_in_a_row_changes_nothing(policy: int, ways: int, used: list[int]) -> None:
    """So a hit in the line of the access before need not be told to the policy."""
    [state] = policies.new_states(policy, 1, ways)
    for number, way in enumerate(used):
        filled = number % 3 == 0
        way = policies.victim(policy, ways, state) if filled else way % ways
        policies.use(policy, ways, state, way, filled)
        before = state.copy()
        policies.use(policy, ways, state, way, False)
        assert state.tolist() == before.tolist()


@COMPILED
@given(
    st.sampled_from(range(4)),
    st.sampled_from(WAYS),
    st.booleans(),
    st.lists(st.integers(0, 40), max_size=120),
)
def test_sets_stay_sets(policy: int, ways: int, first: bool, wanted: list[int]) -> None:
    """No line twice; ranks are a permutation. Invalid ways first: none is replaced before all hold one."""
    tags, [state] = np.full(ways, lru.EMPTY, np.int64), policies.new_states(policy, 1, ways)
    for tag in wanted:
        full = (tags != lru.EMPTY).all()
        _, way, former = policies.access(policy, first, tags, state, tag)
        assert tags[way] == tag and (tags == tag).sum() == 1
        assert not first or full or former == lru.EMPTY
        if policy in (LFU, LRU):
            assert sorted(state[:ways]) == list(range(ways))


# Simulators of others


def traffic(ways: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Look-ups of 4 sets: half of them of few lines, the others of twice as many as there is room for."""
    rng = np.random.default_rng(ways)
    near, far = rng.integers(4 * ways, size=count), rng.integers(8 * ways, size=count)
    lines = np.where(rng.random(count) < 0.5, near, far)
    return lines % 4, lines


def others(make: Callable[..., Any], ways: int, rows: Any, lines: Any) -> int:
    """Hits that libcachesim counts, with a cache for each set; ``next_access_vtime`` is for Belady."""
    following, next_use = np.empty(len(lines), np.int64), dict[int, int]()
    for i in range(len(lines) - 1, -1, -1):
        following[i] = next_use.get(int(lines[i]), NEVER)
        next_use[int(lines[i])] = i
    caches = [make(cache_size=ways, hashpower=10) for _ in range(4)]
    return sum(
        caches[row].get(libcachesim.Request(obj_id=int(line), obj_size=1, next_access_vtime=int(due)))
        for row, line, due in zip(rows, lines, following, strict=True)
    )


@pytest.mark.parametrize("ways", WAYS)
@pytest.mark.parametrize("policy", [ROUND_ROBIN, LFU, LRU], ids=POLICIES.__getitem__)
def test_totals_of_libcachesim(policy: int, ways: int) -> None:
    rows, lines = traffic(ways, 20_000)
    hits = int(policies.run(policy, rows, lines, 4, ways)[0].sum())
    name = "FIFO" if policy == ROUND_ROBIN else "LRU"
    assert others(getattr(libcachesim, name), ways, rows, lines) == hits > 5000


@pytest.mark.parametrize("ways", WAYS)
def test_true_lfu_and_belady_as_libcachesim_has_them(ways: int) -> None:
    rows, lines = traffic(ways, 20_000)
    assert frequency_hits(rows, lines, 4, ways).sum() == others(libcachesim.LFU, ways, rows, lines)
    assert optimal_hits(rows, lines, 4, ways).sum() == others(libcachesim.Belady, ways, rows, lines)


# Side by side


@pytest.mark.parametrize("invalid_first", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_misses_are_those_of_the_models(policy: str, invalid_first: bool) -> None:
    trace = prepare(PROGRAMS["fft"], 64).run()
    cache = {"policy": policy, "invalid_first": invalid_first}
    fetching = requests.wide(load("icache", "tiny")).with_(cache=cache)
    data = requests.wide(load("dcache", "tiny").with_(uncached_bits=0)).with_(cache=cache)
    icache, dcache = IcacheModel(fetching, Memory()), DcacheModel(data, Memory())
    icache.replay(requests.fetches(trace))
    dcache.replay(requests.accesses(trace))
    for model, addresses in ((icache, trace.addresses), (dcache, requests.words(trace))):
        misses, evictions = compared(addresses, Geometry.of(model.cfg.cache), invalid_first)
        assert misses[policy] == model.counters["misses"] > misses[OPTIMUM] > 0
        assert evictions[policy] == model.counters["evictions"] > evictions[OPTIMUM] > 0

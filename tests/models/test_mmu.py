# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``mmu``: the shared RAM against a naive one, and what caches see of each other."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import UserError, load
from configs.dcache.schema import LANES, LOAD, STORE
from configs.mmu.schema import BANKS, Config
from models.dcache import REQUEST, DcacheModel
from models.icache import REQUEST as FETCH
from models.memory import Memory
from models.mmu import MmuModel
from tests.models.strategies import COMPILED

BASE = 0x8000
CODE = 0x120  # of a word that is stored and fetched


def cfg() -> Config:
    tiny: Config = load("mmu", "tiny")
    return tiny


def access(op: int, lanes: dict[int, tuple[int, int, int]]) -> Any:
    """A request: lane -> address, word, bytes."""
    request = np.zeros(1, REQUEST)
    request["op"], request["mask"] = op, sum(1 << lane for lane in lanes)
    for lane, values in lanes.items():
        for name, value in zip(("addr", "data", "strobe"), values, strict=True):
            request[f"{name}{lane}"] = value
    return request


def fetch(pc: int) -> Any:
    request = np.zeros(1, FETCH)
    request["pc"] = pc
    return request


place = st.one_of(
    st.integers(BASE - 8, BASE + 40),
    st.integers(BASE, BASE + 255),
    st.integers(BASE + 248, BASE + 264),
    st.sampled_from([0x40, 0xFFF0]),
)
lane = st.tuples(place, st.integers(0, 0xFFFFFFFF), st.integers(0, 15))
accesses = st.tuples(st.sampled_from([LOAD, STORE]), st.dictionaries(st.integers(0, LANES - 1), lane))


class Naive:
    """Bytes by address; passes as the rule says them: until every bank has served each of its words."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}

    def serve(self, op: int, lanes: dict[int, tuple[int, int, int]]) -> tuple[dict[int, int], int]:
        """Words of lanes in the window, and cycles."""
        inside = {lane: values for lane, values in sorted(lanes.items()) if BASE <= values[0] < BASE + 256}
        words = {}
        for lane, (address, word, strobe) in inside.items():
            first = address & ~3
            for byte in range(4):
                if op == STORE and strobe >> byte & 1:
                    self.bytes[first + byte] = word >> 8 * byte & 255
            words[lane] = sum(self.bytes.get(first + byte, 0) << 8 * byte for byte in range(4))
        waiting = {address // 4 for address, _, _ in inside.values()}
        cycles = 0
        while waiting:
            waiting -= {min(w for w in waiting if w % BANKS == bank) for bank in {w % BANKS for w in waiting}}
            cycles += 1
        return words, cycles


@COMPILED
@given(st.lists(accesses, max_size=30))
def test_the_shared_ram_equals_a_naive_one_and_the_rest_the_cache(drawn: list[Any]) -> None:
    """Lanes in the window are the RAM's, all others those of a data cache of its own."""
    model, naive, alone = MmuModel(cfg(), Memory(5)), Naive(), DcacheModel(cfg().dcache, Memory(5))
    for op, lanes in drawn:
        [got] = model.access(access(op, lanes))
        words, cycles = naive.serve(op, lanes)
        assert got["passes"] == cycles
        assert got["shared"] == sum(1 << lane for lane in words)
        outside = {lane: values for lane, values in lanes.items() if lane not in words}
        [want] = alone.replay(access(op, outside))
        expected = want["data"].copy()
        if op == LOAD:
            expected[list(words)] = list(words.values())
        assert got["data"].tolist() == expected.tolist()
        for name in ("err", "hit", "evict", "write", "way", "victim", "burst"):
            assert np.array_equal(got[name], want[name]), name
    assert model.dcache.counters == alone.counters
    assert model.counters["passes"] >= model.counters["conflicts"]


def test_a_reset_clears_the_shared_ram() -> None:
    model = MmuModel(cfg(), Memory())
    model.access(access(STORE, {3: (BASE + 12, 0x1234, 15)}))
    assert model.access(access(LOAD, {0: (BASE + 12, 0, 0)}))["data"][0, 0] == 0x1234
    model.reset()
    assert not model.access(access(LOAD, {0: (BASE + 12, 0, 0)}))["data"].any()


def test_code_that_was_stored_is_fetched_after_a_fence_and_not_before() -> None:
    """A clean alone leaves the old line in the instruction cache, an invalidate the old word in memory."""
    model = MmuModel(cfg(), Memory(9))
    old, new = Memory(9).read(CODE // 4), 0xDEAD_BEEF
    assert old != new
    assert model.fetch(fetch(CODE))["inst"][0] == old
    model.access(access(STORE, {0: (CODE, new, 15)}))
    assert model.fetch(fetch(CODE))["inst"][0] == old
    assert not model.command("invalidate_icache")
    assert model.fetch(fetch(CODE))["inst"][0] == old
    assert not model.command("clean")
    assert model.fetch(fetch(CODE))["inst"][0] == old
    assert not model.command("fence")
    assert model.fetch(fetch(CODE))["inst"][0] == new
    model.access(access(STORE, {0: (CODE, old, 15)}))
    assert not model.command("fence")
    assert model.fetch(fetch(CODE))["inst"][0] == old


def test_a_fence_that_memory_refuses_says_so_and_keeps_the_line() -> None:
    memory = Memory(9)
    model = MmuModel(cfg(), memory)
    model.access(access(STORE, {0: (CODE, 1, 15)}))
    memory.poison([CODE // model.region_bytes])
    assert model.command("fence")
    assert model.status("dcache") == CODE & ~15 | 1
    assert model.status("dcache") == 0
    memory.heal()
    assert not model.command("fence")
    assert model.fetch(fetch(CODE))["inst"][0] == 1


def test_bases_policies_and_status_of_the_control_port() -> None:
    """What the port does is what requests of the caches' own do; each operation is counted."""
    memory = Memory(9)
    model = MmuModel(cfg(), memory)
    model.base(0, 0x400)
    assert model.fetch(fetch(4))["inst"][0] == memory.read(0x404 // 4)
    model.policy("icache", 2)
    model.policy("dcache", 1)
    memory.poison([0x800 // model.region_bytes])
    assert model.fetch(fetch(0x405))["err"][0]
    assert [model.status("icache") for _ in range(2)] == [0x805, 0]
    assert model.counters["commands"] == 5
    with pytest.raises(UserError, match="choose one of invalidate_icache"):
        model.command("stop")


def test_lines_of_both_lengths_fail_together() -> None:
    """A region of the longer line is several of the shorter."""
    paper: Config = load("mmu", "paper")
    memory = Memory(9, poisoned=[2])
    model = MmuModel(paper, memory)
    assert model.region_bytes == 512
    assert model.fetch(fetch(1024))["err"][0]
    assert model.access(access(LOAD, {0: (1536 - 4, 0, 0), 1: (1536, 0, 0), 2: (1020, 0, 0)}))["err"][0] == 1

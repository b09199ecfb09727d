# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``dcache`` against a naive cache of dictionaries and pycachesim."""

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE, Config
from models.dcache import REQUEST, DcacheModel, window
from models.memory import Memory
from tb.dcache.items import Distribution
from tests.models.strategies import SHAPES

POISONED = (1, 6, 17)
LINES = 24  # in use, beside the window


class Bytes:
    """Bytes of memory by address; the lines of a set in order of use, the last one last: ``data`` of each by
    address, whether it is ``dirty`` and whether memory ``failed`` to read it. Addresses of ``failures``.
    """

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory, self.size = cfg, memory, cfg.cache.line_bytes
        self.bytes: dict[int, int] = {}
        self.sets = [OrderedDict[int, dict[str, Any]]() for _ in range(cfg.cache.sets)]
        self.failures: list[int] = []
        self.counts = dict.fromkeys(("evictions", "writes", "prefetches"), 0)

    def stored(self, line: int) -> dict[int, int]:
        """What memory has of a line."""
        places = range(line * self.size, (line + 1) * self.size)
        return {at: self.bytes.get(at, self.memory.read(at // 4) >> 8 * (at % 4) & 255) for at in places}

    def held(self, line: int) -> OrderedDict[int, dict[str, Any]]:
        return self.sets[line % self.cfg.cache.sets]

    def write(self, line: int, data: dict[int, int], address: int | None = None) -> bool:
        """Whether memory takes bytes of a line; else it failed at ``address``, or the line's."""
        if line in self.memory.poisoned:
            self.failures.append(line * self.size if address is None else address)
            return False
        self.bytes |= data
        self.counts["writes"] += 1
        return True

    def clean(self, line: int) -> bool:
        """Whether nothing is left to write of a line."""
        entry = self.held(line)[line]
        if entry["dirty"] and not entry["failed"]:
            entry["dirty"] = not self.write(line, entry["data"])
            return not entry["dirty"]
        return True

    def control(self, op: int) -> tuple[int, bool]:
        """Of a request that is no access: the word, whether there was an error."""
        error, word = False, 0
        if op in (CLEAN, FLUSH):
            for held in self.sets:
                for line in sorted(held):
                    error |= not self.clean(line)
                    if op == FLUSH and not held[line]["dirty"]:
                        del held[line]
        elif op == INVALIDATE:
            self.sets = [OrderedDict() for _ in self.sets]
        elif op == STATUS:
            error, word, self.failures = bool(self.failures), (self.failures or [0])[0], []
        return word, error


def bytes_of(address: int, value: int, strobe: int) -> dict[int, int]:
    """What a store writes, by address."""
    return {address + i: value >> 8 * i & 255 for i in range(4) if strobe >> i & 1}


def word_of(data: dict[int, int], address: int) -> int:
    return sum(data[address + i] << 8 * i for i in range(4))


class Naive(Bytes):
    """A cache in which one miss stops all."""

    def word(self, store: bool, address: int, value: int, strobe: int) -> tuple[int, bool, bool]:
        """A lane: word, whether memory served it, hit."""
        address -= address % 4
        line, data = address // self.size, bytes_of(address, value, strobe)
        held, cached = self.held(line), address < window(self.cfg)
        hit = cached and line in held
        if hit:
            held.move_to_end(line)
        if store and not (cached and self.cfg.write_back):
            if not self.write(line, data, address):
                held.pop(line, None)
                return 0, False, hit
            if hit:
                held[line]["data"].update(data)
            return 0, True, hit
        if not cached and line in self.memory.poisoned:
            self.failures.append(address)
            return 0, False, False
        if cached and not hit and not self.fill(line, address):
            return 0, False, False
        if store:
            held[line]["data"].update(data)
            held[line]["dirty"] = True
            return 0, True, hit
        return word_of(held[line]["data"] if cached else self.stored(line), address), True, hit

    def fill(self, line: int, address: int) -> bool:
        held = self.held(line)
        if len(held) == self.cfg.cache.ways:
            oldest = next(iter(held))
            if not self.clean(oldest):
                held.move_to_end(oldest)
                return False
            del held[oldest]
        if line in self.memory.poisoned:
            self.failures.append(address)
            return False
        held[line] = {"data": self.stored(line), "dirty": False, "failed": False}
        return True


def draw(cfg: Config, seed: int, count: int) -> NDArray[np.void]:
    """Requests at random on few lines, under LRU, refused ones among them."""
    shares = Distribution(policies=0, cleans=0.04, flushes=0.02, states=0.05, uncached=0.1)
    drawn, rng = shares.draw(cfg, np.random.default_rng(seed), count), np.random.default_rng(seed + 1)
    for lane in range(LANES):
        top = drawn[f"addr{lane}"] >= window(cfg)
        low = rng.integers(LINES * cfg.cache.line_bytes, size=count)
        drawn[f"addr{lane}"] = np.where(top, drawn[f"addr{lane}"], low)
    return drawn


@pytest.mark.parametrize("preset", ["tiny", "through"])
@settings(deadline=None, max_examples=60)  # the first call compiles
@given(shape=SHAPES, seed=st.integers(0, 1 << 30), count=st.integers(1, 60), healed=st.integers(0, 60))
def test_equals_the_naive_cache(preset: str, shape: list[str], seed: int, count: int, healed: int) -> None:
    """Words, errors, hits of every lane, and afterwards every byte of memory; lines fail until healed.

    Under LRU with invalid ways first: which of several empty ways is filled is not seen then. After a line
    that memory refused has been kept, the order is that of the model alone, so such a set is not compared.
    """
    cfg: Config = load("dcache", preset, ["cache.policy=lru", "cache.invalid_first=true", *shape])
    memory = Memory(7, poisoned=POISONED if preset == "through" else POISONED[1:2])
    model, naive = DcacheModel(cfg, memory), Naive(cfg, memory)
    for number, request in enumerate(draw(cfg, seed, count)):
        if number == healed:
            memory.heal()
        [got] = model.replay(np.array([request], REQUEST))
        if request["op"] not in (LOAD, STORE):
            word, error = naive.control(int(request["op"]))
            kept = request["op"] == FLUSH and any(naive.sets)
            assert (int(got["data"][0]), bool(got["err"])) == (word, error)
            if kept:
                return  # the order of a set with a line that a flush had to leave begins anew
            continue
        for lane in range(LANES):
            expected = (0, True, False)
            if request["mask"] >> lane & 1:
                fields = (int(request[f"{name}{lane}"]) for name in ("addr", "data", "strobe"))
                expected = naive.word(request["op"] == STORE, *fields)
            answer = (int(got["data"][lane]), not got["err"] >> lane & 1, bool(got["hit"] >> lane & 1))
            assert answer == expected, f"request {number}, lane {lane}"
    for line in (*range(LINES), *range((1 << cfg.cache.line_bits) - 4, 1 << cfg.cache.line_bits)):
        assert model.memory.line(line).tolist() == list(naive.stored(line).values())


def test_a_policy_in_mid_run_keeps_lines_and_dirt() -> None:
    """After each switch all lines hit and are dirty still; the clean at the end writes each."""
    cfg: Config = load("dcache", "tiny")
    for first in range(4):
        for second in range(4):
            model = DcacheModel(cfg, Memory(3))
            stores = [(STORE, 0, 15, *(32 * lane for lane in range(LANES)), *range(LANES), *[15] * LANES)]
            switch = [(POLICY, 0, 0, policy, *[0] * 23) for policy in (first, second)]
            results = model.replay(
                np.array([switch[0], *stores, switch[1], *stores, (CLEAN, *[0] * 26)], REQUEST)
            )
            assert results["hit"].tolist() == [0, 0, 0, 15, 0]
            assert int(results[-1]["writes"]) == 4


def test_requests_that_a_reset_meets() -> None:
    """A clean of three lines and a store, met after two writes: the third line and the store are lost."""
    model = DcacheModel(load("dcache", "tiny"), Memory(3))
    store = (STORE, 0, 7, 0, 16, 32, *[0] * 5, 1, 2, 3, *[0] * 5, *[15] * LANES)
    model.replay(np.array([store], REQUEST))
    model.abandon(np.array([(CLEAN, *[0] * 26), store], REQUEST), 2)
    assert sorted(model.memory.lines.tolist()) == [0, 2]
    [answer] = model.replay(np.array([(LOAD, 0, 7, 0, 16, 32, *[0] * 21)], REQUEST))
    assert answer["data"][[0, 2]].tolist() == [1, 3]
    assert answer["data"][1] == Memory(3).read(4)
    assert model.counters["hits"] == 0


def test_addresses_out_of_range_are_refused() -> None:
    with pytest.raises(UserError, match="addresses of tiny are 0 to 0xffff"):
        DcacheModel(load("dcache", "tiny"), Memory()).replay(
            np.array([(LOAD, 0, 1, 1 << 16, *[0] * 23)], REQUEST)
        )

# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``simple`` against a naive cache of dictionaries, and against pycachesim."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, load
from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.memory import Memory
from models.simple import REQUEST, SimpleModel

PRESETS = ("tiny", "tiny-through", "large")
POISONED = (3, 9, 17)


def config(name: str) -> Config:
    preset, _, through = name.partition("-")
    cfg: Config = load("simple", preset, ["policy=write-through"] if through else [])
    return cfg


class Naive:
    """Byte by byte: memory and cached lines are dictionaries, a dirty line is one in ``dirty``."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        self.bytes: dict[int, int] = {}
        self.cached: dict[int, tuple[int, bytearray]] = {}  # set -> line, its bytes
        self.dirty: set[int] = set()

    def stored(self, address: int) -> int:
        return self.bytes.get(address, self.memory.read(address // 4) >> 8 * (address % 4) & 255)

    def write(self, line: int, data: dict[int, int]) -> bool:
        if line in self.memory.poisoned:
            return False
        self.bytes |= data
        return True

    def evict(self, index: int) -> bool:
        line, data = self.cached[index]
        first = line * self.cfg.cache.line_bytes
        if index in self.dirty and not self.write(line, {first + i: byte for i, byte in enumerate(data)}):
            return False
        self.dirty.discard(index)
        return True

    def serve(self, op: int, word: int, value: int, strobe: int) -> tuple[int, bool, bool]:
        """Value, error, hit."""
        size, count = self.cfg.cache.line_bytes, self.cfg.word_bytes
        if op == INVALIDATE:
            self.cached, self.dirty = {}, set()
        if op == FLUSH:
            return 0, False in [self.evict(index) for index in sorted(self.dirty)], False
        if op in (INVALIDATE, FLUSH):
            return 0, False, False
        line, first = word * count // size, word * count % size
        index = line % self.cfg.cache.sets
        hit = self.cached.get(index, (-1, b""))[0] == line
        stored = {word * count + i: value >> 8 * i & 255 for i in range(count) if strobe >> i & 1}
        through = self.cfg.policy == "write-through"
        if op == STORE and through and not self.write(line, stored):
            return 0, True, hit
        if not hit and not (op == STORE and through):
            if not (index not in self.cached or self.evict(index)):
                return 0, True, False
            self.cached.pop(index, None)
            if line in self.memory.poisoned:
                return 0, True, False
            self.cached[index] = line, bytearray(self.stored(line * size + i) for i in range(size))
        if op == LOAD:
            return int.from_bytes(self.cached[index][1][first : first + count], "little"), False, hit
        if self.cached.get(index, (-1, b""))[0] == line:
            for address, byte in stored.items():
                self.cached[index][1][address % size] = byte
            self.dirty |= set() if through else {index}
        return 0, False, hit


requests = st.tuples(
    st.sampled_from([LOAD] * 5 + [STORE] * 5 + [FLUSH, INVALIDATE]),
    st.integers(0, 127),
    st.integers(0, (1 << 32) - 1),
    st.integers(0, 15),
)


@pytest.mark.parametrize("name", PRESETS)
@settings(deadline=None)  # the first call compiles
@given(st.lists(requests, max_size=60), st.integers(0, 60))
def test_equals_the_naive_cache(name: str, drawn: list[tuple[int, int, int, int]], healed: int) -> None:
    """Values, errors, hits, and afterwards every byte of memory; some lines fail until they are healed."""
    cfg, memory = config(name), Memory(7, poisoned=POISONED)
    mask = (1 << cfg.word_bits) - 1, (1 << cfg.word_bytes) - 1
    model, naive = SimpleModel(cfg, memory), Naive(cfg, memory)
    for number, (op, word, value, strobe) in enumerate(drawn):
        if number == healed:
            memory.heal()
        asked = (op, word, value & mask[0], strobe & mask[1])
        [got] = model.replay(np.array([(*asked, 0)], REQUEST))
        assert (int(got["value"]), bool(got["err"]), bool(got["hit"])) == naive.serve(*asked)
    for line in range(128 * cfg.word_bytes // cfg.cache.line_bytes):
        first = line * cfg.cache.line_bytes
        assert list(model.memory.line(line)) == [naive.stored(first + i) for i in range(cfg.cache.line_bytes)]


def traffic(cfg: Config, count: int, seed: int, span: int) -> Any:
    rng = np.random.default_rng(seed)
    asked = np.zeros(count, REQUEST)
    asked["op"] = rng.integers(0, 2, count)
    walk = np.abs(np.cumsum(rng.integers(-3, 4, count))) % span
    asked["word"] = np.where(rng.random(count) < 0.3, rng.integers(0, span, count), walk)
    asked["strobe"] = (1 << cfg.word_bytes) - 1
    asked["value"] = rng.integers(0, 1 << cfg.word_bits, count)
    return asked


@pytest.mark.parametrize(("preset", "allocate"), [("base", True), ("large", True), ("write-through", False)])
def test_totals_of_pycachesim(preset: str, allocate: bool) -> None:
    """Hits, misses and lines written, counted by a simulator that nobody here wrote."""
    cachesim = pytest.importorskip(
        "cachesim", reason="pycachesim is not installed: pip install -r requirements.txt"
    )
    cfg = load("simple", preset)
    asked = traffic(cfg, 20_000, 5, 8 * cfg.cache.capacity_bytes // cfg.word_bytes)
    model = SimpleModel(cfg, Memory())
    results = model.replay(asked)
    line = cfg.cache.line_bytes
    cache = cachesim.Cache("L1", cfg.cache.sets, 1, line, "LRU", write_back=allocate, write_allocate=allocate)
    memory = cachesim.MainMemory()
    memory.load_to(cache)
    memory.store_from(cache)
    simulator = cachesim.CacheSimulator(cache, memory)
    for op, word in zip(asked["op"].tolist(), asked["word"].tolist(), strict=True):
        (simulator.store if op else simulator.load)(word * cfg.word_bytes, length=cfg.word_bytes)
    stats = cache.stats()
    assert (
        int(results["hit"][asked["op"] == LOAD].sum()) == stats["HIT_count"]
    )  # it counts those of loads only
    assert int(results["fill"].sum()) == stats["MISS_count"] > 1000
    if allocate:
        assert model.counters["writes"] == stats["EVICT_count"] > 100


def test_a_request_that_a_reset_meets() -> None:
    """The flush of three lines, met after one of them was written: the first set's."""
    cfg = config("tiny")
    model = SimpleModel(cfg, Memory(3))
    asked = np.array([(STORE, 4 * index, index + 1, 1, 0) for index in range(3)], REQUEST)
    model.replay(asked)
    model.abandon(np.array([(FLUSH, 0, 0, 0, 0)], REQUEST), 1)
    assert model.memory.lines.tolist() == [0]
    assert model.replay(np.array([(LOAD, 0, 0, 0, 0)], REQUEST))[0]["value"] & 255 == 1
    assert model.counters["hits"] == 0


def test_memory_grows() -> None:
    cfg = config("tiny")
    model = SimpleModel(cfg, Memory())
    asked = np.zeros(3000, REQUEST)
    asked["op"], asked["word"], asked["value"], asked["strobe"] = (
        STORE,
        np.arange(3000) * 4,
        np.arange(3000),
        15,
    )
    model.replay(asked[:1500])
    model.replay(asked[1500:])
    model.replay(np.array([(FLUSH, 0, 0, 0, 0)], REQUEST))
    assert model.memory.lines.tolist() == list(range(3000))
    assert [int(model.memory.line(line)[:2].view("u2")[0]) for line in range(0, 3000, 7)] == list(
        range(0, 3000, 7)
    )


def test_addresses_out_of_range_are_refused() -> None:
    with pytest.raises(UserError, match="word addresses of tiny are 0 to 0x3fff"):
        SimpleModel(config("tiny"), Memory()).replay(np.array([(LOAD, 1 << 14, 0, 0, 0)], REQUEST))

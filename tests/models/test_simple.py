# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``simple`` against a naive cache of dictionaries, and against pycachesim."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, load
from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.memory import Memory
from models.simple import REQUEST, SimpleModel, traffic

POISONED = (3, 9, 17)
LINES = 32  # in use


class Naive:
    """Byte by byte: memory and cached lines are dictionaries, a dirty line is one in ``dirty``."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        self.bytes: dict[int, int] = {}
        self.cached: dict[int, tuple[int, dict[int, int]]] = {}  # set -> line, its bytes by address
        self.dirty: set[int] = set()

    def stored(self, line: int) -> dict[int, int]:
        """What memory has of a line."""
        first, size = line * self.cfg.cache.line_bytes, self.cfg.cache.line_bytes
        hashed = {at: self.memory.read(at // 4) >> 8 * (at % 4) & 255 for at in range(first, first + size)}
        return hashed | {at: byte for at, byte in self.bytes.items() if at in hashed}

    def write(self, line: int, data: dict[int, int]) -> bool:
        self.bytes |= data if line not in self.memory.poisoned else {}
        return line not in self.memory.poisoned

    def clean(self, index: int) -> bool:
        if index in self.dirty and not self.write(*self.cached[index]):
            return False
        self.dirty.discard(index)
        return True

    def fill(self, line: int) -> bool:
        index = line % self.cfg.cache.sets
        if not self.clean(index):
            return False
        self.cached.pop(index, None)
        if line not in self.memory.poisoned:
            self.cached[index] = line, self.stored(line)
        return index in self.cached

    def serve(self, op: int, word: int, value: int, strobe: int) -> tuple[int, bool, bool]:
        """Value, error, hit."""
        if op == INVALIDATE:
            self.cached, self.dirty = {}, set()
        if op in (FLUSH, INVALIDATE):
            return 0, False in [self.clean(index) for index in sorted(self.dirty)], False
        size = self.cfg.word_bytes
        line = word * size // self.cfg.cache.line_bytes
        index, through = line % self.cfg.cache.sets, op == STORE and not self.cfg.write_back
        hit = self.cached.get(index, (-1, {}))[0] == line
        data = {word * size + i: value >> 8 * i & 255 for i in range(size) if strobe >> i & 1}
        if not (self.write(line, data) if through else hit or self.fill(line)):
            return 0, True, hit
        if op == LOAD:
            return sum(self.cached[index][1][word * size + i] << 8 * i for i in range(size)), False, hit
        if hit or not through:
            self.cached[index][1].update(data)
            self.dirty |= set() if through else {index}
        return 0, False, hit


requests = st.tuples(
    st.sampled_from([LOAD] * 5 + [STORE] * 5 + [FLUSH, INVALIDATE]),
    st.integers(0, 127),
    st.integers(0, (1 << 32) - 1),
    st.integers(0, 15),
)


@pytest.mark.parametrize(
    ("preset", "policy"), [("tiny", "write-back"), ("tiny", "write-through"), ("large", "write-back")]
)
@settings(deadline=None)  # the first call compiles
@given(st.lists(requests, max_size=60), st.integers(0, 60))
def test_equals_the_naive_cache(
    preset: str, policy: str, drawn: list[tuple[int, int, int, int]], healed: int
) -> None:
    """Values, errors, hits, and afterwards every byte of memory; some lines fail until they are healed."""
    cfg: Config = load("simple", preset, [f"policy={policy}"])
    memory = Memory(7, poisoned=POISONED)
    model, naive = SimpleModel(cfg, memory), Naive(cfg, memory)
    for number, (op, word, value, strobe) in enumerate(drawn):
        if number == healed:
            memory.heal()
        request = op, word, value & (1 << cfg.word_bits) - 1, strobe & (1 << cfg.word_bytes) - 1
        [got] = model.replay(np.array([(*request, 0)], REQUEST))
        assert (int(got["value"]), bool(got["err"]), bool(got["hit"])) == naive.serve(*request)
    for line in range(LINES):
        assert model.memory.line(line).tolist() == list(naive.stored(line).values())


def test_a_request_that_a_reset_meets() -> None:
    """The flush of three lines, met after one of them was written: the first set's."""
    model = SimpleModel(load("simple", "tiny"), Memory(3))
    model.replay(np.array([(STORE, 4 * index, index + 1, 1, 0) for index in range(3)], REQUEST))
    model.abandon(np.array([(FLUSH, 0, 0, 0, 0)], REQUEST), 1)
    assert model.memory.lines.tolist() == [0]
    assert model.replay(np.array([(LOAD, 0, 0, 0, 0)], REQUEST))[0]["value"] & 255 == 1
    assert model.counters["hits"] == 0


def test_addresses_out_of_range_are_refused() -> None:
    with pytest.raises(UserError, match="word addresses of tiny are 0 to 0x3fff"):
        SimpleModel(load("simple", "tiny"), Memory()).replay(np.array([(LOAD, 1 << 14, 0, 0, 0)], REQUEST))


def test_a_sort_passes_its_array_several_times() -> None:
    """Of 100,000 requests, 4,096 words in twelve passes, each a load and a store of every word."""
    words, ops = traffic.sort(50_000)
    assert len(words) == len(ops) == 2 * 12 * 4096
    by_pass = words.reshape(12, 4096, 2)
    for number, (moved, before) in enumerate(zip(by_pass[1:], by_pass, strict=False), 1):
        assert (moved == before[:, ::-1]).all(), number

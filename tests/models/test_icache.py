# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``icache`` against a naive cache of dictionaries, and against simulators of others."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import UserError, load
from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, STATUS, Config
from configs.simt import POLICIES
from models.icache import REQUEST, IcacheModel
from models.memory import Memory
from tests.models.strategies import COMPILED, SHAPES

POISONED = (3, 9, 17)


class Naive:
    """Sets are lists of ways; a policy is an order of lines, the first to go first, or a list of them."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory, self.policy = cfg, memory, cfg.cache.policy
        self.bases = [0] * cfg.blocks
        self.before: tuple[str, int] = ("", -1)
        self.errors: list[int] = []
        self.invalidate()

    def invalidate(self) -> None:
        self.ways: list[list[int | None]] = [[None] * self.cfg.cache.ways for _ in range(self.cfg.cache.sets)]
        self.restart()

    def restart(self) -> None:
        """Ways of each set, the next victim first."""
        ways = list(range(self.cfg.cache.ways))
        self.order = [ways[::-1] if self.policy == "lfu" else ways[:] for _ in self.ways]
        self.before = "", -1

    def serve(self, op: int, block: int, pc: int, close: bool) -> tuple[int, bool, bool]:
        """Instruction, error, hit."""
        before, self.before = self.before, ("", self.before[1] if self.before[0] == "kept" else -1)
        if op in (BASE, STATUS) and before[0] == "kept":
            self.before = before
        if op == BASE:
            self.bases[block] = pc
        elif op == INVALIDATE:
            self.invalidate()
        elif op == POLICY:
            self.policy = POLICIES[pc % 4]
            self.restart()
        elif op == STATUS:
            first = self.errors[:1]
            self.errors.clear()
            return (first or [0])[0], bool(first), False
        else:
            return self.fetch((self.bases[block] + pc) % (1 << self.cfg.cache.address_bits), before, close)
        return 0, False, False

    def fetch(self, address: int, before: tuple[str, int], close: bool) -> tuple[int, bool, bool]:
        line = address // self.cfg.cache.line_bytes
        ways, order = (kept[line % self.cfg.cache.sets] for kept in (self.ways, self.order))
        if before == ("failed", line) and close:
            return 0, True, False
        hit = line in ways
        if not hit:
            way = order[0]
            if self.cfg.cache.invalid_first and None in ways:
                way = ways.index(None)
            ways[way] = line
        if not hit and (self.policy != "round-robin" or way == order[0]):
            self.use(order, way)
        elif hit and self.policy != "round-robin":
            self.use(order, ways.index(line))
        self.before = "kept", line
        if not hit and line in self.memory.poisoned:
            ways[way] = None
            self.before = "failed", line
            self.errors.append(address)
            return 0, True, False
        return self.memory.read(address // 4), False, hit

    @staticmethod
    def use(order: list[int], way: int) -> None:
        order.remove(way)
        order.append(way)


requests = st.tuples(
    st.sampled_from([FETCH] * 9 + [BASE, STATUS, INVALIDATE, POLICY]),
    st.integers(0, 1),
    st.integers(0, 40 * 16),
    st.booleans(),
)


@pytest.mark.parametrize("change", ["policy=lru", "policy=lfu", "policy=round-robin", "invalid_first=true"])
@COMPILED
@given(SHAPES, st.lists(requests, max_size=80), st.integers(0, 80))
def test_equals_the_naive_cache(
    change: str, shape: list[str], drawn: list[tuple[int, int, int, bool]], healed: int
) -> None:
    """Instructions, errors, hits of orders of ways; pseudo-LRU is not one, and is left out."""
    cfg: Config = load("icache", "tiny", ["policy=lru", change, *shape])
    memory = Memory(7, poisoned=POISONED)
    model, naive = IcacheModel(cfg, memory), Naive(cfg, memory)
    for number, (op, block, value, close) in enumerate(drawn):
        if number == healed:
            memory.heal()
        pc = value % 3 if op == POLICY else value // 16 % 3 * 32 if op == BASE else value
        row = np.array([(op, block, pc, 0, 0)], REQUEST)
        [got] = model.replay(row, np.array([close]))
        want = naive.serve(op, block, pc, close)
        assert (int(got["inst"]), bool(got["err"]), bool(got["hit"])) == want, (number, drawn)


def test_addresses_out_of_range_are_refused() -> None:
    fetches: Any = np.array([(FETCH, 0, 1 << 16, 0, 0)], REQUEST)
    with pytest.raises(UserError, match="addresses of tiny are 0 to 0xffff"):
        IcacheModel(load("icache", "tiny"), Memory()).replay(fetches)

# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``dcache`` with hits under misses against a naive cache, lane by lane, of dictionaries."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.dcache.schema import CLEAN, FLUSH, LANES, LOAD, STATUS, STORE, Config
from models.dcache import READ, REFUSED, REQUEST, WROTE, DcacheModel
from models.memory import Memory
from tb.dcache.items import Distribution
from tests.models.strategies import SHAPES
from tests.models.test_dcache import Bytes, bytes_of, word_of

POISONED = (1, 6, 17)
LINES = 24  # in use
OVER = ("cache.policy=lru", "cache.invalid_first=true")
PLAIN = ["mshrs=2", *OVER]
REPORTED = ("data", "err", "hit", "evict", "way", "victim", "burst", "tries", "writes")


class Naive(Bytes):
    """Lanes of an access, a list [lanes] of (word, served, hit, what was replaced); lines that were read
    ``ahead`` are marked.
    """

    def bring(self, line: int, ahead: bool) -> tuple[int | None, bool]:
        """The line that makes room for another, and whether it goes to memory."""
        held, oldest, dirty = self.held(line), None, False
        if len(held) == self.cfg.cache.ways:
            oldest, entry = held.popitem(last=False)
            self.counts["evictions"] += 1
            dirty = entry["dirty"] and not entry["failed"]
            if dirty:
                self.write(oldest, entry["data"])
        failed = line in self.memory.poisoned
        held[line] = {"data": self.stored(line), "dirty": False, "failed": failed, "ahead": ahead}
        return oldest, dirty

    def groups(self, lanes: dict[int, int]) -> list[list[int]]:
        """Lanes by number and line, in the order in which they are served."""
        if not self.cfg.coalescing:
            return [[lane] for lane in lanes]
        lines = list(dict.fromkeys(lanes.values()))
        return [[lane for lane in lanes if lanes[lane] == line] for line in lines]

    def access(self, request: Any) -> list[tuple[int, bool, bool, tuple[int | None, bool]]]:
        taken = [lane for lane in range(LANES) if request["mask"] >> lane & 1]
        lines = {lane: int(request[f"addr{lane}"]) // self.size for lane in taken}
        answers = [(0, True, False, (None, False))] * LANES
        groups = self.groups(lines)
        for group in groups:
            line = lines[group[0]]
            hit = line in self.held(line)
            victim = (None, False) if hit else self.bring(line, False)
            entry = self.held(line)[line]
            self.held(line).move_to_end(line)
            due = not hit or entry["ahead"]
            entry["ahead"] = False
            for lane in group:
                mine = victim if lane == group[0] else (None, False)
                word = self.word(entry, line, request["op"] == STORE, *fields(request, lane))
                answers[lane] = (word, not entry["failed"], hit or lane != group[0], mine)
            if self.cfg.prefetch and due and len(groups) == 1:
                self.look_ahead(line + 1)
        return answers

    def look_ahead(self, line: int) -> None:
        if line * self.size < 1 << self.cfg.cache.address_bits and line not in self.held(line):
            self.counts["prefetches"] += 1
            self.bring(line, True)

    def word(
        self, entry: dict[str, Any], line: int, store: bool, address: int, value: int, strobe: int
    ) -> int:
        address -= address % 4
        if entry["failed"]:
            self.failures.append(line * self.size)
            return 0
        if store:
            entry["dirty"] = True
            entry["data"] |= bytes_of(address, value, strobe)
            return 0
        return word_of(entry["data"], address)


def fields(request: Any, lane: int) -> tuple[int, int, int]:
    address, value, strobe = (int(request[f"{name}{lane}"]) for name in ("addr", "data", "strobe"))
    return address, value, strobe


def draw(cfg: Config, seed: int, count: int) -> NDArray[np.void]:
    """Requests at random on few lines, the highest ones among them, under LRU; many lanes in one line."""
    rng = np.random.default_rng(seed)
    drawn = Distribution(policies=0, cleans=0.04, flushes=0.02, states=0.05).draw(cfg, rng, count)
    lines = rng.integers(LINES, size=(count, LANES))
    lines[:, 1:] = np.where(rng.random((count, LANES - 1)) < 0.6, lines[:, :1], lines[:, 1:])
    lines = np.where(lines < LINES - 2, lines, lines + (1 << cfg.cache.line_bits) - LINES)
    for lane in range(LANES):
        place = drawn[f"addr{lane}"] % cfg.cache.line_bytes
        drawn[f"addr{lane}"] = lines[:, lane] << cfg.cache.offset_bits | place
    return drawn


ROOMY = SHAPES.filter(lambda shape: "ways=1" not in shape)  # 4 lines at least, as prefetch needs


@pytest.mark.parametrize("coalescing", [False, True])
@pytest.mark.parametrize("prefetch", [False, True])
@settings(deadline=None, max_examples=60)  # the first call compiles
@given(shape=ROOMY, seed=st.integers(0, 1 << 30), count=st.integers(1, 60), healed=st.integers(0, 60))
def test_equals_the_naive_cache(
    prefetch: bool, coalescing: bool, shape: list[str], seed: int, count: int, healed: int
) -> None:
    """Words, errors, hits and victims of every lane, counters, and afterwards every byte of memory.

    Under LRU with invalid ways first: which of several empty ways is filled is not seen then. After a flush
    that left a refused line the order is that of the model alone, so the rest is not compared.
    """
    over = [f"coalescing={str(coalescing).lower()}", f"prefetch={str(prefetch).lower()}"]
    cfg: Config = load("dcache", "tiny", ["uncached_bits=0", *PLAIN, *over, *shape])
    memory = Memory(7, poisoned=POISONED)
    model, naive = DcacheModel(cfg, memory), Naive(cfg, memory)
    for number, request in enumerate(draw(cfg, seed, count)):
        if number == healed:
            memory.heal()
        [got] = model.replay(np.array([request], REQUEST))
        if request["op"] not in (LOAD, STORE):
            word, error = naive.control(int(request["op"]))
            assert (int(got["data"][0]), bool(got["err"])) == (word, error)
            if request["op"] == STATUS:
                addresses = model.failures.told[-1]
                assert word in addresses if error else not addresses
            if request["op"] == FLUSH and error:
                return
            continue
        for lane, expected in enumerate(naive.access(request)):
            bit, victim = 1 << lane, int(got["victim"][lane]) if got["evict"] >> lane & 1 else None
            answer = (int(got["data"][lane]), not got["err"] & bit, bool(got["hit"] & bit))
            assert (*answer, (victim, bool(got["write"] & bit))) == expected, f"request {number}, lane {lane}"
    for line in (*range(LINES), *((1 << cfg.cache.line_bits) - 1 - n for n in range(2))):
        assert model.memory.line(line).tolist() == list(naive.stored(line).values())
    assert naive.counts.items() >= {(n, c) for n, c in model.counters.items() if n in naive.counts}


def asked(op: int, *lanes: tuple[int, int] | int) -> NDArray[np.void]:
    """A request of lanes: an address, or (address, value)."""
    made = np.zeros(1, REQUEST)
    made["op"], made["mask"] = op, (1 << len(lanes)) - 1
    for number, lane in enumerate(lanes):
        made[f"addr{number}"], made[f"data{number}"] = lane if isinstance(lane, tuple) else (lane, 0)
        made[f"strobe{number}"] = 15
    return made


def test_a_victim_that_memory_refuses_is_lost() -> None:
    """No lane is told, the status is; memory keeps what it had."""
    cfg: Config = load("dcache", "fast-tiny", ["cache.policy=lru"])
    memory = Memory(3, poisoned=[0])
    memory.heal()
    model = DcacheModel(cfg, memory)
    model.replay(asked(STORE, (0, 77)))
    memory.poison([0])
    [reply] = model.replay(asked(LOAD, *(32 * n for n in range(1, 5))))
    assert (int(reply["err"]), int(reply["write"]), int(reply["burst"][3])) == (0, 8, READ | WROTE | REFUSED)
    assert (int(reply["tries"]), int(reply["writes"])) == (1, 0)
    [reply] = model.replay(asked(STATUS))
    assert (int(reply["err"]), int(reply["data"][0])) == (1, 0)
    memory.heal()
    [reply] = model.replay(asked(LOAD, 0))
    assert (int(reply["hit"]), int(reply["data"][0])) == (0, memory.read(0))


def test_writes_are_undone() -> None:
    """The last of them, in reverse order, a line that was written twice among them; what is certain stays."""
    cfg: Config = load("dcache", "fast-tiny")
    model = DcacheModel(cfg, Memory(3), journaled=True)
    for value in (1, 2, 3):
        model.replay(np.concatenate([asked(STORE, (0, value), (16, value)), asked(CLEAN)]))
    model.certain(1)

    def words() -> list[int]:
        return [int(model.memory.line(line)[:4].view(np.uint32)[0]) for line in (0, 1)]

    for left, expected in ((4, [3, 2]), (3, [2, 2]), (1, [1, 1]), (0, [1, Memory(3).read(4)])):
        model.undo(int(model._journal.used[0]) - left)
        assert words() == expected
    with pytest.raises(ValueError, match="1 writes to undo, 0 are known"):
        model.undo(1)


@pytest.mark.parametrize("preset", ["paper", "small", "wide"])
def test_misses_that_wait_change_nothing_else(preset: str) -> None:
    """Without errors, coalescing and prefetch all results and counters are those of the published cache."""
    published: Config = load("dcache", preset)
    models = [DcacheModel(cfg, Memory(5)) for cfg in (published, published.with_(mshrs=3, targets=2))]
    drawn = Distribution(sets=8).draw(published, np.random.default_rng(3), 3_000)
    results = [model.replay(drawn) for model in models]
    for name in REPORTED:
        assert (results[0][name] == results[1][name]).all(), name
    assert models[0].counters == models[1].counters
    assert models[0].counters["misses"] > 1_000


def test_what_a_status_may_tell() -> None:
    """Any of the accesses that failed, or what a clean met first; nothing that came behind an operation."""
    cfg: Config = load("dcache", "fast-tiny", ["cache.policy=lru"])
    memory = Memory(3, poisoned=[1, 5])
    model = DcacheModel(cfg, memory)
    for line in (0, 2):
        model.replay(asked(STORE, (16 * line, 7)))
    memory.poison([0, 2])
    model.replay(
        np.concatenate([asked(LOAD, 16), asked(LOAD, 80, 16), asked(CLEAN), asked(LOAD, 112), asked(STATUS)])
    )
    model.replay(np.concatenate([asked(CLEAN), asked(LOAD, 16), asked(STATUS), asked(STATUS)]))
    assert model.failures.told == [{16, 80}, {0}, set()]

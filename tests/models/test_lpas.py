# SPDX-License-Identifier: Apache-2.0
"""The caches of ``lpas``: what is read was written last, what misses take, errors, flushes, resets."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE, Config
from models.lpas import NEVER, LpasModel
from models.memory import Memory
from tests.models.lpas_traffic import requests

PRESETS = ("paper", "fs", "lr2ss", "lr2ss-b", "lr2ss-c", "age", "weights", "pipelined", "tiny")


def initial(memory: Memory, word: int) -> int:
    """The 16 bits that memory has at a word address before all."""
    return memory.read(word // 2) >> 16 * (word % 2) & 0xFFFF


def traffic(cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
    """Loads and stores of all PEs, to lines that compete for their places."""
    line = rng.integers(3, size=count) * cfg.cache.sets + rng.integers(2, size=count)
    cache = rng.integers(cfg.pes, size=count)
    words = (line * cfg.pes + cache) << cfg.slot_bits | rng.integers(2, size=count)
    return requests(
        rng.integers(cfg.pes, size=count),
        words,
        rng.integers(2, size=count),
        rng.integers(1 << 16, size=count),
    )


def served(cfg: Config, accesses: NDArray[Any], results: NDArray[Any]) -> NDArray[np.int64]:
    """The cycle in which a cache served a request."""
    later = (accesses["op"] == LOAD) | cfg.read_pipeline
    cycle: NDArray[np.int64] = results["done"] - later
    return cycle


@pytest.mark.parametrize("preset", PRESETS)
@given(seed=st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=12)
def test_what_is_read_was_written_last(preset: str, seed: int) -> None:
    cfg, memory = load("lpas", preset), Memory(seed)
    model, accesses = LpasModel(cfg, memory), traffic(cfg, np.random.default_rng(seed), 600)
    results, held = model.replay(accesses), dict[int, int]()
    order = np.argsort(served(cfg, accesses, results), kind="stable")
    for request, result in zip(accesses[order], results[order], strict=True):
        word = int(request["word"])
        if request["op"] == STORE:
            held[word] = int(request["value"])
        else:
            assert result["value"] == held.get(word, initial(memory, word))
    last = requests([cfg.pes - 1], 0, FLUSH)
    assert not model.replay(last)["err"].any()
    size = cfg.cache.line_bytes // 2
    for word, value in held.items():
        assert model.memory.line(word // size).view(np.uint16)[word % size] == value
    counters = model.counters
    assert counters["loads"] + counters["stores"] == counters["hits"] + counters["misses"] == 600
    assert counters["hits"] == results["hit"].sum()
    assert (np.bincount(accesses["pe"]) == np.bincount(accesses["pe"][results["done"] != NEVER])).all()


@pytest.mark.parametrize("preset", ["paper", "tiny"])
@pytest.mark.parametrize("gap", [0, 2])
def test_latencies_of_the_page(preset: str, gap: int) -> None:
    cfg = load("lpas", preset, ["memory.latency=11", f"memory.gap={gap}"])
    latency, model, last = 11, LpasModel(cfg), cfg.pes - 1
    beats = 1 + (cfg.beats - 1) * (1 + gap)  # of a line, in cycles
    wait = cfg.beats + latency  # of a write, from its address to its response; its beats come without a gap
    other = cfg.cache.sets * cfg.pes << cfg.slot_bits  # the same place, another tag
    for op, word, cycles in (
        (STORE, 0, 4 + latency + beats),
        (STORE, 1, 1),
        (LOAD, 1, 2),
        (LOAD, other, 1 + 6 + latency + beats + wait),
        (LOAD, 0, 1 + 4 + latency + beats),
        (STORE, other, 4 + latency + beats),
        (LDM, 3, 5 + latency),
        (STM, 3, 5 + 1 + latency),
        (FLUSH, 0, 4 + cfg.cache.sets + 3 + wait),
        (FLUSH, 0, 4 + cfg.cache.sets),
    ):
        [result] = model.replay(requests([last], word, op))
        assert result["done"] - result["first"] + 1 == cycles, (op, word)


def test_outside_goes_past_the_caches_until_a_flush() -> None:
    model = LpasModel(load("lpas"), memory := Memory(5))

    def last(op: int, word: int = 70, value: int = 0) -> int:
        return int(model.replay(requests([15], word, op, value))[0]["value"])

    assert last(LOAD) == last(LDM) == initial(memory, 70)
    last(STORE, value=77)
    assert last(LDM) == initial(memory, 70)
    assert last(FLUSH) == 0
    assert last(LDM) == 77
    last(STM, value=78)
    assert (last(LOAD), last(LDM)) == (78, 78), "the flush has forgotten the line"
    assert [last(LDM, word) for word in (69, 71)] == [initial(memory, 69), initial(memory, 71)]


@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_missed_is_served_first(preset: str) -> None:
    """Two PEs whose lines displace each other: both go on, and each burst serves a request."""
    cfg = load("lpas", preset)
    place = cfg.cache.sets * cfg.pes << cfg.slot_bits
    near, far = np.zeros(40, int), np.full(40, cfg.pes - 1)
    accesses = requests(np.concatenate([near, far]), np.repeat([0, place], 40), STORE)
    model = LpasModel(cfg)
    results = model.replay(accesses, 40_000)
    assert (results["done"] != NEVER).all()
    assert (model.bursts["write"] == 0).sum() == (results["hit"] == 0).sum()


def test_memory_that_fails() -> None:
    """A line that fails is asked for again; a victim that is refused stays, dirty; a flush goes on."""
    cfg = load("lpas", "tiny")
    memory, other = Memory(3), cfg.cache.sets * cfg.pes
    model, slot = LpasModel(cfg, memory), cfg.slot_bits

    def ask(op: int, line: int, value: int = 0) -> tuple[int, int, int]:
        result = model.replay(requests([3], line << slot, op, value))[0]
        return int(result["err"]), int(result["hit"]), int(result["value"])

    memory.poison([0, 2])
    for op in (LOAD, STORE, LOAD):
        assert ask(op, 0, 9) == (1, 0, 0)
    assert ask(LDM, 0) == ask(STM, 0, 4) == (1, 0, 0)
    memory.heal([0])
    assert ask(STORE, 0, 9) == (0, 0, 0)
    memory.poison([0])
    assert ask(LOAD, other) == (1, 0, 0), "the victim is refused"
    assert ask(LOAD, 0) == (0, 1, 9)
    assert ask(STORE, 1, 8) == (0, 0, 0)
    assert ask(FLUSH, 0) == (1, 0, 0)
    assert ask(LOAD, 0) == (0, 1, 9), "it stays"
    assert ask(LDM, 1) == (0, 0, 8), "the other one is in memory"
    assert ask(LOAD, 1) == (0, 0, 8), "and forgotten"
    memory.heal()
    assert ask(FLUSH, 0) == (0, 0, 0)
    assert ask(LDM, 0) == (0, 0, 9)
    assert model.counters["errors"] == 7


@pytest.mark.parametrize("preset", PRESETS)
def test_a_reset_at_any_time(preset: str) -> None:
    """All is as after power-up but for memory, and a burst that is under way ends before the next begins."""
    cfg = load("lpas", preset, ["memory.latency=5"])
    fresh = LpasModel(cfg).replay(accesses := traffic(cfg, np.random.default_rng(2), 100))
    for cycles in range(1, 60):
        model = LpasModel(cfg)
        model.replay(accesses, cycles)
        model.reset(memory=True)
        model._burst[:] = 0
        model.memory.written.lines[:] = -1
        start = model.now
        again = model.replay(accesses)
        for name in ("first", "granted", "done"):
            assert (again[name] - start == fresh[name]).all()


def test_a_burst_outlives_the_reset_of_the_caches() -> None:
    cfg = load("lpas", "paper", ["memory.latency=20"])
    for cycles in range(1, 27):
        model = LpasModel(cfg)
        model.replay(requests([1], 0), cycles)
        model.reset()
        [result] = model.replay(requests([2], 0x40, LOAD))
        picked = free = cycles + 2  # asked for one cycle after the reset
        if cycles > 2:  # the burst began in cycle 2: its last beat comes in 2 + 1 + 20 + 3, if memory
            picked = max(free, 27 + (cycles >= 23))  # does not stand still, as in the cycle of this reset
        assert result["done"] - result["first"] + 1 == 5 + 20 + 4 + picked - free


def test_what_does_not_fit_is_refused() -> None:
    model = LpasModel(load("lpas"))
    for accesses in (requests([16], 0), requests([1], 1 << 16), requests([1], 0, LDM), requests([15], 0, 5)):
        with pytest.raises(UserError):
            model.replay(accesses)

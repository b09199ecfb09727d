# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``zcache``: whatever the configuration and the cycles, results and memory are those of
tiles that one after the other test and change memory; and hits are those of pycachesim.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import oracle
from configs import load
from configs.depth import BASE, CLEAR, TILE
from configs.zcache.schema import HIT, OUTCOMES
from models.memory import Memory
from models.zcache import Machine, ModelRun, functional
from tests.models.depth_traffic import assert_memory, draw_words, poisoned, runs

SEED = 5


def finish(memory: Memory, cfg: Any, words: Any, **around: Any) -> tuple[Machine, ModelRun]:
    """A run to its end."""
    machine = Machine(cfg, words, memory, **around)
    assert machine.go()
    return machine, machine.run()


@settings(max_examples=300)
@given(setup=runs())
def test_equals_the_functional_model(setup: dict[str, Any]) -> None:
    memory = Memory(SEED)
    expected = functional(setup["cfg"], setup["words"], memory, setup["kill"])
    machine, run = finish(memory, **setup)
    assert run.results["passed"].tolist() == expected.passed.tolist()
    assert not run.results["err"].any()
    assert_memory(machine, memory, expected)
    assert_counters(setup["cfg"], setup["words"], run)


@settings(max_examples=150)
@given(setup=runs(), seed=st.integers(0, 1000))
def test_lines_that_memory_fails(setup: dict[str, Any], seed: int) -> None:
    """An access to such a line has `err` and passes nothing; a clear is refused by them; others go on."""
    words, cfg = setup["words"], setup["cfg"]
    bad = poisoned(seed, words)
    memory = Memory(SEED, poisoned=bad)
    machine, run = finish(memory, **setup)
    base, tiles = 0, 1
    failing = np.zeros(len(words), bool)
    for at, word in enumerate(words):
        if word["op"] == BASE:
            base, tiles = int(word["depth"][0]) >> 6, int(word["depth"][2])
        elif word["op"] == CLEAR:
            failing[at] = any((base + n) % (1 << 26) in bad for n in range(tiles))
        elif word["op"] == TILE and word["test"] and int(word["mask"]) & ~int(setup["kill"][at]):
            failing[at] = (base + int(word["y"]) * 8 + int(word["x"])) % (1 << 26) in bad
    assert run.results["err"].tolist() == failing.tolist()
    expected = functional(cfg, words, memory, setup["kill"])
    tested = failing & (words["op"] == TILE)
    assert run.results["passed"].tolist() == np.where(tested, 0, expected.passed).tolist()
    for line in bad:
        expected.lines.pop(line, None)
    assert_memory(machine, memory, expected)
    written = run.counters["errors"] - int(tested.sum())
    assert written == sum(
        (start + n) % (1 << 26) in bad for start, count in surfaces_cleared(words) for n in range(count)
    )


def surfaces_cleared(words: Any) -> list[tuple[int, int]]:
    """First line and tiles of the surface of each clear."""
    cleared, surface = [], (0, 1)
    for word in words:
        if word["op"] == BASE:
            surface = int(word["depth"][0]) >> 6, int(word["depth"][2])
        elif word["op"] == CLEAR:
            cleared.append(surface)
    return cleared


def assert_counters(cfg: Any, words: Any, run: ModelRun) -> None:
    """The counters are sums over results, requests and fills."""
    counters, results, fills = run.counters, run.results, run.fills
    tiles = words["op"] == TILE
    requests = int((tiles & (words["test"] == 1)).sum()) if cfg.prefetching else 0
    outcomes = Counter(run.requests["outcome"].tolist())
    assert len(run.requests) == len(set(run.requests["word"].tolist())) == requests
    names = ("prefetches", *OUTCOMES[1:], "full")
    assert [counters.get(name, 0) for name in names] == [outcomes[n] for n in range(len(names))]
    assert counters["tiles"] == tiles.sum()
    kinds = Counter(results["kind"].tolist())
    assert [counters[name] for name in ("hits", "lates", "misses")] == [kinds[HIT + n] for n in range(3)]
    assert counters["fills"] == fills["demand"].sum()
    assert counters["fills"] + counters["prefetches"] == len(fills)
    assert counters["fills"] == counters["misses"]  # each asks once, and nothing else does
    assert (counters["evictions"], counters["unused"]) == (fills["evict"].sum(), fills["unused"].sum())
    assert counters["useful"] == results["first"].sum() <= counters["prefetches"]
    assert counters["passed"] == sum(int(n).bit_count() for n in results["passed"][tiles])
    waits = (results["moved"] - results["came"])[tiles & (results["kind"] > HIT)].sum()
    assert 0 <= counters["wait_cycles"] <= waits
    assert counters["result_wait_cycles"] == (results["left"] - results["moved"] - 1).sum()


@pytest.mark.parametrize("sets", [2, 8, 16])
def test_hits_of_pycachesim(sets: int) -> None:
    """One tile at a time without prefetch, in two ways, where the tree is LRU."""
    options = [f"cache.sets={sets}", "index=linear", "prefetch.mode=off", "shading.tiles=1"]
    cfg = load(
        "zcache", "tiny", [*options, "shading.source=fixed", "shading.cycles=1", "prefetch.distance=1"]
    )
    words = draw_words(7, 3000, 0, barriers=0)
    accesses = (words["op"] == TILE) & (words["test"] == 1) & (words["mask"] > 0)
    _, run = finish(Memory(SEED), cfg, words)
    lines = (8 * words["y"] + words["x"])[accesses]
    simulator, cache = oracle.simulator(cfg.cache)
    simulator.load((lines * 64).tolist(), length=1)
    stats = cache.stats()
    assert (run.counters["hits"], run.counters["misses"]) == (stats["HIT_count"], stats["MISS_count"])
    assert 100 < stats["HIT_count"] < len(lines) - 100

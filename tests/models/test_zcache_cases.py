# SPDX-License-Identifier: Apache-2.0
"""Cases of ``docs/zcache.md``, cycle by cycle: the golden model of ``zcache`` on a handful of tiles."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from configs import load
from configs.zcache.schema import (
    ALWAYS, BUSY, CLEAR, FLUSH, FUNCTIONS, HIT, ISSUED, LATE, LESS, MISS, NONE, PRESENT, STALE, UNTOUCHED, WRITING,
    Config,
)  # fmt: skip
from models.memory import Memory
from models.zcache import Machine, Run, functional
from models.zcache.state import EMPTY, FRESH, FULL, TOUCHED
from models.zcache.testing import passes
from models.zcache.victims import point_away, pointed_at
from tests.models.depth_traffic import contents, surface, tile, word

LATENCY = 20
MEMORY = Memory(5)


def configured(*overrides: str) -> Config:
    """4 ways of 2 sets, tiles of even numbers in set 0; the shader takes 100 cycles."""
    given = {
        "cache.ways": 4, "cache.sets": 2, "index": "linear", "shading.source": "fixed", "shading.cycles": 100,
        "shading.tiles": 32, "prefetch.queue": 32, "fills": 4, "write_buffer": 2, "memory.latency": LATENCY,
    }  # fmt: skip
    given |= dict(override.split("=") for override in overrides)
    return load("zcache", "tiny", [f"{name}={value}" for name, value in given.items()])


def played(cfg: Config, *words: NDArray[Any], memory: Memory = MEMORY, **around: Any) -> Run:
    """The surface, then some words."""
    machine = Machine(cfg, np.concatenate([surface(), *words]), memory, **around)
    machine.go()
    return machine.run()


def outcomes(run: Run) -> list[int]:
    """Of the requests, in order of their words."""
    return np.sort(run.requests, order="word")["outcome"].tolist()


def even(*numbers: int, **fields: Any) -> list[NDArray[Any]]:
    """Tiles of set 0: the n-th that there is."""
    return [tile(2 * n % 8, n // 4, **fields) for n in numbers]


def test_a_miss_and_a_hit_cycle_by_cycle() -> None:
    """Reserved at the test, AR a cycle later, 4 beats after the latency, moved a cycle after the last."""
    cfg = configured("prefetch.mode=off")
    run = played(cfg, tile(0), tile(0))
    miss, hit = run.results[1:]
    at_the_test = miss["taken"] + 100
    assert (miss["came"], miss["kind"]) == (at_the_test, MISS)
    assert run.fills["cycle"].tolist() == [at_the_test]
    assert miss["moved"] == at_the_test + 1 + LATENCY + 3 + 1
    assert miss["left"] == miss["moved"] + 1
    assert (hit["came"], hit["moved"], hit["kind"]) == (miss["moved"] + 1, miss["moved"] + 1, HIT)
    assert run.counters["wait_cycles"] == miss["moved"] - at_the_test


def test_a_prefetch_cycle_by_cycle() -> None:
    """Issued the cycle after intake; the line is there, fresh, when the tile comes to the test."""
    run = played(configured(), tile(0))
    result = run.results[1]
    assert run.requests["cycle"].tolist() == [result["taken"] + 1]
    assert (result["kind"], result["first"]) == (HIT, 1)
    assert result["moved"] == result["came"] == result["taken"] + 100
    assert (run.counters["useful"], run.counters["wait_cycles"]) == (1, 0)


def test_late() -> None:
    """The line is still on its way: the prefetch becomes the demand's, and nothing is asked for twice."""
    run = played(configured("shading.cycles=10"), tile(0))
    result = run.results[1]
    assert (result["kind"], result["first"]) == (LATE, 1)
    assert result["moved"] == result["taken"] + 2 + LATENCY + 3 + 1
    assert len(run.fills) == 1
    assert (run.counters["lates"], run.counters["useful"], run.counters["fills"]) == (1, 1, 0)


def test_stale() -> None:
    """At the test in the cycle in which its request is looked at."""
    run = played(configured("shading.cycles=1"), tile(0))
    assert outcomes(run) == [STALE]
    assert (run.results[1]["kind"], run.results[1]["first"]) == (MISS, 0)


def test_a_fifth_tile_of_a_set() -> None:
    """All four ways hold lines that nobody has used: it is dropped, and fetched when it is at the test."""
    run = played(configured(), *even(0, 1, 2, 3, 4))
    assert outcomes(run) == [*[ISSUED] * 4, UNTOUCHED]
    assert run.results["kind"][1:].tolist() == [*[HIT] * 4, MISS]
    assert (run.counters["untouched"], run.counters["evictions"], run.counters["unused"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("override", "kinds"), [("prefetch.when_untouched=evict", MISS), ("ott=false", MISS)]
)
def test_a_fifth_tile_that_may_evict(override: str, kinds: int) -> None:
    """The first line goes unused, and its tile misses."""
    run = played(configured(override), *even(0, 1, 2, 3, 4))
    assert outcomes(run) == [ISSUED] * 5
    assert run.counters["unused"] >= 1
    assert run.results["kind"][1] == kinds


def test_all_ways_filling_for_others() -> None:
    """A tile that is not prefetched comes to the test while all ways are on their way: it waits for one."""
    cfg = configured("shading.source=given", "fills=8", "axi.id_bits=3")
    words = [tile(0, 3, mask=0, test=0), *even(0, 1, 2, 3), *even(8)]
    run = played(cfg, *words, delay=np.array([1, 1, 40, 1, 1, 1, 1]))
    assert outcomes(run)[-1] in (UNTOUCHED, STALE)
    assert (run.results["left"] >= 0).all()


def test_tiles_of_no_pixels_touch() -> None:
    """Without an access; the lines of even tiles 0 to 3 then go for others."""
    machine = Machine(configured(), np.concatenate([surface(), *even(0, 1, 2, 3, mask=0)]), MEMORY)
    machine.go(60)
    lines = machine.state[0]["lines"][0, :4]
    assert lines["status"].tolist() == [FRESH] * 4
    before = int(machine.state[0]["plru"][0])
    machine.go()
    assert lines["status"].tolist() == [TOUCHED] * 4
    assert machine.state[0]["plru"][0] == before
    run = machine.run()
    assert run.results["kind"][1:].tolist() == [NONE] * 4
    assert (run.counters["useful"], run.counters["prefetches"], run.counters["tiles"]) == (0, 4, 4)


def test_a_tile_of_no_pixels_notes_touch_on_a_filling_line() -> None:
    """Also in the very cycle in which the fill ends: shading from long before the end to long after it."""
    fills_at = 2 + LATENCY + 3
    for cycles in range(2, fills_at + 4):
        machine = Machine(
            configured(f"shading.cycles={cycles}"), np.concatenate([surface(), tile(0, mask=0)]), MEMORY
        )
        machine.go()
        assert machine.state[0]["lines"]["status"][0, 0] == TOUCHED, cycles
        assert machine.run().results["moved"][1] == machine.run().results["taken"][1] + cycles


def test_present_writing_busy_and_full() -> None:
    run = played(configured(), tile(0), tile(0))
    assert outcomes(run) == [ISSUED, PRESENT]
    run = played(configured("fills=1", "prefetch.when_busy=drop"), tile(0), tile(1))
    assert outcomes(run) == [ISSUED, BUSY]
    run = played(configured("fills=1"), tile(0), tile(1))
    assert outcomes(run) == [ISSUED, ISSUED]
    run = played(configured("fills=1", "prefetch.queue=1"), tile(0), tile(1), tile(2))
    assert outcomes(run) == [ISSUED, FULL, ISSUED]  # full still in the cycle in which the first one leaves
    stored = even(0, 1, 2, 3)
    run = played(
        configured("shading.cycles=4", "prefetch.queue=1"), *stored, *even(4, mask=1), *even(0, 1, 2, 3)
    )
    assert WRITING in outcomes(run)
    assert (run.results["left"] >= 0).all()


def test_an_error_of_a_prefetch_is_silent() -> None:
    """The tile asks once more itself, and its own error counts; with healed memory there is none."""
    memory = Memory(5, poisoned=[0])
    words = np.concatenate([surface(), tile(0)])
    machine = Machine(configured(), words, memory)
    machine.go(60)
    assert machine.state[0]["lines"]["status"][0, 0] == EMPTY
    assert machine.counters["errors"] == 0
    memory.heal()
    machine.go()
    result = machine.run().results[1]
    assert (result["err"], result["kind"], result["passed"]) == (0, MISS, 0xFFFF)
    run = played(configured(), tile(0), tile(0), memory=Memory(5, poisoned=[0]))
    assert run.results["err"].tolist() == [0, 1, 1]
    assert run.counters["errors"] == 2
    assert run.counters["fills"] == 2


def test_an_error_of_a_late_prefetch() -> None:
    """It is the demand's by then."""
    run = played(configured("shading.cycles=10"), tile(0), memory=Memory(5, poisoned=[0]))
    result = run.results[1]
    assert (result["err"], result["kind"], result["first"], result["way"]) == (1, LATE, 1, 0)
    assert (run.counters["errors"], len(run.fills)) == (1, 1)


def test_writes_that_fail() -> None:
    """The next barrier's result says so, the one after does not."""
    memory = Memory(5)
    words = np.concatenate([surface(), tile(0), tile(1), word(FLUSH), word(FLUSH)])
    machine = Machine(configured(), words, memory)
    while machine.world.around[0]["answered"] < 3:
        machine.go(1)
    memory.poison([1])
    machine.go()
    run = machine.run()
    assert run.results["err"].tolist() == [0, 0, 0, 1, 0]
    assert (run.counters["errors"], run.counters["writebacks"]) == (1, 1)
    assert contents(machine, [0, 1]) == {0: [0] * 16, 1: MEMORY.line(1, 16).tolist()}


def test_a_dirty_victim_cycle_by_cycle() -> None:
    """Put in the cycle in which its place is reserved, offered two cycles later; read again after that."""
    cfg = configured("prefetch.mode=off", "cache.ways=2")
    machine = Machine(cfg, np.concatenate([surface(), *even(0, 1, 2, 0)]), MEMORY)
    offered = []
    while not machine.go(1):
        if machine.world.around[0]["outputs"]["aw_valid"]:
            offered.append(int(machine.world.around[0]["cycle"]) - 1)
    run = machine.run()
    third, fourth = run.fills[2:]
    assert (third["dirty"], third["victim"], fourth["number"]) == (1, 0, 0)
    assert offered[0] == third["cycle"] + 2
    answered = offered[0] + 3 + LATENCY
    assert fourth["cycle"] > answered
    assert run.results["passed"][1:].tolist() == [0xFFFF] * 4


@pytest.mark.parametrize("op", [FLUSH, CLEAR])
def test_a_barrier_cycle_by_cycle(op: int) -> None:
    """Rows from the cycle after it is the oldest on; of a clean cache none is written; 3 lines of a clear."""
    run = played(configured(), surface(0, 3), word(op, 7))
    result = run.results[2]
    came, rows = int(result["came"]), 8
    drained = came + 1 + rows  # T1 is empty: no word is taken while the barrier before is in flight
    if op == FLUSH:
        assert result["moved"] == drained + 1
        return
    first = drained + 1
    assert run.counters["writebacks"] == 3
    third = first + 2 + 3 + LATENCY + 1  # 2 places: the third line is put the cycle after the first response
    response = third + 2 + 3 + LATENCY
    assert result["moved"] == response + 1 + 1
    written = [run.memory.line(n).view(np.uint32).tolist() for n in range(3)]
    assert written == [[7] * 16] * 3


def test_ahead_looks_no_farther_than_its_distance() -> None:
    """With a distance of 2 the oldest tile and the next one have their lines asked for."""
    cfg = configured("prefetch.mode=ahead", "prefetch.distance=2")
    machine = Machine(cfg, np.concatenate([surface(), *even(0, 1, 2, 3)]), MEMORY)
    machine.go(90)
    assert machine.run().fills["number"].tolist() == [0, 2]
    machine.go()
    assert machine.run().fills["number"].tolist() == [0, 2, 4, 6]


def test_a_store_is_seen_by_the_next_tile() -> None:
    """Back to back in one line, with only some pixels stored."""
    words = np.concatenate(
        [
            surface(),
            tile(0, depth=500),
            tile(0, func=LESS, mask=0x0F0F, depth=400),
            tile(0, func=LESS, depth=400),
        ]
    )
    run = played(configured(), words[1:2], words[2:3], words[3:4])
    assert run.results["passed"][1:].tolist() == [0xFFFF, 0x0F0F, 0xF0F0]
    assert functional(configured(), words, MEMORY).passed.tolist() == run.results["passed"].tolist()
    moved = run.results["moved"]
    assert moved[3] == moved[2] + 1 == moved[1] + 2


def test_functions() -> None:
    """As docs/zcache.md has them, of depths below, equal to and above the stored one."""
    table = {"never": "000", "less": "100", "equal": "010", "lequal": "110", "greater": "001", "notequal": "101",
             "gequal": "011", "always": "111"}  # fmt: skip
    for function, name in enumerate(FUNCTIONS):
        assert "".join(str(int(passes(function, new, 5))) for new in (4, 5, 6)) == table[name]
    assert FUNCTIONS[ALWAYS] == "always"


def test_trees_of_two_ways_are_lru_and_larger_ones_walk_round() -> None:
    bits, seen = 0, []
    for _ in range(8):
        seen.append(pointed_at(bits, 8, 0xFF))
        bits = point_away(bits, 8, seen[-1])
    assert sorted(seen) == list(range(8))
    assert pointed_at(0, 8, 0b10010000) == 4
    assert pointed_at(0b10, 8, 0b00001100) == 2  # the root points up, but no way of that half may go

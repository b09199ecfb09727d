# SPDX-License-Identifier: Apache-2.0
"""When things happen in the golden model of ``zcache``, counted by hand from ``docs/zcache.md``."""

import numpy as np
import pytest

from configs.depth import CLEAR, FLUSH, LESS
from configs.zcache.schema import HIT, ISSUED, MISS, UNTOUCHED, WRITING
from models.memory import Memory
from models.zcache import Machine, functional
from models.zcache.filling import point_away, pointed_at
from models.zcache.state import TOUCHED
from tb.common.replay.traffic import Traffic
from tests.models.depth_traffic import (
    LATENCY,
    MEMORY,
    configured,
    contents,
    even,
    outcomes,
    played,
    surface,
    tile,
    word,
)


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


def test_writing() -> None:
    """A tile is asked for while its line is on its way to memory: its own demand waits for the response."""
    cfg, words = configured("cache.ways=2"), [*even(0, 1, 2), *even(0, func=LESS)]
    first = played(cfg, *words[:3])
    request = np.ones(1000, np.uint8)  # the fourth is offered when the first one's line is being written
    request[first.results["taken"][-1] + 1 : first.fills["cycle"][-1] + 3] = 0
    run = played(cfg, *words, pacing=Traffic(request=request))
    assert outcomes(run) == [ISSUED, ISSUED, UNTOUCHED, WRITING]
    assert (run.results["kind"][-1], run.results["passed"][-1]) == (MISS, 0)


def test_a_dirty_victim_cycle_by_cycle() -> None:
    """Being put in the cycle after its place is reserved, offered two cycles later; read again after that."""
    cfg = configured("prefetch.mode=off", "cache.ways=2")
    machine = Machine(cfg, np.concatenate([surface(), *even(0, 1, 2, 0)]), MEMORY)
    offered = []
    while not machine.go(1):
        if machine.world.around[0]["outputs"]["aw_valid"]:
            offered.append(int(machine.world.around[0]["cycle"]) - 1)
    run = machine.run()
    third, fourth = run.fills[2:]
    assert (third["dirty"], third["victim"], fourth["number"]) == (1, 0, 0)
    assert offered[0] == third["cycle"] + 1 + 2
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
    third = first + 1 + 2 + 3 + LATENCY + 1  # 2 places: the third is put after the first response
    response = third + 1 + 2 + 3 + LATENCY
    assert result["moved"] == response + 1 + 1
    written = [run.memory.line(n).view(np.uint32).tolist() for n in range(3)]
    assert written == [[7] * 16] * 3


def test_a_store_is_seen_by_the_next_tile() -> None:
    """Back to back in one line, with only some pixels stored."""
    again = tile(0, func=LESS, mask=0x0F0F, depth=400), tile(0, func=LESS, depth=400)
    run = played(configured(), tile(0, depth=500), *again)
    assert run.results["passed"][1:].tolist() == [0xFFFF, 0x0F0F, 0xF0F0]
    moved = run.results["moved"]
    assert moved[3] == moved[2] + 1 == moved[1] + 2


def test_trees_of_two_ways_are_lru_and_larger_ones_walk_round() -> None:
    bits, pointed = 0, []
    for _ in range(8):
        pointed.append(pointed_at(bits, 8, 0xFF))
        bits = point_away(bits, 8, pointed[-1])
    assert sorted(pointed) == list(range(8))
    assert pointed_at(0, 8, 0b10010000) == 4
    assert pointed_at(0b10, 8, 0b00001100) == 2  # the root points up, but no way of that half may go


def test_a_barrier_waits_for_lines_that_nobody_needs() -> None:
    """A tile of no pixels does not wait for its prefetch, but a barrier does: the line is another then."""
    cfg = configured("shading.cycles=3", "memory.latency=200")
    words = [tile(0, mask=0), surface(0x4000), tile(0, func=LESS, depth=0x8000_0000)]
    run = played(cfg, *words)
    assert run.results["moved"][2] > run.requests["cycle"][0] + 1 + 200 + 3
    expected = functional(cfg, np.concatenate([surface(), *words]), MEMORY).passed
    assert run.results["passed"].tolist() == expected.tolist()


@pytest.mark.parametrize("channel", ["response", "write_address", "write_data"])
@pytest.mark.parametrize("failing", [False, True])
def test_a_reset_in_each_cycle_of_a_write(channel: str, failing: bool) -> None:
    """A burst that was offered is completed, whatever comes of it; one that was not is forgotten."""
    cfg = configured("prefetch.mode=off", "cache.ways=2")
    words = np.concatenate([surface(), *even(0, 1, 2), surface(), word(FLUSH)])
    stalls = Traffic(**{channel: np.array([0, 0, 0, 1], np.uint8)})
    put = int(played(cfg, *even(0, 1, 2), pacing=stalls).fills["cycle"][2])
    for at in range(put - 2, put + (20 if failing else 60)):
        memory = Memory(5)
        machine = Machine(cfg, words, memory, pacing=stalls)
        machine.go(at)
        memory.poison([0] if failing else [])
        machine.reset()
        around = machine.world.around[0]
        around["sent"] = around["answered"] = around["shaded"] = around["origin"] = 4
        assert machine.go()
        stored = at >= put + 1 + 2 and not failing
        assert (contents(machine, [0])[0] == [0] * 16) == stored, at - put
        assert not machine.run().results["err"].any()
        assert {name for name, count in machine.counters.items() if count} <= {"tile_wait_cycles"}

# SPDX-License-Identifier: Apache-2.0
"""Cases of ``docs/zcache.md``: the golden model of ``zcache`` on a handful of tiles."""

import numpy as np
import pytest

from configs.depth import CLEAR, FLUSH
from configs.zcache.schema import BUSY, HIT, ISSUED, LATE, MISS, NONE, PRESENT, STALE, UNTOUCHED
from models.memory import Memory
from models.zcache import Machine
from models.zcache.state import EMPTY, FRESH, FULL, TOUCHED
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


@pytest.mark.parametrize("override", ["prefetch.when_untouched=evict", "ott=false"])
def test_a_fifth_tile_that_may_evict(override: str) -> None:
    """The first line goes unused, and its tile misses."""
    run = played(configured(override), *even(0, 1, 2, 3, 4))
    assert outcomes(run) == [ISSUED] * 5
    assert run.counters["unused"] >= 1
    assert run.results["kind"][1] == MISS


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


def test_present_writing_busy_and_full() -> None:
    run = played(configured(), tile(0), tile(0))
    assert outcomes(run) == [ISSUED, PRESENT]
    run = played(configured("fills=1", "prefetch.when_busy=drop"), tile(0), tile(1))
    assert outcomes(run) == [ISSUED, BUSY]
    run = played(configured("fills=1"), tile(0), tile(1))
    assert outcomes(run) == [ISSUED, ISSUED]
    run = played(configured("fills=1", "prefetch.queue=1"), tile(0), tile(1), tile(2))
    assert outcomes(run) == [ISSUED, FULL, ISSUED]  # full still in the cycle in which the first one leaves


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


def test_a_surface_of_more_tiles_than_there_are() -> None:
    """Of the number of tiles the low bits count, for the room that clears need, too."""
    run = played(configured(), surface(tiles=(1 << 31) + 3), *[word(CLEAR, 9)] * 3)
    assert (run.counters["writebacks"], run.counters["errors"]) == (9, 0)


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


def test_ahead_looks_no_farther_than_its_distance() -> None:
    """With a distance of 2 the oldest tile and the next one have their lines asked for."""
    cfg = configured("prefetch.mode=ahead", "prefetch.distance=2")
    machine = Machine(cfg, np.concatenate([surface(), *even(0, 1, 2, 3)]), MEMORY)
    machine.go(90)
    assert machine.run().fills["number"].tolist() == [0, 2]
    machine.go()
    assert machine.run().fills["number"].tolist() == [0, 2, 4, 6]


def test_a_fill_points_away_from_its_way() -> None:
    """No access is there to do it: tiles of no pixels, the last two each after the others were touched."""
    cfg = configured("shading.cycles=40")
    run = played(cfg, *even(0, 1, 2, 3, mask=0), word(FLUSH), *even(4, mask=0), word(FLUSH), *even(5, mask=0))
    assert run.fills["way"].tolist() == [0, 1, 2, 3, 0, 2]
    assert run.counters["unused"] == 0

# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``icache`` with restart at the word: against a naive one and the published cache."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import MemoryTiming, load
from configs.icache.schema import FETCH, INVALIDATE, POLICY, Config
from models.icache import REQUEST, RESULT, IcacheModel
from models.icache.cycles import Waits
from models.icache.serving import Seen
from models.memory import Memory
from tb.icache.items import Distribution
from tests.models.strategies import COMPILED, SHAPES
from tests.models.test_icache import POISONED, Naive, requests

BEATS = 4  # of a line of tiny, a word each


class NaiveEarly(Naive):
    """A line that fails is there until the cycle ``since``, or until something waits for its end."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        super().__init__(cfg, memory)
        self.coming: tuple[int, set[int], int] | None = None  # line, beats that fail, since when
        self.now = 0

    def lose(self) -> None:
        if self.coming is not None:
            for ways in self.ways:
                ways[:] = [None if line == self.coming[0] else line for line in ways]
        self.coming = None

    def serve(self, op: int, block: int, pc: int, close: bool) -> tuple[int, bool, bool]:
        if op in (INVALIDATE, POLICY) or (self.coming is not None and self.now >= self.coming[2]):
            self.lose()
        return super().serve(op, block, pc, close)

    def fetch(self, address: int, before: tuple[str, int], close: bool) -> tuple[int, bool, bool]:
        line, beat = address // self.cfg.cache.line_bytes, address // 4 % BEATS
        if line not in self.ways[line % self.cfg.cache.sets]:
            self.lose()
        poisoned, self.memory = self.memory, Memory(self.memory.seed)
        word, _, hit = super().fetch(address, before, close)
        self.memory = poisoned
        if not hit and line in poisoned.poisoned:
            self.coming = line, self.failing, self.since
        if self.coming is not None and self.coming[0] == line and beat in self.coming[1]:
            self.errors.append(address)
            return 0, True, False
        return word, False, hit

    failing: set[int]
    since: int


fails = st.tuples(st.sets(st.integers(0, BEATS - 1), min_size=1), st.integers(1, 9))


@pytest.mark.parametrize("change", ["policy=lru", "policy=round-robin", "invalid_first=true"])
@COMPILED
@given(SHAPES, st.lists(st.tuples(requests, fails, st.integers(1, 4)), max_size=80))
def test_equals_the_naive_cache(
    change: str, shape: list[str], drawn: list[tuple[tuple[int, int, int, bool], tuple[set[int], int], int]]
) -> None:
    """Instructions, errors and hits, by when requests are taken and beats of lines fail."""
    cfg: Config = load("icache", "tiny", ["policy=lru", "restart=word", change, *shape])
    memory = Memory(7, poisoned=POISONED)
    model, naive = IcacheModel(cfg, memory), NaiveEarly(cfg, memory)
    failed: list[list[bool]] = []
    since: list[int] = []
    for number, ((op, block, value, _), (beats, later), pause) in enumerate(drawn):
        pc = value % 3 if op == POLICY else value // 16 % 3 * 32 if op != FETCH else value
        naive.now += pause
        naive.failing, naive.since = beats, naive.now + later
        observed = Seen(
            np.array([naive.now]),
            np.array([*failed, [beat in beats for beat in range(BEATS)]], np.bool_),
            np.array([*since, naive.since]),
        )
        [got] = model.replay(np.array([(op, block, pc, 0, 0)], REQUEST), seen=observed)
        want = naive.serve(op, block, pc, close=True)
        assert (int(got["inst"]), bool(got["err"]), bool(got["hit"])) == want, (number, drawn)
        if got["fill"]:
            failed.append([beat in beats for beat in range(BEATS)])
            since.append(naive.since)


@pytest.mark.parametrize("preset", ["tiny", "small", "early"])
@pytest.mark.parametrize("failing", [0, 6])
def test_nothing_but_time_differs_from_the_published_cache(preset: str, failing: int) -> None:
    """Hits, ways, victims, also where lines fail in all beats and requests come in each cycle."""
    cfg: Config = load("icache", preset)
    drawn = Distribution(sets=1, policies=0.05, invalidations=0.02).draw(cfg, np.random.default_rng(5), 4000)
    lines = np.unique(drawn["pc"] >> cfg.cache.offset_bits)[: 2 * failing : 2]
    line, word = (
        IcacheModel(cfg.with_(restart=how), Memory(3, poisoned=lines.tolist())) for how in ("line", "word")
    )
    assert (line.replay(drawn) == word.replay(drawn)).all()
    assert line.counters == word.counters
    assert (line.counters["errors"] > 0) == (failing > 0)


def test_a_line_that_fails_behind_its_word_is_not_kept() -> None:
    """The word was right; what is taken in time is served, the rest asks memory again."""
    cfg: Config = load("icache", "tiny", ["restart=word"])
    model = IcacheModel(cfg, Memory(3, poisoned=[4]))
    fetches = np.array([(FETCH, 0, 64 + 4 * word, 0, 0) for word in (1, 2, 3, 1, 1)], REQUEST)
    failed = np.array([[False, False, False, True]] * 2)
    results = model.replay(fetches, seen=Seen(np.array([0, 5, 6, 7, 8]), failed, np.array([7, 99])))
    assert results["fill"].tolist() == [1, 0, 0, 1, 0]
    assert results["err"].tolist() == [0, 0, 1, 0, 0]
    assert results["hit"].tolist() == [0, 1, 0, 0, 1]
    assert results["repeat"].tolist() == [0, 1, 1, 0, 1]


def test_waits_of_fetches() -> None:
    """By hand: L = 10, a beat each second cycle, from beat 2 of 4 on."""
    cfg: Config = load("icache", "tiny", ["restart=word"])
    results = np.zeros(7, RESULT)
    results["fill"] = [1, 0, 0, 0, 0, 1, 0]
    results["line"] = [5, 5, 5, 6, 5, 7, 7]
    results["beat"] = [2, 3, 0, 1, 1, 0, 0]
    waits, timing = Waits(cfg, MemoryTiming(latency=10, gap=1)), MemoryTiming(latency=10, gap=1)
    # the first beat in cycle 11, then 13, 15, 17; fetches go on in 0, 1 + 11, 13 + 1, 16, 17, 18
    times = waits.of(results, np.arange(7))
    assert times.tolist() == [11, 13 - 12, 15 - 14, 0, 0, 11, 0]
    late = Waits(cfg, timing).of(
        results[[0, 5]], np.array([0, 1])
    )  # in 12: six cycles to the last beat's end
    assert late.tolist() == [11, 6 + 11]
    pieces = Waits(cfg, timing)
    assert [*pieces.of(results[:2], np.arange(2)), *pieces.of(results[2:], np.arange(2, 7))] == times.tolist()

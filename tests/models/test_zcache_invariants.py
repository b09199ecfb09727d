# SPDX-License-Identifier: Apache-2.0
"""What holds in every cycle of the golden model of ``zcache``, and after resets."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.zcache.schema import NONE
from models.memory import Memory
from models.sparse import SparseMemory
from models.zcache import Machine, ModelRun, functional
from models.zcache.state import DF, EMPTY, FRESH, PF, PF_TOUCH, TOUCHED
from tests.models.depth_traffic import contents, draw_words, runs, surface

SEED = 5
OFFERED = (("ar_valid", "ar_ready", ("ar_addr", "ar_id")), ("aw_valid", "aw_ready", ("aw_addr",)))


class Watched:
    """A machine, and its records as arrays that follow it."""

    def __init__(self, setup: dict[str, Any], memory: Memory) -> None:
        self.machine = Machine(memory=memory, **setup)
        cfg, state = setup["cfg"], self.machine.state[0]
        self.cfg, self.now = cfg, state["now"]
        self.lines = state["lines"][: cfg.cache.sets, : cfg.cache.ways]
        self.fills, self.buffer = state["fills"][: cfg.fills], state["buffer"][: cfg.write_buffer]
        self.around = self.machine.world.around[0]

    def lines_written(self) -> list[int]:
        """Numbers of the lines in the write buffer or being put."""
        return [
            int(self.buffer[n % len(self.buffer)]["number"])
            for n in range(self.now["written"], self.now["put"])
        ]

    def check_lines(self) -> None:
        """No tile twice; only touched lines are dirty; each filling line has a fill, and each fill a line."""
        for ways in self.lines:
            numbers = ways["number"][ways["status"] != EMPTY].tolist()
            assert len(numbers) == len(set(numbers)), f"twice in a set: {numbers}"
        assert (self.lines["status"][self.lines["dirty"] != 0] == TOUCHED).all()
        busy = self.fills[(self.fills["busy"] == 1) & (self.fills["forgotten"] == 0)]
        filling = np.isin(self.lines["status"], (PF, PF_TOUCH, DF))
        assert sorted(busy["number"].tolist()) == sorted(self.lines["number"][filling].tolist())
        assert all(filling[fill["index"], fill["way"]] for fill in busy)
        assert (self.lines["status"] == DF).sum() <= 1

    def check_buffer(self) -> None:
        """No line is read from when it is put to its response; there are not too many."""
        written = self.lines_written()
        assert len(written) <= self.cfg.write_buffer
        assert not set(written) & set(self.fills["number"][self.fills["busy"] == 1].tolist())
        assert self.now["taken"] - self.now["left"] <= self.cfg.shading.tiles

    def check_offers(self, before: Any) -> None:
        """What was offered on AR, AW or W and not taken is offered still."""
        outputs, inputs = self.around["outputs"], before["inputs"]
        for valid, ready, fields in (*OFFERED, ("w_valid", "w_ready", ("w_data", "w_last"))):
            if before["outputs"][valid] and not inputs[ready]:
                assert outputs[valid]
                for field in fields:
                    assert (outputs[field] == before["outputs"][field]).all()

    def check_reserved(self, before: NDArray[Any], now: Any, fills: int) -> None:
        """Fresh lines go last, or never: the table of victims. No line goes that T1 may be storing to."""
        if self.around["fills"] == fills:
            return
        fill = self.machine.world.fills[fills]
        held = (self.lines["number"] == fill["number"]) & (self.lines["status"] != EMPTY)
        [(index, way)] = np.argwhere(held)
        assert not (now["t1_first"] and now["t1_access"] and now["t1_index"] == index)
        old = before[index]
        assert fill["evict"] == (old["status"][way] != EMPTY)
        assert fill["evict"] == (EMPTY not in old["status"].tolist())
        if fill["evict"]:
            assert fill["victim"] == old["number"][way] and fill["dirty"] == old["dirty"][way]
            assert fill["unused"] == (old["status"][way] == FRESH)
        if fill["unused"] and self.cfg.ott:
            assert TOUCHED not in old["status"].tolist()
            assert fill["demand"] or self.cfg.prefetch.when_untouched == "evict"


@pytest.mark.slow
@settings(max_examples=60)
@given(setup=runs(most=50))
def test_every_cycle(setup: dict[str, Any]) -> None:
    watched, ended, reads = Watched(setup, Memory(SEED, poisoned=[3, 9])), False, []
    while not ended:
        lines, around, now = watched.lines.copy(), watched.around.copy(), watched.now.copy()
        ended = watched.machine.go(1)
        watched.check_lines()
        watched.check_buffer()
        watched.check_offers(around)
        watched.check_reserved(lines, now, int(around["fills"]))
        reads.append(bool(watched.around["outputs"]["r_ready"]))
    check_ram(watched.machine.run(), reads)


def check_ram(run: ModelRun, reads: list[bool]) -> None:
    """The lines' RAM writes one thing in a cycle, a depth before a beat, and reads one thing."""
    results, fills = run.results, run.fills
    stores = set((results["moved"] + 1)[results["dirty"] == 1].tolist())
    assert {cycle for cycle, ready in enumerate(reads) if not ready} == stores
    hits = set(results["moved"][(results["kind"] != NONE) & (results["err"] == 0)].tolist())
    assert not hits & set(fills["cycle"][fills["dirty"] == 1].tolist())


class Snapshot:
    """A memory as it is now."""

    def __init__(self, memory: SparseMemory) -> None:
        self.below = memory.below
        self.lines = {int(line): memory.line(int(line)).view(np.uint32).copy() for line in memory.lines}

    def line(self, address: int, words: int) -> NDArray[np.uint32]:
        return self.lines.get(address, self.below.line(address, words))


@settings(max_examples=150)
@given(setup=runs(most=60), at=st.integers(0, 400), power=st.booleans(), length=st.integers(1, 3))
def test_reset(setup: dict[str, Any], at: int, power: bool, length: int) -> None:
    """Memory then has of each line what it was after some words, and the block begins anew on that."""
    words, cfg = setup["words"], setup["cfg"]
    first = len(words)
    second = draw_words(at, 30, 0)
    setup["words"] = np.concatenate([words, second])
    for name in ("delay", "kill"):
        setup[name] = np.concatenate([setup[name], np.ones(len(second), int)])
    setup["kill"][first:] = 0
    watched = Watched(setup, Memory(SEED))
    machine, around = watched.machine, watched.around
    for _ in range(at):
        if around["sent"] < first:
            machine.go(1)
    for _ in range(length):
        machine.reset(power)
    assert machine.counters == dict.fromkeys(machine.counters, 0)
    sent = int(around["sent"])
    around["sent"] = around["answered"] = around["shaded"] = around["origin"] = first
    owed = watched.now["resetting"]
    assert not (owed and power)
    while watched.now["resetting"]:
        machine.go(1)
        assert not around["outputs"]["tile_ready"] and not around["outputs"]["res_valid"]
    assert watched.now["put"] == watched.now["written"] and not watched.fills["busy"].any()
    assert_partial(machine, setup, sent)
    before = Snapshot(machine.memory)
    expected = functional(cfg, second, before)
    assert machine.go()
    assert machine.world.results["passed"][first:].tolist() == expected.passed.tolist()
    assert machine.counters["errors"] == 0
    for line in {*machine.memory.lines.tolist(), *expected.lines}:
        should = expected.lines.get(line, before.line(line, 16)).tolist()
        assert contents(machine, [line])[line] == should


def assert_partial(machine: Machine, setup: dict[str, Any], sent: int) -> None:
    """Each line is what it was at first, or after some of the words that were sent."""
    at, memory = machine.memory.lines.tolist(), Memory(SEED)
    left = contents(machine, at)
    for count in range(sent + 1):
        state = functional(setup["cfg"], setup["words"][:count], memory, setup["kill"][:count]).lines
        left = {
            line: data
            for line, data in left.items()
            if state.get(line, memory.line(line, 16)).tolist() != data
        }
        if not left:
            return
    raise AssertionError(f"lines {sorted(left)} are as they never were")


def test_a_reset_restores_the_surface() -> None:
    """Base 0, and one tile of one in a row."""
    watched = Watched({"cfg": load("zcache", "tiny"), "words": surface(0x1000)}, Memory(SEED))
    watched.machine.go()
    assert [int(watched.now[name]) for name in ("base", "pitch", "surface")] == [0x1000, 8, 64]
    watched.machine.reset()
    assert [int(watched.now[name]) for name in ("base", "pitch", "surface")] == [0, 1, 1]

# SPDX-License-Identifier: Apache-2.0
"""Cycles of ``raster`` by the table of its page against a machine that takes one cycle after the other."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.raster.schema import LINES, PASS, POINTS, TRIANGLES
from models.raster import RasterModel, setup_cycles
from models.raster.cycles import Cycles, cycles
from tests.models.test_raster import begin, streams, words_of

BASE = load("raster", "base")
AT_ONCE = np.zeros(0, np.bool_)


class Stepped(NamedTuple):
    """Cycles of a :class:`Machine`'s run, as of :class:`Cycles`."""

    taken: list[int]
    handed: list[int]
    offered: list[int]
    left: list[int]


class Machine:
    """Set-up, walk and register, stepped through by clock edges."""

    def __init__(self, work: NDArray[Any], steps: NDArray[np.int32]) -> None:
        self.work, self.steps = work, steps.tolist()
        self.setup: tuple[int, int] | None = None  # word of vtx, cycles it has been there
        self.walk: tuple[int, list[int]] | None = None  # cycles left, of them those that find a word
        self.held = False
        self.run = Stepped([], [-1] * len(work), [], [])
        self.cycle = 0

    def step(self, valid: bool, ready: bool) -> None:
        """One cycle with these inputs."""
        taken = self.held and ready
        if taken:
            self.run.left.append(self.cycle)
        ends, found = self._walk(taken)
        was_ready = self.setup is None
        if self.setup is not None:
            number, age = self.setup
            self.setup = number, age + 1
            if age + 1 >= self.work[number]["setup"] and (self.walk is None or ends):
                self._hand_on(number)
            elif ends:
                self.walk = None
        elif ends:
            self.walk = None
        if was_ready and valid:
            number = len(self.run.taken)
            self.run.taken.append(self.cycle)
            if self.work[number]["setup"]:
                self.setup = number, 0
        if taken:
            self.held = False
        if found:
            self.held = True
            self.run.offered.append(self.cycle + 1)
        self.cycle += 1

    def _walk(self, taken: bool) -> tuple[bool, bool]:
        """Whether it ends in this cycle, and whether it has found a word that the register takes."""
        if self.walk is None:
            return False, False
        at, length, finds = self.walk[0], self.walk[1][0], self.walk[1][1:]
        found = at in finds
        if found and self.held and not taken:
            return False, False
        self.walk = at + 1, self.walk[1]
        return at + 1 >= length, found

    def _hand_on(self, number: int) -> None:
        self.run.handed[number] = self.cycle
        count = int(self.work[number]["words"])
        finds, self.steps = self.steps[:count], self.steps[count:]
        length = int(self.work[number]["walk"])
        self.walk = (0, [length, *finds]) if length else None
        self.setup = None


@settings(deadline=None, max_examples=200)
@given(streams(), st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.7, 1.0]), st.integers(0, 40))
def test_cycles_are_those_of_a_machine_that_steps(stream: Any, seed: int, part: float, most: int) -> None:
    cfg, words = stream
    tiles, work = RasterModel(cfg).feed(words)
    rng = np.random.default_rng(seed)
    ready = rng.random(4000) < part
    gaps = rng.integers(0, most + 1, len(words))
    machine = Machine(work, tiles["step"])
    valid = np.zeros(len(words), np.int64)
    wait = int(gaps[0])
    while len(machine.run.left) < len(tiles) or len(machine.run.taken) < len(words):
        number = len(machine.run.taken)
        there = number < len(words) and wait == 0
        machine.step(there, bool(ready[machine.cycle]) if machine.cycle < len(ready) else True)
        if len(machine.run.taken) > number:
            wait = int(gaps[number + 1]) if number + 1 < len(words) else 0
            if number + 1 < len(words):
                valid[number + 1] = machine.cycle + wait
        elif wait:
            wait -= 1
            if not wait:
                valid[number] = machine.cycle
        assert machine.cycle < 100_000
    found = cycles(work, tiles["step"], valid, ready)
    for name in ("taken", "offered", "left"):
        assert getattr(found, name).tolist() == getattr(machine.run, name), name
    handed = [wanted for wanted in machine.run.handed if wanted >= 0]
    assert [at for at in found.handed.tolist() if 0 <= at < machine.cycle] == handed


def of(words: NDArray[Any], ready: NDArray[np.bool_] = AT_ONCE) -> tuple[Cycles, NDArray[Any], NDArray[Any]]:
    """Cycles, TILE and WORK of words that are all there at once."""
    tiles, work = RasterModel(BASE).feed(words)
    return cycles(work, tiles["step"], np.zeros(len(words), np.int64), ready), tiles, work


def test_a_point_and_a_passed_word_take_the_page_s_cycles() -> None:
    """Begin in cycle 0, point in 1, set-up in 2 and 3, walk in 4, offered in 5; the next is taken in 4."""
    run, _, _ = of(np.concatenate([begin(POINTS), words_of([(0, 0, 0)]), words_of([(1, 2, 3)], PASS)]))
    assert [column.tolist() for column in run] == [[0, 1, 4], [-1, 3, 6], [5, 8], [5, 8]]


@pytest.mark.parametrize("radix, wanted", [(2, 90), (4, 48), (16, 27)])
def test_set_up_of_what_is_divided(radix: int, wanted: int) -> None:
    cfg = load("raster", "base", [f"radix={radix}"])
    assert setup_cycles(cfg) == wanted
    corners = [(0, 0, 0), (3000, 0, 0), (0, 3000, 0), (0, 0, 0), (0, 0, 0), (5, 5, 5)]
    _, work = RasterModel(cfg).feed(np.concatenate([begin(TRIANGLES), words_of(corners)]))
    assert work["setup"].tolist() == [0, 0, 0, wanted, 0, 0, 2]


def test_a_line_walks_a_pixel_in_each_cycle_and_one_more_for_its_last_word() -> None:
    """From column -3 to 9, that of B left out: 3 columns before the window, then words of 4, 4 and 2."""
    line = words_of([(-3 * 256, 0, 0), (10 * 256, 0, 0)])
    run, tiles, work = of(np.concatenate([begin(LINES), line]))
    assert tiles["mask"].tolist() == [0xF, 0xF, 0x3]
    assert tiles["step"].tolist() == [7, 11, 13]
    assert work["walk"].tolist() == [0, 0, 14]
    assert run.offered.tolist() == [2 + 90 + 2 + step for step in (7, 11, 13)]


@pytest.mark.parametrize("start, columns", [(0, 10), (100, 10), (127, 10), (128, 9), (200, 9), (256, 9)])
def test_a_line_walks_over_the_column_just_behind_its_start(start: int, columns: int) -> None:
    """Column 0 too, if A lies less than half a pixel beyond its centre; then come those up to B in 10."""
    _, work = RasterModel(BASE).feed(
        np.concatenate([begin(LINES), words_of([(start, 0, 0), (10 * 256, 0, 0)])])
    )
    assert work["walk"].tolist() == [0, 0, columns + 1]

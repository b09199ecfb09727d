# SPDX-License-Identifier: Apache-2.0
"""Cycles of ``raster`` by the table of its page: as the reference of the simulation steps, and by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.raster.schema import LINES, PASS, POINTS, TRIANGLES, Config
from models.raster import RasterModel, setup_cycles
from models.raster.cycles import Cycles, cycles
from tb.common.components.packing import columns as by_field
from tb.common.components.packing import pack_words
from tb.raster.machine import RasterMachine
from tests.models.test_raster import begin, streams, words_of

BASE = load("raster", "base")
AT_ONCE = np.zeros(0, np.bool_)


def stepped(
    cfg: Config, words: NDArray[Any], gaps: list[int], ready: NDArray[np.bool_], count: int
) -> dict[str, list[int]]:
    """Cycles of words [n] by the reference of the simulation, until ``count`` words of tile have left: each
    of vtx is offered as many cycles after the one before as ``gaps`` [n] say.
    """
    machine, packed = RasterMachine(cfg), pack_words(cfg.streams["vtx"], by_field(words))
    machine.drive("rst", False)
    moments: dict[str, list[int]] = {"taken": [], "offered": [], "left": []}
    cycle, due, held = 0, gaps[0], False
    while len(moments["taken"]) < len(words) or len(moments["left"]) < count:
        number, taking = len(moments["taken"]), cycle >= len(ready) or bool(ready[cycle])
        there = number < len(words) and cycle >= due
        machine.offer("vtx", packed[min(number, len(words) - 1)])
        machine.drive("vtx_valid", there)
        machine.drive("tile_ready", taking)
        machine.step()
        vtx_ready, tile_valid = (level == "1" for level in machine.levels())
        if there and vtx_ready:
            moments["taken"].append(cycle)
            due = cycle + 1 + gaps[(number + 1) % len(words)]
        if tile_valid and not held:
            moments["offered"].append(cycle)
        if tile_valid and taking:
            moments["left"].append(cycle)
        held = tile_valid and not taking
        cycle += 1
        assert cycle < 100_000
    return moments


@settings(deadline=None, max_examples=200)
@given(streams(), st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.7, 1.0]), st.integers(0, 40))
def test_cycles_are_those_of_a_machine_that_steps(stream: Any, seed: int, part: float, most: int) -> None:
    cfg, words = stream
    tiles, work = RasterModel(cfg).feed(words)
    rng = np.random.default_rng(seed)
    ready = rng.random(4000) < part
    gaps = rng.integers(0, most + 1, len(words))
    wanted = stepped(cfg, words, gaps.tolist(), ready, len(tiles))
    valid = np.array([-1, *wanted["taken"][:-1]]) + 1 + gaps
    moments = cycles(work, tiles["step"], valid, ready)
    assert {name: getattr(moments, name).tolist() for name in wanted} == wanted


def of(words: NDArray[Any], ready: NDArray[np.bool_] = AT_ONCE) -> tuple[Cycles, NDArray[Any], NDArray[Any]]:
    """Cycles, TILE and WORK of words that are all there at once."""
    tiles, work = RasterModel(BASE).feed(words)
    return cycles(work, tiles["step"], np.zeros(len(words), np.int64), ready), tiles, work


def test_a_point_and_a_passed_word_take_the_page_s_cycles() -> None:
    """Begin in cycle 0, point in 1, set-up in 2 and 3, walk in 4, found in 6, offered in 7; the next in 4."""
    run, _, _ = of(np.concatenate([begin(POINTS), words_of([(0, 0, 0)]), words_of([(1, 2, 3)], PASS)]))
    assert [column.tolist() for column in run] == [[0, 1, 4], [-1, 3, 6], [7, 10], [7, 10]]


@pytest.mark.parametrize("radix, wanted", [(2, 93), (4, 51), (16, 30)])
def test_set_up_of_what_is_divided(radix: int, wanted: int) -> None:
    cfg = load("raster", "base", [f"radix={radix}"])
    assert setup_cycles(cfg) == wanted
    corners = [(0, 0, 0), (3000, 0, 0), (0, 3000, 0), (0, 0, 0), (0, 0, 0), (5, 5, 5)]
    _, work = RasterModel(cfg).feed(np.concatenate([begin(TRIANGLES), words_of(corners)]))
    assert work["setup"].tolist() == [0, 0, 0, wanted, 0, 0, 4]


def test_a_line_walks_a_pixel_in_each_cycle_and_one_more_for_its_last_word() -> None:
    """From column -3 to 9, that of B left out: 3 columns before the window, then words of 4, 4 and 2."""
    line = words_of([(-3 * 256, 0, 0), (10 * 256, 0, 0)])
    run, tiles, work = of(np.concatenate([begin(LINES), line]))
    assert tiles["mask"].tolist() == [0xF, 0xF, 0x3]
    assert tiles["step"].tolist() == [7, 11, 13]
    assert work["walk"].tolist() == [0, 0, 14]
    assert run.offered.tolist() == [2 + 93 + 4 + step for step in (7, 11, 13)]


@pytest.mark.parametrize("start, columns", [(0, 10), (100, 10), (127, 10), (128, 9), (200, 9), (256, 9)])
def test_a_line_walks_over_the_column_just_behind_its_start(start: int, columns: int) -> None:
    """Column 0 too, if A lies less than half a pixel beyond its centre; then come those up to B in 10."""
    _, work = RasterModel(BASE).feed(
        np.concatenate([begin(LINES), words_of([(start, 0, 0), (10 * 256, 0, 0)])])
    )
    assert work["walk"].tolist() == [0, 0, columns + 1]

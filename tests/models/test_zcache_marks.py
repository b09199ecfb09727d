# SPDX-License-Identifier: Apache-2.0
"""Tiles that a clear only marks: the same results and, after a flush, the same memory; fewer reads."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from configs import load
from configs.depth import BASE, CLEAR, FLUSH
from models.memory import Memory
from models.zcache import Machine, functional
from tests.models.depth_traffic import contents, played, runs, tile, word

SEED = 5


@settings(max_examples=60)
@given(asked=runs(most=80), tiles=st.sampled_from([32, 64]))
def test_nothing_changes_but_reads(asked: dict[str, Any], tiles: int) -> None:
    """Results are those of tiles one after the other; memory too, once a flush has written what is marked."""
    cfg = asked["cfg"].model_copy(update={"fast_clear": tiles})
    expected = functional(cfg, asked["words"], Memory(SEED), asked["kill"])
    machine = Machine(memory=Memory(SEED), **{**asked, "cfg": cfg})
    machine.go()
    run = machine.run()
    assert run.results["passed"].tolist() == expected.passed.tolist()
    assert contents(machine, list(expected.lines)) == {n: line.tolist() for n, line in expected.lines.items()}
    assert set(run.memory.lines.tolist()) <= set(expected.lines)
    around = machine.world.around[0]
    assert around["reads"] == len(run.fills) - run.counters["blanks"]


def test_a_flush_may_look_at_many_tiles_that_nothing_has_marked() -> None:
    """Nothing moves at the ports meanwhile, for far longer than any tile takes: it does not stand still."""
    cfg, columns, rows = load("zcache", "fast-clear"), 160, 120
    drawn = [tile(x, y) for y in range(rows) for x in range(columns)]
    base = word(BASE, 0, columns, columns * rows)
    run = played(cfg, base, word(CLEAR, 7), *drawn, word(FLUSH))
    assert run.counters["writebacks"] == columns * rows
    *_, last, flush = run.results["left"]
    assert flush - last > columns * rows

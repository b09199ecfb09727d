# SPDX-License-Identifier: Apache-2.0
"""Tiles that bounds reject and tiles that a clear marks: the same results and memory, fewer reads."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import UserError, load
from configs.depth import BASE, CLEAR, D16, D24X8, D32, FLUSH, FUNCTIONS
from configs.zcache.schema import HOPELESS
from models.memory import Memory
from models.zcache import Machine, functional
from models.zcache.functional import BITS
from models.zcache.functional import FUNCTIONS as COMPARE
from tests.models.depth_traffic import (
    assert_memory,
    configured,
    outcomes,
    played,
    poisoned,
    runs,
    surface,
    tile,
    word,
)

SEED = 5
FAR, MIDDLE, NEAR = 0xFFFF_FFFF, 0x8000_0000, 0x1000_0000


def flat(words: NDArray[Any], seed: int) -> NDArray[Any]:
    """The same words [n], cleared at first; most tiles of one depth, as surfaces have."""
    rng = np.random.default_rng(seed)
    words = words.copy()
    words["op"][1] = CLEAR
    level = rng.integers(0, 1 << 32, len(words)) | rng.integers(0, 1 << 16, len(words)) << 8
    chosen = (words["op"] != BASE) & (rng.random(len(words)) < 0.8)
    words["depth"][chosen] = (level & 0xFFFF_FFFF)[chosen, None]
    return words


@st.composite
def bounded(draw: st.DrawFn, most: int) -> dict[str, Any]:
    """Runs of a machine with bounds, with marks, or with both."""
    setup, tiles = draw(runs(most=most)), draw(st.sampled_from([0, 32, 64]))
    part = setup["cfg"].hierarchical.model_copy(
        update={"tiles": tiles, "bits": draw(st.sampled_from([4, 11, 16]))}
    )
    marks = draw(st.sampled_from([0, tiles] if tiles else [32, 64]))
    cfg = setup["cfg"].model_copy(update={"hierarchical": part, "fast_clear": marks})
    return {**setup, "cfg": cfg, "words": flat(setup["words"], draw(st.integers(0, 1 << 20)))}


@settings(max_examples=120)
@given(setup=bounded(most=100))
def test_nothing_changes(setup: dict[str, Any]) -> None:
    """Results and memory are those of tiles one after the other."""
    memory = Memory(SEED)
    expected = functional(setup["cfg"], setup["words"], memory, setup["kill"])
    machine = Machine(memory=memory, **setup)
    machine.go()
    run = machine.run()
    assert run.results["passed"].tolist() == expected.passed.tolist()
    assert_memory(machine, Memory(SEED), expected)
    assert set(run.memory.lines.tolist()) <= set(expected.lines)
    assert machine.world.around[0]["reads"] == len(run.fills) - run.counters.get("blanks", 0)
    if not setup["cfg"].hierarchical.tiles:
        return
    assert run.counters["rejected"] == run.results["rejected"].sum()
    assert run.counters["hopeless"] == (run.requests["outcome"] == HOPELESS).sum()


@settings(max_examples=60)
@given(setup=bounded(most=60), seed=st.integers(0, 1 << 20))
def test_none_could_have_passed(setup: dict[str, Any], seed: int) -> None:
    """Whatever memory refuses: when a tile is rejected, no pixel would pass against what memory holds."""
    memory = Memory(SEED)
    machine = Machine(memory=memory, **setup)
    state = machine.state[0]
    now, words = state["now"], state["words"]
    lines, rng, done = poisoned(seed, setup["words"]), np.random.default_rng(seed), False
    while not done:
        if rng.random() < 0.02:
            memory.heal() if memory.poisoned else memory.poison(lines)
        done = machine.go(1)
        if not (now["t1_first"] and now["t1_rejected"]):
            continue
        tested = words[now["left"] % setup["cfg"].shading.tiles]
        number = int(tested["number"])
        line = (int(now["base"]) // 64 + number) % (1 << 26)
        stored = machine.memory.line(line).view(np.uint32)
        if now["marking"] and number < min(int(now["surface"]), setup["cfg"].fast_clear):
            stored = state["blank"] if state["marked"][number] else stored
        bits = np.uint32(BITS[tested["format"]])
        passes = COMPARE[tested["func"]](tested["depth"] & bits, stored & bits)
        assert not (int((passes << np.arange(16)).sum()) & int(now["t1_live"]))


def test_rejected() -> None:
    """By a clear's value and by what was stored: neither tile's line is read; the one in between is."""
    cfg = configured("hierarchical.tiles=32", "shading.cycles=2", "shading.tiles=1", "prefetch.mode=off")
    greater, less = FUNCTIONS.index("greater"), FUNCTIONS.index("less")
    behind, front = tile(1, 0, func=greater), tile(1, 0, func=less, depth=NEAR)
    again = tile(1, 0, func=less, depth=MIDDLE)
    run = played(cfg, word(CLEAR, FAR), behind, front, again)
    assert run.results["rejected"].tolist() == [0, 0, 1, 0, 0]  # the last one's line is there
    assert run.results["passed"].tolist() == [0, 0, 0, 0xFFFF, 0]
    assert run.counters["fills"] == 1


def test_evicted() -> None:
    """A tile behind what was stored, whose line has left since, is not read again; nor is it ahead."""
    less = FUNCTIONS.index("less")
    others = [tile(2 * n % 8, 2 * n // 8, func=less, depth=NEAR) for n in range(9)]
    behind = [tile(0, 0, func=less, depth=MIDDLE)]
    for mode in ("off", "queue"):
        cfg = configured("hierarchical.tiles=32", f"prefetch.mode={mode}", "shading.tiles=2")
        run = played(cfg, word(CLEAR, FAR), *others, *behind)
        assert run.results["rejected"].tolist() == [0] * 11 + [1]
        assert run.counters["fills"] + run.counters["prefetches"] == 9
        assert mode == "off" or outcomes(run)[-1] == HOPELESS


def test_formats() -> None:
    """Bounds are of one format; a clear's value has all."""
    less = FUNCTIONS.index("less")
    cfg = configured("hierarchical.tiles=32", "shading.cycles=2", "shading.tiles=1", "prefetch.mode=off")
    value = 0x1080_4000  # D32 in front of all that is tested, D24 behind it, D16 in front
    for depth_format, rejected in ((D24X8, 0), (D32, 1), (D16, 1)):
        depth = 0x1070_F000
        drawn = tile(
            1, 0, func=less, depth=depth + (0x1000_0000 * (depth_format == D32)), format=depth_format
        )
        run = played(cfg, word(CLEAR, value), drawn)
        assert run.results["rejected"].tolist() == [0, 0, rejected], depth_format


def test_refused() -> None:
    """Sizes that there are not, and two tables of different sizes."""
    for field, values in (("tiles", (16, 48, 1 << 8)), ("bits", (3, 17))):
        for value in values:
            with pytest.raises(UserError, match=field):
                load("zcache", "tiny", [f"hierarchical.{field}={value}"])
    with pytest.raises(UserError, match=r"fast_clear=32 and hierarchical\.tiles=64"):
        load("zcache", "fast-clear-tiny", ["hierarchical.tiles=64"])


def test_surface_too_small() -> None:
    """Tiles beyond those of the surface, and beyond the table, have no bounds."""
    less = FUNCTIONS.index("less")
    cfg = configured("hierarchical.tiles=32", "shading.cycles=2", "shading.tiles=1", "prefetch.mode=off")
    for number, tiles, rejected in ((4, 5, 1), (5, 5, 0), (31, 64, 1), (32, 64, 0)):
        drawn = tile(number % 8, number // 8, func=less, depth=FAR)
        machine = Machine(cfg, np.concatenate([surface(0, tiles), word(CLEAR, NEAR), drawn]), Memory(SEED))
        machine.go()
        assert machine.run().counters["rejected"] == rejected, number


def test_a_flush_may_look_at_many_tiles_that_nothing_has_marked() -> None:
    """Nothing moves at the ports meanwhile, for far longer than any tile takes: it does not stand still."""
    cfg, columns, rows = load("zcache", "fast-clear"), 160, 120
    drawn = [tile(x, y) for y in range(rows) for x in range(columns)]
    base = word(BASE, 0, columns, columns * rows)
    run = played(cfg, base, word(CLEAR, 7), *drawn, word(FLUSH))
    assert run.counters["writebacks"] == columns * rows
    *_, last, flush = run.results["left"]
    assert flush - last > columns * rows

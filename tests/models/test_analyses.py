# SPDX-License-Identifier: Apache-2.0
"""Sweeps against the direct model, Belady's optimum against exhaustive search, the three kinds of misses."""

from collections import OrderedDict
from functools import cache
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.simt import LRU
from models import policies
from models.belady import optimal_hits
from models.classify import CAPACITY, COMPULSORY, CONFLICT, HIT, classify
from models.memory import Memory
from models.stack import histogram
from models.texcache import TexcacheModel, allocate
from models.texcache.sweep import sweep
from tests.models.strategies import COMPILED, footprints, machines, random_footprints, tables

LINES = st.lists(st.integers(0, 12), min_size=1, max_size=80).map(lambda lines: np.array(lines, np.int64))


def direct(cfg: Any, walk: Any, lut: Any) -> tuple[int, int]:
    """Look-ups and hits of the golden model."""
    model = TexcacheModel(cfg, Memory(), lut)
    model.replay(walk)
    return model.counters["lookups"], model.counters["hits"]


def geometries(base: Any) -> list[Any]:
    """24 geometries around ``base``, 6 if its banks go by parity."""
    return [
        base.with_(banks=banks, cache={"sets": sets, "ways": ways}, small_side=small_side)
        for banks in ((4,) if base.parity else (1, 4))
        for sets in (2, 8)
        for ways in (1, 2, 4)
        for small_side in ((1,) if base.parity else (1, 8))
    ]


@settings(COMPILED, max_examples=25)
@given(st.data())
def test_sweep_is_the_direct_model(data: st.DataObject) -> None:
    base = data.draw(machines())
    lut, walk = data.draw(tables(base)), data.draw(footprints(base))
    cfgs = geometries(base)
    for cfg, totals in zip(cfgs, sweep(cfgs, walk, lut), strict=True):
        assert tuple(totals) == direct(cfg, walk, lut), cfg.name


def test_sweep_over_lines_layouts_and_ports() -> None:
    """Configurations in mixed order, each with its own line size's table, on runs of equal footprints."""
    cfgs = [
        load(
            "texcache",
            "paper",
            [f"line_bytes={4 * line}", f"layout={layout}", f"lookup={lookup}", f"ways={ways}"],
        )
        for ways in (4, 1, 2)
        for line in (4, 8, 16)
        for layout in ("row-major", "tile4x4", "morton")
        for lookup in ("row", "texel")
    ]
    walk = random_footprints(cfgs[0], 1000, 8)
    walk = np.repeat(walk, np.random.default_rng(1).integers(1, 6, 1000))
    walk["tex"] = 0

    def table(cfg: Any) -> NDArray[np.uint32]:
        return allocate(cfg, [1024])[0]

    for cfg, totals in zip(cfgs, sweep(cfgs, walk, table), strict=True):
        assert tuple(totals) == direct(cfg, walk, table(cfg)), cfg.name


@COMPILED
@given(LINES)
def test_histogram_counts_hits_of_every_number_of_ways(lines: NDArray[np.int64]) -> None:
    rows = lines % 2
    depths = histogram(rows, lines, np.ones(len(lines), np.int64), 2, 8)
    assert depths.sum() == len(lines)
    for ways in (1, 2, 4, 8):
        assert depths[:ways].sum() == policies.run(LRU, rows, lines, 2, ways)[0].sum()


@COMPILED
@given(st.lists(st.integers(0, 5), min_size=1, max_size=14), st.integers(1, 3))
def test_optimum_is_the_best_of_all_replacements(lines: list[int], ways: int) -> None:
    """Exhaustive search over every choice of victim."""

    @cache
    def best(position: int, held: frozenset[int]) -> int:
        if position == len(lines):
            return 0
        line = lines[position]
        if line in held:
            return 1 + best(position + 1, held)
        if len(held) < ways:
            return best(position + 1, held | {line})
        return max(best(position + 1, held - {victim} | {line}) for victim in held)

    stream = np.array(lines, np.int64)
    assert optimal_hits(np.zeros_like(stream), stream, 1, ways).sum() == best(0, frozenset())


@COMPILED
@given(LINES, st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4]))
def test_kinds_of_misses_against_their_definition(lines: NDArray[np.int64], ways: int, sets: int) -> None:
    rows = lines % sets
    hits, _ = policies.run(LRU, rows, lines, sets, ways)
    classified = classify(lines, hits, sets * ways)
    visited: set[int] = set()
    full: OrderedDict[int, None] = OrderedDict()
    for line, hit, kind, full_hit in zip(
        lines.tolist(), hits, classified.kinds, classified.full_hits, strict=True
    ):
        assert bool(full_hit) == (line in full)
        if hit:
            assert kind == HIT
        elif line not in visited:
            assert kind == COMPULSORY
        else:
            assert kind == (CONFLICT if line in full else CAPACITY)
        visited.add(line)
        full[line] = None
        full.move_to_end(line)
        if len(full) > sets * ways:
            full.popitem(last=False)
    kinds = {"hit": HIT, "compulsory": COMPULSORY, "capacity": CAPACITY, "conflict": CONFLICT}
    assert classified.totals == {name: int((classified.kinds == kind).sum()) for name, kind in kinds.items()}

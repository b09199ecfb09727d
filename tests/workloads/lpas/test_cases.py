# SPDX-License-Identifier: Apache-2.0
"""Which PE of ``lpas`` goes where: the source's patterns and classes, offered load."""

from collections import defaultdict
from functools import cache, partial
from itertools import groupby

import numpy as np
import pytest

from configs import load
from configs.lpas.schema import Config
from models.lpas import LpasModel
from workloads.lpas import cases as c
from workloads.lpas.load import HOT_SHARE, LOCAL_SHARE, TRAFFICS, hot_cache, offered

all_cases = cache(partial(c.all_cases, 1, quick=True))
PRESETS = ("paper", "fs", "age", "weights", "lr2ss", "lr2ss-b", "lr2ss-c")


def config(preset: str = "paper", *changes: str) -> Config:
    cfg = load("lpas", preset, changes)
    assert isinstance(cfg, Config)
    return cfg


def test_eight_simple_patterns_without_conflict() -> None:
    places: dict[str, int] = {}
    for name, pairs in c.simple():
        pes, caches = pairs.T
        assert len(pairs) == 4 == len(set(pes.tolist())) == len(set(caches.tolist())), name
        places[name] = places.get(name, 0) + 1
        rows, columns = (len(set(axis.tolist())) for axis in (pes // 4, pes % 4))
        to_rows, to_columns = (len(set(axis.tolist())) for axis in (caches // 4, caches % 4))
        shape = {(1, 4): "row", (4, 1): "column", (2, 2): "2x2"}
        assert name.startswith(shape[rows, columns])
        if shape[rows, columns] != "2x2":
            assert name.endswith(f"on {shape[to_rows, to_columns]}")
    assert tuple(sorted(places)) == tuple(sorted(c.SIMPLE)) and min(places.values()) == 4


def test_classes_have_15_cases_at_least() -> None:
    cases, last = all_cases(), defaultdict[tuple[str, int], list[int]](lambda: [0] * 16)
    for name in c.CLASSES:
        kinds = [case.kind for case in cases if case.group == f"class {name}"]
        drawn = c.QUICK_DRAWN if name in ("III", "IV") else c.PER_CLASS
        assert min(sum(1 for _ in same) for _, same in groupby(kinds)) == drawn
    for case in cases:
        pes, caches = case.pairs.T
        rows, columns = pes // 4 != caches // 4, pes % 4 != caches % 4
        if case.group in ("class I", "class III"):
            assert rows.all(), "rows on other rows"
        if case.group in ("class II", "class IV"):
            assert columns.all(), "columns on other columns"
        if case.group in ("class I", "class II"):
            assert len(set(caches.tolist())) == len(pes)
        if case.group == "figure 5":
            assert caches[0] < 4 and len(set(caches.tolist())) == 1, "a cache of the first row"
            count = np.bincount(pes // 4, minlength=4)
            assert count[0] == 4 and (count[1:] == int(case.kind) // 25).all()
            last[case.kind, int(caches[0])][case.orders[caches[0], -1]] += 1
    assert len(last) == 16 and all(len(set(turns)) == 1 for turns in last.values()), "each turn as often"


@pytest.mark.parametrize("kind", [c.HOT, c.UNIFORM])
@pytest.mark.parametrize("percent", c.CONFLICTS)
def test_one_write_takes_what_is_exact(kind: str, percent: int) -> None:
    """The formula against latencies 1 to k of the k PEs at each cache, of many draws."""
    rng = np.random.default_rng(percent)
    drawn = [c.conflicting(rng, 1 + n % 3, n % 2 == 0, percent / 100, kind) for n in range(4000)]
    meet = np.array([np.bincount(pairs[:, 1], minlength=16) for pairs in drawn])
    assert (meet * (meet + 1) / 2).sum(1).mean() / 16 == pytest.approx(
        c.expected(kind, percent / 100), rel=0.01
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_each_case_begins_with_its_own_pointers(preset: str) -> None:
    """And nothing of one is left when the next begins; all hit, but for those that warm the caches."""
    cfg = config(preset)
    chosen = [case for case in all_cases() if case.kind in ("hot 3", "100", "2x2 on four")]
    chosen.append(all_cases()[-1])
    requests, numbers = c.requests_of(cfg, chosen)
    for end in (np.flatnonzero(np.diff(numbers) > 0) + 1)[[*range(0, len(chosen), 25), -1]]:
        model, case = LpasModel(cfg), chosen[numbers[end]]
        results = model.replay(requests[:end])
        assert results["hit"][cfg.pes :].all()
        settled = results[end - c.SETTLED : end]
        assert (settled["done"] == requests["at"][end - c.SETTLED : end]).all(), "nobody waits"
        assert model.now <= requests["at"][end], "in time"
        for number, order in enumerate(case.orders.tolist()):
            for area, members in enumerate(cfg.area_pes[number // 4] if not cfg.two_stage else ()):
                served = [pe for pe in order if pe in members]
                after = (list(members).index(served[-1]) + 1) % len(members)
                assert model.machine.pointers[number, area] == after
        if case.group == "lesson":
            assert not model.machine.pointers.any() and not model.machine.link_pointers.any()
    whole = LpasModel(cfg).replay(requests)
    shots = numbers >= 0
    first_of = requests["at"][shots] == whole["first"][shots]
    first_places = np.unique(np.stack([numbers[shots], requests["pe"][shots]]), axis=1, return_index=True)[1]
    assert first_of[first_places].all(), "each PE's first access comes with its case"


@pytest.mark.parametrize(
    "changes", [(), ("array.columns=2", "axi.id_bits=5"), ("array.rows=8", "axi.id_bits=7")]
)
def test_where_stores_go(changes: tuple[str, ...]) -> None:
    cfg = config("paper", *changes)
    rows, columns, cycles = cfg.array.rows, cfg.array.columns, 2000
    for traffic in TRAFFICS:
        requests, start = offered(cfg, traffic, 0.5, cycles, 1)
        made = requests[cfg.pes :]
        pe, cache = made["pe"].astype(int), made["word"] >> cfg.slot_bits
        assert len(made) == pytest.approx(0.5 * cycles * cfg.pes, rel=0.05)
        assert start <= made["at"].min() and made["at"].max() < start + cycles
        assert cache.min() >= 0 and cache.max() < cfg.pes
        if traffic == "local":
            near = pe // columns == cache // columns
            assert near.mean() == pytest.approx(LOCAL_SHARE, abs=0.02)
            far = (cache // columns - pe // columns)[~near] % rows
            share = np.bincount(far, minlength=rows)[1:] / len(far)
            assert share == pytest.approx(1 / (rows - 1), abs=0.02), "all other rows alike"
            assert np.bincount(cache % columns) / len(cache) == pytest.approx(1 / columns, abs=0.02)
        elif traffic == "hot spot":
            expected = HOT_SHARE + (1 - HOT_SHARE) / cfg.pes
            assert (cache == hot_cache(cfg)).mean() == pytest.approx(expected, abs=0.01)
        elif traffic == "transposed":
            assert (
                len(set(zip(pe.tolist(), cache.tolist(), strict=True))) == cfg.pes == len(set(cache.tolist()))
            )
            if rows == columns:
                assert (cache == pe % columns * columns + pe // columns).all()

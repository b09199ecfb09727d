# SPDX-License-Identifier: Apache-2.0
"""The switch of ``lpas``: latencies and rates known in closed form, what each arbiter promises."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.lpas.schema import LOAD, STORE, Config
from models.lpas import NEVER
from tests.models.lpas_traffic import full_load, one_shot, requests, warmed, word_of

PES = np.arange(16)
ONE_STAGE = ("paper", "fs", "age", "weights")
FAST = settings(deadline=None, max_examples=30)


@pytest.mark.parametrize("preset", (*ONE_STAGE, "pipelined"))
def test_without_conflict_16_writes_in_1_cycle_and_16_reads_in_2(preset: str) -> None:
    model, cfg = warmed(load("lpas", preset)), load("lpas", preset)
    for shift, op in product(range(16), (STORE, LOAD)):
        results = model.replay(requests(PES, word_of(cfg, (PES + shift) % 16), op))
        latency = results["done"] - results["first"] + 1
        assert (latency == (1 if op == STORE and not cfg.read_pipeline else 2)).all()


@pytest.mark.parametrize("preset", ONE_STAGE)
@given(caches=st.lists(st.integers(0, 15), min_size=16, max_size=16))
@FAST
def test_one_write_of_each_pe_costs_1_to_k_where_k_meet(preset: str, caches: list[int]) -> None:
    latency = one_shot(load("lpas", preset), PES, caches)
    for cache in set(caches):
        there = np.sort(latency[np.array(caches) == cache])
        assert (there == np.arange(1, len(there) + 1)).all()


@pytest.mark.parametrize(
    ("preset", "first", "second"), [("fs", 1, 1), ("lr2ss", 1, 2.5), ("lr2ss-b", 2.5, 2.5), ("lr2ss-c", 1, 1)]
)
def test_rows_on_rows_and_columns_on_columns(preset: str, first: float, second: float) -> None:
    """All 16 PEs; the readings of the two-stage switch differ in what they share."""
    cfg = load("lpas", preset)
    for shift in (1, 2, 3):
        rows, columns = (PES + 4 * shift) % 16, PES // 4 * 4 + (PES + shift) % 4
        assert one_shot(cfg, PES, rows).mean() == first
        assert one_shot(cfg, PES, columns).mean() == second


@pytest.mark.parametrize(
    ("preset", "rate"), [*((preset, 0.60162) for preset in (*ONE_STAGE, "pipelined")), ("tiny", 0.65524)]
)
def test_rate_of_uniform_writes(preset: str, rate: float) -> None:
    """Within five standard errors of independent cycles; correlation in time makes them a little larger."""
    cfg, cycles = load("lpas", preset), 20_000
    rng = np.random.default_rng(7)
    results = full_load(cfg, rng.integers(cfg.pes, size=(cfg.pes, cycles)), cycles)
    there = (results["done"] > results["done"].max() - cycles) & (results["done"] != NEVER)
    assert there.sum() / (cfg.pes * cycles) == pytest.approx(rate, abs=5 * 0.49 / np.sqrt(cfg.pes * cycles))


def grants(cfg: Config, caches: NDArray[Any], cycles: int) -> list[tuple[int, int, set[int], dict[int, int]]]:
    """Of each grant: cache, PE, the PEs that asked it, and how many other grants each of them has seen."""
    model = warmed(cfg)
    queues, granted = [list(row) for row in caches], []
    waited = np.zeros(cfg.pes, int)
    for _ in range(cycles):
        for pe, queue in enumerate(queues):
            model.inputs.pes[pe] = (len(queue) > 0, STORE, word_of(cfg, queue[0]) if queue else 0, 0)
        shown = model.cycle()
        wants = model.machine.pes["home"].copy()
        for pe, queue in enumerate(queues):
            if shown.pes[pe]["taken"]:
                queue.pop(0)
        for cache, grant in enumerate(shown.caches["grant"]):
            if grant >= 0:
                askers = {pe for pe in range(cfg.pes) if shown.pes[pe]["active"] and wants[pe] == cache}
                granted.append((cache, int(grant), askers, {pe: int(waited[pe]) for pe in askers}))
                waited[list(askers)] += 1
                waited[grant] = 0
    return granted


def draw_caches(cfg: Config, seed: int, hot: int, cycles: int) -> NDArray[Any]:
    """Where each PE writes: ``hot`` of 8 times to cache 5."""
    rng = np.random.default_rng(seed)
    uniform = rng.integers(cfg.pes, size=(cfg.pes, cycles))
    return np.where(rng.integers(8, size=uniform.shape) < hot, 5, uniform)


@pytest.mark.parametrize("areas", ["distance", "cyclic", "merged"])
@given(seed=st.integers(0, 1 << 30), hot=st.integers(0, 8))
@settings(deadline=None, max_examples=8)
def test_nearest_area_first_and_round_robin_inside(areas: str, seed: int, hot: int) -> None:
    """Nobody of an area is granted while a nearer one asks; inside, each other PE at most once before one."""
    cfg = load("lpas", "paper", [f"areas={areas}"])
    passed: dict[tuple[int, int], set[int]] = {}
    for cache, pe, askers, _ in grants(cfg, draw_caches(cfg, seed, hot, 150), 150):
        listed = cfg.area_pes[cache // 4]
        nearest = next(set(area) & askers for area in listed if set(area) & askers)
        assert pe in nearest
        for other in nearest - {pe}:
            before = passed.setdefault((cache, other), set())
            assert pe not in before, f"PE {pe} passes PE {other} at cache {cache} again"
            before.add(pe)
        passed.pop((cache, pe), None)


@pytest.mark.parametrize(("preset", "most"), [("fs", 15), ("weights", 38)])
def test_most_grants_before_ones_own(preset: str, most: int) -> None:
    cfg = load("lpas", preset)
    for seed, hot in product(range(4), (6, 8)):
        granted = grants(cfg, draw_caches(cfg, seed, hot, 400), 400)
        assert max(waited[pe] for _, pe, _, waited in granted) <= most
    assert one_after_all_others(cfg) == most, "and it comes to that"


def one_after_all_others(cfg: Config) -> int:
    """PE 12 writes to cache 0, alone, and once more in the next cycle, together with all others."""
    model = warmed(cfg)
    start, pes = model.now + 2, np.repeat(PES, 50)
    accesses = requests(np.append(pes, 12), 0, at=start + 1)
    accesses["at"][np.nonzero(pes == 12)[0][0]] = start
    results = model.replay(accesses)
    _, second = np.sort(results["done"][accesses["pe"] == 12])[:2]
    return int(((results["done"] > start) & (results["done"] < second)).sum())


@pytest.mark.parametrize("bound", [1, 5, 16])
def test_age_bounds_the_wait(bound: int) -> None:
    cfg, worst = load("lpas", "age", [f"age={bound}"]), 0
    for seed in range(3):
        results = full_load(cfg, draw_caches(cfg, seed, 8, 600), 600)
        done = results["done"] != NEVER
        worst = max(worst, int((results["done"] - results["first"])[done].max()))
    assert worst <= bound + 15
    assert worst >= 15


def test_local_pes_starve_remote_ones() -> None:
    """One PE of the row that always writes, or two that always read: nobody else is served."""
    for local, op in (([4], STORE), ([4, 5], LOAD)):
        for preset, starves in (("paper", True), ("fs", False), ("age", False), ("weights", False)):
            cfg = load("lpas", preset)
            model = warmed(cfg)
            pes = np.repeat(local, 300)
            far = requests(np.array([0, 8, 12]), word_of(cfg, 5), at=model.now + 10)
            results = model.replay(np.concatenate([requests(pes, word_of(cfg, 5), op), far]), 200)
            assert ((results["done"][-3:] == NEVER) == starves).all(), preset

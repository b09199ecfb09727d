# SPDX-License-Identifier: Apache-2.0
"""The report's numbers against slow, obvious computations, and against one another."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from configs import load
from models.memory import Memory
from models.texcache import FOOTPRINT, RESULT, TexcacheModel
from models.texcache.lut import allocate
from report.memory import MEAN
from report.tables import number
from report.texcache import metrics, sweeps
from report.texcache.metrics import Rates
from report.texcache.paper import CASES, Place, crossing, measured_cases
from report.texcache.results import TexcacheResults
from report.texcache.summary import Book
from tests.report.small import measured, reported


def random_results(preset: str) -> tuple[Any, Any, Any]:
    """Footprints of all kinds, with what the model makes of them."""
    cfg: Any = load("texcache", preset)
    rng = np.random.default_rng(5)
    footprints = np.zeros(3000, FOOTPRINT)
    footprints["level"] = rng.integers(0, cfg.levels, 3000)
    footprints["u"], footprints["v"] = rng.integers(-1, 20, (2, 3000))
    lut, _ = allocate(cfg, [cfg.max_side])
    return cfg, footprints, TexcacheModel(cfg, Memory(1), lut).replay(footprints)


@pytest.mark.parametrize("preset", ["paper", "single-port", "tiny"])
def test_rates_are_what_they_say(preset: str) -> None:
    _, _, result = random_results(preset)
    texels = whole = looked = hits = 0
    for record in result:
        slots = {0: 0, 1: 2 if record["valid"][2] else 0, 2: 1, 3: 3 if record["valid"][3] else 1}
        texels += sum(int(record["hit"][slots[texel]]) for texel in range(4))
        whole += all(hit == valid for hit, valid in zip(record["hit"], record["valid"], strict=True))
        looked += int(record["valid"].sum())
        hits += int(record["hit"].sum())
    fields = {name: result[name] for name in RESULT.names or ()}
    rates = metrics.rates(np.bincount(metrics.codes(fields), minlength=256))
    assert rates.texel == texels / (4 * len(result))
    assert rates.footprint == whole / len(result)
    assert rates.lookup == hits / looked
    assert rates.fetched == 1 - (looked - hits) / (4 * len(result))
    if preset == "single-port":
        assert rates.texel == rates.lookup == rates.fetched


def test_speed_and_places() -> None:
    """Quantiles, counts by level and by set, and misses by kind add up to the counters."""
    results = TexcacheResults(measured())
    book = Book(results, lambda words: None)
    for workload in results.of_kind("scene"):
        run, summary = results.run(workload), book(workload)
        assert summary.speed.latency_99 == np.quantile(run.latency, 0.99, method="inverted_cdf")
        assert summary.speed.latency_mean == pytest.approx(run.latency.mean())
        assert summary.speed.cycles == run.summary["cycles"]
        assert summary.by_level.sum(axis=0)[:3].tolist() == [
            run.counters[n] for n in ("footprints", "lookups", "hits")
        ]
        assert summary.by_set is not None
        assert summary.by_set.sum(axis=(0, 1)).tolist() == [run.counters["lookups"], run.counters["misses"]]
        kinds = book.kinds(workload)
        assert kinds.total == run.counters["misses"]
        assert kinds.compulsory <= kinds.optimal_full <= kinds.optimal <= kinds.total


def test_by_set_one_by_one() -> None:
    results = TexcacheResults(measured())
    run = results.run(results.of_kind("scene", scene="objects", filter="bilinear", order="tile8")[0])
    expected = np.zeros((4, 16, 2), int)
    for i in range(len(run.latency)):
        for slot in range(4):
            if run.result["valid"][i, slot]:
                cell = expected[run.result["bank"][i, slot], run.result["set"][i, slot]]
                cell += [1, 1 - int(run.result["hit"][i, slot])]
    assert (metrics.by_set(run) == expected).all()


def test_sweeps_agree_with_the_rtl() -> None:
    """Where the RTL ran a geometry, the sweep has its hits: base, layouts, one bank."""
    results = TexcacheResults(measured())
    for filter in ("bilinear", "trilinear"):
        workload = results.of_kind("scene", scene="corridors", filter=filter, order="scan")[0]
        runs = [
            results.run(workload, role)
            for role in ("base", "tile4x4", "morton", "single-bank", "single-port")
        ]
        for run, point in zip(runs, sweeps.points(workload, [run.cfg for run in runs]), strict=True):
            assert (point.lookups, point.hits) == (run.counters["lookups"], run.counters["hits"]), run.name


def test_swept_geometries_can_be_built() -> None:
    base: Any = load("texcache", "paper")
    cfgs = sweeps.grid(base)
    assert len(cfgs) == len({cfg.hash for cfg in cfgs}) > 300
    assert any(cfg.hash == base.hash for cfg in cfgs)
    assert sweeps.geometry(base, bytes=1024, ways=16, line_texels=64) is None
    assert {cfg.banks for cfg in sweeps.partitions(base)} == {1, 2, 4, 8}
    assert {cfg.capacity_bytes for cfg in sweeps.partitions(base)} == {8192}


def test_published_cycles() -> None:
    """2, 3, 6, 7, 35 and 36 from the RTL; the fixed ones in every single case."""
    book = Book(TexcacheResults(measured()), lambda words: None)
    for case, span in zip(CASES, measured_cases(book), strict=True):
        assert span is not None and span.least == case.published, case.name
        assert span.count >= 20, case.name
        if case.fixed:
            assert span.most == case.published, case.name


def far_rows() -> list[Mapping[str, Any]]:
    """Rates of each machine and scene before a memory of 100 cycles."""
    [table] = [table for table in reported().tables if table.name == "texcache_fast_memory"]
    return [row for row in table.rows if row["latency"] == 100 and row["scene"] != MEAN]


def test_each_scene_says_what_far_memory_leaves() -> None:
    """Of both machines, from runs that differ in the memory alone."""
    book = Book(TexcacheResults(measured()), lambda words: None)
    roles = {"published": ("latency=1", "latency=100"), "conflict-free": ("fast,latency=1", "fast")}
    rows = far_rows()
    assert len(rows) == len(roles) * len(book.scenes)
    for row in rows:
        workload = book.scene(str(row["scene"]), "bilinear", "scan")
        near, far = (book(workload, role) for role in roles[str(row["machine"])])
        assert near.cfg.hash == far.cfg.hash
        assert (near.cfg.memory.latency, far.cfg.memory.latency) == (1, 100)
        assert row["kept"] == far.speed.footprints_per_clock / near.speed.footprints_per_clock


def test_all_cycles_of_both_machines_have_a_cause() -> None:
    """What far memory takes is what it does not leave; shares are all, and none is below nothing."""
    [cycles] = [table for table in reported().tables if table.name == "texcache_fast_cycles"]
    left = {(row["machine"], row["scene"]): row["kept"] for row in far_rows()}
    for row in cycles.rows:
        shares = {name: value for name, value in row.items() if isinstance(value, float)}
        assert list(shares) == ["ideal", "conflicts", "stop", "order", "misses", "end"]
        assert sum(shares.values()) == pytest.approx(1.0) and min(shares.values()) >= 0
        assert 1 - shares["misses"] == pytest.approx(left[row["machine"], row["scene"]], rel=1e-6)


def test_rates_over_latency_are_those_of_each_scene() -> None:
    """Of both machines, from the run before that memory; by texel their hits follow one rule."""
    book = Book(TexcacheResults(measured()), lambda words: None)
    tables = {table.name: table for table in reported().tables}
    prefixes = {"published": ("base", ""), "conflict-free": ("fast", "fast,")}
    visited = set()
    for row in tables["texcache_fast_memory"].rows:
        base, prefix = prefixes[str(row["machine"])]
        if row["scene"] in book.scenes:
            workload, latency = book.scene(str(row["scene"]), "bilinear", "scan"), row["latency"]
            role = (
                base if book(workload, base).cfg.memory.latency == latency else f"{prefix}latency={latency:g}"
            )
            assert row["pixels_per_clock"] == book(workload, role).speed.pixels_per_clock
            visited.add((role, row["scene"]))
    roles = {role for role, _ in visited}
    assert {"base", "latency=400", "fast", "fast,latency=400"} <= roles
    assert len(visited) == len(roles) * len(book.scenes)
    for row in tables["texcache_fast"].rows:
        workload = book.scene(str(row["scene"]), "bilinear", "scan")
        texels = 4 * book(workload).counters["footprints"]
        assert row["fetched"] == pytest.approx(1 - number(row["misses"]) / texels)


def test_crossing() -> None:
    def place(reach: int, rate: float) -> Place:
        return Place(reach, Rates(rate, rate, rate, rate), rate, rate, 0.0)

    falling = [place(1024, 1.0), place(2048, 0.95), place(4096, 0.85), place(8192, 0.2)]
    assert crossing(falling, "lookup", 0.925) == pytest.approx(2048 + 0.25 * 2048)
    assert crossing(falling, "lookup", 0.95) == 2048
    assert crossing(falling, "lookup", 0.1) is None

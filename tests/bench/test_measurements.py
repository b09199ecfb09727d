# SPDX-License-Identifier: Apache-2.0
"""Each benchmark in its smallest size: all sides do the same work. How fast is not a test's affair."""

import json
from pathlib import Path

import pytest

import configs
from bench import golden, testbench
from bench.bare_cocotb import SCRIPT
from bench.benchmark import Benchmark
from bench.dcache import models as dcache_models
from bench.dcache import programs
from bench.icache import models as icache_models
from bench.lpas import models as lpas_models
from bench.lpas import replay as lpas_replay
from bench.lpas import tb as lpas_tb
from bench.mmu import models as mmu_models
from bench.mmu import replay as mmu_replay
from bench.mmu import tb as mmu_tb
from bench.raster import models as raster_models
from bench.raster import replay as raster_replay
from bench.raster import tb as raster_tb
from bench.simple import models as simple_models
from bench.simple import replay as simple_replay
from bench.simple import tb as simple_tb
from bench.texcache import models, replay, tb
from bench.texpipe import models as texpipe_models
from bench.texpipe import replay as texpipe_replay
from bench.texpipe import tb as texpipe_tb
from bench.texunit import models as texunit_models
from bench.texunit import replay as texunit_replay
from bench.texunit import tb as texunit_tb
from bench.timing import Row
from bench.trilinear import models as trilinear_models
from bench.trilinear import replay as trilinear_replay
from bench.trilinear import tb as trilinear_tb
from bench.zcache import models as zcache_models
from bench.zcache import replay as zcache_replay
from bench.zcache import tb as zcache_tb
from configs import UserError
from models.texcache.sweep import Totals, sweep
from tb.common.components import testcase
from tb.common.running import builds


def names(rows: list[Row]) -> list[str]:
    assert all(row.per_second > 0 for row in rows)
    assert rows[0].ratio == 1
    return [row.what for row in rows]


@pytest.mark.parametrize("pattern", models.BENCHMARK.patterns)
def test_models_count_the_hits_of_pycachesim(pattern: str) -> None:
    rows = models.measure(configs.load("texcache", "single-bank"), pattern, 2000, 1)
    swept = ["pycachesim, 16 geometries", "sweep, 16 geometries"]
    ours = [f"golden model{words}" for words in (", lines alone", ", ways", "", ", one by one")]
    assert names(rows) == ["pycachesim", *ours, *swept]
    assert rows[0].work == rows[1].work == rows[2].work == rows[3].work > 2000
    assert rows[5].work == rows[6].work == 16 * rows[0].work
    assert 10 <= rows[4].work <= 40


def test_models_that_count_other_hits_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: object) -> list[Totals]:
        return [Totals(one.lookups, one.hits + 1) for one in sweep(*arguments)]  # type: ignore[arg-type]

    monkeypatch.setattr(models, "sweep", wrong)
    with pytest.raises(AssertionError, match="pycachesim sweep"):
        models.measure(configs.load("texcache", "single-bank"), "minified", 500, 1)


def test_pycachesim_is_one_cache() -> None:
    with pytest.raises(UserError, match="4 banks"):
        models.measure(configs.load("texcache"), "minified", 500, 1)


@pytest.mark.parametrize("pattern", replay.BENCHMARK.patterns)
def test_replays_are_of_the_same_footprints(pattern: str) -> None:
    rows = replay.measure(configs.load("texcache", "tiny"), pattern, 500, 1)
    assert names(rows) == ["bare model", "replay", "replay, compared"]
    assert {row.work for row in rows} == {500}
    assert "cycles each" in rows[0].remark


def test_testbenches_take_the_same_cycles() -> None:
    said: list[str] = []
    rows = tb.measure(configs.load("texcache"), "magnified", 100, 1, said.append)
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(rows) == ["bare model", *cocotb]
    assert {row.work for row in rows} == {100}
    assert said == ["building", *(f"{name}, 1 of 1" for name in names(rows))]
    assert ["of bare cocotb" in row.remark for row in rows] == [False, False, True, False, True]


def test_a_bare_test_with_other_footprints_is_noticed(tmp_path: Path) -> None:
    """Fewer footprints than the log has: the bare test's cycles, look-ups and hits tell."""
    cfg = configs.load("texcache", "tiny")
    runs = testbench.Runs(cfg, 20, tmp_path, tb.work)
    test = testcase.cases("texcache")["pattern_minified"]
    runs.checked("icarus", test)
    log = testbench.Log(tmp_path / f"icarus-{test.name}" / f"{test.name}.log", cfg)
    works = []
    for count in (20, 19):
        script = tb.script(log)
        assert script["play"][-1][0] == "req"
        script["play"][-1] = ("req", log.words("req")[:count])
        (tmp_path / SCRIPT).write_text(json.dumps(script))
        runs.bare("icarus")
        works.append(runs.works["bare cocotb, icarus"])
    assert works[0] == runs.works["pyuvm, icarus"]
    assert works[1] != works[0]


def test_texunit_models_answer_the_same_queries() -> None:
    rows = texunit_models.measure(configs.load("texunit", "one-unit"), "corridors", 500, 1)
    assert names(rows) == [
        "pycachesim", "golden model, lines alone", "golden model", "golden model, ways",
        "golden model, one by one",
    ]  # fmt: skip
    assert {row.work for row in rows[:4]} == {rows[0].work} and rows[0].work > 5000 and rows[4].work < 500


OURS = ["golden model, lines alone", "golden model, ways", "golden model", "golden model, one by one"]


@pytest.mark.parametrize("preset", ["one-unit", "trilinear-tiny"])
def test_texpipe_models_count_the_hits_of_pycachesim(preset: str) -> None:
    rows = texpipe_models.measure(configs.load("texpipe", preset), "corridors", 500, 1)
    assert names(rows) == ["pycachesim", *OURS]
    assert {row.work for row in rows[:4]} == {rows[0].work} and rows[0].work > 3000 and rows[4].work < 500


def test_texpipe_models_that_count_other_hits_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texpipe_models, "set_of", lambda line, set_bits: line >> 3 & 1)
    with pytest.raises(AssertionError, match="pycachesim"):
        texpipe_models.measure(configs.load("texpipe", "tiny"), "corridors", 300, 1)


@pytest.mark.parametrize("pattern", trilinear_models.BENCHMARK.patterns)
def test_trilinear_models_count_the_hits_of_pycachesim(pattern: str) -> None:
    rows = trilinear_models.measure(configs.load("trilinear", "base"), pattern, 2000, 1)
    assert names(rows) == ["pycachesim", *OURS]
    assert {row.work for row in rows[:4]} == {rows[0].work} and rows[0].work > 3000
    assert 10 <= rows[4].work <= 80


def test_trilinear_models_that_count_other_hits_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trilinear_models.lru, "count_hits", lambda orders, lines: len(lines))
    with pytest.raises(AssertionError, match="'core'"):
        trilinear_models.measure(configs.load("trilinear", "tiny"), "minified", 300, 1)


def test_trilinear_replays_are_of_the_same_requests() -> None:
    rows = trilinear_replay.BENCHMARK.measure(configs.load("trilinear", "tiny"), "trilinear", 300, 1)
    assert names(rows) == ["bare model", "replay", "replay, compared"]
    assert len({row.work for row in rows}) == 1 and rows[0].work >= 300


@pytest.mark.parametrize(
    ("cfg", "frames"),
    [
        (configs.load("texunit", "small"), texunit_replay.BENCHMARK),
        (configs.load("texpipe", "tiny"), texpipe_replay.BENCHMARK),
    ],
)
def test_texture_units_replays_are_of_the_same_quads(cfg: configs.BlockConfig, frames: Benchmark) -> None:
    rows = frames.measure(cfg, "terrain", 300, 1)
    assert names(rows) == ["bare model", "replay", "replay, compared"]
    assert {row.work for row in rows} == {300}


@pytest.mark.parametrize(
    ("cfg", "driven"),
    [
        (configs.load("texunit", "one-unit"), texunit_tb.BENCHMARK),
        (configs.load("texpipe", "one-unit"), texpipe_tb.BENCHMARK),
    ],
)
def test_texture_units_testbenches_answer_the_same(cfg: configs.BlockConfig, driven: Benchmark) -> None:
    rows = driven.measure(cfg, "random_traffic", 60, 1)
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(rows) == ["bare model", *cocotb]


@pytest.mark.parametrize("preset", ["tiny", "write-through"])
def test_requests_are_measured_beside_the_bare_model(preset: str) -> None:
    """Bare cocotb's memory takes whole lines from one, single words from the other."""
    cfg = configs.load("simple", preset)
    replayed = simple_replay.BENCHMARK.measure(cfg, "copy", 500, 1)
    assert names(replayed) == ["bare model", "replay", "replay, compared"]
    driven = simple_tb.BENCHMARK.measure(cfg, "random_traffic", 50, 1)
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(driven) == ["bare model", *cocotb]


def test_memory_of_bare_cocotb_has_the_lines_of_a_block_inside() -> None:
    driven = trilinear_tb.BENCHMARK.measure(configs.load("trilinear", "tiny"), "random_traffic", 50, 1)
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(driven) == ["bare model", *cocotb]


@pytest.mark.parametrize(
    ("block", "measured", "pattern"),
    [
        (block, measured, pattern)
        for block, measured in (
            ("simple", simple_models.BENCHMARK),
            ("icache", icache_models.BENCHMARK),
            ("dcache", dcache_models.BENCHMARK),
        )
        for pattern in measured.patterns
    ],
)
def test_models_do_what_pycachesim_does(block: str, measured: Benchmark, pattern: str) -> None:
    rows = measured.measure(measured.config(block, None, []), pattern, 3000, 1)
    assert names(rows) == ["pycachesim", "golden model", "golden model, one by one"]


def test_the_rasterizer_covers_the_pixels_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    cfg = configs.load("raster")
    rows = raster_models.measure(cfg, "corridors", 200, 1)
    assert names(rows) == ["numpy", "golden model", "golden model, one by one"]
    monkeypatch.setattr(raster_models, "drawn", lambda words: 1)
    with pytest.raises(AssertionError, match="'numpy': 1"):
        raster_models.measure(cfg, "corridors", 200, 1)


def test_the_depth_cache_looks_up_the_lines_of_pycachesim() -> None:
    rows = zcache_models.measure(configs.load("zcache"), "wires", 500, 1)
    assert names(rows) == ["pycachesim", "golden model", "model without a cache"]
    assert rows[0].work == rows[1].work > 400 > rows[2].work


def test_depth_blocks_are_measured_beside_the_bare_model() -> None:
    """The rasterizer has no memory, and gives words of its own number; the cache's memory has to wait."""
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    for block, replayed, driven, test in (
        ("raster", raster_replay.measure, raster_tb.measure, "random_scenes"),
        ("zcache", zcache_replay.BENCHMARK.measure, zcache_tb.BENCHMARK.measure, "random_traffic"),
    ):
        cfg = configs.load(block)
        assert names(replayed(cfg, "wires", 300, 1)) == ["bare model", "replay", "replay, compared"]
        assert names(driven(cfg, test, 60, 1)) == ["bare model", *cocotb]


def test_distributed_caches_are_measured_at_all_ports() -> None:
    """Together they miss as one cache of all their lines, in the order in which they granted."""
    cfg = configs.load("lpas", "tiny")
    for pattern in lpas_models.BENCHMARK.patterns:
        rows = lpas_models.measure(cfg, pattern, 900, 1)
        assert names(rows) == ["pycachesim", "golden model"] and {row.work for row in rows} == {900}
    rows = lpas_replay.measure(cfg, "scatter", 500, 1)
    assert names(rows) == ["bare model", "replay", "replay, compared", "golden model"]
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(lpas_tb.measure(cfg, "random_traffic", 60, 1)) == ["bare model", *cocotb]


def test_programs_are_the_same_with_and_without_caches() -> None:
    rows = programs.BENCHMARK.measure(configs.load("dcache"), "product", 500, 1)
    assert names(rows) == ["machine", "machine and caches"]
    assert {row.work for row in rows} == {768}  # two runs


def test_both_ports_of_the_memory_unit_are_measured() -> None:
    """One after the other or at once, both caches do the same work for all."""
    cfg = configs.load("mmu", "tiny")
    for pattern in mmu_models.BENCHMARK.patterns:
        rows = mmu_models.measure(cfg, pattern, 900, 1)
        assert names(rows) == ["pycachesim", "golden model", "golden model, one by one"]
        rows = mmu_replay.measure(cfg, pattern, 500, 1)
        assert names(rows) == ["bare model", "replay", "replay, compared"]
        assert 490 < rows[0].work == rows[1].work == rows[2].work <= 501  # whole steps, and a clean
    cocotb = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
    assert names(mmu_tb.measure(cfg, "smoke", 60, 1)) == ["bare model", *cocotb]


def test_a_model_of_the_memory_unit_that_counts_other_hits_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(golden.FIFO, "policy", "pseudo-lru")
    with pytest.raises(AssertionError, match="pycachesim"):
        mmu_models.measure(configs.load("mmu", "tiny"), "stencil", 900, 1)


def test_replays_of_the_memory_unit_that_differ_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mmu_replay, "bare_run", lambda cfg, work: {"commands": 1})
    with pytest.raises(AssertionError, match="the runs differ"):
        mmu_replay.measure(configs.load("mmu", "tiny"), "copy", 100, 1)

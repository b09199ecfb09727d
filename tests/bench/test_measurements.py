# SPDX-License-Identifier: Apache-2.0
"""Each benchmark in its smallest size: all ways do the same work. Their speed is not tested."""

import pytest

import configs
from bench import models, replay, tb
from bench.benchmark import Row, benchmarks
from configs import UserError
from models.texcache.sweep import Totals, sweep
from tb.common.running import builds

COCOTB = [f"{what}, {simulator}" for simulator in builds.SIMULATORS for what in ("bare cocotb", "pyuvm")]
WAYS = {"replay": ["bare model", "trace"], "tb": COCOTB}
OTHERS = {"raster", "texunit", "zcache"}  # of which pycachesim cannot be the cache
#: smaller than the benchmark's own; bare cocotb's memory takes single words from ``write-through``
PRESETS = {
    "simple": "write-through", "lpas": "tiny", "mmu": "tiny", "trilinear": "tiny", "dcache": "tiny",
    "texpipe": "one-unit",
}  # fmt: skip


def rows(block: str, kind: str, preset: str | None = None, pattern: str = "", count: int = 60) -> list[Row]:
    benchmark = benchmarks(block)[kind]
    cfg = configs.load(block, preset or benchmark.preset)
    return benchmark.measure(cfg, pattern or benchmark.patterns[-1], count, 1, lambda words: None)


@pytest.mark.slow
@pytest.mark.parametrize("block", sorted(set(configs.blocks()) - {"renderer"}))
def test_all_runs_of_the_rtl_do_the_same_work(block: str) -> None:
    for kind, names in WAYS.items():
        measured = rows(block, kind, PRESETS.get(block))
        assert [row.what for row in measured] == names
        assert len({row.work for row in measured}) == 1 and measured[0].work >= 25
        assert all(row.per_second > 0 for row in measured)


@pytest.mark.parametrize("block", sorted(set(configs.blocks()) - {"renderer", *OTHERS}))
def test_models_do_the_work_of_pycachesim(block: str) -> None:
    for pattern in benchmarks(block)["models"].patterns:
        names = [row.what for row in rows(block, "models", pattern=pattern, count=2000)]
        assert names[0] == "pycachesim" and "golden model" in names


def test_a_model_that_counts_other_hits_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: object) -> list[Totals]:
        return [Totals(total.lookups, total.hits + 1) for total in sweep(*arguments)]  # type: ignore[arg-type]

    monkeypatch.setattr(models, "sweep", wrong)
    with pytest.raises(AssertionError, match="pycachesim, 16"):
        rows("texcache", "models", count=500)


def test_pycachesim_is_one_cache() -> None:
    with pytest.raises(UserError, match="4 banks"):
        rows("texcache", "models", "paper")


def test_replays_that_differ_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    repeated = replay.repeated
    monkeypatch.setattr(replay, "repeated", lambda calls: repeated(calls[:-1]))
    with pytest.raises(AssertionError, match="the runs differ"):
        rows("texcache", "replay", "tiny")


def test_a_bare_run_of_other_words_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """One footprint fewer than the log has: the bare test's cycles, look-ups and hits tell."""
    script = tb.Log.script

    def shortened(log: tb.Log) -> object:
        made = script(log)
        made["ports"][0]["play"][-1][1].pop()
        made["ports"][0]["results"] -= 1
        return made

    monkeypatch.setattr(tb.Log, "script", shortened)
    with pytest.raises(AssertionError, match="pyuvm"):
        rows("texcache", "tb", count=20)


def test_programs_are_the_same_in_all_ways() -> None:
    measured = rows("dcache", "programs", pattern="product", count=500)
    assert len(measured) == 2 and len({row.work for row in measured}) == 1

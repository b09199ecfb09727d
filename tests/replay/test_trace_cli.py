# SPDX-License-Identifier: Apache-2.0
"""``python -m tb trace``: files, exit codes, and what people read."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cacheforge
import configs
from configs import UserError, load
from configs.texcache.schema import Config
from tb.common.replay import trace_cli, trace_report
from tb.common.running.builds import ROOT
from tb.texcache.replay import predict
from tests.models.strategies import random_footprints
from tests.replay.traces import bound, planted
from workloads.texcache.trace_files import load_trace, save_trace

COUNT = 300


@pytest.fixture(scope="module")
def cfg() -> Config:
    tiny: Config = configs.load("texcache", "tiny")
    return tiny


@pytest.fixture
def trace(cfg: Config, tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    save_trace(path, bound(cfg, random_footprints(cfg, COUNT, 1)))
    return path


def run(trace: Path, out: Path, *options: str) -> int:
    command = ["texcache", "--config", "tiny", "--trace", str(trace), "--out", str(out)]
    return trace_cli.main([*command, *options])


def summary(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return content


def test_writes_results_and_summary(
    cfg: Config, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(trace, out) == 0
    model = predict(cfg, load_trace(trace, cfg))
    shown = capsys.readouterr().out
    assert "EQUAL" in shown
    assert "footprint hit rate" in shown
    content = summary(out)
    assert content["verdict"] == "equal"
    assert content["accesses"] == COUNT
    assert content["files"] == ["results.npz", "results.csv"]
    assert content["figures"]["look-ups"] == model.counters["lookups"]
    assert sum(bank["misses"] for bank in content["tables"]["banks"]) == model.counters["misses"]
    with np.load(out / "results.npz") as arrays:
        for name in ("hit", "bank", "set", "way", "victim", "line", "valid", "evict"):
            assert (arrays[name] == model.result[name]).all(), name
        assert (arrays["data"] == model.result["texel"]).all()
        assert arrays["cycles"].min() >= 2
        assert arrays["equal"].all()
        with (out / "results.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == COUNT
        for name in ("u", "level", "cycles", "footprint_hit"):
            assert [int(row[name]) for row in rows] == arrays[name].tolist()
        for slot in range(4):
            assert [int(row[f"way{slot}"]) for row in rows] == arrays["way"][:, slot].tolist()
            assert [int(row[f"data{slot}"]) for row in rows] == arrays["data"][:, slot].tolist()


def test_the_same_seed_gives_the_same_bytes(trace: Path, tmp_path: Path) -> None:
    names = ("results.npz", "results.csv", "summary.json")
    for out, seed in (("one", 4), ("two", 4), ("three", 5)):
        assert run(trace, tmp_path / out, "--seed", str(seed)) == 0

    def contents(out: str) -> list[bytes]:
        return [(tmp_path / out / name).read_bytes() for name in names]

    first, second, third = map(contents, ("one", "two", "three"))
    assert first == second
    assert first[0] != third[0]


def test_csv_is_left_out_of_long_traces_unless_asked(
    trace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(trace, out) == 0
    monkeypatch.setattr(trace_report, "CSV_ROWS", COUNT - 1)
    assert run(trace, out) == 0
    assert "results.csv left out" in capsys.readouterr().out
    assert not (out / "results.csv").exists(), "the file of the run before stays"
    assert run(trace, out, "--csv") == 0
    assert (out / "results.csv").exists()
    monkeypatch.undo()
    assert run(trace, out, "--no-csv") == 0
    assert not (out / "results.csv").exists()


@pytest.mark.slow
def test_a_planted_bug_is_reported(
    cfg: Config, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bug = planted(cfg, "offset", "texcache_output.v", "served[1] & error1", "served[1] & !error1")
    assert run(trace, tmp_path / "out", "--rtl-dir", str(bug), "--seed", "3") == 1
    shown = capsys.readouterr().out
    assert "DIFFERENT" in shown
    assert "access 0 (tex" in shown
    assert "err is 1, expected 0" in shown
    assert f"repro: make trace BLOCK=texcache CONFIG=tiny TRACE={trace} SEED=3 RTL_DIR={bug}" in shown
    content = summary(tmp_path / "out")
    assert content["verdict"] == "different"
    assert content["mismatches"][0]["field"] == "err"
    with np.load(tmp_path / "out" / "results.npz") as arrays:
        assert (arrays["err"] != arrays["model_err"]).any()
        assert not arrays["equal"].all()


@pytest.mark.slow
def test_a_deadlock_leaves_no_results(
    cfg: Config, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(trace, out) == 0
    bug = planted(cfg, "mute", "texcache_output.v", "res_valid  = valid & last;", "res_valid  = 1'b0;")
    assert run(trace, out, "--rtl-dir", str(bug)) == 1
    shown = capsys.readouterr().out
    assert "FAILED" in shown
    assert "access 0 (tex" in shown
    assert "has no result" in shown
    assert f"RTL_DIR={bug}" in shown
    assert summary(out)["verdict"] == "failed"
    assert not (out / "results.npz").exists()
    assert not (out / "results.csv").exists()


def test_bad_arguments(trace: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    here = ["texcache", "--config", "tiny", "--trace", str(trace)]
    for options, complaint in (
        (["nothing", "--trace", str(trace)], "unknown block"),
        (["texcache", "--trace", str(tmp_path / "file")], r"ends in \.csv or \.npz"),
        (["texcache", "--trace", str(trace), "--seed", "0"], "--seed 0"),
        ([*here, "--rtl-dir", str(tmp_path / "no")], "no such folder"),
        (["texcache"], "--trace"),
    ):
        with pytest.raises(UserError, match=complaint):
            trace_cli.main(options)


def test_the_repro_line_carries_overrides(trace: Path) -> None:
    cfg = configs.load("texcache", "tiny", ["ways=4", "memory.latency=9"])
    line = trace_cli.repro_command(cfg, trace, 2, None)
    changes = "SET='cache.ways=4 memory.latency=9'"
    assert line == f"make trace BLOCK=texcache CONFIG=tiny {changes} TRACE={trace} SEED=2"


def test_tiles_and_the_depth_buffer_are_saved(tmp_path: Path) -> None:
    """Of raster the words of tile, as text, too; of zcache the surface, with what only the cache has."""
    for block in ("raster", "zcache"):
        sample = ROOT / "workloads" / "samples" / f"{block}.csv"
        assert trace_cli.main([block, "--trace", str(sample), "--out", str(tmp_path)]) == 0
        files = sorted(path.name for path in tmp_path.iterdir())
        made = ["tiles.csv", "tiles.npz"] if block == "raster" else ["depth.npz"]
        assert files == sorted([*made, "results.csv", "results.npz", "summary.json"])
        assert set(made) <= set(summary(tmp_path)["files"])
        cfg = load(block)
        traffic = cacheforge.trace(cfg, sample)
        if block == "raster":
            tiles = cacheforge.run(cfg, traffic).queries
            assert tiles is not None
            with np.load(tmp_path / "tiles.npz") as arrays:
                for name in ("x", "y", "mask", "prim"):
                    assert (arrays[name] == tiles[name]).all() and arrays[name].any()
                assert (arrays["depth5"] == tiles["depth"][:, 5]).all() and (arrays["t_result"] > 0).all()
            continue
        with np.load(tmp_path / "depth.npz") as arrays:
            depth = arrays["depth"]
            assert (depth == cacheforge.depth_buffer(cfg, traffic)).all()
            assert arrays["base"].shape == () and arrays["base"] == 0x10000000
        # 64 tiles a row, 16 tiles, a clear; the first tile is stored twice, its pixel 2 nearer then
        assert depth.shape == (4, 256) and (depth[:, 24:64] == 0xFFFFFF).all()
        assert depth[0, :4].tolist() == [100, 200, 299, 0] and depth[1, 1] == 400


@pytest.mark.slow
def test_the_table_is_as_large_as_the_file_says(
    cfg: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace with more textures than the preset holds runs, and says what it ran on."""
    larger, count = cfg.holding(2 * cfg.textures), 40
    footprints = random_footprints(larger, count, 1)
    footprints["tex"][-1] = larger.textures - 1
    for suffix in ("npz", "csv"):
        path = tmp_path / f"many.{suffix}"
        save_trace(path, bound(larger, footprints))
        assert run(path, tmp_path / suffix) == 0
        assert f"taken is {larger.name}" in capsys.readouterr().out
        assert summary(tmp_path / suffix)["configuration"] == larger.name
        assert f"SET=textures={larger.textures}" in summary(tmp_path / suffix)["repro"]
        other = load("texcache", "tiny", [f"textures={cfg.textures // 2}"])
        with pytest.raises(UserError, match=f'take SET="textures={larger.textures}"'):
            run(path, tmp_path / suffix, "--set", f"textures={other.textures}")

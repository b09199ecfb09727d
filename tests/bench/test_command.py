# SPDX-License-Identifier: Apache-2.0
"""``python -m bench``: what it runs, prints and writes, and how it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

import configs
from bench import __main__ as command
from bench.benchmark import Benchmark, benchmarks
from bench.timing import Row
from configs import UserError


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Benchmarks that measure nothing, and a folder in place of the project's."""

    def measure(benchmark: Benchmark, cfg: Any, pattern: str, count: int, rounds: int, say: Any) -> list[Row]:
        return [
            Row(cfg.name, count, count / 2, 1.0),
            Row(pattern, count, float(count), 2.0, f"{rounds} rounds"),
        ]

    monkeypatch.setattr(Benchmark, "measure", measure)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return tmp_path / "build" / "bench"


def test_runs_every_benchmark_and_writes_its_figures(quick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["texcache"]) == 0
    content = json.loads((quick / "texcache.json").read_text())
    assert content["block"] == "texcache"
    assert content["machine"]["cores"] >= 1
    titles = [table["title"] for table in content["figures"]]
    assert titles == [
        f"{kind}, texcache {benchmark.preset}, {pattern}"
        for kind, benchmark in benchmarks("texcache").items()
        for pattern in benchmark.patterns
    ]
    shown = capsys.readouterr().out
    assert all(title in shown for title in titles)


def test_options_reach_the_measurement(quick: Path) -> None:
    options = ["--config", "tiny", "--set", "fifo.depth=8", "--count", "7", "--rounds", "2"]
    assert command.main(["texcache", "replay", *options]) == 0
    figures = json.loads((quick / "texcache-replay.json").read_text())["figures"]
    assert figures[0]["title"] == "replay, texcache tiny+fifo.depth=8, magnified"
    assert figures[0]["rows"][1] == {
        "what": "magnified", "work": 7, "per_second": 7.0, "ratio": 2.0, "remark": "2 rounds"
    }  # fmt: skip
    assert not (quick / "texcache.json").exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nope"], "unknown block 'nope'"),
        (["texcache", "nope"], "unknown benchmark 'nope' of texcache: choose from models, replay, tb"),
        (["texcache", "--count", "0"], "at least 1"),
        (["texcache", "--rounds", "0"], "at least 1"),
        (["texcache", "--config", "nope"], "nope"),
        (["renderer"], "block renderer has no benchmarks in bench/blocks.toml"),
    ],
)
def test_refuses(argv: list[str], message: str, quick: Path) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)
    assert not quick.exists()


def test_every_block_has_its_benchmarks() -> None:
    """A renderer's measure is frames, and a rasterizer has no cache for pycachesim to be."""
    for block in set(configs.blocks()) - {"renderer"}:
        assert set(benchmarks(block)) >= {"replay", "tb"} | ({"models"} if block != "raster" else set())
    page = Path(__file__).parents[2] / "docs" / "renderer_verification.md"
    assert "benchmarks" in page.read_text().partition("## Not built")[2]

# SPDX-License-Identifier: Apache-2.0
"""``python -m bench``: what it runs, prints and writes, and how it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import configs
from bench import __main__ as command
from bench import benchmark, timing
from bench.benchmark import benchmarks
from bench.texcache import models, replay, tb
from bench.timing import Row, rows
from configs import UserError

MODULES = {"models": models, "replay": replay, "tb": tb}


def measured(
    cfg: Any, pattern: str, count: int, rounds: int = 3, say: timing.Say = timing.silent
) -> list[Row]:
    say("measuring")
    return rows([(cfg.name, count, 2.0, ""), (pattern, count, rounds / 2, "why")])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Benchmarks that measure nothing, and a folder in place of the project's."""
    for module in MODULES.values():
        monkeypatch.setattr(module, "BENCHMARK", replace(module.BENCHMARK, measure=measured))
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return tmp_path / "build" / "bench"


def test_runs_every_benchmark_and_writes_its_figures(quick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["texcache"]) == 0
    content = json.loads((quick / "texcache.json").read_text())
    assert content["block"] == "texcache"
    assert content["machine"]["cores"] >= 1
    found = [(one["benchmark"], one["pattern"]) for one in content["figures"]]
    assert found == [
        (one.title, pattern) for one in benchmarks("texcache").values() for pattern in one.patterns
    ]
    shown = capsys.readouterr().out
    assert "golden model, texcache single-bank, minified" in shown
    assert "testbench, texcache paper, magnified" in shown


def test_options_reach_the_measurement(quick: Path) -> None:
    options = ["--config", "tiny", "--set", "fifo.depth=8", "--count", "7", "--rounds", "2"]
    assert command.main(["texcache", "replay", *options]) == 0
    figures = json.loads((quick / "texcache-replay.json").read_text())["figures"]
    assert {one["benchmark"] for one in figures} == {"trace replay"}
    assert figures[0]["config"] == "texcache tiny+fifo.depth=8"
    assert figures[0]["rows"][1] == {
        "what": "magnified", "work": 7, "per_second": 7.0, "ratio": 2.0, "remark": "why"
    }  # fmt: skip
    assert not (quick / "texcache.json").exists()


def test_smallest_real_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "speed.json"
    assert command.main(["texcache", "models", "--count", "1", "--rounds", "1", "--out", str(out)]) == 0
    assert len(json.loads(out.read_text())["figures"]) == len(models.BENCHMARK.patterns)
    assert "golden model, texcache single-bank, random-everywhere" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nope"], "unknown block 'nope'"),
        (["texcache", "nope"], "unknown benchmark 'nope' of texcache: choose from models, replay, tb"),
        (["texcache", "--count", "0"], "at least 1"),
        (["texcache", "--rounds", "0"], "at least 1"),
        (["texcache", "--config", "nope"], "nope"),
    ],
)
def test_refuses(argv: list[str], message: str, quick: Path) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)
    assert not quick.exists()


def test_a_block_without_benchmarks_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not measured as if it were another block."""
    monkeypatch.setattr(benchmark, "__file__", str(tmp_path / "benchmark.py"))
    with pytest.raises(UserError, match="block texcache has no benchmarks"):
        benchmarks("texcache")


@pytest.mark.parametrize(
    "block", [block for block in configs.blocks() if not configs.schema(block).inner_kinds()]
)
def test_every_block_has_the_three_benchmarks(block: str) -> None:
    assert set(benchmarks(block)) >= {"models", "replay", "tb"}


OUTER = {"mmu": {"models", "programs", "replay", "tb"}, "trilinear": {"models", "replay", "tb"}}


def test_a_block_made_of_others_is_measured_by_what_it_adds() -> None:
    """Not all that others are measured by makes sense for it, and its own page says so."""
    for block in configs.blocks():
        if configs.schema(block).inner_kinds():
            if block == "renderer":  # frames are its measure
                with pytest.raises(UserError, match="block renderer has no benchmarks"):
                    benchmarks(block)
            else:
                assert set(benchmarks(block)) == OUTER[block]
            page = (Path(__file__).parents[2] / "docs" / f"{block}_verification.md").read_text()
            whole = block in OUTER and OUTER[block] >= {"models", "replay", "tb"}
            assert whole or "benchmarks" in page.partition("## Not built")[2]

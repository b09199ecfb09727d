# SPDX-License-Identifier: Apache-2.0
"""``python -m bench``: what it runs, prints and writes, and how it refuses."""

import re
from pathlib import Path
from typing import Any

import pytest

import configs
from bench import __main__ as command
from bench.benchmark import Benchmark, Row, benchmarks
from configs import UserError
from tests.bench.test_measurements import OTHERS


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks that measure nothing."""

    def measure(
        benchmark: Benchmark, cfg: Any, pattern: str, count: int, rounds: int, say: Any, only: Any = ()
    ) -> list[Row]:
        if only:
            return [Row(name, count, 1, 1, cycles_per_second=3e3) for name in only]
        return [Row(cfg.name, count, count / 2, 1.0), Row(pattern, count, count / 4, 2.0, f"{rounds} rounds")]

    monkeypatch.setattr(Benchmark, "measure", measure)


def test_runs_every_benchmark(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["texcache"]) == 0
    shown = capsys.readouterr().out
    for kind, benchmark in benchmarks("texcache").items():
        assert all(
            f"{kind}, texcache {benchmark.preset}, {pattern}" in shown for pattern in benchmark.patterns
        )


def test_options_reach_the_measurement(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--config", "tiny", "--set", "fifo.depth=8", "--count", "7", "--rounds", "2"]
    assert command.main(["texcache", "replay", *options]) == 0
    shown = capsys.readouterr().out
    assert "replay, texcache tiny+fifo.depth=8, magnified" in shown and "2 rounds" in shown
    assert "models," not in shown


def test_one_table_of_all_blocks(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    shown = capsys.readouterr().out
    for block in set(configs.blocks()) - {"renderer"}:
        assert re.search(rf"{block} +│( +3.0 │){{4}} 1.00 ", shown), shown


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nope"], "unknown block 'nope'"),
        (["texcache", "nope"], "unknown benchmark 'nope' of texcache: choose from models, replay, tb"),
        (["texcache", "--count", "0"], "at least 1"),
        (["texcache", "--rounds", "0"], "at least 1"),
        (["texcache", "--config", "nope"], "nope"),
        (["--count", "5"], "--config, --set and --count are of one block: name it"),
        (["renderer"], "block renderer has no benchmarks in bench/blocks.toml"),
    ],
)
def test_refuses(argv: list[str], message: str, quick: None) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)


def test_every_block_has_its_benchmarks() -> None:
    """A renderer's measure is frames; pycachesim is none of the caches of OTHERS."""
    for block in set(configs.blocks()) - {"renderer"}:
        assert set(benchmarks(block)) >= {"replay", "tb"} | ({"models"} if block not in OTHERS else set())
    page = Path(__file__).parents[2] / "docs" / "renderer_verification.md"
    assert "benchmarks" in page.read_text().partition("## Not built")[2]

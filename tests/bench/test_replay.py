# SPDX-License-Identifier: Apache-2.0
"""The measurement of replay speed runs; how fast is not a test's affair."""

import json
from pathlib import Path

import pytest

import configs
from bench.replay import PATTERNS, main, measure


@pytest.mark.parametrize("pattern", PATTERNS)
def test_measures(pattern: str) -> None:
    speed = measure(configs.load("texcache", "tiny"), pattern, 500, 1)
    assert speed.cycles_per_footprint >= 1
    assert min(speed.bare, speed.replay, speed.checked) > 0
    assert len(speed.ratios) == 2


def test_prints_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "speed.json"
    assert main(["--config", "tiny", "--count", "300", "--out", str(out)]) == 0
    assert "trace replay, texcache tiny" in capsys.readouterr().out
    assert [row["pattern"] for row in json.loads(out.read_text())] == list(PATTERNS)

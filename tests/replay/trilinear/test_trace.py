# SPDX-License-Identifier: Apache-2.0
"""A scene as samples of two levels, through files and the RTL."""

import json
from pathlib import Path

import numpy as np
import pytest

from configs import load
from configs.trilinear.schema import HALVES, TABLE, TRILINEAR
from models.memory import Memory
from tb.common.replay import trace_cli
from tb.trilinear.replay import counters_of, predict, requester
from workloads.__main__ import main
from workloads.trilinear.samples import columns


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_what_is_captured_runs(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table first, then a sample for each textured pixel; the RTL gives what the model does."""
    trace = tmp_path / f"scene.{suffix}"
    assert main(["capture", "trilinear", "--scene", "corridors", "--size", "32x24", "--out", str(trace)]) == 0
    shown = capsys.readouterr().out
    out = tmp_path / "out"
    assert trace_cli.main(["trilinear", "--trace", str(trace), "--out", str(out)]) == 0
    with np.load(out / "results.npz") as arrays:
        op = arrays["op"]
    entries = int((op == TABLE).sum())
    assert entries and (op[:entries] == TABLE).all() and (op[entries:] != TABLE).all()
    assert f"{len(op) - entries} samples, {(op == TRILINEAR).sum()} of them of two levels" in shown
    assert json.loads((out / "summary.json").read_text())["figures"]["pairs"] <= (op == TRILINEAR).sum()


def test_what_the_halves_count_is_compared() -> None:
    """Look-ups, hits and misses of each half are the model's; another number is named with its half."""
    cfg, memory = load("trilinear", "tiny"), Memory(2)
    requests, replayer = columns(cfg, "trilinear", 300), requester(cfg)
    rtl, model = replayer.replay(cfg, requests, memory, 2), predict(cfg, requests, memory)
    assert not replayer.check(cfg, requests, model, rtl)
    for name in map(counters_of, HALVES):
        assert rtl.counted[name]["misses"] == model.counted[name]["misses"] > 0
    model.counted["odd_perf"]["hits"] += 1
    [wrong] = replayer.check(cfg, requests, model, rtl)
    assert "counter odd_perf hits is" in wrong.text

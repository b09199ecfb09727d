# SPDX-License-Identifier: Apache-2.0
"""Model and RTL agree on every access pattern, back to back and with every channel stalling."""

import numpy as np
import pytest

import configs
from configs.texcache.schema import Config
from tb.common.replay.traffic import Traffic
from tb.texcache.replay import check, predict, replay
from workloads.texcache.patterns import PATTERNS, find

PRESETS = ("paper", "tiny", "single-port", "morton", "large", "conflict-free")
COUNT = 1500


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("preset", PRESETS)
def test_equals_the_model(preset: str, name: str) -> None:
    cfg: Config = configs.load("texcache", preset)
    trace = find(name).make(cfg, COUNT, np.random.default_rng(11))
    model, steady = predict(cfg, trace), replay(cfg, trace)
    stalls = Traffic.random(13, request=0.3, result=0.4, address=0.5, data=0.3)
    stalled = replay(cfg, trace, traffic=stalls)
    for rtl in (steady, stalled):
        mismatches = check(cfg, trace, model, rtl)
        assert not mismatches, f"{cfg.name} {name}: " + "\n".join(item.text for item in mismatches)
    assert stalled.cycles > steady.cycles >= COUNT


@pytest.mark.parametrize("name", ["random-everywhere", "trilinear", "thrashing"])
@pytest.mark.parametrize("preset", PRESETS)
def test_errors_of_memory_reach_the_results(preset: str, name: str) -> None:
    cfg: Config = configs.load("texcache", preset)
    trace = find(name).make(cfg, COUNT, np.random.default_rng(12))
    lines = np.unique(predict(cfg, trace).result["line"])
    poisoned = lines[::2].tolist()  # whatever the pattern touches, half of it fails
    model = predict(cfg, trace, poisoned=poisoned)
    rtl = replay(cfg, trace, poisoned=poisoned)
    mismatches = check(cfg, trace, model, rtl)
    assert not mismatches, "\n".join(item.text for item in mismatches)
    assert 0 < rtl.result["err"].mean() <= 1
    assert rtl.counters["errors"] == np.isin(rtl.ar, poisoned).sum() > 0


def test_err_is_of_the_line_and_goes_with_it() -> None:
    """One poisoned line: footprints beside it are sound, those on it fail, hits too, until it is evicted."""
    cfg: Config = configs.load("texcache", "paper")
    columns = find("thrashing").make(cfg, cfg.cache.ways + 1, np.random.default_rng(1))
    rounds = np.concatenate([columns.footprints[[0, 0]], columns.footprints[1:], columns.footprints[[0]]])
    trace = type(columns)(rounds, columns.lut, line_bytes=cfg.cache.line_bytes, layout=cfg.layout)
    bad = [int(predict(cfg, trace).result["line"][0, 0])]
    first = replay(cfg, trace, poisoned=bad)
    assert first.result["err"].tolist() == [1, 1, *[0] * cfg.cache.ways, 1]
    assert first.counters["errors"] == 2, "the line fails when it is filled, and when it is filled again"

# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``texcache`` within milliseconds: for mutants."""

from pathlib import Path

import numpy as np

from configs import MemoryTiming
from configs.texcache.schema import Config
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.texcache.replay import check, predict, replay
from workloads.texcache.patterns import find
from workloads.texcache.trace import Trace

COUNT = 700
PATIENCE = 600


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every access with the golden model. Raises ``ReplayError`` if the RTL stops."""
    rng = np.random.default_rng(seed)
    calm, busy = Traffic(), Traffic.random(seed, request=0.4, result=0.5, address=0.3, data=0.4)
    kinds = (
        ("random-range", calm, False, MemoryTiming()),
        ("random-everywhere", busy, False, MemoryTiming(latency=3)),
        ("minified", busy, True, MemoryTiming(latency=40, gap=1)),
        ("random-everywhere", calm, True, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (pattern, traffic, errors, timing) in enumerate(kinds):
        trace = find(pattern).make(cfg, COUNT, rng)
        found[f"replay {number + 1}: {pattern}"] = _check(cfg, trace, seed + number, traffic, errors, timing)
    return found


def _check(
    cfg: Config, trace: Trace, seed: int, traffic: Traffic, errors: bool, timing: MemoryTiming
) -> Check:
    lines = range(0, 1 << 16, 3) if errors else ()
    model = predict(cfg, trace, seed, poisoned=lines)

    def run(folder: Path, plusarg: str) -> str:
        rtl = replay(
            cfg, trace, seed, timing, folder, traffic=traffic, poisoned=lines, patience=PATIENCE,
            plusarg=plusarg,
        )  # fmt: skip
        wrong = check(cfg, trace, model, rtl)
        return wrong[0].text if wrong else ""

    return run

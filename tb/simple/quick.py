# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``simple`` within milliseconds: for mutants."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.simple.schema import Config
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.simple.items import Distribution
from tb.simple.replay import check, predict, replay

COUNT = 700


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    idle = dict.fromkeys(("address", "data", "write_address", "write_data", "response"), 0.3)
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **idle)
    local = Distribution(sets=4, tags=4, flushes=0.03)
    kinds = (
        ("calm", Traffic(), Distribution(), 0, MemoryTiming()),
        ("busy", busy, local, 0, MemoryTiming(latency=3)),
        ("errors", busy, local, 3, MemoryTiming(latency=5, gap=1)),
        ("near", Traffic(), local, 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, failing, timing) in enumerate(kinds):
        requests = distribution.draw(cfg, np.random.default_rng(seed + number), COUNT)
        lines = np.unique(requests["word"] >> cfg.slot_bits)[: 2 * failing : 2].tolist()
        options = {"poisoned": lines, "timing": timing, "traffic": traffic}
        found[f"replay {number + 1}: {name}"] = partial(_check, cfg, requests, seed, options)
    return found


def _check(
    cfg: Config, requests: NDArray[Any], seed: int, options: dict[str, Any], folder: Path, plusarg: str
) -> str:
    model, result = predict(cfg, requests, seed, options["poisoned"])
    rtl = replay(cfg, requests, seed, rtl_dir=folder, patience=600, plusarg=plusarg, **options)
    wrong = check(cfg, requests, model, result, rtl)
    return wrong[0].text if wrong else ""

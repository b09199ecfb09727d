# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``simple`` within milliseconds: for mutants."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from configs import MemoryTiming
from configs.simple.schema import Config
from models.memory import Memory
from tb.common.replay.machine import Check
from tb.common.replay.requests import Columns
from tb.common.replay.traffic import Traffic
from tb.simple.items import Distribution
from tb.simple.replay import columns, predict, requester

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
        lines = np.unique(requests["word"] >> cfg.slot_bits)[: 2 * failing : 2]
        memory = Memory(seed, poisoned=lines.tolist())
        options = {"timing": timing, "traffic": traffic, "patience": 600}
        found[f"replay {number + 1}: {name}"] = partial(_check, cfg, columns(requests), memory, options)
    return found


def _check(
    cfg: Config, asked: Columns, memory: Memory, options: dict[str, Any], folder: Path, plusarg: str
) -> str:
    ask = requester(cfg)
    rtl = ask.replay(cfg, asked, memory, memory.seed, rtl_dir=folder, plusarg=plusarg, **options)
    wrong = ask.check(cfg, asked, predict(cfg, asked, memory), rtl)
    return wrong[0].text if wrong else ""

# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``icache`` within milliseconds: for mutants."""

import numpy as np

from configs import MemoryTiming
from configs.icache.schema import Config
from models.memory import Memory
from tb.common.components.packing import columns
from tb.common.replay.checks import RequestCheck
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.icache.items import Distribution
from tb.icache.replay import predict, requester

COUNT = 700
CHANNELS = ("address", "data")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops.

    Where lines fail, requests are offered in each cycle, as the model takes it.
    """
    slow = dict.fromkeys(CHANNELS, 0.3)
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **slow)
    dense = Traffic.random(seed, "request", result=0.4, **slow)
    calm, local = Traffic(), Distribution(sets=1, tags=3, policies=0.05)
    kinds = (
        ("calm", calm, Distribution(), 0, MemoryTiming()),
        ("busy", busy, local, 0, MemoryTiming(latency=3)),
        ("errors", dense, local, 3, MemoryTiming(latency=5, gap=1)),
        ("near", calm, local, 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, failing, timing) in enumerate(kinds):
        requests = distribution.draw(cfg, np.random.default_rng(seed + number), COUNT)
        lines = np.unique(requests["pc"] >> cfg.cache.offset_bits)[: 2 * failing : 2]
        memory = Memory(seed, poisoned=lines.tolist())
        options = {"timing": timing, "traffic": traffic, "patience": 600}
        check = RequestCheck(cfg, requester(cfg), predict, columns(requests), memory, options)
        found[f"replay {number + 1}: {name}"] = check
    return found

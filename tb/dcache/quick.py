# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``dcache`` within milliseconds: for mutants."""

from dataclasses import replace

import numpy as np

from configs import MemoryTiming
from configs.dcache.schema import Config
from models.dcache import by_lane
from models.memory import Memory
from tb.common.components.packing import columns
from tb.common.replay.checks import RequestCheck
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.dcache.items import Distribution
from tb.dcache.replay import predict, requester

COUNT = 400
CHANNELS = ("address", "data", "write_address", "write_data", "response")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **dict.fromkeys(CHANNELS, 0.3))
    calm, local = Traffic(), Distribution(sets=1, tags=3, policies=0.05, flushes=0.03)
    kinds = (
        ("calm", calm, Distribution(), 0, MemoryTiming()),
        ("busy", busy, local, 0, MemoryTiming(latency=3)),
        ("errors", busy, local, 3, MemoryTiming(latency=5, gap=1)),
        ("near", calm, Distribution(sets=1, words=2, full=0.6), 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, failing, timing) in enumerate(kinds):
        if failing and cfg.nonblocking:  # which of several failures was the first only cycles tell
            distribution = replace(distribution, states=0)
        requests = distribution.draw(cfg, np.random.default_rng(seed + number), COUNT)
        lines = np.unique(by_lane(requests, "addr") >> cfg.cache.offset_bits)[: 2 * failing : 2]
        memory = Memory(seed, poisoned=lines.tolist())
        options = {"timing": timing, "traffic": traffic, "patience": 2_000}
        check = RequestCheck(cfg, requester(cfg), predict, columns(requests), memory, options)
        found[f"replay {number + 1}: {name}"] = check
    return found

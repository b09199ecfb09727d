# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``zcache`` within milliseconds: for mutants."""

from functools import partial

import numpy as np

from configs import MemoryTiming
from configs.zcache.schema import Config
from models.memory import Memory
from tb.common.replay.checks import RequestCheck
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.zcache.items import Distribution, Surface, addresses, tile_columns
from tb.zcache.replay import predict, requester

COUNT = 500
CHANNELS = ("address", "data", "write_address", "write_data", "response")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every tile with the golden model, cycles included: events and counters tell.

    None of a configuration with a shader. Raises ``ReplayError`` if the RTL stops.
    """
    if cfg.given:
        return {}
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **dict.fromkeys(CHANNELS, 0.3))
    calm, few = Traffic(), Distribution(sets=2, tags=7, flushes=0.004, clears=0.004, bases=0.004)
    kinds = (
        ("calm", calm, Distribution(tags=2, walk=0.4, flushes=0.002, clears=0, bases=0), 0, MemoryTiming()),
        ("busy", busy, few, 0, MemoryTiming(latency=90)),
        ("errors", busy, few, 3, MemoryTiming(latency=60, gap=1)),
        ("near", calm, few, 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, failing, timing) in enumerate(kinds):
        items = distribution.draw(cfg, np.random.default_rng(seed + number), COUNT)
        lines = np.unique(addresses(cfg, items, Surface()) // 64)[: 2 * failing : 2]
        memory = Memory(seed, poisoned=lines.tolist())
        options = {"timing": timing, "traffic": traffic, "patience": 2_000}
        model = partial(predict, timing=timing, traffic=traffic)
        check = RequestCheck(cfg, requester(cfg), model, tile_columns(items), memory, options)
        found[f"replay {number + 1}: {name}"] = check
    return found

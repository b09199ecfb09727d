# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``trilinear`` within milliseconds: for mutants."""

import numpy as np

from configs import MemoryTiming
from configs.trilinear.schema import Config
from models.memory import Memory
from tb.common.components.packing import columns
from tb.common.replay.checks import RequestCheck
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.texcache.sequences import Distribution as Footprints
from tb.texcache.sequences import random_table
from tb.trilinear.items import Distribution, table_requests
from tb.trilinear.replay import predict, requester

COUNT = 500
CHANNELS = ("address", "data")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, "request", request=0.3, result=0.4, **dict.fromkeys(CHANNELS, 0.3))
    calm, local = Traffic(), Distribution(Footprints(textures=2, span=24))
    kinds = (
        ("calm", calm, Distribution(), 0, MemoryTiming()),
        ("busy", busy, local, 0, MemoryTiming(latency=3)),
        ("errors", busy, local, 3, MemoryTiming(latency=5, gap=1)),
        ("near", calm, local, 0, MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, traffic, distribution, every, timing) in enumerate(kinds):
        rng = np.random.default_rng(seed + number)
        drawn = distribution.draw(cfg, rng, COUNT)
        requests = np.concatenate([table_requests(cfg, random_table(cfg.half, rng)), drawn])
        bases = np.unique(requests["base"]).astype(np.int64)
        memory = Memory(seed, poisoned=bases[::every].tolist() if every else ())
        options = {"timing": timing, "traffic": traffic, "patience": 600}
        check = RequestCheck(cfg, requester(cfg), predict, columns(requests), memory, options)
        found[f"replay {number + 1}: {name}"] = check
    return found

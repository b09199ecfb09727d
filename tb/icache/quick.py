# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``icache`` within milliseconds: for mutants."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.icache.schema import Config
from tb.common.replay.checks import Kind, request_checks
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
        Kind("calm", calm, Distribution(), 0, MemoryTiming()),
        Kind("busy", busy, local, 0, MemoryTiming(latency=3)),
        Kind("errors", dense, local, 3, MemoryTiming(latency=5, gap=1)),
        Kind("near", calm, local, 0, MemoryTiming(latency=1)),
    )

    def asked(kind: Kind, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        drawn = kind.distribution.draw(cfg, rng, COUNT)
        return drawn, np.unique(drawn["pc"] >> cfg.cache.offset_bits)[: 2 * kind.failing : 2]

    return request_checks(cfg, seed, kinds, requester, predict, asked)

# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``icache`` within milliseconds: for mutants."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import Config
from tb.common.replay.checks import Kind, request_checks, usual_kinds
from tb.common.replay.machine import Check
from tb.icache.items import Distribution
from tb.icache.replay import predict, requester

COUNT = 700
CHANNELS = ("address", "data")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops.

    Where lines fail, requests are offered in each cycle, as the model takes it.
    """
    local = Distribution(sets=1, tags=3, policies=0.05)
    kinds = usual_kinds(seed, CHANNELS, Distribution(), local, dense=True)

    def asked(kind: Kind, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        drawn = kind.distribution.draw(cfg, rng, COUNT)
        return drawn, np.unique(drawn["pc"] >> cfg.cache.offset_bits)[: 2 * kind.failing : 2]

    return request_checks(cfg, seed, kinds, requester, predict, asked)

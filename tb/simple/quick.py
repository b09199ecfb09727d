# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``simple`` within milliseconds: for mutants."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simple.schema import Config
from tb.common.replay.checks import Kind, request_checks, usual_kinds
from tb.common.replay.machine import Check
from tb.simple.items import Distribution
from tb.simple.replay import predict, requester

COUNT = 700
CHANNELS = ("address", "data", "write_address", "write_data", "response")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    local = Distribution(sets=4, tags=4, flushes=0.03)
    kinds = usual_kinds(seed, CHANNELS, Distribution(), local)

    def requests(kind: Kind, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        drawn = kind.distribution.draw(cfg, rng, COUNT)
        return drawn, np.unique(drawn["word"] >> cfg.slot_bits)[: 2 * kind.failing : 2]

    return request_checks(cfg, seed, kinds, requester, predict, requests)

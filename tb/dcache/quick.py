# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``dcache`` within milliseconds: for mutants."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import Config
from models.dcache import by_lane
from tb.common.replay.checks import Kind, request_checks, usual_kinds
from tb.common.replay.machine import Check
from tb.dcache.items import Distribution
from tb.dcache.replay import predict, requester

COUNT = 400
CHANNELS = ("address", "data", "write_address", "write_data", "response")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    local = Distribution(sets=1, tags=3, policies=0.05, flushes=0.03)
    kinds = usual_kinds(seed, CHANNELS, Distribution(), local, near=Distribution(sets=1, words=2, full=0.6))

    def asked(kind: Kind, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        distribution = kind.distribution
        if kind.failing and cfg.nonblocking:  # which of several failures was the first only cycles tell
            distribution = replace(distribution, states=0)
        drawn = distribution.draw(cfg, rng, COUNT)
        return drawn, np.unique(by_lane(drawn, "addr") >> cfg.cache.offset_bits)[: 2 * kind.failing : 2]

    return request_checks(cfg, seed, kinds, requester, predict, asked, patience=2_000)

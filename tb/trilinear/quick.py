# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``trilinear`` within milliseconds: for mutants."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.trilinear.schema import Config
from tb.common.replay.checks import Kind, request_checks, usual_kinds
from tb.common.replay.machine import Check
from tb.texcache.sequences import Distribution as Footprints
from tb.texcache.sequences import random_table
from tb.trilinear.items import Distribution, table_requests
from tb.trilinear.replay import predict, requester

COUNT = 500
CHANNELS = ("address", "data")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares every request with the golden model. Raises ``ReplayError`` if the RTL stops."""
    local = Distribution(Footprints(textures=2, span=24))
    kinds = usual_kinds(seed, CHANNELS, Distribution(), local)

    def asked(kind: Kind, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        drawn = kind.distribution.draw(cfg, rng, COUNT)
        requests = np.concatenate([table_requests(cfg, random_table(cfg.half, rng)), drawn])
        lines = np.unique(requests["line"]).astype(np.int64)
        return requests, lines[:: kind.failing] if kind.failing else lines[:0]

    return request_checks(cfg, seed, kinds, requester, predict, asked)

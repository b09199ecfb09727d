# SPDX-License-Identifier: Apache-2.0
"""Traffic at an offered load: in each cycle each PE has a new store with that probability.

===========  ==========================================================
``uniform``   to any cache
``local``     to a cache of the own row with LOCAL, else to any other row's
``transposed`` PE (r, c) to cache (c, r); of arrays that are not square
              to the cache that is as far from the end
``hot spot``  to one cache with HOT, else to any
===========  ==========================================================
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import STORE, Config
from models.lpas import REQUEST
from workloads.lpas.cases import warm_up

UNIFORM, LOCAL, TRANSPOSED, HOT_SPOT = TRAFFICS = ("uniform", "local", "transposed", "hot spot")
LOCAL_SHARE, HOT_SHARE = 0.8, 0.15
LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0)


def hot_cache(cfg: Config) -> int:
    """The one of the hot spot: in row 1, column 1."""
    return cfg.array.columns + 1


def destinations(
    cfg: Config, traffic: str, pes: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """The cache that each store of ``pes`` [n] goes to."""
    columns, rows = cfg.array.columns, cfg.array.rows
    anywhere: NDArray[np.int64] = rng.integers(cfg.pes, size=len(pes))
    drawn = rng.random(len(pes))
    if traffic == UNIFORM:
        return anywhere
    if traffic == HOT_SPOT:
        return np.where(drawn < HOT_SHARE, hot_cache(cfg), anywhere)
    if traffic == TRANSPOSED:
        row, column = np.divmod(pes, columns)
        return column * columns + row if rows == columns else cfg.pes - 1 - pes
    row, column = pes // columns, anywhere % columns
    other = (row + rng.integers(1, rows, size=len(pes))) % rows
    return np.where(drawn < LOCAL_SHARE, row, other) * columns + column


def offered(
    cfg: Config, traffic: str, load: float, cycles: int, seed: int, *, op: int = STORE
) -> tuple[NDArray[Any], int]:
    """REQUEST [n], those that warm the caches first, and the cycle in which the traffic begins.

    ``load``: new stores of a PE per cycle, for ``cycles``; ``at`` is when each of them came up.
    """
    rng = np.random.default_rng([seed, TRAFFICS.index(traffic), round(load * 1000), cfg.pes])
    first, start = warm_up(cfg)
    cycle, pes = np.nonzero(rng.random((cycles, cfg.pes)) < load)
    made = np.zeros(len(pes), REQUEST)
    made["pe"], made["op"], made["at"] = pes, op, start + cycle
    made["word"] = destinations(cfg, traffic, pes, rng) << cfg.slot_bits
    made["value"] = np.arange(len(pes)) & 0xFFFF
    return np.concatenate([first, made]), start


def siege(cfg: Config, near: int, pes: int = 1, op: int = STORE) -> tuple[NDArray[Any], int]:
    """The first ``pes`` of row 0 ask cache 0 ``near`` times each, without pause; one cycle after they begin
    the first PE of each other row stores there once. Returns requests, the last ones being those stores, and
    the cycle in which it begins.
    """
    first, start = warm_up(cfg)
    made = np.zeros(near * pes + cfg.array.rows - 1, REQUEST)
    made["op"], made["at"], made["pe"][: near * pes] = op, start, np.tile(np.arange(pes), near)
    far = made[near * pes :]
    far["pe"], far["op"] = np.arange(1, cfg.array.rows) * cfg.array.columns, STORE
    far["at"] = start + 1
    return np.concatenate([first, made]), start

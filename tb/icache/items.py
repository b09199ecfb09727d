# SPDX-License-Identifier: Apache-2.0
"""Requests and results of ``icache`` by field, as the ports have them; requests at random."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import BASE, FETCH, INVALIDATE, POLICY, SIGNS, STATUS, Config
from models.icache import REQUEST
from tb.common.components.packing import Columns


def result_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``res`` for RESULT array [n]."""
    same = {name: requests[name] for name in ("pc", "warp", "sign")}
    return {"inst": results["inst"], "err": results["err"], **same}


def event_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``evt`` for RESULT array [n]."""
    same = {name: results[name] for name in ("hit", "repeat", "way", "line", "evict", "victim")}
    return {"op": requests["op"], **same}


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``sets``: so many sets are used, all if 0; ``tags``: lines that compete for a set, beside the ways;
    ``again``: share of fetches that stay in the line of the one before; ``bases``, ``states``,
    ``invalidations``, ``policies``: share of requests of these kinds; ``far``: bases are anywhere.
    """

    sets: int = 0
    tags: int = 2
    again: float = 0.6
    bases: float = 0.02
    states: float = 0.02
    invalidations: float = 0.005
    policies: float = 0.02
    far: bool = False

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count]."""

        def below(limit: int) -> NDArray[np.int64]:
            return rng.integers(limit, size=count)

        drawn, kind, cache = np.zeros(count, REQUEST), rng.random(count), cfg.cache
        shares = np.cumsum([self.bases, self.states, self.invalidations, self.policies])
        drawn["op"] = np.select([kind < share for share in shares], [BASE, STATUS, INVALIDATE, POLICY], FETCH)
        window = int(rng.integers(1 << max(0, cache.tag_bits - 6))) << 6
        tags = (window + below(max(1, cache.ways + self.tags))) & ((1 << cache.tag_bits) - 1)
        lines = tags << cache.set_bits | below(min(self.sets or cache.sets, cache.sets))
        jumps = rng.random(count) >= self.again
        jumps[:1] = True
        lines = lines[np.maximum.accumulate(np.where(jumps, np.arange(count), 0))]
        near = below(3) << cache.offset_bits + cache.set_bits
        bases = below(1 << cache.address_bits) if self.far else near
        drawn["pc"] = np.select(
            [drawn["op"] == BASE, drawn["op"] == POLICY],
            [bases & ((1 << cache.address_bits) - 1), below(4)],
            lines << cache.offset_bits | below(cache.line_bytes),
        )
        drawn["block"], drawn["warp"] = below(cfg.blocks), below(cfg.warps)
        drawn["sign"] = below(len(SIGNS))
        return drawn

# SPDX-License-Identifier: Apache-2.0
"""Requests and results of ``simple`` by field, as the ports have them; requests at random."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.simple import REQUEST
from tb.common.components.packing import Columns


def result_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``res`` for RESULT array [n]."""
    return {"value": results["value"], "err": results["err"], "id": requests["id"]}


def event_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``evt`` for RESULT array [n]."""
    same = {name: results[name] for name in ("hit", "line", "evict", "victim")}
    return {"op": requests["op"], **same, "write": results["writes"] > 0}


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``sets``: so many sets are used, all if 0; ``tags``: lines that compete for a set; ``again``: share of
    requests that stay in the line of the one before; ``stores``: share of stores; ``flushes``,
    ``invalidations``: share of those.
    """

    sets: int = 0
    tags: int = 3
    again: float = 0.4
    stores: float = 0.5
    flushes: float = 0.01
    invalidations: float = 0.005

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count]."""

        def below(limit: int) -> NDArray[np.int64]:
            return rng.integers(limit, size=count)

        drawn, kind, cache = np.zeros(count, REQUEST), rng.random(count), cfg.cache
        access = np.where(rng.random(count) < self.stores, STORE, LOAD)
        control = (kind < self.flushes, kind < self.flushes + self.invalidations)
        tags = rng.integers(1 << cache.tag_bits, size=self.tags)
        lines = tags[below(self.tags)] << cache.set_bits | below(min(self.sets or cache.sets, cache.sets))
        jumps = rng.random(count) >= self.again
        jumps[:1] = True
        lines = lines[np.maximum.accumulate(np.where(jumps, np.arange(count), 0))]
        drawn["op"] = np.select(control, [FLUSH, INVALIDATE], access)
        drawn["word"] = lines << cfg.slot_bits | below(1 << cfg.slot_bits)
        drawn["value"] = below(1 << cfg.word_bits)
        drawn["strobe"] = below(1 << cfg.word_bytes)
        drawn["id"] = below(1 << cfg.id_bits)
        return drawn

# SPDX-License-Identifier: Apache-2.0
"""Requests of ``lpas`` at random."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE, Config
from models.lpas import REQUEST

WORD = 1 << 16


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``local``: share of accesses to caches of the PE's own row; ``hot``: share to cache 0, of all PEs;
    ``sets``: lines of each cache in use, all if 0; ``tags``: lines that compete for a place; ``again``: share
    of accesses to the line of the one before; ``stores``: share of stores; ``outside``, ``flushes``: share of
    LDM and STM, of flushes, among the last PE's.
    """

    local: float = 0.3
    hot: float = 0.2
    sets: int = 2
    tags: int = 3
    again: float = 0.3
    stores: float = 0.5
    outside: float = 0.1
    flushes: float = 0.02

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count], of PEs at random."""

        def below(limit: int) -> NDArray[np.int64]:
            return rng.integers(limit, size=count)

        drawn, cache = np.zeros(count, REQUEST), cfg.cache
        pes, kind, columns = below(cfg.pes), rng.random(count), cfg.array.columns
        home = below(cfg.pes)
        home = np.where(rng.random(count) < self.local, pes // columns * columns + home % columns, home)
        home = np.where(rng.random(count) < self.hot, 0, home)
        tags = rng.integers(1 << cfg.tag_bits, size=self.tags)
        sets = rng.choice(cache.sets, min(self.sets or cache.sets, cache.sets), replace=False)
        lines = (
            tags[below(self.tags)] << cache.set_bits | rng.choice(sets, count)
        ) << cfg.array.pe_bits | home
        jumps = rng.random(count) >= self.again
        jumps[:1] = True
        lines = lines[np.maximum.accumulate(np.where(jumps, np.arange(count), 0))]
        last = pes == cfg.pes - 1
        access = np.where(rng.random(count) < self.stores, STORE, LOAD)
        past = np.where(rng.random(count) < 0.5, STM, LDM)
        drawn["op"] = np.select(
            [last & (kind < self.flushes), last & (kind < self.flushes + self.outside)],
            [np.full(count, FLUSH), past],
            access,
        )
        drawn["pe"], drawn["word"] = pes, lines << cfg.slot_bits | below(1 << cfg.slot_bits)
        drawn["value"] = below(WORD)
        return drawn

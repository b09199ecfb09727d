# SPDX-License-Identifier: Apache-2.0
"""Requests of both sides of ``mmu`` at random: code in the lower half of the addresses, data above.

So no word is stored that is fetched: AXI gives these no order but through a fence.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES, LOAD, STORE
from configs.icache.schema import BASE, FETCH
from configs.mmu.schema import BANKS, WORD_BYTES, Config
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH_REQUEST
from tb.dcache.items import Distribution as DcacheDistribution
from tb.icache.items import Distribution as IcacheDistribution

#: a fetch and an access: what both sides are asked at once
PAIR = np.dtype([("icache", FETCH_REQUEST), ("dcache", ACCESS)])
CODE, DATA = IcacheDistribution(sets=2), DcacheDistribution(sets=2)


@dataclass(frozen=True)
class Distribution:
    """``code`` and ``data``: as those of the caches; ``shared``: share of the accesses that have lanes in the
    window of the shared RAM, some of them or all; ``rows``, ``banks``: so many of its are used.
    """

    code: IcacheDistribution = CODE
    data: DcacheDistribution = DATA
    shared: float = 0.5
    rows: int = 4
    banks: int = BANKS

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """A PAIR array [count]."""
        drawn = np.zeros(count, PAIR)
        drawn["icache"], drawn["dcache"] = self.fetches(cfg, rng, count), self.accesses(cfg, rng, count)
        return drawn

    def fetches(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """A ``models.icache.REQUEST`` array [count]. A base and a pc are in the lowest quarter each."""
        drawn = self.code.draw(cfg.icache, rng, count)
        addresses = (drawn["op"] == FETCH) | (drawn["op"] == BASE)
        drawn["pc"][addresses] &= (1 << cfg.axi.address_bits - 2) - 1
        return drawn

    def accesses(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """A ``models.dcache.REQUEST`` array [count]."""
        drawn, ram = self.data.draw(cfg.dcache, rng, count), cfg.data_ram
        access = (drawn["op"] == LOAD) | (drawn["op"] == STORE)
        here = access & (rng.random(count) < self.shared)
        all_of_them = rng.random(count) < 0.5
        row_bytes = ram.capacity_bytes // ram.rows
        for lane in range(LANES):
            address = drawn[f"addr{lane}"]
            address[access] |= 1 << cfg.axi.address_bits - 1
            inside = here & (all_of_them | (rng.random(count) < 0.5))
            row, bank = (rng.integers(limit, size=count) for limit in (min(self.rows, ram.rows), self.banks))
            places = row * row_bytes + bank * WORD_BYTES + rng.integers(WORD_BYTES, size=count)
            address[inside] = ram.base + places[inside]
        return drawn

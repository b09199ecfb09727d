# SPDX-License-Identifier: Apache-2.0
"""pycachesim, a cache simulator that nobody here wrote (AGPL: for tests and benchmarks only)."""

from typing import Any, NamedTuple

import cachesim
import numpy as np
from numpy.typing import NDArray

from configs.parts import CacheGeometry


class Accesses(NamedTuple):
    """Loads and stores of ``length`` bytes each, in order."""

    stores: list[bool]
    addresses: list[int]
    length: int


def simulator(
    geometry: CacheGeometry, replacement: str = "LRU", banks: int = 1, **policy: bool
) -> tuple[Any, Any]:
    """A simulator of one cache, LRU or FIFO, and the cache, whose ``stats()`` has the totals.

    ``banks``: so many of the geometry side by side, as one cache with the sets of all (:func:`placed`).
    ``policy``: ``write_back`` and ``write_allocate``, both by default.
    """
    sizes = banks * geometry.sets, geometry.ways, geometry.line_bytes
    cache = cachesim.Cache("L1", *sizes, replacement, **policy)
    memory = cachesim.MainMemory()
    memory.load_to(cache)
    memory.store_from(cache)
    return cachesim.CacheSimulator(cache, memory), cache


def placed(lines: NDArray[np.int64], rows: NDArray[np.int64], sets: int) -> NDArray[np.int64]:
    """Lines [n] as a plain cache of so many ``sets``, a power of two, puts them into its set ``rows`` [n]: a
    cache with banks, or sets that are folded, hits as often as the plain one.
    """
    return lines << sets.bit_length() - 1 | rows


def hits(geometry: CacheGeometry, addresses: list[int], banks: int = 1) -> int:
    """Hits of loads from byte addresses by LRU: all in one call, the fastest that pycachesim can be fed."""
    simulated, cache = simulator(geometry, banks=banks)
    simulated.load(addresses, length=1)
    return int(cache.stats()["HIT_count"])


def feed(simulator: Any, accesses: Accesses) -> None:
    """Loads and stores one by one: of several in one call pycachesim would do the same to all."""
    calls = (simulator.load, simulator.store)
    for store, address in zip(accesses.stores, accesses.addresses, strict=True):
        calls[store](address, length=accesses.length)

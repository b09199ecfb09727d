# SPDX-License-Identifier: Apache-2.0
"""pycachesim, a cache simulator that nobody here wrote (AGPL: for tests and benchmarks only)."""

from typing import Any, NamedTuple

import cachesim

from configs.parts import CacheGeometry


class Accesses(NamedTuple):
    """Loads and stores of ``length`` bytes each, in order."""

    stores: list[bool]
    addresses: list[int]
    length: int


def simulator(geometry: CacheGeometry, replacement: str = "LRU", **policy: bool) -> tuple[Any, Any]:
    """A simulator of one cache, LRU or FIFO, and the cache, whose ``stats()`` has the totals.

    ``policy``: ``write_back`` and ``write_allocate``, both by default.
    """
    cache = cachesim.Cache("L1", geometry.sets, geometry.ways, geometry.line_bytes, replacement, **policy)
    memory = cachesim.MainMemory()
    memory.load_to(cache)
    memory.store_from(cache)
    return cachesim.CacheSimulator(cache, memory), cache


def feed(simulator: Any, accesses: Accesses) -> None:
    """Loads and stores one by one: of several in one call pycachesim would do the same to all."""
    calls = (simulator.load, simulator.store)
    for store, address in zip(accesses.stores, accesses.addresses, strict=True):
        calls[store](address, length=accesses.length)

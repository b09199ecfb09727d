# SPDX-License-Identifier: Apache-2.0
"""pycachesim, a cache simulator that nobody here wrote (AGPL: for tests and benchmarks only)."""

from typing import Any

import cachesim

from configs.parts import CacheGeometry


def simulator(geometry: CacheGeometry, **policy: bool) -> tuple[Any, Any]:
    """A simulator of one LRU cache, and the cache, whose ``stats()`` has the totals.

    ``policy``: ``write_back`` and ``write_allocate``, both by default.
    """
    cache = cachesim.Cache("L1", geometry.sets, geometry.ways, geometry.line_bytes, "LRU", **policy)
    memory = cachesim.MainMemory()
    memory.load_to(cache)
    memory.store_from(cache)
    return cachesim.CacheSimulator(cache, memory), cache

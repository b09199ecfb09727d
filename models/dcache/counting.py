# SPDX-License-Identifier: Apache-2.0
"""What the counters of ``dcache`` make of a request."""

from typing import Any

from configs.dcache.schema import LANES, LOAD, STATUS, STORE
from models.bits import ones
from models.dcache.records import AHEAD, COUNTED, READ
from models.kernels import kernel
from models.sparse import EMPTY

LOADS, STORES, HITS, MISSES, UNCACHED, EVICTIONS, WRITES, ERRORS, PREFETCHES = range(len(COUNTED + AHEAD))


@kernel
def count(window: int, op: int, mask: int, address: Any, out: Any, counts: Any) -> None:
    """A request, [LANES] of its fields, and its RESULT ``out``; ``counts``: by the numbers above."""
    if op in (LOAD, STORE):
        uncached, hits = 0, ones(out.hit)
        for lane in range(LANES):
            uncached += (mask >> lane & 1) * (address[lane] >= window)
        counts[LOADS if op == LOAD else STORES] += 1
        counts[HITS] += hits
        counts[MISSES] += ones(mask) - hits - uncached
        counts[UNCACHED] += uncached
        counts[EVICTIONS] += ones(out.evict)
        if out.ahead & READ:
            counts[PREFETCHES] += 1
            counts[EVICTIONS] += out.ahead_victim != EMPTY
    counts[WRITES] += out.writes
    if op != STATUS:
        counts[ERRORS] += ones(out.err)

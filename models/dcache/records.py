# SPDX-License-Identifier: Apache-2.0
"""Requests and results of ``dcache`` as records, and what its counters make of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES, LOAD, STATUS, STORE, Config
from models.kernels import kernel, ones
from models.sparse import EMPTY

#: fields of lane i have i behind their names
REQUEST = np.dtype(
    [
        *(("op", "u1"), ("warp", "u1"), ("mask", "u1")),
        *(
            (f"{name}{lane}", kind)
            for name, kind in (("addr", "i8"), ("data", "u4"), ("strobe", "u1"))
            for lane in range(LANES)
        ),
    ]
)
#: What became of a request. Bit i of ``err``, ``hit``, ``evict``, ``write``: lane i; [lane] the word, ``way``
#: (0 if it has none), ``victim`` (line address or 0), ``burst`` (WROTE, READ, SINGLE: what memory was asked
#: for; REFUSED: it did not write the victim, which is lost). ``tries``: writes that it was asked for,
#: ``writes``: those that it did. ``ahead``: LOOKED and such flags of the next line, if it was looked up, and
#: read if it was not there: to ``ahead_way``, in place of ``ahead_victim`` (or EMPTY). ``refused``: of clean
#: or flush, one more than the first line that memory refused, or 0.
RESULT = np.dtype(
    [
        *(("data", "u4", LANES), ("err", "u1"), ("hit", "u1"), ("evict", "u1"), ("write", "u1")),
        *(
            ("way", "u1", LANES),
            ("victim", "i8", LANES),
            ("burst", "u1", LANES),
            ("tries", "u2"),
            ("writes", "u2"),
        ),
        *(("ahead", "u1"), ("ahead_way", "u1"), ("ahead_victim", "i8"), ("refused", "i8")),
    ]
)
WROTE, READ, SINGLE, REFUSED, LOOKED = 1, 2, 4, 8, 16
#: counters of the RTL that do not count cycles
COUNTED = ("loads", "stores", "hits", "misses", "uncached", "evictions", "writes", "errors")
AHEAD = ("prefetches",)  # one more, of a cache that reads ahead
LOADS, STORES, HITS, MISSES, UNCACHED, EVICTIONS, WRITES, ERRORS, PREFETCHES = range(len(COUNTED + AHEAD))


def by_lane(requests: NDArray[Any], name: str) -> NDArray[np.int64]:
    """A field of all lanes [n, LANES] of a REQUEST array [n]."""
    return np.stack([requests[f"{name}{lane}"].astype(np.int64) for lane in range(LANES)], axis=1)


def window(cfg: Config) -> int:
    """The first address that is not cached; all above are not, either."""
    top = 1 << cfg.cache.address_bits
    return top - (top >> cfg.uncached_bits) if cfg.uncached_bits else top


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

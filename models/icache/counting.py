# SPDX-License-Identifier: Apache-2.0
"""What the counters of ``icache`` make of a request."""

from typing import Any

from configs.icache.schema import FETCH
from models.kernels import kernel

#: counters of the RTL that do not count cycles
COUNTED = ("fetches", "hits", "repeats", "misses", "evictions", "errors")
FETCHES, HITS, REPEATS, MISSES, EVICTIONS, ERRORS = range(len(COUNTED))


@kernel
def count(op: int, out: Any, counts: Any) -> None:
    """A request and its RESULT ``out``; ``counts``: by the numbers above."""
    if op != FETCH:
        return
    counts[FETCHES] += 1
    counts[HITS] += out.hit
    counts[REPEATS] += out.hit & out.repeat
    counts[MISSES] += 1 - out.hit
    counts[EVICTIONS] += out.evict
    counts[ERRORS] += out.err

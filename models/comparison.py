# SPDX-License-Identifier: Apache-2.0
"""The same look-ups under every policy, and under two that no hardware here has: true LFU and the optimum."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.simt import POLICIES, SimtCache
from models import policies
from models.belady import optimal_hits
from models.lfu import frequency_hits

TRUE_LFU, OPTIMUM = "true LFU", "optimum"
COMPARED = (*POLICIES, TRUE_LFU, OPTIMUM)


class Geometry(NamedTuple):
    """Sizes of a cache in bytes, sets and ways; the set is the line address modulo the sets."""

    sets: int
    ways: int
    line_bytes: int

    @classmethod
    def of(cls, cache: SimtCache) -> "Geometry":
        """Of a cache's configuration."""
        return cls(cache.sets, cache.ways, cache.line_bytes)

    @property
    def capacity_bytes(self) -> int:
        """Bytes of data."""
        return self.sets * self.ways * self.line_bytes


def compared(addresses: NDArray[np.int64], one: Geometry, invalid_first: bool = False) -> dict[str, int]:
    """Misses of look-ups of byte ``addresses`` [n], in order from a cold cache, by policy (COMPARED).

    ``one.ways``: 4, 8 or 16. Each miss brings its line in.
    """
    lines = addresses // one.line_bytes
    where = lines % one.sets, lines, one.sets, one.ways
    hits = [policies.run(number, *where, invalid_first)[0] for number in range(len(POLICIES))]
    hits += [frequency_hits(*where), optimal_hits(*where)]
    return {name: len(lines) - int(hit.sum()) for name, hit in zip(COMPARED, hits, strict=True)}

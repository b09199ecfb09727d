# SPDX-License-Identifier: Apache-2.0
"""The same look-ups under every policy, and under two that no hardware here has: true LFU and the optimum."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.simt import POLICIES, SimtCache
from models import policies
from models.belady import optimal_hits
from models.kernels import kernel
from models.lru import EMPTY

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


class Counts(NamedTuple):
    """Look-ups that missed, and valid lines that were replaced for them, by policy (COMPARED)."""

    misses: dict[str, int]
    evictions: dict[str, int]


def compared(addresses: NDArray[np.int64], geometry: Geometry, invalid_first: bool = False) -> Counts:
    """What becomes of look-ups of byte ``addresses`` [n], in order from a cold cache.

    ``geometry.ways``: 1 to 16. Each miss brings its line in. True LFU and the optimum, which no hardware here
    has, take a way without a line first.
    """
    lines = addresses // geometry.line_bytes
    rows = lines % geometry.sets
    where = rows, lines, geometry.sets, geometry.ways
    counts = Counts({}, {})
    for number, name in enumerate(POLICIES):
        hits, used = policies.run(number, *where, invalid_first)
        counts.misses[name] = len(lines) - int(hits.sum())
        counts.evictions[name] = counts.misses[name] - len(np.unique(rows * geometry.ways + used))
    for name, hits in ((TRUE_LFU, frequency_hits(*where)), (OPTIMUM, optimal_hits(*where))):
        by_set = np.bincount(rows[hits == 0], minlength=geometry.sets)
        counts.misses[name] = int(by_set.sum())
        counts.evictions[name] = int(np.maximum(by_set - geometry.ways, 0).sum())
    return counts


def frequency_hits(
    rows: NDArray[np.int64], lines: NDArray[np.int64], sets: int, ways: int
) -> NDArray[np.uint8]:
    """1 for each look-up that hits under true LFU, shape [n], from a cold cache.

    A line's uses are counted from its fill on; the victim is the line of the set with the fewest, of several
    the one whose last use is longest ago.

    ``rows`` [n] is the set of each look-up, 0 to ``sets`` - 1; ``lines`` [n] tells lines apart.
    """
    hits = np.zeros(len(rows), np.uint8)
    held, count, last = np.full((sets, ways), EMPTY, np.int64), *np.zeros((2, sets, ways), np.int64)
    _run(rows, lines, held, count, last, hits)
    return hits


@kernel
def _run(
    rows: NDArray[np.int64],
    lines: NDArray[np.int64],
    held: NDArray[np.int64],
    count: NDArray[np.int64],
    last: NDArray[np.int64],
    hits: NDArray[np.uint8],
) -> None:
    """``held``, ``count`` and ``last`` [sets, ways]: the line of each way, its uses and the last of them."""
    for i in range(len(rows)):
        row, chosen = rows[i], 0
        for way in range(held.shape[1]):
            if held[row, way] == lines[i]:
                chosen = way
                hits[i] = 1
                break
            if (count[row, way], last[row, way]) < (count[row, chosen], last[row, chosen]):
                chosen = way
        if not hits[i]:
            held[row, chosen], count[row, chosen] = lines[i], 0
        count[row, chosen] += 1
        last[row, chosen] = i + 1

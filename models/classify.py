# SPDX-License-Identifier: Apache-2.0
"""Compulsory, capacity and conflict misses (Hill and Smith, "Evaluating associativity in CPU caches", 1989).

A miss is compulsory when its line was never used before; of the others, those that a fully associative LRU
cache of the same size would have missed too are capacity misses, the rest conflict misses.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.streams import number

HIT, COMPULSORY, CAPACITY, CONFLICT = range(4)


class Classified(NamedTuple):
    """``kinds`` [n]: HIT, COMPULSORY, CAPACITY or CONFLICT per look-up; ``full_hits`` [n]: 1 where the fully
    associative cache hits (also where the real one, by luck of its sets, hits and this one does not).
    """

    kinds: NDArray[np.uint8]
    full_hits: NDArray[np.uint8]

    @property
    def totals(self) -> dict[str, int]:
        """Look-ups by kind; compulsory + capacity + conflict are all misses."""
        counts = np.bincount(self.kinds, minlength=4)
        return dict(zip(("hit", "compulsory", "capacity", "conflict"), map(int, counts), strict=True))


def classify(lines: NDArray[np.int64], hits: NDArray[np.uint8], capacity: int) -> Classified:
    """Sorts the misses of a cache of ``capacity`` lines that ran the stream ``lines`` [n] with ``hits`` [n].

    The stream must begin with an empty cache.
    """
    numbered = number(lines)
    full_hits = fully_associative_hits(numbered.ids, numbered.distinct, capacity)
    kinds = np.where(full_hits, CONFLICT, CAPACITY).astype(np.uint8)
    kinds[_first_uses(numbered.ids)] = COMPULSORY
    kinds[np.asarray(hits, bool)] = HIT
    return Classified(kinds, full_hits)


def _first_uses(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Ids count up in order of first appearance: a first use is larger than all before."""
    highest = np.maximum.accumulate(ids)
    first: NDArray[np.bool_] = np.diff(highest, prepend=-1) > 0
    return first


def fully_associative_hits(ids: NDArray[np.int64], count: int, capacity: int) -> NDArray[np.uint8]:
    """1 for each look-up that hits in a fully associative LRU cache of ``capacity`` lines, shape [n].

    ``ids`` [n] are line numbers below ``count``. Constant time per look-up: a ring of resident lines in order
    of use, with one extra node, the joint, between the youngest and the oldest.
    """
    hits = np.zeros(len(ids), np.uint8)
    ring = np.full((count + 1, 2), -1, np.int64)
    ring[count] = count
    _fully_associative(ids, ring, capacity, hits)
    return hits


@kernel
def _fully_associative(
    ids: NDArray[np.int64], ring: NDArray[np.int64], capacity: int, hits: NDArray[np.uint8]
) -> None:
    """``ring`` [count + 1, 2]: neighbours (older, newer) of each line, -1 if absent; last, the joint."""
    joint, resident = len(ring) - 1, 0
    for i in range(len(ids)):
        line = ids[i]
        if ring[line, 0] >= 0:
            hits[i] = 1
            _unlink(ring, line)
        elif resident < capacity:
            resident += 1
        else:
            oldest = ring[joint, 1]
            _unlink(ring, oldest)
            ring[oldest, 0] = -1
        youngest = ring[joint, 0]
        ring[line, 0], ring[line, 1] = youngest, joint
        ring[youngest, 1] = line
        ring[joint, 0] = line


@kernel
def _unlink(ring: NDArray[np.int64], line: int) -> None:
    older, newer = ring[line, 0], ring[line, 1]
    ring[older, 1] = newer
    ring[newer, 0] = older

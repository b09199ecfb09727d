# SPDX-License-Identifier: Apache-2.0
"""Hits under the optimal replacement: the upper bound for every policy in the same sets.

Belady's MIN with demand fetch (Belady, "A study of replacement algorithms for a virtual-storage computer",
1966): a miss always brings its line in, in place of the line of the set whose next use lies furthest ahead.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.lru import EMPTY
from models.streams import number

NEVER = np.iinfo(np.int64).max


def optimal_hits(
    rows: NDArray[np.int64], lines: NDArray[np.int64], sets: int, ways: int
) -> NDArray[np.uint8]:
    """1 for each look-up that hits under the optimal replacement, shape [n], from a cold cache.

    ``rows`` [n] is the set of each look-up, 0 to ``sets`` - 1; ``lines`` [n] tells lines apart. The same line
    in two sets counts as two lines.
    """
    numbered = number(lines * sets + rows)
    following = np.empty(len(lines), np.int64)
    _next_uses(numbered.ids, np.full(numbered.distinct, NEVER, np.int64), following)
    hits = np.zeros(len(lines), np.uint8)
    held = np.full((sets, ways), EMPTY, np.int64)
    _optimal(rows, numbered.ids, following, held, np.full((sets, ways), NEVER, np.int64), hits)
    return hits


@kernel
def _next_uses(ids: NDArray[np.int64], next_use: NDArray[np.int64], following: NDArray[np.int64]) -> None:
    """Position of each look-up's next use of the same line, or NEVER."""
    for i in range(len(ids) - 1, -1, -1):
        following[i] = next_use[ids[i]]
        next_use[ids[i]] = i


@kernel
def _optimal(
    rows: NDArray[np.int64],
    ids: NDArray[np.int64],
    following: NDArray[np.int64],
    held: NDArray[np.int64],
    due: NDArray[np.int64],
    hits: NDArray[np.uint8],
) -> None:
    """``held`` and ``due`` [sets, ways]: the line of each way and its next use (NEVER when empty)."""
    ways = held.shape[1]
    for i in range(len(rows)):
        row, chosen = rows[i], 0
        for way in range(ways):
            if held[row, way] == ids[i]:
                chosen = way
                hits[i] = 1
                break
            if due[row, way] > due[row, chosen]:
                chosen = way
        held[row, chosen] = ids[i]
        due[row, chosen] = following[i]

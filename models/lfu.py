# SPDX-License-Identifier: Apache-2.0
"""Hits under true least-frequently-used replacement, to set beside what a source calls "LFU".

A line's uses are counted from its fill on; the victim is the line of the set with the fewest, of several the
one whose last use is longest ago.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.lru import EMPTY


def frequency_hits(
    rows: NDArray[np.int64], lines: NDArray[np.int64], sets: int, ways: int
) -> NDArray[np.uint8]:
    """1 for each look-up that hits, shape [n], from a cold cache.

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

# SPDX-License-Identifier: Apache-2.0
"""Depths in LRU stacks: the hits of every number of ways from one pass over a trace.

LRU caches with the same sets include one another: a look-up hits with w ways exactly when fewer than w other
lines of its set were used since the last use of its own line (Mattson et al., "Evaluation techniques for
storage hierarchies", 1970). One histogram of these depths therefore gives the hits for every number of ways.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.lru import EMPTY


def histogram(
    rows: NDArray[np.int64], lines: NDArray[np.int64], weight: NDArray[np.int64], sets: int, most_ways: int
) -> NDArray[np.int64]:
    """Look-ups by depth in the LRU stack of their set, shape [most_ways + 1].

    ``rows`` [n] is the set of each look-up, 0 to ``sets`` - 1, in whatever placement; ``lines`` [n] tells
    lines apart; ``weight`` [n] counts each look-up so many times. Entry d counts the hits that need d + 1
    ways, the last entry all that miss with ``most_ways``.
    """
    depths = np.zeros(most_ways + 1, np.int64)
    _histogram(rows, lines, weight, np.full((sets, most_ways), EMPTY, np.int64), depths)
    return depths


@kernel
def _histogram(
    rows: NDArray[np.int64],
    lines: NDArray[np.int64],
    weight: NDArray[np.int64],
    stacks: NDArray[np.int64],
    depths: NDArray[np.int64],
) -> None:
    for i in range(len(rows)):
        depths[move_to_front(stacks[rows[i]], lines[i])] += weight[i]


@kernel
def move_to_front(stack: NDArray[np.int64], line: int) -> int:
    """Puts ``line`` on top of ``stack``; returns the depth it came from, or the stack's size."""
    depth, above = 0, line
    while depth < len(stack):
        here = stack[depth]
        stack[depth] = above
        if here == line:
            break
        above = here
        depth += 1
    return depth

# SPDX-License-Identifier: Apache-2.0
"""Numbering the lines of a look-up stream, which turns questions about "the same line" into array indices."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel


class Numbered(NamedTuple):
    """``ids`` [n]: 0, 1, 2, ... in order of first appearance; ``distinct``: how many there are."""

    ids: NDArray[np.int64]
    distinct: int


def number(lines: NDArray[np.int64]) -> Numbered:
    """Numbers non-negative ``lines`` [n] in order of first appearance."""
    slots = 1 << max(4, (2 * len(lines)).bit_length())
    ids = np.empty(len(lines), np.int64)
    table = np.full((slots, 2), -1, np.int64)
    return Numbered(ids, int(_number(lines, table, ids)))


@kernel
def _number(lines: NDArray[np.int64], table: NDArray[np.int64], ids: NDArray[np.int64]) -> int:
    """Hash table of (line, id) with linear probing and Fibonacci hashing."""
    count, mask = 0, len(table) - 1
    for i in range(len(lines)):
        hashed = np.uint64(lines[i]) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64(hashed >> np.uint64(32)) & mask
        while table[slot, 0] != lines[i] and table[slot, 0] >= 0:
            slot = (slot + 1) & mask
        if table[slot, 0] < 0:
            table[slot, 0] = lines[i]
            table[slot, 1] = count
            count += 1
        ids[i] = table[slot, 1]
    return count

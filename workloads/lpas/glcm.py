# SPDX-License-Identifier: Apache-2.0
"""The source's application: the matrix of co-occurrences of a 64 x 64 image, and its second moment.

Four grey levels; a pixel and the one three columns to its right, both ways round.
"""

import numpy as np
from numpy.typing import NDArray

from workloads.lpas.golden import GoldenOutcome

LEVELS, DISTANCE, SHIFT = 4, 3, 6
SUMS, MOMENT = 0x1DF0, 0xC000  # where the programs put them
PAIRS = 2 * 64 * (64 - DISTANCE)  # that a matrix counts


def matrix(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Counts [4, 4] of pairs of levels."""
    levels = pixels.astype(np.int64) >> SHIFT
    left, right = levels[:, :-DISTANCE].ravel(), levels[:, DISTANCE:].ravel()
    counts = np.zeros((LEVELS, LEVELS), np.int64)
    np.add.at(counts, (left, right), 1)
    return counts + counts.T


def found(outcome: GoldenOutcome) -> tuple[NDArray[np.int64], int]:
    """The matrix and the moment that a program has left in memory."""
    counts = outcome.words[SUMS : SUMS + LEVELS * LEVELS].astype(np.int64).reshape(LEVELS, LEVELS)
    low, high = (int(word) for word in outcome.words[MOMENT : MOMENT + 2])
    return counts, high << 16 | low


def wrong(pixels: NDArray[np.uint8], outcome: GoldenOutcome) -> str:
    """What is wrong with the result; nothing if it is right."""
    expected, (counts, moment) = matrix(pixels), found(outcome)
    if not np.array_equal(counts, expected):
        return f"the matrix is {counts.tolist()}, must be {expected.tolist()}"
    if moment != (squares := int((expected**2).sum())):
        return f"the second moment is {moment}, must be {squares}"
    return ""

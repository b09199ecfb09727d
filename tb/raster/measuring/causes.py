# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of ``raster`` go, from what each word of ``vtx`` did and when."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.raster.cycles import NEVER, Cycles

#: of each cycle one: the walk comes to a word; it goes on without one (an empty tile, a column within a
#: tile); it has nothing, and something is being set up; nothing is under way but vertices
CAUSES = ("words", "walk", "setup", "vertices")


def causes(work: NDArray[Any], timed: Cycles, cycles: int) -> dict[str, int]:
    """Cycles by CAUSES, ``cycles`` in all: WORK [n] and their times from reset on.

    Raises ValueError where a word of ``tile`` had to wait: then the walk stood still.
    """
    if (timed.offered != timed.left).any():
        raise ValueError("the consumer is not always ready")
    jobs = np.flatnonzero(timed.handed != NEVER)
    handed, taken = timed.handed[jobs], timed.taken[jobs]
    ends = np.concatenate([[NEVER], (handed + work["walk"][jobs])[:-1]])  # of the walk before
    words = int(work["words"].sum())
    counts = {
        "words": words, "walk": int(work["walk"][jobs].sum()) - words,
        "setup": int(np.maximum(handed - np.maximum(ends, taken), 0).sum()),
    }  # fmt: skip
    return {**counts, "vertices": cycles - sum(counts.values())}

# SPDX-License-Identifier: Apache-2.0
"""What a golden model makes of traffic."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig


@dataclass(frozen=True, eq=False)
class Run:
    """What became of n accesses.

    ``results`` [n]: the model's record of each access, in the order of the traffic (``RESULT`` of
    ``models/<block>``). ``counters``: those of the RTL that do not count cycles. ``rates``: shares by name,
    NaN of nothing. ``queries`` [m]: of a block whose accesses ask its cache several times, each of these.
    ``references`` [r]: of references of another program, whether all words that each touches hit.
    """

    cfg: BlockConfig
    results: NDArray[Any]
    counters: dict[str, int]
    rates: dict[str, float]
    queries: NDArray[Any] | None = None
    references: NDArray[np.bool_] | None = None

    @property
    def hit_rate(self) -> float:
        """The first of ``rates``: the share of look-ups that hit."""
        return next(iter(self.rates.values()))


def share(part: int, whole: int) -> float:
    """``part`` of ``whole``, NaN of nothing."""
    return part / whole if whole else float("nan")

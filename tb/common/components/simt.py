# SPDX-License-Identifier: Apache-2.0
"""What the tests of SIMT caches share."""

from collections.abc import Iterable
from typing import NamedTuple

from configs.simt import LFU, LRU, PSEUDO_LRU, ROUND_ROBIN, SimtCache

#: ways in which a cold set is filled, by policy and number of ways (docs/replacement.md)
COLD = {
    (ROUND_ROBIN, 4): "0123", (LFU, 4): "3210", (LRU, 4): "0123", (PSEUDO_LRU, 4): "2031",
    (ROUND_ROBIN, 8): "01234567", (LFU, 8): "76543210", (LRU, 8): "01234567", (PSEUDO_LRU, 8): "26043715",
    (ROUND_ROBIN, 16): "0123456789abcdef", (LFU, 16): "fedcba9876543210", (LRU, 16): "0123456789abcdef",
    (PSEUDO_LRU, 16): "26ae048c37bf159d",
}  # fmt: skip


def cold_order(cache: SimtCache, policy: int) -> list[int]:
    """The ways of an empty set in the order in which they are filled."""
    return list(range(cache.ways)) if cache.invalid_first else [int(n, 16) for n in COLD[policy, cache.ways]]


class Held(NamedTuple):
    """The cycles in which a result was offered first and taken.

    ``known``: whether the first of these follows from the rules; ``missed``: whether it waited for a line.
    """

    offered: int
    taken: int
    known: bool = True
    missed: bool = False


def moving(results: Iterable[Held], cycle: int) -> int:
    """The first cycle from ``cycle`` on in which none of ``results``, in order, stands still."""
    for one in results:
        if one.offered <= cycle < one.taken:
            cycle = one.taken
    return cycle

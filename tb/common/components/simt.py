# SPDX-License-Identifier: Apache-2.0
"""What the tests of SIMT caches share."""

from collections.abc import Iterable
from typing import NamedTuple

from configs.simt import LFU, LRU, ROUND_ROBIN, SimtCache


def cold_order(cache: SimtCache, policy: int) -> list[int]:
    """The ways in which as many lines go into an empty set as it has ways (docs/replacement.md)."""
    rising = list(range(cache.ways))
    if cache.invalid_first or policy in (ROUND_ROBIN, LRU):
        return rising
    return rising[::-1] if policy == LFU else _oldest_parts(cache.ways)


def _oldest_parts(ways: int) -> list[int]:
    """The same of pseudo-LRU: of groups, then halves, then ways the one whose latest use is longest ago."""
    used, order = [4 * (way // 4) + (0 if way & 2 else 2) + way % 2 - 100 for way in range(ways)], list[int]()
    for now in range(ways):
        first, size = 0, 16
        for part in (4, 2, 1):
            latest = {at: max(used[at : at + part]) for at in range(first, min(first + size, ways), part)}
            first, size = min(latest, key=latest.__getitem__), part
        used[first] = now
        order.append(first)
    return order


def line_at(cache: SimtCache, index: int, tag: int) -> int:
    """A line of a set; of a set that there is not, one of the last set with a tag that others do not have."""
    beyond = index >= cache.sets
    return (tag ^ beyond << cache.tag_bits - 1) << cache.set_bits | min(index, cache.sets - 1)


def in_turn(cache: SimtCache) -> bool:
    """Whether as many fills as there are ways replace each line of a set once, under any policy."""
    return cache.ways & (cache.ways - 1) == 0


def kept(cache: SimtCache) -> int:
    """Lines of a set, 3 at most, that all stay after they were used one by one, under any policy."""
    return min(3 if in_turn(cache) else 2, cache.ways)


class Held(NamedTuple):
    """The cycles in which a result was offered first and taken.

    ``certain``: whether the first of these follows from the rules; ``missed``: whether it waited for a line.
    """

    offered: int
    taken: int
    certain: bool = True
    missed: bool = False


def moving(results: Iterable[Held], cycle: int) -> int:
    """The first cycle from ``cycle`` on in which none of ``results``, in order, stands still."""
    for result in results:
        if result.offered <= cycle < result.taken:
            cycle = result.taken
    return cycle

# SPDX-License-Identifier: Apache-2.0
"""The set-associative core: true LRU over the ways of a set, readable and fast.

A cache is an array of sets, ``NDArray`` of the structured type that :func:`set_type` makes for a number of
ways. The number of ways is thus part of the array's type: numba knows it when it compiles and unrolls every
loop over the ways (3 to 8 times faster than a loop whose length is only known at run time).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import inlined, kernel
from models.memory import Contents, is_poisoned

EMPTY = -1  # tag of a way that holds nothing


def set_type(ways: int) -> np.dtype[Any]:
    """Type of one set: per way its ``tag`` (or EMPTY), when it was ``used``, its ``flags``; the ``clock``.

    The clock counts the set's accesses: one store then makes a way the youngest, where ranks would all have
    to be read and written (a third of an access). The flags belong to the cache that uses this core, which
    only empties them in :func:`clear`: after a miss they are still the victim's. Words of a set lie where
    the processor wants them (``align``), which is a tenth of the time of a cache's model.
    """
    per_way = [("tag", "i8", (ways,)), ("used", "i8", (ways,)), ("flags", "u1", (ways,))]
    return np.dtype([*per_way, ("clock", "i8")], align=True)


def new_sets(count: int, ways: int) -> NDArray[Any]:
    """``count`` empty sets."""
    sets = np.zeros(count, set_type(ways))
    clear(sets)
    return sets


@kernel
def clear(sets: NDArray[Any]) -> None:
    """Empties all sets; their victims will be way 0, 1, 2, ... in turn."""
    for number in range(len(sets)):
        cache_set = sets[number]
        for way in range(len(cache_set.tag)):
            cache_set.tag[way], cache_set.used[way], cache_set.flags[way] = EMPTY, way, 0
        cache_set.clock = len(cache_set.tag)


@kernel
def find(cache_set: Any, tag: int) -> int:
    """The way of ``cache_set`` that holds ``tag``, or -1."""
    holder = -1
    for way in range(len(cache_set.tag)):
        if cache_set.tag[way] == tag:
            holder = way
    return holder


@kernel
def oldest(cache_set: Any) -> int:
    """The way of ``cache_set`` that was used least recently."""
    victim, least = 0, cache_set.used[0]
    for way in range(1, len(cache_set.used)):
        if cache_set.used[way] < least:
            victim, least = way, cache_set.used[way]
    return victim


@kernel
def use(cache_set: Any, way: int) -> None:
    """Makes ``way`` the most recently used."""
    cache_set.used[way] = cache_set.clock
    cache_set.clock += 1


@kernel
def access(cache_set: Any, tag: int) -> tuple[bool, int, int]:
    """Looks ``tag`` up in ``cache_set``; on a miss it replaces the least recently used way at once.

    Returns (hit, way, tag that was replaced or EMPTY).
    """
    way = find(cache_set, tag)
    hit = way >= 0
    victim = EMPTY
    if not hit:
        way = oldest(cache_set)
        victim = cache_set.tag[way]
        cache_set.tag[way] = tag
    use(cache_set, way)
    return hit, way, victim


class Found(NamedTuple):
    """What became of a look-up. ``victim``: the tag that was replaced, if one was ``evicted``; ``failed``: it
    missed and memory answered with an error; ``err``: it did when the line was filled, now or before.
    """

    hit: bool
    way: int
    evicted: int
    victim: int
    failed: int
    err: int


@inlined
def find_line(contents: Contents, cache_set: Any, tag: int, line: int) -> Found:
    """Looks ``line`` up in ``cache_set`` of :func:`new_sets`, as ``tag``.

    On a miss the least recently used way takes the tag at once and memory is asked: a later look-up of the
    line is a hit, even while it is on its way. An error stays with the line, as its flag.
    """
    hit, way, victim = access(cache_set, tag)
    evicted, failed = 0, 0
    if not hit:
        failed = int(is_poisoned(contents, line))
        cache_set.flags[way] = failed
        evicted = int(victim != EMPTY)
    return Found(hit, way, evicted, victim, failed, cache_set.flags[way])

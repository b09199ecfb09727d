# SPDX-License-Identifier: Apache-2.0
"""One look-up of a cache that only reads: the set-associative core, and memory where that misses."""

from typing import Any, NamedTuple

from models import lru
from models.kernels import inlined
from models.memory import Contents, is_poisoned


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
def find_line(contents: Contents, one: Any, tag: int, line: int) -> Found:
    """Looks ``line`` up in the set ``one`` of :func:`models.lru.new_sets`, as ``tag``.

    On a miss the least recently used way takes the tag at once and memory is asked: a later look-up of the
    line is a hit, even while it is on its way. An error stays with the line, as its flag.
    """
    hit, way, victim = lru.access(one, tag)
    evicted, failed = 0, 0
    if not hit:
        failed = int(is_poisoned(contents, line))
        one.flags[way] = failed
        evicted = int(victim != lru.EMPTY)
    return Found(hit, way, evicted, victim, failed, one.flags[way])

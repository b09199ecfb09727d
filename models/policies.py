# SPDX-License-Identifier: Apache-2.0
"""Replacement policies of the SIMT caches, access by access, written from docs/replacement.md.

The state of a set is a row of ``entries(ways)`` small numbers: [0] the counter of round robin, [way] ranks of
"LFU" and LRU, [bit] the bits of pseudo-LRU; :func:`packed` has it as hardware keeps it. ``ways`` is 1 to 16,
a policy one of :data:`configs.simt.POLICIES` by its number.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.simt import LFU, LRU, PSEUDO_LRU, ROUND_ROBIN
from models.kernels import kernel
from models.lru import EMPTY

State = NDArray[np.uint8]


@kernel
def places_of(ways: int) -> int:
    """The least power of two, from 2 on, that is not below ``ways``: pseudo-LRU has the bits of so many."""
    places = 2
    while places < ways:
        places *= 2
    return places


def pseudo_bits(ways: int) -> int:
    """Bits of pseudo-LRU: one for each pair of places, for each group of four, and for two groups each."""
    places = places_of(ways)
    groups = places // 4
    return places // 2 + groups + groups * (groups - 1) // 2


def entries(ways: int) -> int:
    """Length of a set's state."""
    return max(ways, pseudo_bits(ways))


def new_states(policy: int, sets: int, ways: int) -> State:
    """The state of all sets [sets, entries] after reset."""
    states = np.zeros((sets, entries(ways)), np.uint8)
    for state in states:
        restart(policy, ways, state)
    return states


@kernel
def restart(policy: int, ways: int, state: State) -> None:
    """The state after reset: all zero, or ranks that go down from way 0 to the last."""
    state[:] = 0
    if policy in (LFU, LRU):
        for way in range(ways):
            state[way] = ways - 1 - way


@kernel
def victim(policy: int, ways: int, state: State) -> int:
    """The way to replace."""
    if policy == ROUND_ROBIN:
        return int(state[0])
    if policy == PSEUDO_LRU:
        return oldest(ways, state)
    wanted = 0 if policy == LFU else ways - 1
    chosen = 0
    for way in range(ways):
        if state[way] == wanted:
            chosen = way
    return chosen


@kernel
def use(policy: int, ways: int, state: State, way: int, filled: bool) -> None:
    """``way`` hit, or was ``filled`` in place of a victim."""
    if policy == ROUND_ROBIN:
        if filled and state[0] == way:
            state[0] = (way + 1) % ways
    elif policy == PSEUDO_LRU:
        touch(ways, state, way)
    elif policy == LFU:
        rank = state[way]
        for other in range(ways):
            state[other] -= np.uint8(state[other] > rank)
        state[way] = ways - 1
    else:
        rank = state[way]
        for other in range(ways):
            state[other] += np.uint8(state[other] < rank)
        state[way] = 0


@kernel
def touch(ways: int, state: State, way: int) -> None:
    """Pseudo-LRU: in each bit about ``way`` the other side is older now; 0 says that the first is older.

    The first of a pair is the even way, the first half of a group its back one, ways 2 and 3.
    """
    places = places_of(ways)
    group, back, groups = way // 4, way // 2 % 2, places // 4
    state[way // 2] = 1 - way % 2
    if groups > 0:
        state[places // 2 + group] = back
    bit = places // 2 + groups
    for first in range(groups):
        for second in range(first + 1, groups):
            if group == first:
                state[bit] = 1
            elif group == second:
                state[bit] = 0
            bit += 1


@kernel
def oldest(ways: int, state: State) -> int:
    """Pseudo-LRU: the oldest group by a bracket of pairs, in it the older half, in that the older way.

    Of two sides of which one has no way it is the other.
    """
    places = places_of(ways)
    order = places // 2 + places // 4
    group = pair = 0
    if places == 8:
        group = int(state[order])
    elif places == 16:
        left, right = int(state[order]), 2
        if ways > 12:
            right += int(state[order + 5])
        final = order + 1 + 2 * left + right - 2  # of 1 or 2 against 3 or 4
        group = right if state[final] else left
    if places > 2:
        pair = 2 * group
        if 4 * group + 2 < ways:
            pair += 1 - int(state[places // 2 + group])
    return 2 * pair + int(state[pair]) if 2 * pair + 1 < ways else 2 * pair


def packed(policy: int, ways: int, state: State) -> int:
    """The state as one number: as the source has its registers, ranks in bits of their own from way 0 on."""
    bits = 1 if policy == PSEUDO_LRU else (places_of(ways) - 1).bit_length()
    return sum(int(value) << bits * place for place, value in enumerate(state))


@kernel
def find(tags: NDArray[np.int64], tag: int) -> int:
    """The way of a set, ``tags`` [ways], that holds ``tag``; -1 if none does."""
    for way in range(len(tags)):
        if tags[way] == tag:
            return way
    return -1


@kernel
def replaced(policy: int, invalid_first: bool, tags: NDArray[np.int64], state: State) -> int:
    """The way of a set that a miss fills: the policy's, or the first EMPTY one if those come before."""
    if invalid_first:
        empty = find(tags, EMPTY)
        if empty >= 0:
            return empty
    return victim(policy, len(tags), state)


@kernel
def access(
    policy: int, invalid_first: bool, tags: NDArray[np.int64], state: State, tag: int
) -> tuple[bool, int, int]:
    """Looks ``tag`` up in a set, ``tags`` [ways] and ``state``, and brings it in on a miss.

    Returns (hit, way, tag that was replaced or EMPTY).
    """
    way = find(tags, tag)
    hit = way >= 0
    former = EMPTY
    if not hit:
        way = replaced(policy, invalid_first, tags, state)
        former = int(tags[way])
        tags[way] = tag
    use(policy, len(tags), state, way, not hit)
    return hit, way, former


@kernel
def _access_many(
    policy: int, first: bool, tags: Any, states: Any, rows: Any, wanted: Any, hits: Any, ways: Any
) -> None:
    for i in range(len(rows)):
        hits[i], ways[i], _ = access(policy, first, tags[rows[i]], states[rows[i]], wanted[i])


def run(
    policy: int,
    rows: NDArray[np.int64],
    lines: NDArray[np.int64],
    sets: int,
    ways: int,
    invalid_first: bool = False,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Hits and ways [n] from a cold cache: ``rows`` [n] are the sets, ``lines`` [n] tell lines apart."""
    tags, states = np.full((sets, ways), EMPTY, np.int64), new_states(policy, sets, ways)
    hits, used = np.zeros(len(rows), np.uint8), np.zeros(len(rows), np.uint8)
    _access_many(policy, invalid_first, tags, states, rows, lines, hits, used)
    return hits, used

# SPDX-License-Identifier: Apache-2.0
"""Which way of a set a fill goes to: empty ones, touched and fresh ones, and the tree of pseudo-LRU."""

from models.kernels import kernel
from models.zcache.state import EMPTY, FRESH, TOUCHED, State


@kernel
def point_away(bits: int, ways: int, way: int) -> int:
    """The tree ``bits`` (bit i is node i) after every node on the path to ``way`` was turned away from it."""
    node, size = 1, ways >> 1
    while size:
        upper = (way & size) != 0
        bits = bits & ~(1 << node) if upper else bits | 1 << node
        node = 2 * node + upper
        size >>= 1
    return bits


@kernel
def pointed_at(bits: int, ways: int, may_go: int) -> int:
    """The way that the tree points at among those of the mask ``may_go``, which is not 0."""
    node, low, size = 1, 0, ways >> 1
    while size:
        upper = bits >> node & 1
        if not may_go >> (low + upper * size) & ((1 << size) - 1):
            upper = 1 - upper
        node = 2 * node + upper
        low += upper * size
        size >>= 1
    return low


@kernel
def victim(state: State, index: int, demand: bool) -> int:
    """The way that T0 (``demand``) or a prefetch would reserve; -1 if there is none."""
    settings = state.settings[0]
    touched, fresh = 0, 0
    for way in range(settings.ways):
        status = state.lines[index, way].status
        if status == EMPTY:
            return way
        touched |= (status == TOUCHED) << way
        fresh |= (status == FRESH) << way
    may_go = touched
    if not settings.ott:
        may_go = touched | fresh
    elif not touched and (demand or settings.evict_untouched):
        may_go = fresh
    return pointed_at(state.plru[index], settings.ways, may_go) if may_go else -1

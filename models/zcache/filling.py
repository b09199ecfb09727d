# SPDX-License-Identifier: Apache-2.0
"""Fills: beats that memory sends, and the way of a set: empty, touched and fresh ones, pseudo-LRU."""

from typing import Any

from models.kernels import kernel
from models.zcache.state import BEATS, DF, EMPTY, FRESH, PF, TOUCHED, State

SLAVE_ERROR = 2  # of AXI's responses: this and the next are errors


@kernel
def fills(state: State, inputs: Any) -> None:
    """The end of a cycle in which R is ready: takes the beat that is offered."""
    if not inputs.r_valid:
        return
    fill = state.fills[inputs.r_id]
    fill.error |= inputs.r_resp >= SLAVE_ERROR
    if not fill.forgotten:
        line = state.lines[fill.index, fill.way]
        for pixel in range(BEATS):
            line.data[BEATS * fill.beats + pixel] = inputs.r_data[pixel]
    fill.beats += 1
    if fill.beats == BEATS:
        fill.busy = 0
        if not fill.forgotten:
            end(state, fill)


@kernel
def end(state: State, fill: Any) -> None:
    """The last beat of a fill: its line is ready, or, after an error, empty."""
    line = state.lines[fill.index, fill.way]
    if fill.error:
        state.now.failed |= line.status == DF
        line.status = EMPTY
        return
    line.status = FRESH if line.status == PF else TOUCHED
    state.plru[fill.index] = point_away(state.plru[fill.index], state.settings.ways, fill.way)


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
    settings = state.settings
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

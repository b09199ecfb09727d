# SPDX-License-Identifier: Apache-2.0
"""A cache in which one miss stops all: request by request, lane by lane."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, FLUSH, LANES, LOAD, STORE
from models import policies
from models.dcache.records import READ, SINGLE, WROTE
from models.dcache.state import NONE, DcacheState, Lane, fail, lane_of, load, merge, operate, restart, write
from models.kernels import allocating, kernel
from models.memory import is_poisoned
from models.sparse import EMPTY, read_line


@kernel
def serve(state: DcacheState, op: int, mask: int, address: Any, word: Any, strobe: Any, out: Any) -> None:
    """One request, [LANES] of its fields, into the zeroed record ``out``."""
    if op in (LOAD, STORE):
        for lane in range(LANES):
            if mask >> lane & 1:
                access(state, lane_of(lane, op == STORE, address[lane], word[lane], strobe[lane]), out)
    elif op in (CLEAN, FLUSH):
        for index in range(len(state.lines)):
            clean(state, index, op == FLUSH, out)
        out.write = out.writes > 0
    else:
        operate(state, op, address, out)


@kernel
def clean(state: DcacheState, index: int, drop: bool, out: Any) -> None:
    """Writes the dirty lines of a set; then, to ``drop`` them, forgets those that are clean."""
    for way in range(state.lines.shape[1]):
        if state.dirty[index, way]:
            line = state.lines[index, way]
            if write(state, line, state.data[index, way], out):
                state.dirty[index, way] = 0
            else:
                fail(state, 0, line << state.offset_bits, out)
        if drop and not state.dirty[index, way]:
            state.lines[index, way] = EMPTY
    if drop:
        restart(state, index)


@kernel
def access(state: DcacheState, lane: Lane, out: Any) -> None:
    """A word. Of one that memory refuses nothing stays but the loss of a line."""
    line = lane.address >> state.offset_bits
    index = line & (len(state.lines) - 1)
    uncached = lane.address >= state.window
    way = NONE if uncached else find(state, index, line)
    if way != NONE:
        out.hit |= 1 << lane.number
        out.way[lane.number] = way
    if uncached or (lane.store and not state.back):
        through(state, lane, line, way, out)
        return
    if way == NONE:
        way = bring(state, lane, line, out)
        if way == NONE:
            return
    first = lane.address & ((1 << state.offset_bits) - 1)
    if lane.store:
        merge(state.data[index, way], first, lane.word, lane.strobe)
        state.dirty[index, way] = 1
    else:
        load(lane, state.data[index, way, first:], out)


@kernel
def find(state: DcacheState, index: int, line: int) -> int:
    """The way of a set that has ``line``, which is used, or NONE."""
    way = int(state.latest[index])
    if way == NONE or state.lines[index, way] != line:
        way = policies.find(state.lines[index], line)
        if way != NONE:
            policies.use(state.now.policy[0], state.lines.shape[1], state.ranks[index], way, False)
            state.latest[index] = way
    return way


@allocating
def through(state: DcacheState, lane: Lane, line: int, way: int, out: Any) -> None:
    """A word of memory itself, and of the ``way`` that has it, if one does."""
    index, first = line & (len(state.lines) - 1), lane.address & ((1 << state.offset_bits) - 1)
    out.burst[lane.number] = SINGLE | (WROTE if lane.store else READ)
    whole = np.empty(state.data.shape[2], np.uint8)
    read_line(state.contents, state.written, line, whole)
    if not single(state, lane, line, whole, out):
        fail(state, lane.number, lane.address, out)
        if way != NONE:
            state.lines[index, way] = EMPTY
    elif not lane.store:
        load(lane, whole[first:], out)
    elif way != NONE:
        merge(state.data[index, way], first, lane.word, lane.strobe)


@kernel
def single(state: DcacheState, lane: Lane, line: int, whole: NDArray[np.uint8], out: Any) -> bool:
    """A beat of the line ``whole``, read or written; whether memory did it."""
    if not lane.store:
        return not is_poisoned(state.contents, line)
    merge(whole, lane.address & ((1 << state.offset_bits) - 1), lane.word, lane.strobe)
    done = write(state, line, whole, out)
    out.write |= np.uint8(done) << lane.number
    return done


@kernel
def bring(state: DcacheState, lane: Lane, line: int, out: Any) -> int:
    """The way to which a line that missed was brought; NONE if memory refuses its victim or the line."""
    index, bit = line & (len(state.lines) - 1), 1 << lane.number
    lines = state.lines[index]
    _, way, former = policies.access(
        state.now.policy[0], state.invalid_first, lines, state.ranks[index], line
    )
    state.latest[index] = way
    out.way[lane.number] = way
    if state.dirty[index, way]:
        out.burst[lane.number] |= WROTE
        if not write(state, former, state.data[index, way], out):
            lines[way] = former
            fail(state, lane.number, former << state.offset_bits, out)
            return NONE
        out.write |= bit
        state.dirty[index, way] = 0
    if former != EMPTY:
        out.evict |= bit
        out.victim[lane.number] = former
    out.burst[lane.number] |= READ
    if is_poisoned(state.contents, line):
        lines[way] = EMPTY
        fail(state, lane.number, lane.address, out)
        return NONE
    read_line(state.contents, state.written, line, state.data[index, way])
    return way

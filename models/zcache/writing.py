# SPDX-License-Identifier: Apache-2.0
"""The write buffer, and the barriers that empty it."""

from typing import Any

from configs.depth import BASE, CLEAR, FLUSH, PIXELS, TILE
from configs.zcache.schema import GROUP
from models.kernels import kernel
from models.zcache.filling import SLAVE_ERROR
from models.zcache.state import (
    BEATS,
    CLEARS,
    DONE,
    DRAINS,
    EMPTY,
    ENDS,
    MARKS,
    NUMBER_OF,
    SWEEPS,
    WAITS,
    WALKS,
    State,
    has_place,
    is_marked,
    is_owed,
    step_counter,
)
from models.zcache.testing import move_barrier

WRITEBACKS, ERRORS = NUMBER_OF["writebacks"], NUMBER_OF["errors"]


@kernel
def put(state: State, number: int, data: Any) -> None:
    """A line is put: read in this cycle, being put in the next."""
    now = state.now
    entry = state.buffer[now.put % state.settings.write_buffer]
    entry.number, entry.address = number, (now.base + 64 * number) & 0xFFFFFFFF
    for pixel in range(PIXELS):
        entry.data[pixel] = data[pixel]
    now.put += 1
    if number < state.settings.marks:
        state.marked[number] = 0


@kernel
def show_write(state: State, outputs: Any) -> None:
    """Channels AW and W: the oldest line inside that has not been sent."""
    now = state.now
    offered = now.inside > now.sent
    entry = state.buffer[now.sent % state.settings.write_buffer]
    outputs.aw_valid, outputs.aw_addr = offered and not now.addressed, entry.address
    outputs.w_valid, outputs.w_last = offered and now.beats < BEATS, now.beats == BEATS - 1
    for pixel in range(BEATS):
        outputs.w_data[pixel] = entry.data[BEATS * (now.beats & 3) + pixel]
    outputs.b_ready = 1


@kernel
def write_buffer(state: State, inputs: Any, outputs: Any) -> None:
    """The end of a cycle for the write buffer; before another line is put."""
    now = state.now
    now.addressed |= outputs.aw_valid and inputs.aw_ready
    now.beats += outputs.w_valid and inputs.w_ready
    if now.addressed and now.beats == BEATS:
        now.sent += 1
        now.addressed = now.beats = 0
    now.inside, now.arrived = now.arrived, now.put
    if inputs.b_valid:
        now.written += 1
        if now.resetting:
            return  # of a line from before a reset: nobody hears of it
        failed = inputs.b_resp >= SLAVE_ERROR
        now.write_error |= failed
        if failed:
            now.bounding = 0
        step_counter(state, ERRORS if failed else WRITEBACKS, 1)


@kernel
def barrier_goes_on(state: State) -> bool:
    """Whether the oldest word not in T1 is a barrier that does not wait in this cycle.

    What it waits for, and where it goes then, is decided on the state at the start of the cycle.
    """
    now, settings = state.now, state.settings
    if now.moved == now.taken or state.words[now.moved % settings.tiles].op == TILE:
        return False
    written = now.put == now.written
    if now.step == WAITS:
        return bool(now.moved == now.left and now.decided == now.asked and not is_owed(state))
    if now.step == WALKS:
        line = state.lines[now.row // settings.ways, now.row % settings.ways]
        return bool(not line.dirty or has_place(state))
    if now.step == SWEEPS:
        return bool(not is_marked(state, now.cleared) or has_place(state))
    if now.step == CLEARS:
        return has_place(state)
    return written if now.step in (DRAINS, ENDS) else True


@kernel
def barrier(state: State) -> None:
    """The end of a cycle in which a barrier goes on."""
    now, settings = state.now, state.settings
    word = state.words[now.moved % settings.tiles]
    if now.step == WAITS:
        now.step, now.row = WALKS, 0
    elif now.step == WALKS:
        line = state.lines[now.row // settings.ways, now.row % settings.ways]
        if line.dirty:
            put(state, line.number, line.data)
            line.dirty = 0
        now.row += 1
        if now.row == settings.sets * settings.ways:
            now.step, now.cleared = SWEEPS if now.marking and word.op != CLEAR else DRAINS, 0
    elif now.step == SWEEPS:
        if is_marked(state, now.cleared):
            put(state, now.cleared, state.blank)
        now.cleared += 1
        if now.cleared == min(now.surface, settings.marks):
            now.step, now.marking = DRAINS, 0
    elif now.step == DRAINS:
        now.cleared = 0
        if word.op == CLEAR and now.surface:
            now.step = MARKS if settings.marks or settings.bounds else CLEARS
        else:
            now.step = DONE
    elif now.step == MARKS:
        mark(state, word)
    elif now.step == CLEARS:
        word.depth[1:] = word.depth[0]
        put(state, now.cleared, word.depth)
        now.cleared += 1
        if now.cleared == now.surface:
            now.step = ENDS
    elif now.step == ENDS:
        now.step = DONE
    else:
        finish(state, word)


@kernel
def mark(state: State, word: Any) -> None:
    """A cycle in which a clear marks the next tiles, and forgets their bounds; the rest of the surface, or
    without marks all of it, it writes.
    """
    now, settings = state.now, state.settings
    state.blank[:] = word.depth[0]
    if settings.marks:
        now.marking = 1
        state.marked[now.cleared : now.cleared + GROUP] = 1
    if settings.bounds:
        now.bounding = 1
        for number in range(now.cleared, now.cleared + GROUP):
            state.bound[number].learnt = 0
    now.cleared += GROUP
    if now.cleared >= min(now.surface, max(settings.marks, settings.bounds)):
        now.cleared = settings.marks
        now.step = CLEARS if now.surface > settings.marks else ENDS


@kernel
def finish(state: State, word: Any) -> None:
    """The cycle in which a barrier is done."""
    now, settings = state.now, state.settings
    now.step = WAITS
    if word.op != FLUSH:
        for index in range(settings.sets):
            for way in range(settings.ways):
                state.lines[index, way].status = EMPTY
    if word.op == BASE:
        now.bounding = 0
        now.base = int(word.depth[0]) & 0xFFFFFFC0
        now.pitch = int(word.depth[1]) & ((1 << (settings.coordinate_bits + 1)) - 1)
        now.surface = int(word.depth[2]) & ((1 << (settings.number_bits + 1)) - 1)
    move_barrier(state)

# SPDX-License-Identifier: Apache-2.0
"""``zcache`` cycle by cycle: :func:`cycle` is the whole block, written from ``docs/zcache.md``."""

from typing import Any

from configs.depth import PIXELS, TILE
from models.kernels import copy, kernel
from models.zcache.bounding import note_codes
from models.zcache.filling import fills
from models.zcache.lookup import (
    at_the_test,
    cause_of_wait,
    drop_or_issue,
    note_look,
    prefetch,
    reserve,
    touch,
)
from models.zcache.state import (
    BLOCKED,
    EMPTY,
    LINEAR,
    NUMBER_OF,
    QUEUE,
    WAITS,
    Look,
    State,
    is_owed,
    step_counter,
)
from models.zcache.testing import move, show_result, take_result, test
from models.zcache.writing import barrier, barrier_goes_on, show_write, write_buffer

FULL_COUNTER, WAIT = NUMBER_OF["full"], NUMBER_OF["wait_cycles"]
RESULT_WAIT, TILE_WAIT = NUMBER_OF["result_wait_cycles"], NUMBER_OF["tile_wait_cycles"]


@kernel
def cycle(state: State, inputs: Any, outputs: Any) -> None:
    """One cycle: the records INPUTS and OUTPUTS of its ports; the state becomes that of the next cycle."""
    now = state.now
    test(state)
    show(state, outputs)
    look = at_the_test(state, inputs)
    ask = prefetch(state, inputs, look)
    goes_on = barrier_goes_on(state)
    outputs.shade_ready = look.moves
    if inputs.rst:
        reset(state, inputs, outputs)
        return
    observe(state, look)
    now.evt_valid = now.evt_op = now.evt_kind = now.evt_way = now.evt_first = now.evt_dirty = 0
    now.evt_rejected = 0
    clear_pre(now)
    write_buffer(state, inputs, outputs)
    now.t1_first = 0
    if outputs.res_valid:
        if inputs.res_ready:
            take_result(state)
        else:
            step_counter(state, RESULT_WAIT, 1)
    take_address(state, inputs)
    if look.rule:
        note_look(state, look)
    if look.reserves:
        word = state.words[now.moved % state.settings.tiles]
        reserve(state, word.number, word.index, look.way, True)
    intake(state, inputs, outputs)
    drop_or_issue(state, ask)
    if outputs.r_ready:
        fills(state, inputs)
    touch(state, look)
    if look.moves:
        move(state, look)
    elif goes_on:
        barrier(state)
    now.pre_valid = now.pre_fill | now.pre_decided | now.pre_full
    if now.resetting:
        now.resetting = is_owed(state)
    now.clock += 1


@kernel
def step(state: State, inputs: Any, outputs: Any) -> None:
    """The same of arrays [1] of the records: a call from Python costs 2 us, that of a large record 50."""
    cycle(state[0], inputs[0], outputs[0])


@kernel
def show(state: State, outputs: Any) -> None:
    """All outputs that hang on the state alone; ``shade_ready`` is the one that does not."""
    now = state.now
    show_result(state, outputs)
    show_write(state, outputs)
    in_flight = now.taken - now.left
    outputs.tile_ready = in_flight < state.settings.tiles and not now.barrier and not now.resetting
    outputs.r_ready = not (now.t1_first and now.t1_stored)
    outputs.ar_valid, outputs.ar_addr, outputs.ar_id = now.ar_valid, now.ar_addr, now.ar_id
    outputs.pre_valid, outputs.pre_fill, outputs.pre_demand = now.pre_valid, now.pre_fill, now.pre_demand
    outputs.pre_number, outputs.pre_way, outputs.pre_evict = now.pre_number, now.pre_way, now.pre_evict
    outputs.pre_unused, outputs.pre_dirty, outputs.pre_victim = now.pre_unused, now.pre_dirty, now.pre_victim
    outputs.pre_decided, outputs.pre_outcome = now.pre_decided, now.pre_outcome
    outputs.pre_request, outputs.pre_full, outputs.pre_blank = now.pre_request, now.pre_full, now.pre_blank
    copy(outputs.counters, state.counters)


@kernel
def clear_pre(now: Any) -> None:
    """Nothing was reserved or decided yet in this cycle."""
    now.pre_fill = now.pre_demand = now.pre_number = now.pre_way = now.pre_evict = now.pre_unused = 0
    now.pre_dirty = now.pre_victim = now.pre_decided = now.pre_outcome = now.pre_request = now.pre_full = 0
    now.pre_blank = 0


@kernel
def observe(state: State, look: Look) -> None:
    """Counts a cycle that an access waits, and why; notes the first in which a word is at the test."""
    now = state.now
    if now.moved == now.taken:
        return
    word = state.words[now.moved % state.settings.tiles]
    if word.came < 0 and (look.rule or word.op != TILE):
        word.came = now.clock
    if look.rule >= 5:
        step_counter(state, WAIT, 1)
        step_counter(state, cause_of_wait(state, look), 1)


@kernel
def take_address(state: State, inputs: Any) -> None:
    """The end of a cycle for channel AR; before another address is offered."""
    if inputs.ar_ready:
        state.now.ar_valid = 0


@kernel
def intake(state: State, inputs: Any, outputs: Any) -> None:
    """The end of a cycle for the stream ``tile``; before a request leaves the queue."""
    now, settings = state.now, state.settings
    if not (inputs.tile_valid and outputs.tile_ready):
        step_counter(state, TILE_WAIT, inputs.tile_valid)
        return
    word = state.words[now.taken % settings.tiles]
    word.op, word.x, word.y, word.mask, word.test = inputs.op, inputs.x, inputs.y, inputs.mask, inputs.test
    word.func, word.write, word.format = inputs.func, inputs.write, inputs.format
    for pixel in range(PIXELS):
        word.depth[pixel] = inputs.depth[pixel]
    word.number = (word.y * now.pitch + word.x) & ((1 << settings.number_bits) - 1)
    word.index = set_of(settings, word)
    word.taken, word.came, word.moved = now.clock, -1, -1
    if settings.bounds:
        note_codes(state, word)
    if word.op != TILE:
        now.barrier = 1
    elif word.test and settings.mode == QUEUE:
        if now.asked - now.decided == settings.queue:
            now.pre_full = 1
            step_counter(state, FULL_COUNTER, 1)
        else:
            request = state.queue[now.asked % settings.queue]
            request.word, request.number, request.index = now.taken, word.number, word.index
            now.asked += 1
    now.taken += 1


@kernel
def set_of(settings: Any, word: Any) -> int:
    """The set of a tile."""
    if settings.index == LINEAR:
        return word.number & (settings.sets - 1)
    row, column = word.y, word.x
    if settings.index != BLOCKED:
        row, column = row ^ row >> settings.row_bits, column ^ column >> settings.column_bits
    row, column = row & ((1 << settings.row_bits) - 1), column & ((1 << settings.column_bits) - 1)
    return row << settings.column_bits | column


@kernel
def reset(state: State, inputs: Any, outputs: Any) -> None:
    """The end of a cycle of ``rst``: nothing is left but what memory was asked for and has not answered."""
    now = state.now
    begun = now.sent + (now.inside > now.sent)
    now.resetting = 1
    for number in range(state.settings.fills):
        state.fills[number].forgotten = 1
    take_address(state, inputs)
    if outputs.r_ready:
        fills(state, inputs)
    write_buffer(state, inputs, outputs)
    now.put = now.arrived = now.inside = begun
    if inputs.m_axi_rst:
        for number in range(state.settings.fills):
            state.fills[number].busy = 0
        now.put = now.arrived = now.inside = now.sent = now.written = now.addressed = now.beats = 0
        now.ar_valid = 0
    now.taken = now.moved = now.left = now.barrier = now.asked = now.decided = now.pointer = 0
    now.kind = now.first = now.failed = 0
    now.t1_first = now.t1_access = now.t1_stored = now.t1_passed = now.t1_err = now.write_error = 0
    now.step, now.base, now.pitch, now.surface, now.marking = WAITS, 0, 1, 1, 0
    now.bounding = 0
    now.distance, now.score = state.settings.distance, 0
    now.evt_valid = now.pre_valid = 0
    clear_pre(now)
    for index in range(state.settings.sets):
        for way in range(state.settings.ways):
            state.lines[index, way].status = EMPTY
            state.lines[index, way].dirty = 0
    state.plru[:] = 0
    state.counters[:] = 0
    now.resetting = is_owed(state)
    now.clock += 1

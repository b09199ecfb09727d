# SPDX-License-Identifier: Apache-2.0
"""T1: the test of a tile's pixels, and the way of a word into T1 and out of it."""

from typing import Any

from configs.depth import PIXELS, TILE
from models.depth import compares
from models.kernels import kernel
from models.zcache.bounding import learn
from models.zcache.state import NUMBER_OF, Look, State, step_counter

TILES, HITS, PASSED, ERRORS, REJECTED = (
    NUMBER_OF[name] for name in ("tiles", "hits", "passed", "errors", "rejected")
)
MASKS = (0xFFFFFF, 0xFFFFFFFF, 0xFFFF)  # bits of a word that are a depth, by format


@kernel
def test(state: State) -> None:
    """T1's first cycle, if it is one: the pixels of an access that pass, and their depths stored.

    Storing at once is as good as at the end of the cycle: nothing else looks at the line, or at whether it is
    dirty, in this cycle (T0 reads it with what is stored).
    """
    now = state.now
    if not (now.t1_first and now.t1_access) or now.t1_err:
        return
    word = state.words[now.left % state.settings.tiles]
    line = state.lines[now.t1_index, now.t1_way]
    bits = MASKS[word.format]
    passed = 0
    for pixel in range(PIXELS):
        new, stored = int(word.depth[pixel]), int(line.data[pixel])
        if now.t1_live >> pixel & 1 and compares(word.func, new & bits, stored & bits):
            passed |= 1 << pixel
            if word.write:
                line.data[pixel] = (stored & ~bits) | (new & bits)
    now.t1_passed = passed
    now.t1_stored = word.write and passed != 0
    if now.t1_stored:
        line.dirty = 1
    learn(state, word, line)


@kernel
def take_result(state: State) -> None:
    """The end of a cycle in which T1's result is taken."""
    now = state.now
    word = state.words[now.left % state.settings.tiles]
    now.evt_valid, now.evt_op, now.evt_kind = 1, word.op, now.t1_kind
    now.evt_way, now.evt_first, now.evt_dirty = now.t1_way, now.t1_useful, now.t1_stored
    now.evt_rejected = now.t1_rejected
    now.left += 1
    if word.op != TILE:
        now.barrier = 0
        return
    step_counter(state, TILES, 1)
    if now.t1_kind:
        step_counter(state, HITS + now.t1_kind - 1, 1)  # the counters are in the order of the kinds
    for pixel in range(PIXELS):
        step_counter(state, PASSED, now.t1_passed >> pixel & 1)
    step_counter(state, ERRORS, now.t1_err)
    step_counter(state, REJECTED, now.t1_rejected)


@kernel
def move(state: State, look: Look) -> None:
    """The end of a cycle in which the tile at the test moves to T1."""
    now = state.now
    now.t1_first, now.t1_access, now.t1_stored = 1, look.rule == 3 or look.rule == 4, 0
    now.t1_index = look.set_index
    now.t1_way = look.way if look.rule == 4 else 0
    now.t1_live, now.t1_passed = look.live, look.live if look.rule == 1 else 0
    now.t1_err, now.t1_kind, now.t1_useful = look.rule == 3, now.kind, now.first
    now.t1_rejected = look.rejected
    next_word(state)


@kernel
def move_barrier(state: State) -> None:
    """The end of a cycle in which a barrier is done: it moves to T1."""
    now = state.now
    now.t1_first, now.t1_access, now.t1_stored, now.t1_way = 1, 0, 0, 0
    now.t1_live, now.t1_passed, now.t1_kind, now.t1_useful, now.t1_rejected = 0, 0, 0, 0, 0
    now.t1_err, now.write_error = now.write_error, 0
    next_word(state)


@kernel
def next_word(state: State) -> None:
    """The oldest word in flight that is not in T1 is another one."""
    now = state.now
    state.words[now.moved % state.settings.tiles].moved = now.clock
    now.moved += 1
    now.kind = now.first = now.failed = 0


@kernel
def show_result(state: State, outputs: Any) -> None:
    """The stream ``res``, and what became of the result taken in the cycle before."""
    now = state.now
    word = state.words[now.left % state.settings.tiles]
    outputs.res_valid = now.moved != now.left
    outputs.res_x, outputs.res_y = word.x, word.y
    outputs.res_passed, outputs.res_err = now.t1_passed, now.t1_err
    outputs.evt_valid, outputs.evt_op, outputs.evt_kind = now.evt_valid, now.evt_op, now.evt_kind
    outputs.evt_way, outputs.evt_first, outputs.evt_dirty = now.evt_way, now.evt_first, now.evt_dirty
    outputs.evt_rejected = now.evt_rejected

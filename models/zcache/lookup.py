# SPDX-License-Identifier: Apache-2.0
"""The look-ups of a cycle: T0's, and that of the request to prefetch; and the line that one of them reserves.

:func:`at_the_test` and :func:`prefetch` decide, on the state at the start of the cycle; the others change it.
"""

from typing import Any

from configs.depth import TILE
from configs.zcache.schema import BUSY, HIT, HOPELESS, ISSUED, LATE, MISS, PRESENT, STALE, UNTOUCHED, WRITING
from models.kernels import copy, kernel
from models.zcache.adapting import note_kind
from models.zcache.bounding import cannot_pass
from models.zcache.filling import point_away, victim
from models.zcache.state import (
    AHEAD,
    DF,
    FRESH,
    NUMBER_OF,
    OFF,
    PF,
    PF_TOUCH,
    QUEUE,
    TOUCHED,
    Ask,
    Look,
    State,
    find,
    has_place,
    is_being_written,
    is_marked,
    step_counter,
)
from models.zcache.writing import put

PREFETCHES, FILLS, EVICTIONS, UNUSED = (NUMBER_OF[n] for n in ("prefetches", "fills", "evictions", "unused"))
USEFUL, BLANKS, SPARED = NUMBER_OF["useful"], NUMBER_OF["blanks"], NUMBER_OF["hopeless"]
FOR_PREFETCH, FOR_FILL, FOR_WRITE = (NUMBER_OF[f"{why}_wait_cycles"] for why in ("late", "fill", "writing"))
FOR_VICTIM, FOR_ROOM = NUMBER_OF["victim_wait_cycles"], NUMBER_OF["buffer_wait_cycles"]
FOR_READ, FOR_SET = NUMBER_OF["read_wait_cycles"], NUMBER_OF["set_wait_cycles"]


@kernel
def at_the_test(state: State, inputs: Any) -> Look:
    """T0: the rule that holds for the oldest tile that has not moved."""
    settings, now = state.settings, state.now
    word = state.words[now.moved % settings.tiles]
    if now.moved == now.taken or word.op != TILE:
        return Look(0, 0, -1, -1, False, False, False)
    shaded = inputs.shade_valid if settings.given else now.clock - word.taken >= settings.cycles
    if not shaded:
        return Look(0, 0, -1, -1, False, False, False)
    live = word.mask & ~inputs.kill if settings.given else word.mask
    free = bool(now.moved == now.left or inputs.res_ready)
    if not word.test:
        return Look(1, live, -1, -1, free, False, False)
    index, way = word.index, find(state, word.index, word.number)
    if not live:
        return Look(2, live, index, way, free, False, False)
    if now.failed:
        return Look(3, live, index, -1, free, False, False)
    status = state.lines[index, way].status if way >= 0 else 0
    if status in (FRESH, TOUCHED):
        return Look(4, live, index, way, free, False, False)
    if status == DF:
        return Look(6, live, index, way, False, False, False)
    if way < 0 and is_being_written(state, word.number):
        return Look(7, live, index, -1, False, False, False)
    if cannot_pass(state, word):
        return Look(2, live, index, way, free, False, True)
    if way >= 0:
        return Look(5, live, index, way, False, False, False)
    way = victim(state, index, True)
    reserves = (
        (is_marked(state, word.number) or (free_fill(state) >= 0 and ar_is_free(state, inputs)))
        and not is_tested_first(state, index)
        and way >= 0
        and (not state.lines[index, way].dirty or has_place(state))
    )
    return Look(8, live, index, way, False, reserves, False)


@kernel
def cause_of_wait(state: State, look: Look) -> int:
    """The counter of the cause for which T0's tile waits, under rule 5, 6, 7 or 8 of ``look``."""
    if look.rule == 7:
        return FOR_WRITE
    if look.rule != 8:
        prefetched = look.rule == 5 or state.now.kind == LATE
        return FOR_PREFETCH if prefetched else FOR_FILL
    if look.reserves:
        return FOR_FILL
    if look.way < 0:
        return FOR_VICTIM
    if is_tested_first(state, look.set_index):
        return FOR_SET
    if state.lines[look.set_index, look.way].dirty and not has_place(state):
        return FOR_ROOM
    return FOR_READ


@kernel
def prefetch(state: State, inputs: Any, look: Look) -> Ask:
    """What becomes of the request looked at."""
    settings, now = state.settings, state.now
    none = Ask(False, False, 0, 0, 0, 0, -1)
    if settings.mode == OFF:
        return none
    if settings.mode == QUEUE:
        if now.decided == now.asked:
            return none
        request = state.queue[now.decided % settings.queue]
        return decide(state, inputs, look, request.word, request.number, request.index)
    if now.pointer == now.taken or now.pointer - now.moved >= now.distance:
        return none
    word = state.words[now.pointer % settings.tiles]
    if word.op != TILE or not word.test:
        return Ask(False, True, 0, 0, 0, 0, -1)
    return decide(state, inputs, look, now.pointer, word.number, word.index)


@kernel
def decide(state: State, inputs: Any, look: Look, word: int, number: int, index: int) -> Ask:
    """The rules of prefetch, in their order. The tile is that of ``word``."""
    settings, now = state.settings, state.now
    waits = Ask(False, False, 0, word, number, index, -1)
    if word < now.moved or (word == now.moved and look.rule != 0):
        return Ask(True, False, STALE, word, number, index, -1)
    if find(state, index, number) >= 0:
        return Ask(True, False, PRESENT, word, number, index, -1)
    if is_being_written(state, number):
        return Ask(True, False, WRITING, word, number, index, -1)
    if cannot_pass(state, state.words[word % settings.tiles]):
        return Ask(True, False, HOPELESS, word, number, index, -1)
    if look.set_index == index or is_tested_first(state, index):
        return waits
    blank = is_marked(state, number)
    if free_fill(state) < 0 and not blank:
        return Ask(True, False, BUSY, word, number, index, -1) if settings.drop_busy else waits
    way = victim(state, index, False)
    if way < 0:
        return Ask(True, False, UNTOUCHED, word, number, index, -1)
    reads = look.rule == 4 and look.moves
    dirty = state.lines[index, way].dirty
    closed = not (blank or ar_is_free(state, inputs))
    if look.reserves or closed or (dirty and (reads or not has_place(state))):
        return waits
    return Ask(True, False, ISSUED, word, number, index, way)


@kernel
def is_tested_first(state: State, index: int) -> bool:
    """Whether T1 is in the first cycle of an access of set ``index``, be it one whose fill failed."""
    now = state.now
    return bool(now.t1_first and now.t1_access and now.t1_index == index)


@kernel
def ar_is_free(state: State, inputs: Any) -> bool:
    """Whether AR can take another address."""
    return bool(not state.now.ar_valid or inputs.ar_ready)


@kernel
def free_fill(state: State) -> int:
    """The lowest fill that is free; -1 if there is none."""
    for number in range(state.settings.fills):
        if not state.fills[number].busy:
            return number
    return -1


@kernel
def note_look(state: State, look: Look) -> None:
    """The end of a cycle for T0's tile, but for its move: its kind, and what becomes of its line."""
    now = state.now
    if look.rule >= 3 and not now.kind:
        now.kind = HIT if look.rule == 4 else LATE if look.rule == 5 else MISS
        if state.settings.adapts:
            note_kind(state, now.kind)
    if look.rule == 2 and look.moves and look.way >= 0 and not look.rejected:
        line = state.lines[look.set_index, look.way]
        if line.status == FRESH:
            line.status = TOUCHED
        elif line.status == PF:
            line.status = PF_TOUCH
    elif look.rule == 4 and look.moves:
        line = state.lines[look.set_index, look.way]
        if line.status == FRESH:
            count_useful(state)
        line.status = TOUCHED
    elif look.rule == 5:
        state.lines[look.set_index, look.way].status = DF
        count_useful(state)


@kernel
def touch(state: State, look: Look) -> None:
    """PLRU of an access that moves; after the fill that ends in the same cycle."""
    if look.rule == 4 and look.moves:
        state.plru[look.set_index] = point_away(state.plru[look.set_index], state.settings.ways, look.way)


@kernel
def count_useful(state: State) -> None:
    """The tile at the test is the first to use a line that was prefetched."""
    state.now.first = 1
    step_counter(state, USEFUL, 1)


@kernel
def reserve(state: State, number: int, index: int, way: int, demand: bool) -> None:
    """A line is reserved for the fill of tile ``number``, its victim put into the write buffer if dirty."""
    now, line = state.now, state.lines[index, way]
    step_counter(state, FILLS if demand else PREFETCHES, 1)
    now.pre_fill, now.pre_demand, now.pre_number, now.pre_way = 1, demand, number, way
    if line.status != 0:
        now.pre_evict, now.pre_unused = 1, line.status == FRESH
        now.pre_dirty, now.pre_victim = line.dirty, line.number
        step_counter(state, EVICTIONS, 1)
        step_counter(state, UNUSED, line.status == FRESH)
    if line.dirty:
        put(state, line.number, line.data)
    line.number, line.status, line.dirty = number, DF if demand else PF, 0
    if is_marked(state, number):
        line.status = TOUCHED if demand else FRESH
        copy(line.data, state.blank)
        now.pre_blank = 1
        step_counter(state, BLANKS, 1)
        return
    fill = free_fill(state)
    started = state.fills[fill]
    started.busy, started.forgotten, started.beats, started.error = 1, 0, 0, 0
    started.number, started.index, started.way = number, index, way
    now.ar_valid, now.ar_id = 1, fill
    now.ar_addr = (now.base + 64 * number) & 0xFFFFFFFF


@kernel
def drop_or_issue(state: State, ask: Ask) -> None:
    """The end of a cycle for the request looked at."""
    now = state.now
    if not (ask.decided or ask.passed):
        return
    if state.settings.mode == AHEAD:
        now.pointer += 1
    else:
        now.decided += 1
    if ask.decided:
        now.pre_decided, now.pre_outcome, now.pre_request, now.pre_word = 1, ask.outcome, ask.number, ask.word
        if ask.outcome == ISSUED:
            reserve(state, ask.number, ask.set_index, ask.way, False)
        else:
            step_counter(state, SPARED if ask.outcome == HOPELESS else PREFETCHES + ask.outcome, 1)

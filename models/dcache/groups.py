# SPDX-License-Identifier: Apache-2.0
"""A cache that serves hits under misses: request by request, group of lanes by group.

What it does hangs on the order of requests, not on time, but for the address that ``status`` tells where
several accesses failed: here it is the first in that order.
"""

from typing import Any, NamedTuple

from configs.dcache.schema import CLEAN, FLUSH, LANES, LOAD, STORE
from models import policies
from models.dcache.records import LOOKED, READ, REFUSED, WROTE
from models.dcache.state import DcacheState, Lane, fail, lane_of, load, merge, note, operate, restart, write
from models.kernels import kernel
from models.memory import is_poisoned
from models.sparse import EMPTY, read_line


class Filled(NamedTuple):
    """A line that is being read: the way it goes to, the line that it replaces (or EMPTY), flags of ``burst``
    of what memory was asked for.
    """

    way: int
    former: int
    burst: int


@kernel
def serve(state: DcacheState, op: int, mask: int, address: Any, word: Any, strobe: Any, out: Any) -> None:
    """One request, [LANES] of its fields, into the zeroed record ``out``."""
    if op in (LOAD, STORE):
        left = mask
        while left:
            group = lowest_group(state, left, address)
            first = access(state, op == STORE, group, address, word, strobe, out)
            if state.prefetch and first and group == mask:
                ahead(state, (address[lowest(group)] >> state.offset_bits) + 1, out)
            left &= ~group
    elif op in (CLEAN, FLUSH):
        for index in range(len(state.lines)):
            clean(state, index, op == FLUSH, out)
        out.write = out.tries > 0
    else:
        operate(state, op, address, out)


@kernel
def lowest(mask: int) -> int:
    """The lowest lane in ``mask``."""
    lane = 0
    while not mask >> lane & 1:
        lane += 1
    return lane


@kernel
def lowest_group(state: DcacheState, left: int, address: Any) -> int:
    """Of the lanes ``left`` those that go next: the lowest, and those in its line if lanes are coalesced."""
    first = lowest(left)
    group = 1 << first
    if state.coalescing:
        for lane in range(first + 1, LANES):
            if left >> lane & 1 and (address[lane] ^ address[first]) >> state.offset_bits == 0:
                group |= 1 << lane
    return group


@kernel
def access(
    state: DcacheState, store: bool, group: int, address: Any, word: Any, strobe: Any, out: Any
) -> bool:
    """Lanes of one line; whether they missed, or are the first to use a line that was read ahead."""
    first = lowest(group)
    line, bit = address[first] >> state.offset_bits, 1 << first
    index = line & (len(state.lines) - 1)
    way = policies.find(state.lines[index], line)
    out.hit |= group
    if way >= 0:
        policies.use(state.now.policy[0], state.lines.shape[1], state.ranks[index], way, False)
        new = state.ahead[index, way] != 0
    else:
        filled = fill(state, line, out)
        out.hit &= ~bit
        out.burst[first] = filled.burst
        if filled.former != EMPTY:
            out.evict |= bit
            out.victim[first] = filled.former
        if filled.burst & WROTE:
            out.write |= bit
        way, new = filled.way, True
    state.ahead[index, way] = 0
    for lane in range(first, LANES):
        if group >> lane & 1:
            out.way[lane] = way
            serve_lane(state, lane_of(lane, store, address[lane], word[lane], strobe[lane]), index, way, out)
    return new


@kernel
def serve_lane(state: DcacheState, lane: Lane, index: int, way: int, out: Any) -> None:
    """A word of the line in a way. Memory is not asked again for one that it failed."""
    if lane.store:
        state.dirty[index, way] = 1
    if state.poisoned[index, way]:
        fail(state, lane.number, state.lines[index, way] << state.offset_bits, out)
        return
    first = lane.address & ((1 << state.offset_bits) - 1)
    if lane.store:
        merge(state.data[index, way], first, lane.word, lane.strobe)
    else:
        load(lane, state.data[index, way, first:], out)


@kernel
def fill(state: DcacheState, line: int, out: Any) -> Filled:
    """Reads a line in place of another, which is written first if it is dirty, and memory gave it."""
    index = line & (len(state.lines) - 1)
    _, way, former = policies.access(
        state.now.policy[0], state.invalid_first, state.lines[index], state.ranks[index], line
    )
    burst = READ
    if state.dirty[index, way] and not state.poisoned[index, way]:
        burst |= WROTE
        if not write(state, former, state.data[index, way], out):
            burst |= REFUSED
            note(state, former << state.offset_bits)
    state.dirty[index, way] = 0
    state.poisoned[index, way] = is_poisoned(state.contents, line)
    read_line(state.contents, state.written, line, state.data[index, way])
    return Filled(way, former, burst)


@kernel
def ahead(state: DcacheState, line: int, out: Any) -> None:
    """Looks a line up that nobody asked for yet, if there is one; reads it unless it is there."""
    if line << state.offset_bits >= state.window:
        return
    index = line & (len(state.lines) - 1)
    out.ahead = LOOKED
    if policies.find(state.lines[index], line) < 0:
        filled = fill(state, line, out)
        state.ahead[index, filled.way] = 1
        out.ahead, out.ahead_way, out.ahead_victim = LOOKED | filled.burst, filled.way, filled.former


@kernel
def clean(state: DcacheState, index: int, drop: bool, out: Any) -> None:
    """Writes the dirty lines of a set, but for those that memory did not give. To ``drop`` them: forgets what
    is clean then.
    """
    for way in range(state.lines.shape[1]):
        if state.dirty[index, way]:
            line = state.lines[index, way]
            if state.poisoned[index, way] or write(state, line, state.data[index, way], out):
                state.dirty[index, way] = 0
            else:
                fail(state, 0, line << state.offset_bits, out)
                out.refused = out.refused or line + 1
        if drop and not state.dirty[index, way]:
            forget(state, index, way)
    if drop:
        restart(state, index)


@kernel
def forget(state: DcacheState, index: int, way: int) -> None:
    """The way has no line."""
    state.lines[index, way] = EMPTY
    state.poisoned[index, way] = state.ahead[index, way] = 0

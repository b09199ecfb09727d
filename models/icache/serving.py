# SPDX-License-Identifier: Apache-2.0
"""What ``icache`` makes of one request after the other: :func:`serve`, written from ``docs/icache.md``."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import BASE, FETCH, INVALIDATE, STATUS
from configs.simt import WORD_BYTES
from models import policies
from models.kernels import kernel
from models.lru import EMPTY
from models.memory import Contents, is_poisoned
from models.sparse import Written, read_over

#: counters of the RTL that do not count cycles
COUNTED = ("fetches", "hits", "repeats", "misses", "evictions", "errors")
FETCHES, HITS, REPEATS, MISSES, EVICTIONS, ERRORS = range(len(COUNTED))


class Registers(NamedTuple):
    """What is kept beside the lines: each an array [1], ``base`` [blocks].

    ``last``: line of the fetch before and ``way`` where it is; EMPTY after what makes it unsure. ``lost``:
    line of the fetch right before, if memory failed. ``error``: whether ``address`` failed. With restart at
    the word: ``fills``, lines read since reset; ``failing``: the one that was read last, if it fails and
    counts as there as long as that is not known.
    """

    policy: NDArray[np.int64]
    base: NDArray[np.int64]
    last: NDArray[np.int64]
    way: NDArray[np.int64]
    lost: NDArray[np.int64]
    error: NDArray[np.int64]
    address: NDArray[np.int64]
    fills: NDArray[np.int64]
    failing: NDArray[np.int64]


class Seen(NamedTuple):
    """What time decides where lines fail and restart is at the word: ``taken`` [n], the cycles of requests;
    of lines [k] read since reset ``failed`` [k, beats], and ``since`` [k], the cycle of the first of them.

    Of k = 0 nothing was seen: all beats of a line fail, and requests were offered in each cycle.
    """

    taken: NDArray[np.int64]
    failed: NDArray[np.bool_]
    since: NDArray[np.int64]


class IcacheState(NamedTuple):
    """What the kernels work on. ``lines`` [sets, ways]: line addresses or EMPTY; ``words`` [sets, ways,
    words of a line]: what was read of them; ``ranks`` of the policy. ``early``: restart at the word.
    """

    offset_bits: int
    mask: int  # of an address
    beat_bytes: int
    invalid_first: bool
    early: bool
    contents: Contents
    written: Written
    lines: NDArray[np.int64]
    words: NDArray[np.uint32]
    ranks: NDArray[np.uint8]
    now: Registers
    seen: Seen


@kernel
def replay(state: IcacheState, requests: Any, close: Any, results: Any, counts: Any) -> None:
    """All requests [n] in order; ``close`` [n] as in :func:`serve`, of restart with the line; ``counts`` of
    COUNTED.
    """
    for i in range(len(requests)):
        near = in_time(state, i) if state.early else close[i]
        serve(state, requests[i], near, results[i])
        count(requests[i].op, results[i], counts)


@kernel
def count(op: int, out: Any, counts: Any) -> None:
    """A request and its RESULT ``out``; ``counts``: by the numbers above."""
    if op != FETCH:
        return
    counts[FETCHES] += 1
    counts[HITS] += out.hit
    counts[REPEATS] += out.hit & out.repeat
    counts[MISSES] += 1 - out.hit
    counts[EVICTIONS] += out.evict
    counts[ERRORS] += out.err


@kernel
def in_time(state: IcacheState, i: int) -> bool:
    """Whether request ``i`` was taken before the line that was read last was known to fail."""
    now, observed = state.now, state.seen
    if len(observed.since) == 0:
        return bool(now.lost[0] != EMPTY)
    fill = now.fills[0] - 1
    return not 0 <= fill < len(observed.since) or bool(observed.taken[i] < observed.since[fill])


@kernel
def serve(state: IcacheState, request: Any, close: bool, out: Any) -> None:
    """One request, into the zeroed record ``out``.

    ``close``: taken before the one before was answered; of restart at the word see :func:`in_time`.
    """
    now = state.now
    lost = now.lost[0]
    now.lost[0] = EMPTY
    if not close:
        drop(state)
    if request.op == FETCH:
        fetch(state, request, lost if close and not state.early else EMPTY, out)
    elif request.op == BASE:
        now.base[request.block] = request.pc
    elif request.op == STATUS:
        out.err = now.error[0]
        out.inst = now.address[0] if now.error[0] else 0
        now.error[0] = 0
    else:
        drop(state)
        if request.op == INVALIDATE:
            state.lines[:] = EMPTY
        else:
            now.policy[0] = request.pc & 3
        restart(state)


@kernel
def repeats(last: Any, lost: Any, failing: Any, line: int) -> bool:
    """Whether a fetch of ``line`` is a hit that changes neither registers nor a policy's state: the line is
    that of the fetch before, and memory has failed none.
    """
    return bool(line == last[0] and lost[0] == EMPTY and failing[0] == EMPTY)


@kernel
def restart(state: IcacheState) -> None:
    """Replacement begins anew, and the next fetch repeats nothing."""
    state.now.last[0] = EMPTY
    for index in range(len(state.lines)):
        policies.restart(state.now.policy[0], state.lines.shape[1], state.ranks[index])


@kernel
def drop(state: IcacheState) -> None:
    """A line that fails has ended, or is known to fail: it is there no more."""
    now = state.now
    line = now.failing[0]
    if line == EMPTY:
        return
    ways = state.lines[line & (len(state.lines) - 1)]
    for way in range(len(ways)):
        if ways[way] == line:
            ways[way] = EMPTY
    if now.last[0] == line:
        now.last[0] = EMPTY
    now.failing[0] = EMPTY


@kernel
def fetch(state: IcacheState, request: Any, lost: int, out: Any) -> None:
    """An instruction: behind a fetch of the ``lost`` line it is lost as well."""
    now = state.now
    address = (now.base[request.block] + request.pc) & state.mask
    line = address >> state.offset_bits
    out.line = line
    out.beat = (address & ((1 << state.offset_bits) - 1)) // state.beat_bytes
    out.repeat = line in (now.last[0], lost)
    if line == lost:
        out.err = 1
        return
    if out.repeat:
        out.hit, out.way = 1, now.way[0]
    else:
        look_up(state, line, out)
    if fails(state, line, out):
        out.err = 1
        if out.hit:
            out.hit, out.way = 0, 0
        if not now.error[0]:
            now.error[0], now.address[0] = 1, address
        return
    words = state.words[line & (len(state.lines) - 1), now.way[0]]
    out.inst = words[address // WORD_BYTES & (len(words) - 1)]


@kernel
def fails(state: IcacheState, line: int, out: Any) -> bool:
    """Whether memory fails what is fetched: the line, or with restart at the word its beat."""
    if not state.early:
        return bool(out.fill and is_poisoned(state.contents, line))
    if line != state.now.failing[0]:
        return False
    fill, failed = state.now.fills[0] - 1, state.seen.failed
    return fill >= len(failed) or bool(failed[fill, out.beat])


@kernel
def look_up(state: IcacheState, line: int, out: Any) -> None:
    """Finds the line or brings it in; a line that failed leaves its way empty."""
    now = state.now
    index = line & (len(state.lines) - 1)
    if policies.find(state.lines[index], line) < 0:
        drop(state)  # a miss waits for the end of the line before
    hit, way, former = policies.access(
        now.policy[0], state.invalid_first, state.lines[index], state.ranks[index], line
    )
    out.hit, out.way = hit, way
    now.last[0], now.way[0] = line, way
    if hit:
        return
    out.fill = 1
    now.fills[0] += 1
    if former != EMPTY:
        out.evict, out.victim = 1, former
    if is_poisoned(state.contents, line):
        now.lost[0] = line
        if state.early:
            now.failing[0] = line
        else:
            state.lines[index, way] = EMPTY
            now.last[0] = EMPTY
    words = state.words[index, way]
    for word in range(len(words)):
        words[word] = read_over(state.contents, state.written, line * len(words) + word)

# SPDX-License-Identifier: Apache-2.0
"""What the kernels of ``dcache`` work on, and what its two kinds of cache have in common."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import INVALIDATE, STATUS
from configs.simt import WORD_BYTES
from models import policies
from models.dcache.journal import Journal, keep
from models.kernels import kernel
from models.memory import Contents, is_poisoned
from models.sparse import EMPTY, Written, write_line

NONE = -1  # no way


class Registers(NamedTuple):
    """What is kept beside the lines, arrays [1]. ``error``: whether ``address`` failed; memory takes ``left``
    more writes (see :meth:`DcacheModel.abandon`).
    """

    policy: NDArray[np.int64]
    error: NDArray[np.int64]
    address: NDArray[np.int64]
    left: NDArray[np.int64]


class DcacheState(NamedTuple):
    """What the kernels work on. ``lines`` [sets, ways]: line addresses or EMPTY; ``data``: their bytes;
    ``ranks`` of the policy. Of a cache that serves hits under misses, ``poisoned``: lines that memory failed
    to read; ``ahead``: lines that were read ahead and not used yet. Of one that does not, ``latest`` [sets]:
    the way that was used last since its policy began, or NONE. To use it again changes no policy's state.
    """

    offset_bits: int
    back: bool  # write-back
    invalid_first: bool
    window: int  # first address that is not cached
    contents: Contents
    written: Written
    lines: NDArray[np.int64]
    dirty: NDArray[np.uint8]
    data: NDArray[np.uint8]
    ranks: NDArray[np.uint8]
    now: Registers
    journal: Journal
    coalescing: bool
    prefetch: bool
    poisoned: NDArray[np.uint8]
    ahead: NDArray[np.uint8]
    latest: NDArray[np.int64]


class Lane(NamedTuple):
    """A word of a request."""

    number: int
    store: bool
    address: int
    word: int
    strobe: int


@kernel
def lane_of(number: int, store: bool, address: int, word: int, strobe: int) -> Lane:
    """A word of a request, in numbers of one type whatever the arrays that they come from."""
    return Lane(number, store, int(address) & ~3, int(word), int(strobe))


@kernel
def restart(state: DcacheState, index: int) -> None:
    """The policy begins anew in a set."""
    policies.restart(state.now.policy[0], state.lines.shape[1], state.ranks[index])
    state.latest[index] = NONE


@kernel
def operate(state: DcacheState, op: int, address: Any, out: Any) -> None:
    """An operation that asks nothing of memory: status, invalidation, policy."""
    now = state.now
    if op == STATUS:
        out.err = now.error[0]
        out.data[0] = now.address[0] if now.error[0] else 0
        now.error[0] = 0
        return
    if op == INVALIDATE:
        state.lines[:] = EMPTY
        state.dirty[:] = 0
        state.poisoned[:] = 0
        state.ahead[:] = 0
    else:
        now.policy[0] = address[0] & 3
    for index in range(len(state.lines)):
        restart(state, index)


@kernel
def fail(state: DcacheState, lane: int, address: int, out: Any) -> None:
    """Memory failed a lane at ``address``."""
    out.err |= 1 << lane
    note(state, address)


@kernel
def note(state: DcacheState, address: int) -> None:
    """Memory failed at ``address``."""
    if not state.now.error[0]:
        state.now.error[0], state.now.address[0] = 1, address


@kernel
def load(lane: Lane, data: NDArray[np.uint8], out: Any) -> None:
    """Takes the word at the beginning of ``data``."""
    for byte in range(WORD_BYTES):
        out.data[lane.number] |= np.uint32(data[byte]) << np.uint32(8 * byte)


@kernel
def merge(data: Any, place: int, word: int, strobe: int) -> None:
    """Puts the bytes that a store names into a line's ``data`` at a ``place``."""
    for byte in range(WORD_BYTES):
        if strobe >> byte & 1:
            data[place + byte] = word >> (8 * byte) & 255


@kernel
def write(state: DcacheState, line: int, data: NDArray[np.uint8], out: Any) -> bool:
    """Writes a line to memory; False if memory refuses it, as it does a poisoned one."""
    out.tries += 1
    state.now.left[0] -= 1
    refused = is_poisoned(state.contents, line)
    if len(state.journal.lines):
        keep(state.journal, state.contents, state.written, EMPTY if refused else line)
    if refused:
        return False
    if state.now.left[0] >= 0:
        write_line(state.written, line, data)
    out.writes += 1
    return True

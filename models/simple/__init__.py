# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``simple``: predicts every request exactly, one by one or a whole trace at once.

:func:`serve` is the model, written from ``docs/simple.md``.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.simple.schema import FLUSH, INVALIDATE, LOAD, STORE, Config
from models.kernels import allocating, kernel
from models.memory import Contents, Memory, is_poisoned
from models.sparse import EMPTY, SparseMemory, Written, read_line, write_line

REQUEST = np.dtype([("op", "u1"), ("word", "i8"), ("value", "u4"), ("strobe", "u1"), ("id", "u4")])
#: What became of a request. ``line`` and ``victim`` are line addresses or 0; ``fill``: a line was read from
#: memory; ``tries``: writes that memory was asked for, ``writes``: those that it did.
RESULT = np.dtype(
    [
        *(("value", "u4"), ("err", "u1"), ("hit", "u1"), ("line", "i8"), ("evict", "u1"), ("victim", "i8")),
        *(("fill", "u1"), ("tries", "u2"), ("writes", "u2")),
    ]
)
#: counters of the RTL that do not count cycles
COUNTED = ("loads", "stores", "hits", "misses", "evictions", "writes", "errors")


class SimpleState(NamedTuple):
    """What the kernels work on. ``lines``: the address of each set's, or EMPTY; ``data``: [sets, line_bytes].

    Memory takes the first ``limit`` writes of a request (see :meth:`SimpleModel.abandon`).
    """

    slot_bits: int
    word_bytes: int
    back: bool  # write-back
    limit: int
    contents: Contents
    written: Written
    lines: NDArray[np.int64]
    dirty: NDArray[np.uint8]
    data: NDArray[np.uint8]


@kernel
def serve(state: SimpleState, request: Any, out: Any) -> None:
    """One request, into the zeroed record ``out``."""
    if request.op == FLUSH:
        for index in range(len(state.lines)):
            if state.dirty[index]:
                refused = not write(state, out, state.lines[index], state.data[index])
                state.dirty[index] = refused
                out.err |= refused
    elif request.op == INVALIDATE:
        state.lines[:] = EMPTY
        state.dirty[:] = 0
    else:
        load_or_store(state, request, out)


@allocating
def load_or_store(state: SimpleState, request: Any, out: Any) -> None:
    """A load or a store. Of one that memory refuses nothing stays but the loss of a clean victim."""
    line = request.word >> state.slot_bits
    index = line & (len(state.lines) - 1)
    out.line = line
    out.hit = state.lines[index] == line
    allocates = state.back or request.op == LOAD
    if allocates and not out.hit and not fill(state, out, line):
        return
    first = (request.word & ((1 << state.slot_bits) - 1)) * state.word_bytes
    if request.op == LOAD:
        for byte in range(state.word_bytes):
            out.value |= np.uint32(state.data[index, first + byte]) << np.uint32(8 * byte)
        return
    if not state.back:
        whole = np.empty(state.data.shape[1], np.uint8)
        read_line(state.contents, state.written, line, whole)
        merge(state, request, whole[first:])
        if not write(state, out, line, whole):
            out.err = 1
            return
    if allocates or out.hit:
        merge(state, request, state.data[index, first:])
        state.dirty[index] = state.back


@kernel
def merge(state: SimpleState, request: Any, data: NDArray[np.uint8]) -> None:
    """Puts the bytes that a store names into ``data``, which begins at its word."""
    for byte in range(state.word_bytes):
        if request.strobe >> byte & 1:
            data[byte] = (request.value >> np.uint32(8 * byte)) & np.uint32(255)


@kernel
def fill(state: SimpleState, out: Any, line: int) -> bool:
    """Brings ``line`` in, its dirty victim out before; False for an error of either."""
    index = line & (len(state.lines) - 1)
    victim = state.lines[index]
    if state.dirty[index]:
        if not write(state, out, victim, state.data[index]):
            out.err = 1
            return False
        state.dirty[index] = 0
    if victim != EMPTY:
        out.evict = 1
        out.victim = victim
    out.fill = 1
    out.err = is_poisoned(state.contents, line)
    state.lines[index] = EMPTY if out.err else line
    read_line(state.contents, state.written, line, state.data[index])
    return not out.err


@kernel
def write(state: SimpleState, out: Any, line: int, data: NDArray[np.uint8]) -> bool:
    """Writes a line to memory; False if memory refuses it, as it does a poisoned one."""
    out.tries += 1
    if is_poisoned(state.contents, line):
        return False
    if out.tries <= state.limit:
        write_line(state.written, line, data)
    out.writes += 1
    return True


@kernel
def _replay(state: SimpleState, requests: Any, results: Any) -> None:
    for i in range(len(requests)):
        serve(state, requests[i], results[i])


class SimpleModel:
    """The cache ``cfg`` over ``memory``. Raises :class:`UserError` for requests that do not fit."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, cache = cfg, cfg.cache
        self.memory = SparseMemory(memory, cache.line_bytes)
        self._lines, self._dirty = np.full(cache.sets, EMPTY, np.int64), np.zeros(cache.sets, np.uint8)
        self._data = np.zeros((cache.sets, cache.line_bytes), np.uint8)
        self.counters = dict.fromkeys(COUNTED, 0)  # since the last reset

    def replay(self, requests: NDArray[Any], limit: int = 1 << 30) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state."""
        bits = self.cfg.word_address_bits
        if len(requests) and not 0 <= requests["word"].min() <= requests["word"].max() < 1 << bits:
            raise UserError(f"word addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        results = np.zeros(len(requests), RESULT)
        self.memory.reserve(len(requests) + self.cfg.cache.sets)
        state = SimpleState(
            self.cfg.slot_bits, self.cfg.word_bytes, self.cfg.write_back,
            limit, self.memory.below.contents, self.memory.written, self._lines, self._dirty, self._data,
        )  # fmt: skip
        _replay(state, requests, results)
        self._count(requests["op"], results)
        return results

    def _count(self, op: NDArray[Any], results: NDArray[Any]) -> None:
        missed = (results["hit"] == 0) & ((op == LOAD) | (op == STORE))
        same = (results[name] for name in ("evict", "writes", "err"))
        counted = (op == LOAD, op == STORE, results["hit"], missed, *same)
        for name, column in zip(COUNTED, counted, strict=True):
            self.counters[name] += int(column.sum())

    def abandon(self, request: NDArray[Any], writes: int) -> None:
        """A reset met this request [1] after its first ``writes`` writes; all lines are forgotten."""
        self.replay(request, writes)
        self.reset()

    def reset(self) -> None:
        """Forgets all lines, dirty ones too, and sets the counters to zero."""
        self._lines[:] = EMPTY
        self._dirty[:] = 0
        self.counters = dict.fromkeys(COUNTED, 0)


def cycles(
    cfg: Config, requests: NDArray[Any], results: NDArray[Any], timing: MemoryTiming
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cycles [n] from each request to its result; those [n] of them that it waits for memory of this timing.

    One for the look-up; behind memory one for an answer, or three to install the line and look it up again; a
    flush looks at each set.
    """
    fill = 3 + timing.latency + (cfg.beats - 1) * (1 + timing.gap)
    write = fill if cfg.write_back else 3 + timing.latency
    waits: NDArray[np.int64] = results["tries"].astype(np.int64) * write + results["fill"] * fill
    behind = np.where((results["fill"] == 1) & (results["err"] == 0), 3, waits > 0)
    if cfg.write_back:
        behind = np.where(requests["op"] == FLUSH, cfg.cache.sets + 1, behind)
    return 1 + waits + behind, waits

# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``simple``: predicts every request exactly, one by one or a whole trace at once.

:func:`serve` is the model, written from ``docs/simple.md``.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.simple.schema import FLUSH, LOAD, STORE, Config
from models.kernels import kernel
from models.memory import Contents, Memory, is_poisoned
from models.sparse import EMPTY, SparseMemory, Written, read_line, write_line

REQUEST = np.dtype([("op", "u1"), ("word", "i8"), ("value", "u4"), ("strobe", "u1"), ("id", "u4")])
#: What became of a request. ``line`` and ``victim`` are line addresses, 0 where there is none; ``fill``: a line was
#: read from memory, ``tries``: writes that memory was asked for, ``write``: one of them at least succeeded.
RESULT = np.dtype(
    [
        ("value", "u4"),
        ("err", "u1"),
        ("hit", "u1"),
        ("line", "i8"),
        ("evict", "u1"),
        ("victim", "i8"),
        ("fill", "u1"),
        ("tries", "u2"),
        ("write", "u1"),
    ]
)
#: counters of the RTL that do not count cycles
COUNTED = ("loads", "stores", "hits", "misses", "evictions", "writes", "errors")
LOADS, STORES, HITS, MISSES, EVICTIONS, WRITES, ERRORS = range(len(COUNTED))


class Geometry(NamedTuple):
    """What of a configuration the kernels need. ``back``: write-back."""

    slot_bits: int
    set_bits: int
    word_bytes: int
    back: bool


class Lines(NamedTuple):
    """The cache: of each set the tag or EMPTY, whether it is dirty, its bytes [sets, line_bytes]."""

    tags: NDArray[np.int64]
    dirty: NDArray[np.uint8]
    data: NDArray[np.uint8]


@kernel
def serve(
    geo: Geometry, contents: Contents, written: Written, lines: Lines, counts: Any, request: Any, out: Any, limit: int
) -> None:
    """One request, into the zeroed record ``out``. Memory takes its first ``limit`` writes (see ``abandon``)."""
    if request.op == LOAD or request.op == STORE:
        load_or_store(geo, contents, written, lines, counts, request, out, limit)
        counts[LOADS] += request.op == LOAD
        counts[STORES] += request.op == STORE
        counts[HITS] += out.hit
        counts[MISSES] += not out.hit
        counts[EVICTIONS] += out.evict
    elif request.op == FLUSH:
        for index in range(len(lines.tags)):
            if lines.dirty[index]:
                line = lines.tags[index] << geo.set_bits | index
                refused = not write(contents, written, counts, out, line, lines.data[index], limit)
                lines.dirty[index] = refused
                out.err |= refused
    else:
        lines.tags[:] = EMPTY
        lines.dirty[:] = 0
    counts[ERRORS] += out.err


@kernel
def load_or_store(
    geo: Geometry, contents: Contents, written: Written, lines: Lines, counts: Any, request: Any, out: Any, limit: int
) -> None:
    """A load or a store; one that memory answers with an error leaves nothing behind but the loss of a clean victim."""
    line = request.word >> geo.slot_bits
    index, tag = line & (len(lines.tags) - 1), line >> geo.set_bits
    out.line = line
    out.hit = lines.tags[index] == tag
    if geo.back or request.op == LOAD:
        if not out.hit and not fill(geo, contents, written, lines, counts, out, line, limit):
            return
    slot = (request.word & ((1 << geo.slot_bits) - 1)) * geo.word_bytes
    if request.op == LOAD:
        for byte in range(geo.word_bytes):
            out.value |= np.uint32(lines.data[index, slot + byte]) << np.uint32(8 * byte)
        return
    if not geo.back:
        whole = np.empty(lines.data.shape[1], np.uint8)
        read_line(contents, written, line, whole)
        merge(geo, request, whole[slot:])
        if not write(contents, written, counts, out, line, whole, limit):
            out.err = 1
            return
    if geo.back or out.hit:
        merge(geo, request, lines.data[index, slot:])
        lines.dirty[index] = geo.back


@kernel
def merge(geo: Geometry, request: Any, data: NDArray[np.uint8]) -> None:
    """Puts the bytes that a store names into ``data``, which begins at its word."""
    for byte in range(geo.word_bytes):
        if request.strobe >> byte & 1:
            data[byte] = (request.value >> np.uint32(8 * byte)) & np.uint32(255)


@kernel
def fill(
    geo: Geometry, contents: Contents, written: Written, lines: Lines, counts: Any, out: Any, line: int, limit: int
) -> bool:
    """Brings ``line`` in, its dirty victim out before; False for an error of either."""
    index = line & (len(lines.tags) - 1)
    victim = lines.tags[index] << geo.set_bits | index
    if lines.dirty[index]:
        if not write(contents, written, counts, out, victim, lines.data[index], limit):
            out.err = 1
            return False
        lines.dirty[index] = 0
    if lines.tags[index] != EMPTY:
        out.evict = 1
        out.victim = victim
    out.fill = 1
    out.err = is_poisoned(contents, line)
    lines.tags[index] = EMPTY if out.err else line >> geo.set_bits
    read_line(contents, written, line, lines.data[index])
    return not out.err


@kernel
def write(
    contents: Contents, written: Written, counts: Any, out: Any, line: int, data: NDArray[np.uint8], limit: int
) -> bool:
    """Writes a line to memory, which refuses a poisoned one; returns whether it did not."""
    out.tries += 1
    if is_poisoned(contents, line):
        return False
    if out.tries <= limit:
        write_line(written, line, data)
    out.write = 1
    counts[WRITES] += 1
    return True


@kernel
def _replay(
    geo: Geometry, contents: Contents, written: Written, lines: Lines, counts: Any, requests: Any, results: Any, limit: int
) -> None:
    for i in range(len(requests)):
        serve(geo, contents, written, lines, counts, requests[i], results[i], limit)


class SimpleModel:
    """The cache ``cfg`` over ``memory``, which it writes. Raises :class:`UserError` for requests that do not fit."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, cache = cfg, cfg.cache
        self.memory = SparseMemory(memory, cache.line_bytes)
        self._geometry = Geometry(cfg.slot_bits, cache.set_bits, cfg.word_bytes, cfg.policy == "write-back")
        self._lines = Lines(
            np.full(cache.sets, EMPTY, np.int64),
            np.zeros(cache.sets, np.uint8),
            np.zeros((cache.sets, cache.line_bytes), np.uint8),
        )
        self._counts = np.zeros(len(COUNTED), np.int64)

    def replay(self, requests: NDArray[Any], limit: int = 1 << 30) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state."""
        bits = self.cfg.word_address_bits
        if len(requests) and not 0 <= requests["word"].min() <= requests["word"].max() < 1 << bits:
            raise UserError(f"word addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        results = np.zeros(len(requests), RESULT)
        self.memory.reserve(len(requests) + self.cfg.cache.sets)
        state = self.memory.below.contents, self.memory.written, self._lines, self._counts
        _replay(self._geometry, *state, requests, results, limit)
        return results

    def abandon(self, request: NDArray[Any], writes: int) -> None:
        """A reset met this request [1] after its first ``writes`` writes; all lines are forgotten."""
        self.replay(request, writes)
        self.reset()

    def reset(self) -> None:
        """Forgets all lines, dirty ones too, and sets the counters to zero."""
        self._lines.tags[:] = EMPTY
        self._lines.dirty[:] = 0
        self._counts[:] = 0

    @property
    def counters(self) -> dict[str, int]:
        """COUNTED since the last reset."""
        return dict(zip(COUNTED, self._counts.tolist(), strict=True))


def memory_cycles(cfg: Config, results: NDArray[Any], timing: MemoryTiming) -> NDArray[np.int64]:
    """Cycles [n] that the requests of RESULT array [n] wait for memory of exactly this timing."""
    beat = 1 + timing.gap
    fill = 3 + timing.latency + (cfg.beats - 1) * beat
    write = fill if cfg.policy == "write-back" else 3 + timing.latency
    waits: NDArray[np.int64] = results["tries"].astype(np.int64) * write + results["fill"] * fill
    return waits


def latencies(
    cfg: Config, requests: NDArray[Any], results: NDArray[Any], timing: MemoryTiming
) -> NDArray[np.int64]:
    """Cycles [n] from each request to its result, with memory of exactly this timing.

    One for the look-up; behind memory one for an answer, or three to install the line and look it up again; a
    flush looks at each set.
    """
    waits = memory_cycles(cfg, results, timing)
    behind = np.where((results["fill"] == 1) & (results["err"] == 0), 3, waits > 0)
    if cfg.policy == "write-back":
        behind = np.where(requests["op"] == FLUSH, cfg.cache.sets + 1, behind)
    return 1 + waits + behind

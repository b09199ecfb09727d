# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``dcache``: predicts every request exactly, one by one or a whole trace at once.

:func:`serve` is the model, written from ``docs/dcache.md``; the policies are :mod:`models.policies`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.dcache.schema import (
    CLEAN,
    FLUSH,
    INVALIDATE,
    LANES,
    LOAD,
    STATUS,
    STORE,
    Config,
)
from configs.simt import WORD_BYTES
from models import policies
from models.kernels import kernel
from models.memory import Contents, Memory, is_poisoned
from models.sparse import EMPTY, SparseMemory, Written, read_line, write_line

#: fields of lane i have i behind their names
REQUEST = np.dtype(
    [
        *(("op", "u1"), ("warp", "u1"), ("mask", "u1")),
        *(
            (f"{name}{lane}", kind)
            for name, kind in (("addr", "i8"), ("data", "u4"), ("strobe", "u1"))
            for lane in range(LANES)
        ),
    ]
)
#: What became of a request. Bit i of ``err``, ``hit``, ``evict``, ``write``: lane i; [lane] the word, ``way``
#: (0 if it has none), ``victim`` (line address or 0), ``burst`` (WROTE, READ, SINGLE: what memory was asked
#: for). ``tries``: writes that it was asked for, ``writes``: those that it did.
RESULT = np.dtype(
    [
        *(("data", "u4", LANES), ("err", "u1"), ("hit", "u1"), ("evict", "u1"), ("write", "u1")),
        *(
            ("way", "u1", LANES),
            ("victim", "i8", LANES),
            ("burst", "u1", LANES),
            ("tries", "u2"),
            ("writes", "u2"),
        ),
    ]
)
WROTE, READ, SINGLE = 1, 2, 4
#: counters of the RTL that do not count cycles
COUNTED = ("loads", "stores", "hits", "misses", "uncached", "evictions", "writes", "errors")


class Registers(NamedTuple):
    """What is kept beside the lines, arrays [1]. ``error``: whether ``address`` failed; memory takes ``left``
    more writes (see :meth:`DcacheModel.abandon`).
    """

    policy: NDArray[np.int64]
    error: NDArray[np.int64]
    address: NDArray[np.int64]
    left: NDArray[np.int64]


class State(NamedTuple):
    """What the kernels work on. ``lines`` [sets, ways]: line addresses or EMPTY; ``data``: their bytes;
    ``ranks`` of the policy.
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


class Lane(NamedTuple):
    """A word of a request."""

    number: int
    store: bool
    address: int
    word: int
    strobe: int


@kernel
def serve(state: State, op: int, mask: int, address: Any, word: Any, strobe: Any, out: Any) -> None:
    """One request, [LANES] of its fields, into the zeroed record ``out``."""
    now = state.now
    if op in (LOAD, STORE):
        for lane in range(LANES):
            if mask >> lane & 1:
                access(state, Lane(lane, op == STORE, address[lane] & ~3, word[lane], strobe[lane]), out)
    elif op in (CLEAN, FLUSH):
        for index in range(len(state.lines)):
            clean(state, index, op == FLUSH, out)
        out.write = out.writes > 0
    elif op == STATUS:
        out.err = now.error[0]
        out.data[0] = now.address[0] if now.error[0] else 0
        now.error[0] = 0
    else:
        if op == INVALIDATE:
            state.lines[:] = EMPTY
            state.dirty[:] = 0
        else:
            now.policy[0] = address[0] & 3
        for index in range(len(state.lines)):
            policies.restart(now.policy[0], state.lines.shape[1], state.ranks[index])


@kernel
def clean(state: State, index: int, drop: bool, out: Any) -> None:
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
        policies.restart(state.now.policy[0], state.lines.shape[1], state.ranks[index])


@kernel
def access(state: State, lane: Lane, out: Any) -> None:
    """A word. Of one that memory refuses nothing stays but the loss of a line."""
    line = lane.address >> state.offset_bits
    through = lane.address >= state.window
    index, way = line & (len(state.lines) - 1), -1
    if through:
        out.burst[lane.number] = SINGLE | (WROTE if lane.store else READ)
    elif state.back or not lane.store:
        way = look_up(state, lane, line, out)
        if way < 0:
            return
    else:
        way = policies.find(state.lines[index], line)
        if way >= 0:
            policies.use(state.now.policy[0], state.lines.shape[1], state.ranks[index], way, False)
            out.hit |= 1 << lane.number
            out.way[lane.number] = way
        out.burst[lane.number] = SINGLE | WROTE
        through = True
    first = lane.address & ((1 << state.offset_bits) - 1)
    if through:
        whole = np.empty(state.data.shape[2], np.uint8)
        read_line(state.contents, state.written, line, whole)
        if not single(state, lane, line, whole, out):
            fail(state, lane.number, lane.address, out)
            if way >= 0:
                state.lines[index, way] = EMPTY
        elif not lane.store:
            load(lane, whole[first:], out)
        elif way >= 0:
            merge(lane, state.data[index, way, first:])
    elif lane.store:
        merge(lane, state.data[index, way, first:])
        state.dirty[index, way] = 1
    else:
        load(lane, state.data[index, way, first:], out)


@kernel
def single(state: State, lane: Lane, line: int, whole: NDArray[np.uint8], out: Any) -> bool:
    """A beat of the line ``whole``, read or written; whether memory did it."""
    if not lane.store:
        return not is_poisoned(state.contents, line)
    merge(lane, whole[lane.address & ((1 << state.offset_bits) - 1) :])
    done = write(state, line, whole, out)
    out.write |= np.uint8(done) << lane.number
    return done


@kernel
def look_up(state: State, lane: Lane, line: int, out: Any) -> int:
    """The way that has the line, once it is there; -1 if memory refuses its victim or the line."""
    index, bit = line & (len(state.lines) - 1), 1 << lane.number
    lines = state.lines[index]
    hit, way, former = policies.access(
        state.now.policy[0], state.invalid_first, lines, state.ranks[index], line
    )
    out.way[lane.number] = way
    if hit:
        out.hit |= bit
        return way
    if state.dirty[index, way]:
        out.burst[lane.number] |= WROTE
        if not write(state, former, state.data[index, way], out):
            lines[way] = former
            fail(state, lane.number, former << state.offset_bits, out)
            return -1
        out.write |= bit
        state.dirty[index, way] = 0
    if former != EMPTY:
        out.evict |= bit
        out.victim[lane.number] = former
    out.burst[lane.number] |= READ
    if is_poisoned(state.contents, line):
        lines[way] = EMPTY
        fail(state, lane.number, lane.address, out)
        return -1
    read_line(state.contents, state.written, line, state.data[index, way])
    return way


@kernel
def fail(state: State, lane: int, address: int, out: Any) -> None:
    """Memory failed a lane at ``address``."""
    out.err |= 1 << lane
    if not state.now.error[0]:
        state.now.error[0], state.now.address[0] = 1, address


@kernel
def load(lane: Lane, data: NDArray[np.uint8], out: Any) -> None:
    """Takes the word at the beginning of ``data``."""
    for byte in range(WORD_BYTES):
        out.data[lane.number] |= np.uint32(data[byte]) << np.uint32(8 * byte)


@kernel
def merge(lane: Lane, data: NDArray[np.uint8]) -> None:
    """Puts the bytes that a store names into ``data``, which begins at its word."""
    for byte in range(WORD_BYTES):
        if lane.strobe >> byte & 1:
            data[byte] = (lane.word >> (8 * byte)) & 255


@kernel
def write(state: State, line: int, data: NDArray[np.uint8], out: Any) -> bool:
    """Writes a line to memory; False if memory refuses it, as it does a poisoned one."""
    out.tries += 1
    state.now.left[0] -= 1
    if is_poisoned(state.contents, line):
        return False
    if state.now.left[0] >= 0:
        write_line(state.written, line, data)
    out.writes += 1
    return True


@kernel
def _replay(state: State, requests: Any, address: Any, word: Any, strobe: Any, results: Any) -> None:
    for i in range(len(requests)):
        serve(state, requests[i].op, requests[i].mask, address[i], word[i], strobe[i], results[i])


def by_lane(requests: NDArray[Any], name: str, kind: str = "i8") -> NDArray[Any]:
    """A field of all lanes [n, LANES] of a REQUEST array [n]."""
    return np.stack([requests[f"{name}{lane}"].astype(kind) for lane in range(LANES)], axis=1)


class DcacheModel:
    """The cache ``cfg`` over ``memory``. Raises :class:`UserError` for requests that do not fit."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, cache = cfg, cfg.cache
        self.memory = SparseMemory(memory, cache.line_bytes)
        shape = cache.sets, cache.ways
        self._lines, self._dirty = np.full(shape, EMPTY, np.int64), np.zeros(shape, np.uint8)
        self._data = np.zeros((*shape, cache.line_bytes), np.uint8)
        self._ranks = np.zeros((cache.sets, policies.entries(cache.ways)), np.uint8)
        self._now = Registers(*(np.zeros(1, np.int64) for _ in Registers._fields))
        self.reset()

    def replay(self, requests: NDArray[Any], limit: int = 1 << 60) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        Of what they write, the first ``limit`` writes reach memory.
        """
        bits, cache = self.cfg.cache.address_bits, self.cfg.cache
        address = by_lane(requests, "addr")
        if len(requests) and not 0 <= address.min() <= address.max() < 1 << bits:
            raise UserError(f"addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        results = np.zeros(len(requests), RESULT)
        self.memory.reserve(LANES * len(requests) + cache.sets * cache.ways)
        self._now.left[0] = limit
        state = State(
            cache.offset_bits, self.cfg.write_back, cache.invalid_first, window(self.cfg),
            self.memory.below.contents, self.memory.written,
            self._lines, self._dirty, self._data, self._ranks, self._now,
        )  # fmt: skip
        _replay(state, requests, address, by_lane(requests, "data"), by_lane(requests, "strobe"), results)
        self._count(requests, results)
        return results

    def _count(self, requests: NDArray[Any], results: NDArray[Any]) -> None:
        op = requests["op"]
        access = (op == LOAD) | (op == STORE)
        words, hits = _bits(requests["mask"][access]), _bits(results["hit"])
        taken = requests["mask"][:, None] >> np.arange(LANES) & 1 & access[:, None]
        uncached = int((taken * (by_lane(requests, "addr") >= window(self.cfg))).sum())
        counted = (
            int((op == LOAD).sum()), int((op == STORE).sum()), hits, words - hits - uncached, uncached,
            _bits(results["evict"]), int(results["writes"].sum(dtype=np.int64)),
            _bits(results["err"][op != STATUS]),
        )  # fmt: skip
        for name, count in zip(COUNTED, counted, strict=True):
            self.counters[name] += count

    def abandon(self, requests: NDArray[Any], writes: int) -> None:
        """A reset met these requests [n] after their first ``writes`` writes; all lines are forgotten."""
        self.replay(requests, writes)
        self.reset()

    def reset(self) -> None:
        """Forgets all lines, dirty ones too, and errors, and sets the counters to zero."""
        self._lines[:] = EMPTY
        self._dirty[:] = 0
        for register in self._now:
            register[:] = 0
        self._now.policy[:] = self.cfg.cache.policy_number
        for ranks in self._ranks:
            policies.restart(self.cfg.cache.policy_number, self.cfg.cache.ways, ranks)
        self.counters = dict.fromkeys(COUNTED, 0)


def window(cfg: Config) -> int:
    """The first address that is not cached; all above are not, either."""
    top = 1 << cfg.cache.address_bits
    return top - (top >> cfg.uncached_bits) if cfg.uncached_bits else top


def _bits(masks: NDArray[Any]) -> int:
    """How many bits of masks [n] are set."""
    return int(np.unpackbits(masks.astype(np.uint8)).sum())

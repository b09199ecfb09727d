# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``icache``: predicts every request exactly, one by one or a whole trace at once.

:func:`serve` is the model, written from ``docs/icache.md``; the policies are :mod:`models.policies`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.icache.schema import BASE, FETCH, INVALIDATE, STATUS, Config
from configs.simt import WORD_BYTES
from models import policies
from models.kernels import kernel
from models.lru import EMPTY
from models.memory import Contents, Memory, is_poisoned
from models.sparse import SparseMemory, Written, read_over

REQUEST = np.dtype([("op", "u1"), ("block", "u1"), ("pc", "i8"), ("warp", "u1"), ("sign", "u1")])
#: What became of a request. ``line``, ``victim``: line addresses or 0; ``repeat``: that of the fetch
#: before; ``way``: that hit or was filled; ``fill``: a line was read from memory.
RESULT = np.dtype(
    [
        *(("inst", "u4"), ("err", "u1"), ("hit", "u1"), ("repeat", "u1"), ("way", "u1"), ("line", "i8")),
        *(("evict", "u1"), ("victim", "i8"), ("fill", "u1")),
    ]
)
#: counters of the RTL that do not count cycles
COUNTED = ("fetches", "hits", "repeats", "misses", "evictions", "errors")


class Registers(NamedTuple):
    """What is kept beside the lines: each an array [1], ``base`` [blocks].

    ``last``: line of the fetch before and ``way`` where it is; EMPTY after what makes it unsure. ``lost``:
    line of the fetch right before, if memory failed. ``error``: whether ``address`` failed.
    """

    policy: NDArray[np.int64]
    base: NDArray[np.int64]
    last: NDArray[np.int64]
    way: NDArray[np.int64]
    lost: NDArray[np.int64]
    error: NDArray[np.int64]
    address: NDArray[np.int64]


class State(NamedTuple):
    """What the kernels work on. ``lines`` [sets, ways]: line addresses or EMPTY; ``words`` [sets, ways,
    words of a line]: what was read of them; ``ranks`` of the policy.
    """

    offset_bits: int
    mask: int  # of an address
    invalid_first: bool
    contents: Contents
    written: Written
    lines: NDArray[np.int64]
    words: NDArray[np.uint32]
    ranks: NDArray[np.uint8]
    now: Registers


@kernel
def serve(state: State, request: Any, close: bool, out: Any) -> None:
    """One request, into the zeroed record ``out``; ``close``: taken before the one before was answered."""
    now = state.now
    lost = now.lost[0]
    now.lost[0] = EMPTY
    if request.op == FETCH:
        fetch(state, request, lost if close else EMPTY, out)
    elif request.op == BASE:
        now.base[request.block] = request.pc
    elif request.op == STATUS:
        out.err = now.error[0]
        out.inst = now.address[0] if now.error[0] else 0
        now.error[0] = 0
    else:
        if request.op == INVALIDATE:
            state.lines[:] = EMPTY
        else:
            now.policy[0] = request.pc & 3
        restart(state)


@kernel
def restart(state: State) -> None:
    """Replacement begins anew, and the next fetch repeats nothing."""
    state.now.last[0] = EMPTY
    for index in range(len(state.lines)):
        policies.restart(state.now.policy[0], state.lines.shape[1], state.ranks[index])


@kernel
def fetch(state: State, request: Any, lost: int, out: Any) -> None:
    """An instruction: behind a fetch of the ``lost`` line it is lost as well."""
    now = state.now
    address = (now.base[request.block] + request.pc) & state.mask
    line = address >> state.offset_bits
    out.line = line
    out.repeat = line in (now.last[0], lost)
    if line == lost:
        out.err = 1
        return
    if out.repeat:
        out.hit, out.way = 1, now.way[0]
    else:
        look_up(state, address, line, out)
    if not out.err:
        words = state.words[line & (len(state.lines) - 1), now.way[0]]
        out.inst = words[address // WORD_BYTES & (len(words) - 1)]


@kernel
def look_up(state: State, address: int, line: int, out: Any) -> None:
    """Finds the line or brings it in; a line that failed leaves its way empty."""
    now = state.now
    index = line & (len(state.lines) - 1)
    hit, way, former = policies.access(
        now.policy[0], state.invalid_first, state.lines[index], state.ranks[index], line
    )
    out.hit, out.way = hit, way
    now.last[0], now.way[0] = line, way
    if hit:
        return
    out.fill = 1
    if former != EMPTY:
        out.evict, out.victim = 1, former
    if is_poisoned(state.contents, line):
        out.err = 1
        state.lines[index, way] = EMPTY
        now.last[0], now.lost[0] = EMPTY, line
        if not now.error[0]:
            now.error[0], now.address[0] = 1, address
        return
    words = state.words[index, way]
    for word in range(len(words)):
        words[word] = read_over(state.contents, state.written, line * len(words) + word)


@kernel
def _replay(state: State, requests: Any, close: Any, results: Any) -> None:
    for i in range(len(requests)):
        serve(state, requests[i], close[i], results[i])


class IcacheModel:
    """The cache ``cfg`` over ``memory``. Raises :class:`UserError` for requests that do not fit.

    Where others write memory, ``written`` has the lines that they wrote: a fill sees them.
    """

    def __init__(self, cfg: Config, memory: Memory, written: SparseMemory | None = None) -> None:
        self.cfg, self.memory, cache = cfg, memory, cfg.cache
        self._over = written or SparseMemory(memory, cache.line_bytes)
        self._words = np.zeros((cache.sets, cache.ways, cfg.line_words), np.uint32)
        self._lines = np.full((cache.sets, cache.ways), EMPTY, np.int64)
        self._ranks = np.zeros((cache.sets, policies.entries(cache.ways)), np.uint8)
        sizes = (1, cfg.blocks, 1, 1, 1, 1, 1)
        self._now = Registers(*(np.zeros(size, np.int64) for size in sizes))
        self.reset()

    @property
    def bases(self) -> NDArray[np.int64]:
        """The base address of each block."""
        return self._now.base.copy()

    def replay(self, requests: NDArray[Any], close: NDArray[np.bool_] | None = None) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        ``close`` [n]: whether each was taken before the one before it was answered; all, if None, as where
        one is offered each cycle. It matters behind a fetch that memory failed, and there alone.
        """
        bits = self.cfg.cache.address_bits
        if len(requests) and not 0 <= requests["pc"].min() <= requests["pc"].max() < 1 << bits:
            raise UserError(f"addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        results = np.zeros(len(requests), RESULT)
        if close is None:
            close = np.ones(len(requests), np.bool_)
        cache = self.cfg.cache
        state = State(
            cache.offset_bits, (1 << bits) - 1, cache.invalid_first, self.memory.contents,
            self._over.written, self._lines, self._words, self._ranks, self._now,
        )  # fmt: skip
        _replay(state, requests, close, results)
        self._count(requests["op"] == FETCH, results)
        return results

    def _count(self, fetched: NDArray[np.bool_], results: NDArray[Any]) -> None:
        hit = results["hit"] == 1
        counted = (
            fetched, hit, hit & (results["repeat"] == 1), fetched & ~hit, results["evict"],
            fetched & (results["err"] == 1),
        )  # fmt: skip
        for name, column in zip(COUNTED, counted, strict=True):
            self.counters[name] += int(column.sum())

    def reset(self) -> None:
        """Forgets all lines, bases and errors, and sets the counters to zero."""
        self._lines[:] = EMPTY
        for register in self._now:
            register[:] = 0
        for register in (self._now.last, self._now.lost):
            register[:] = EMPTY
        self._now.policy[:] = self.cfg.cache.policy_number
        for ranks in self._ranks:
            policies.restart(self.cfg.cache.policy_number, self.cfg.cache.ways, ranks)
        self.counters = dict.fromkeys(COUNTED, 0)


def memory_cycles(cfg: Config, timing: MemoryTiming) -> int:
    """Cycles that a fetch that misses waits in the second stage, for a memory of this timing."""
    return 1 + timing.latency + (cfg.beats - 1) * (1 + timing.gap)

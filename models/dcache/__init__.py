# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``dcache``: predicts every request exactly, one by one or a whole trace at once.

:func:`models.dcache.blocking.serve` and :func:`models.dcache.groups.serve` are the model, written from
``docs/dcache.md``; the policies are :mod:`models.policies`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.dcache.schema import CLEAN, FLUSH, LANES, STORE, Config
from models import policies
from models.dcache import blocking, groups
from models.dcache.failures import Failures
from models.dcache.journal import dropped, new_journal, with_room
from models.dcache.records import (
    AHEAD,
    COUNTED,
    LOOKED,
    READ,
    REFUSED,
    REQUEST,
    RESULT,
    SINGLE,
    WROTE,
    by_lane,
    count,
    window,
)
from models.dcache.state import NONE, DcacheState, Registers
from models.kernels import kernel
from models.memory import Memory
from models.sparse import EMPTY, SparseMemory, write_line

__all__ = [
    "AHEAD", "COUNTED", "LOOKED", "READ", "REFUSED", "REQUEST", "RESULT", "SINGLE", "WROTE", "DcacheModel",
    "by_lane", "window",
]  # fmt: skip


@kernel
def _replay(
    state: DcacheState, requests: Any, address: Any, word: Any, strobe: Any, results: Any, counts: Any
) -> None:
    for i in range(len(requests)):
        blocking.serve(state, requests[i].op, requests[i].mask, address[i], word[i], strobe[i], results[i])
        count(state.window, requests[i].op, requests[i].mask, address[i], results[i], counts)


@kernel
def _replay_groups(
    state: DcacheState, requests: Any, address: Any, word: Any, strobe: Any, results: Any, counts: Any
) -> None:
    for i in range(len(requests)):
        groups.serve(state, requests[i].op, requests[i].mask, address[i], word[i], strobe[i], results[i])
        count(state.window, requests[i].op, requests[i].mask, address[i], results[i], counts)


class DcacheModel:
    """The cache ``cfg`` over ``memory``. Raises :class:`UserError` for requests that do not fit.

    ``journaled``: writes can be undone, see :meth:`undo`. ``failures``: what a status may tell under misses,
    where it hangs on time; ``replay`` has the first in the order of requests.
    """

    def __init__(self, cfg: Config, memory: Memory, *, journaled: bool = False) -> None:
        self.cfg, cache = cfg, cfg.cache
        self.memory = SparseMemory(memory, cache.line_bytes)
        shape = cache.sets, cache.ways
        self._lines = np.full(shape, EMPTY, np.int64)
        self._data = np.zeros((*shape, cache.line_bytes), np.uint8)
        self._dirty, self._poisoned, self._ahead = (np.zeros(shape, np.uint8) for _ in range(3))
        self._latest = np.full(cache.sets, NONE, np.int64)
        self._ranks = np.zeros((cache.sets, policies.entries(cache.ways)), np.uint8)
        self._now = Registers(*(np.zeros(1, np.int64) for _ in Registers._fields))
        self.failures = Failures(cfg)
        self._journaled, self._journal = journaled, new_journal(0, cache.line_bytes)
        self.reset()

    def replay(self, requests: NDArray[Any], limit: int = 1 << 60) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        Of what they write, the first ``limit`` writes reach memory.
        """
        results, counts = np.zeros(len(requests), RESULT), np.zeros(len(COUNTED + AHEAD), np.int64)
        run = _replay_groups if self.cfg.nonblocking else _replay
        run(self.state(requests["op"], limit), requests, *self.by_lanes(requests), results, counts)
        self.add(counts)
        self.follow(requests, results)
        return results

    def by_lanes(self, requests: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Addresses, words and strobes [n, LANES] of requests. Raises :class:`UserError`."""
        bits, address = self.cfg.cache.address_bits, by_lane(requests, "addr")
        if len(requests) and not 0 <= address.min() <= address.max() < 1 << bits:
            raise UserError(f"addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        return address, by_lane(requests, "data"), by_lane(requests, "strobe")

    def follow(self, requests: NDArray[Any], results: NDArray[Any]) -> None:
        """What became of requests [n], for a status under misses."""
        if self.cfg.nonblocking:
            self.failures.follow(requests, results)

    def state(self, ops: NDArray[Any], limit: int = 1 << 60) -> DcacheState:
        """What kernels work on, with room for requests of these ``ops`` [n], of whose writes the first
        ``limit`` reach memory.
        """
        cfg, cache = self.cfg, self.cfg.cache
        lines, stored = cache.sets * cache.ways, LANES * int((ops == STORE).sum())
        self.memory.reserve(stored + lines)  # only what was stored is ever written
        if self._journaled:
            scans = int(np.isin(ops, (CLEAN, FLUSH)).sum())
            self._journal = with_room(self._journal, LANES * len(ops) + scans * lines)
        self._now.left[0] = limit
        return DcacheState(
            cache.offset_bits, cfg.write_back, cache.invalid_first, window(cfg), self.memory.below.contents,
            self.memory.written, self._lines, self._dirty, self._data, self._ranks, self._now, self._journal,
            cfg.coalescing, cfg.prefetch, self._poisoned, self._ahead, self._latest,
        )  # fmt: skip

    def add(self, counts: NDArray[np.int64]) -> None:
        """To the counters: ``counts`` by their order."""
        for name, number in zip(self.counters, counts.tolist(), strict=False):
            self.counters[name] += number

    def abandon(self, requests: NDArray[Any], writes: int) -> None:
        """A reset met these requests [n] after their first ``writes`` writes; all lines are forgotten."""
        self.replay(requests, writes)
        self.reset()

    def certain(self, writes: int) -> None:
        """The first ``writes`` of those that can be undone have come to memory, and cannot any more."""
        self._journal = dropped(self._journal, writes)

    def undo(self, writes: int) -> None:
        """The last ``writes`` writes, refused ones among them, did not come to memory.

        Raises ValueError for more than can be undone.
        """
        count = int(self._journal.used[0])
        if writes > count:
            raise ValueError(f"{writes} writes to undo, {count} are known")
        for row in range(count - 1, count - 1 - writes, -1):
            if self._journal.lines[row] != EMPTY:
                write_line(self.memory.written, int(self._journal.lines[row]), self._journal.former[row])
        self._journal.used[0] -= writes

    def reset(self) -> None:
        """Forgets all lines, dirty ones too, and errors, and sets the counters to zero."""
        self._lines[:] = EMPTY
        self.failures.reset()
        for marks in (self._dirty, self._poisoned, self._ahead):
            marks[:] = 0
        self._latest[:] = NONE
        for register in self._now:
            register[:] = 0
        self._now.policy[:] = self.cfg.cache.policy_number
        for ranks in self._ranks:
            policies.restart(self.cfg.cache.policy_number, self.cfg.cache.ways, ranks)
        self.counters = dict.fromkeys(COUNTED + AHEAD * self.cfg.prefetch, 0)

# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``icache``: predicts every request exactly, one by one or a whole trace at once.

:mod:`models.icache.serving` is the model; the policies are :mod:`models.policies`, cycles
:mod:`models.icache.cycles`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.icache.schema import Config
from models import policies
from models.icache.serving import COUNTED, IcacheState, Registers, Seen
from models.icache.serving import replay as replay_all
from models.lru import EMPTY
from models.memory import Memory
from models.sparse import SparseMemory

REQUEST = np.dtype([("op", "u1"), ("block", "u1"), ("pc", "i8"), ("warp", "u1"), ("sign", "u1")])
#: What became of a request. ``line``, ``victim``: line addresses or 0; ``repeat``: that of the fetch
#: before; ``way``: that hit or was filled; ``fill``: a line was read from memory; ``beat``: that of the
#: instruction in its line.
RESULT = np.dtype(
    [
        *(("inst", "u4"), ("err", "u1"), ("hit", "u1"), ("repeat", "u1"), ("way", "u1"), ("line", "i8")),
        *(("evict", "u1"), ("victim", "i8"), ("fill", "u1"), ("beat", "u1")),
    ]
)
NOTHING = np.zeros(0, np.int64)


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
        self._now = Registers(*(np.zeros(1, np.int64) for _ in Registers._fields))._replace(
            base=np.zeros(cfg.blocks, np.int64)
        )
        self.reset()

    @property
    def bases(self) -> NDArray[np.int64]:
        """The base address of each block."""
        return self._now.base.copy()

    def replay(
        self, requests: NDArray[Any], close: NDArray[np.bool_] | None = None, seen: Seen | None = None
    ) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        ``close`` [n]: whether each was taken before the one before it was answered; all, if None, as where
        one is offered each cycle. It matters behind a fetch that memory failed, and there alone. With restart
        at the word ``seen`` has that in its place; the same if None, and all beats of a line fail.
        """
        self.check(requests)
        results = np.zeros(len(requests), RESULT)
        if close is None:
            close = np.ones(len(requests), np.bool_)
        counts = np.zeros(len(COUNTED), np.int64)
        replay_all(self.state(seen), requests, close, results, counts)
        self.add(counts)
        return results

    def check(self, requests: NDArray[Any]) -> None:
        """Raises :class:`UserError` for addresses of more bits than the configuration's."""
        bits = self.cfg.cache.address_bits
        if len(requests) and not 0 <= requests["pc"].min() <= requests["pc"].max() < 1 << bits:
            raise UserError(f"addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")

    def state(self, seen: Seen | None = None) -> IcacheState:
        """What kernels work on; ``seen`` as in :meth:`replay`."""
        cfg, cache = self.cfg, self.cfg.cache
        if seen is None:
            seen = Seen(NOTHING, np.zeros((0, cfg.beats), np.bool_), NOTHING)
        return IcacheState(
            cache.offset_bits, (1 << cache.address_bits) - 1, cfg.axi.strobe_bits, cache.invalid_first,
            cfg.early, self.memory.contents, self._over.written, self._lines, self._words, self._ranks,
            self._now, seen,
        )  # fmt: skip

    def add(self, counts: NDArray[np.int64]) -> None:
        """To the counters: ``counts`` by their order."""
        for name, count in zip(COUNTED, counts.tolist(), strict=True):
            self.counters[name] += count

    def reset(self) -> None:
        """Forgets all lines, bases and errors, and sets the counters to zero."""
        self._lines[:] = EMPTY
        for register in self._now:
            register[:] = 0
        for register in (self._now.last, self._now.lost, self._now.failing):
            register[:] = EMPTY
        self._now.policy[:] = self.cfg.cache.policy_number
        for ranks in self._ranks:
            policies.restart(self.cfg.cache.policy_number, self.cfg.cache.ways, ranks)
        self.counters = dict.fromkeys(COUNTED, 0)

# SPDX-License-Identifier: Apache-2.0
"""Coverage of what depends on earlier accesses: order of use in a set, lines on their way, poisoned lines."""

import numpy as np

from configs.texcache.schema import Config
from models.texcache.address import geometry, line_of
from tb.common.coverage.bins import Counters
from tb.texcache.scoreboard import Completed


class History:
    """Remembers, since reset or invalidation, what later look-ups are to be judged by."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self._geometry = geometry(cfg)
        self._last: dict[tuple[int, int], tuple[int, int]] = {}  # (bank, set) -> way and line used last
        self._due: dict[int, int] = {}  # line -> cycle in which it arrived
        self._poisoned: set[int] = set()  # lines in the cache that failed

    def sample(self, done: Completed, counters: Counters) -> None:
        """Walk through the look-ups in order."""
        results, failing = done.prediction.results, done.prediction.failing
        rows, slots = np.nonzero(results["valid"])
        names = ("hit", "bank", "set", "way", "evict", "victim", "line")
        columns = [results[name][rows, slots].tolist() for name in names]
        due = done.line_due[rows, slots].tolist()
        requested = done.requested[rows].tolist()
        small = [self.cfg.is_small(int(level)) for level in done.prediction.footprints["level"]]
        before = -1
        fresh: set[int] = set()
        for i, (hit, bank, index, way, evict, victim, line) in enumerate(zip(*columns, strict=True)):
            if rows[i] != before:
                before, fresh = rows[i], set()
            if hit:
                self._under_fill(line, requested[i], line in fresh, counters)
            else:
                self._due[line] = due[i]
                fresh.add(line)
                self._poisoned.discard(line)
                self._poisoned |= failing & {line}
                if evict:
                    replaced = line_of(self._geometry, bank, index, victim)
                    self._replaced(bank, index, way, replaced, counters)
            if line in self._poisoned:
                counters.hit("error", "hit" if hit else "miss")
                counters.hit("error slot", ("L0", "L1", "R0", "R1")[slots[i]])
            self._alias(bank, index, line, small[rows[i]], counters)
            self._last[bank, index] = way, line

    def _under_fill(self, line: int, requested: int, fresh: bool, counters: Counters) -> None:
        if self._due.get(line, -1) > requested:
            counters.hit("hit under fill", "same footprint" if fresh else "later footprint")

    def _replaced(self, bank: int, index: int, way: int, victim: int, counters: Counters) -> None:
        if "LRU" in counters.plan:
            counters.hit("LRU", f"{self._last[bank, index][0]}>{way}")
        if victim in self._poisoned:
            counters.hit("error", "replaced")
            self._poisoned.discard(victim)

    def _alias(self, bank: int, index: int, line: int, small: bool, counters: Counters) -> None:
        if small and "small alias" in counters.plan and (bank, index) in self._last:
            differing = (line ^ self._last[bank, index][1]) >> self.cfg.cache.set_bits
            if 0 < differing < self.cfg.banks:
                counters.hit("small alias", "seen")

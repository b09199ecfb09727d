# SPDX-License-Identifier: Apache-2.0
"""Cycles that fetches of ``icache`` wait for memory: docs/icache.md, timing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.icache.schema import Config
from models.kernels import kernel
from models.lru import EMPTY


def memory_cycles(cfg: Config, timing: MemoryTiming) -> int:
    """Cycles that a fetch that misses waits in the second stage, for a memory of this timing."""
    awaited = 1 if cfg.early else cfg.beats
    return 1 + timing.latency + (awaited - 1) * (1 + timing.gap)


class Waits:
    """Cycles that fetches wait on a machine that does nothing else meanwhile, piece by piece of a run."""

    def __init__(self, cfg: Config, timing: MemoryTiming) -> None:
        self._cfg, self._timing = cfg, timing
        self._coming = np.array([EMPTY, 0, 0, 0], np.int64)

    def of(self, results: NDArray[Any], times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of fetches, RESULT [n], that would be looked up in the cycles ``times`` [n] if none of them, nor of
        those before, waited.
        """
        cycles = memory_cycles(self._cfg, self._timing)
        if not self._cfg.early:
            return np.where(results["fill"] == 1, cycles, 0)
        found = np.zeros(len(results), np.int64)
        _wait(results, times, cycles, self._cfg.beats, 1 + self._timing.gap, self._coming, found)
        return found


@kernel
def _wait(
    results: Any, times: Any, cycles: int, beats: int, step: int, coming: NDArray[np.int64], found: Any
) -> None:
    """``coming`` [4]: the line that comes, its first beat and that one's cycle; cycles waited so far."""
    line, first, begin, waited = coming
    for i in range(len(results)):
        now, end = times[i] + waited, begin + (beats - 1) * step
        wait = 0
        if results[i].fill:
            wait = cycles if line == EMPTY else cycles + max(0, end + 1 - now)
            line, first, begin = results[i].line, results[i].beat, now + wait
        elif results[i].line == line:
            wait = max(0, begin + (int(results[i].beat) - first) % beats * step - now)
        waited += wait
        found[i] = wait
    coming[0], coming[1], coming[2], coming[3] = line, first, begin, waited

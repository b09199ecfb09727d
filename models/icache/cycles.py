# SPDX-License-Identifier: Apache-2.0
"""Cycles that fetches of ``icache`` wait for memory: docs/icache.md, timing."""

from typing import Any, NamedTuple

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


class Timing(NamedTuple):
    """``early``: restart at the word; ``cycles`` of a miss; of a line ``beats``, one each ``step`` cycles;
    ``sets``, which are forgotten one each cycle.
    """

    early: bool
    cycles: int
    beats: int
    step: int
    sets: int


@kernel
def wait(timing: Timing, coming: NDArray[np.int64], time: int, out: Any) -> int:
    """Cycles of a fetch, RESULT ``out``, that would be looked up at ``time`` if none before it had waited.

    ``coming`` [4]: the line that comes, its first beat and that one's cycle; cycles waited so far.
    """
    if not timing.early:
        return timing.cycles if out.fill else 0
    now, end = time + coming[3], coming[2] + (timing.beats - 1) * timing.step
    cycles = 0
    if out.fill:
        cycles = timing.cycles + (0 if coming[0] == EMPTY else max(0, end + 1 - now))
        coming[0], coming[1], coming[2] = out.line, out.beat, now + cycles
    elif out.line == coming[0]:
        beat = (int(out.beat) - coming[1]) % timing.beats
        cycles = max(0, coming[2] + beat * timing.step - now)
    coming[3] += cycles
    return cycles


@kernel
def forgotten(timing: Timing, coming: NDArray[np.int64], time: int) -> int:
    """Cycles of an invalidation, from the request at ``time`` (see :func:`wait`) to its result; a line that
    comes is waited for first.
    """
    cycles = 2 + timing.sets
    if coming[0] != EMPTY:
        cycles += max(0, coming[2] + (timing.beats - 1) * timing.step - time - coming[3])
    coming[3] += cycles
    return cycles


@kernel
def _wait_all(timing: Timing, coming: NDArray[np.int64], times: Any, results: Any, waits: Any) -> None:
    for i in range(len(results)):
        waits[i] = wait(timing, coming, times[i], results[i])


class Waits:
    """Cycles that fetches wait on a machine that does nothing else meanwhile, piece by piece of a run.

    ``timing`` and ``coming``: for kernels, see :func:`wait`.
    """

    def __init__(self, cfg: Config, timing: MemoryTiming) -> None:
        cycles = memory_cycles(cfg, timing)
        self.timing = Timing(cfg.early, cycles, cfg.beats, 1 + timing.gap, cfg.cache.sets)
        self.coming = np.array([EMPTY, 0, 0, 0], np.int64)

    def of(self, results: NDArray[Any], times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of fetches, RESULT [n], that would be looked up in the cycles ``times`` [n] if none of them, nor of
        those before, waited.
        """
        waits = np.zeros(len(results), np.int64)
        _wait_all(self.timing, self.coming, times, results, waits)
        return waits

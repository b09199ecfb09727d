# SPDX-License-Identifier: Apache-2.0
"""Cycles that requests of ``dcache`` wait in its second stage: docs/dcache.md, timing."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, POLICY, Config
from models.dcache import READ, SINGLE, WROTE


class Cycles(NamedTuple):
    """Cycles that memory takes: to read a line, to write one, for single beats."""

    read: int
    write: int
    read_single: int
    write_single: int


def memory_cycles(cfg: Config, timing: MemoryTiming) -> Cycles:
    """Cycles that a request waits in the second stage for a memory of this timing."""
    more = (cfg.beats - 1) * (1 + timing.gap)
    return Cycles(
        1 + timing.latency + more, 2 + timing.latency + more, 1 + timing.latency, 2 + timing.latency
    )


def waits(
    cfg: Config, requests: NDArray[Any], results: NDArray[Any], timing: MemoryTiming
) -> NDArray[np.int64]:
    """Cycles [n, LANES] that each lane waits for memory; a clean or a flush in lane 0."""
    cycles, burst = memory_cycles(cfg, timing), results["burst"]
    single = burst & SINGLE > 0
    read = np.where(single, cycles.read_single, cycles.read)
    write = np.where(single, cycles.write_single, cycles.write)
    lane_waits: NDArray[np.int64] = np.where(burst & READ > 0, read, 0) + np.where(
        burst & WROTE > 0, write, 0
    )
    scans = (requests["op"] == CLEAN) | (requests["op"] == FLUSH)
    lane_waits[scans, 0] = results["tries"][scans].astype(np.int64) * cycles.write
    return lane_waits


def walks(cfg: Config, requests: NDArray[Any], results: NDArray[Any]) -> NDArray[np.int64]:
    """Cycles [n] that requests wait in the second stage besides: for sets, one by one."""
    op, sets = requests["op"], cfg.cache.sets
    if not cfg.write_back:
        return np.where((op == FLUSH) | (op == INVALIDATE) | (op == POLICY), sets, 0)
    scans = (op == CLEAN) | (op == FLUSH)
    looks = 1 + sets + results["tries"].astype(np.int64)
    return np.where(scans, looks, np.where((op == INVALIDATE) | (op == POLICY), sets, 0))

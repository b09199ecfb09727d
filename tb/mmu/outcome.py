# SPDX-License-Identifier: Apache-2.0
"""What a program's run on the RTL of ``mmu`` has come to, and what the golden models make of the same run."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.icache.schema import FETCH
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu import MmuModel
from workloads.simt import requests
from workloads.simt.isa import BLOCKS, WARPS
from workloads.simt.machine import Trace
from workloads.simt.state import SHARED_BASE


def wide(cfg: Config) -> Config:
    """``cfg`` for the machine: 32 address bits, its blocks, warps and window. Hits do not change."""
    axi, ram = {"address_bits": 32}, {"base": SHARED_BASE}
    result: Config = cfg.with_(axi=axi, data_ram=ram, warps=WARPS, icache={"blocks": BLOCKS})
    return result


class Predicted(NamedTuple):
    """What the golden models make of a run: counters by stream, results of its fetches [n] and accesses [m].

    ``asked``: lanes [m] that the accesses have.
    """

    counters: dict[str, dict[str, int]]
    fetched: NDArray[Any]
    accessed: NDArray[Any]
    asked: NDArray[np.uint8]


def predicted(cfg: Config, memory: NDArray[np.uint32], trace: Trace) -> Predicted:
    """Of ``trace``; ``memory``: before it."""
    model = MmuModel(wide(cfg), Memory(image=memory))
    fetches = np.concatenate([requests.bases(trace.base), requests.fetches(trace)])
    fetched, accesses = model.fetch(fetches), requests.accesses(trace, shared=True)
    accessed = model.access(accesses)
    counters = {"icache_perf": model.icache.counters, "dcache_perf": model.dcache.counters}
    return Predicted(counters, fetched[fetches["op"] == FETCH], accessed, accesses["mask"])


@dataclass(frozen=True)
class ProgramOutcome:
    """A run. ``cycles``: from the first fetch to the last result; ``clean``: what writing back took then.

    ``trace``: what was asked, in order; ``ended``: the cycle [n] in which each instruction had its word, or
    its data; ``first``: that of the first request. ``counters``: of the RTL, by stream. ``memory``: uint32
    words from address 0 on, after all.
    """

    trace: Trace
    ended: NDArray[np.int64]
    first: int
    cycles: int
    clean: int
    counters: dict[str, dict[str, int]]
    memory: NDArray[np.uint32]

    @property
    def instructions(self) -> int:
        """That warps executed."""
        return len(self.trace.fetches)

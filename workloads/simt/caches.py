# SPDX-License-Identifier: Apache-2.0
"""What the caches make of a run: its fetches through the golden model of ``icache``, its loads and stores
through that of ``dcache``, piece by piece, so that a run of any length takes the same memory.

A cache is wider than its preset where the machine is: 32 address bits, 4 blocks, 8 warps. Hits do not depend
on that. Stalls are those of a machine that waits for each miss, with the memory of the configurations.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.dcache.schema import CLEAN
from configs.icache.schema import FETCH
from models.dcache import REQUEST, DcacheModel
from models.dcache.cycles import waits, walks
from models.icache import IcacheModel, memory_cycles
from models.memory import Memory
from workloads.simt.machine import Trace
from workloads.simt.requests import Column, accesses, bases, fetches, wide

COLUMNS = ("i-misses", "d-misses", "stalls")  # of a listing


def configured(block: str, text: str = "", policy: str | None = None) -> Any:
    """The configuration of ``block`` in words: a preset, if any, then changes (``small cache.ways=4``).

    ``policy`` goes before the preset's. Raises :class:`UserError`.
    """
    words = text.split()
    preset = words.pop(0) if words and "=" not in words[0] else None
    return load(block, preset, [*words, *([f"cache.policy={policy}"] if policy else [])])


class Caches:
    """Both caches, empty, before a run of ``code_bytes`` of code from the bases ``base`` [blocks] on.

    ``image``: uint32 words of memory from address 0 on; if none, the contents of lines mean nothing.
    """

    def __init__(
        self, fetching: Any, data: Any, base: Sequence[int] | Column, code_bytes: int, image: Any = None
    ) -> None:
        self.fetching, self.data = fetching, data
        self.icache = IcacheModel(wide(fetching), Memory(image=image))
        self.dcache = DcacheModel(wide(data), Memory(image=image))
        self.by_pc: dict[str, Column] = {name: np.zeros(code_bytes // 4, np.int64) for name in COLUMNS}
        self.stalls = {"instructions": 0, "data": 0}
        self.icache.replay(bases(base))

    def run(self, trace: Trace) -> tuple[NDArray[Any], NDArray[Any]]:
        """The next piece of a run. Returns RESULT [n] of its fetches and RESULT [m] of its accesses."""
        return self._fetch(trace), self._access(trace)

    def _fetch(self, trace: Trace) -> NDArray[Any]:
        asked = fetches(trace)
        results = self.icache.replay(asked)[asked["op"] == FETCH]
        missed = results["hit"] == 0
        wait = memory_cycles(self.icache.cfg, self.fetching.memory)
        self.stalls["instructions"] += int(missed.sum()) * wait
        self._add("i-misses", trace.fetches["pc"], missed)
        self._add("stalls", trace.fetches["pc"], missed * wait)
        return results

    def _access(self, trace: Trace) -> NDArray[Any]:
        asked = accesses(trace)
        results = self.dcache.replay(asked)
        cfg, pc = self.dcache.cfg, trace.fetches["pc"][trace.accesses["fetch"] - trace.first]
        stalls = waits(cfg, asked, results, cfg.memory).sum(axis=1) + walks(cfg, asked, results)
        self.stalls["data"] += int(stalls.sum())
        self._add("d-misses", pc, np.bitwise_count(asked["mask"] & ~results["hit"]))
        self._add("stalls", pc, stalls)
        return results

    def _add(self, name: str, pc: Column, counts: NDArray[Any]) -> None:
        column = self.by_pc[name]
        column += np.bincount(pc // 4, counts, len(column))[: len(column)].astype(np.int64)

    def finish(self) -> tuple[int, int]:
        """The run has ended: dirty lines are written back. Returns how many, and the cycles it takes."""
        asked = np.zeros(1, REQUEST)
        asked["op"] = CLEAN
        results, cfg = self.dcache.replay(asked), self.dcache.cfg
        stalls = waits(cfg, asked, results, cfg.memory).sum() + walks(cfg, asked, results).sum()
        return int(results["writes"][0]), int(stalls)

    def lines(self, instructions: int, cycles: int) -> list[str]:
        """For people, behind a run of ``instructions`` in ``cycles`` of the ideal machine; finishes it."""
        before = dict(self.dcache.counters)
        (last, clean), i, d = self.finish(), self.icache.counters, self.dcache.counters
        words = d["hits"] + d["misses"]
        what = "write-backs" if self.data.write_back else "writes"
        stalled = sum(self.stalls.values())
        causes = ", ".join(f"{count} for {cause}" for cause, count in self.stalls.items())
        return [
            f"icache {_named(self.fetching)}: {i['fetches']} fetches, {rate(i, i['fetches'])}",
            f"dcache {_named(self.data)}: {words} words, {rate(d, words)}, {before['writes']} {what}"
            f" and {last} at the end",
            f"{stalled} stall cycles: {causes}: CPI {(cycles + stalled) / max(instructions, 1):.3f};"
            f" the clean at the end takes {clean} more",
        ]


def _named(cfg: Any) -> str:
    return f"{cfg.name}, {cfg.cache.policy}"


def rate(counters: dict[str, int], total: int) -> str:
    """For people: hits, misses and evictions of ``counters``, of ``total`` look-ups."""
    hits, misses = counters["hits"], counters["misses"]
    shown = f"{hits / total:.3%}" if total else "-"
    return f"{hits} hits, {misses} misses: hit rate {shown}, {counters['evictions']} evictions"

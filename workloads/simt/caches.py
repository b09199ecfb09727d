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
from configs.dcache.schema import CLEAN, LOAD
from configs.icache.schema import BASE, FETCH, INVALIDATE
from models import dcache, icache
from models.dcache import DcacheModel
from models.dcache.cycles import waits, walks
from models.icache import IcacheModel
from models.memory import Memory
from workloads.simt.isa import BLOCKS, LANES, WARPS
from workloads.simt.machine import Trace
from workloads.simt.state import FENCE_I, STORES

Column = NDArray[np.int64]
ADDRESS_BITS = 32
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
        self, fetching: Any, data: Any, base: Sequence[int], code_bytes: int, image: Any = None
    ) -> None:
        self.fetching, self.data = fetching, data
        cache = {"address_bits": ADDRESS_BITS}
        self.icache = IcacheModel(
            fetching.with_(cache=cache, blocks=BLOCKS, warps=WARPS), Memory(image=image)
        )
        self.dcache = DcacheModel(data.with_(cache=cache, warps=WARPS), Memory(image=image))
        self.by_pc: dict[str, Column] = {name: np.zeros(code_bytes // 4, np.int64) for name in COLUMNS}
        self.stalls = {"instructions": 0, "data": 0, "the clean at the end": 0}
        asked = np.zeros(len(base), icache.REQUEST)
        asked["op"], asked["block"], asked["pc"] = BASE, np.arange(len(base)), base
        self.icache.replay(asked)

    def run(self, trace: Trace) -> tuple[NDArray[Any], NDArray[Any]]:
        """The next piece of a run. Returns RESULT [n] of its fetches and RESULT [m] of its accesses."""
        return self._fetch(trace), self._access(trace)

    def _fetch(self, trace: Trace) -> NDArray[Any]:
        fetches, accesses = trace.fetches, trace.accesses
        asked = np.zeros(len(fetches), icache.REQUEST)
        asked["op"] = FETCH
        for name in ("block", "pc", "warp", "sign"):
            asked[name] = fetches[name]
        behind = accesses["fetch"][accesses["op"] == FENCE_I] - trace.first + 1
        fence = np.zeros(1, icache.REQUEST)
        fence["op"] = INVALIDATE
        results = np.delete(
            self.icache.replay(np.insert(asked, behind, fence)), behind + np.arange(len(behind))
        )
        missed = results["hit"] == 0
        wait = icache.memory_cycles(self.icache.cfg, self.fetching.memory)
        self.stalls["instructions"] += int(missed.sum()) * wait
        self._add("i-misses", fetches["pc"], missed)
        self._add("stalls", fetches["pc"], missed * wait)
        return results

    def _access(self, trace: Trace) -> NDArray[Any]:
        accesses = trace.accesses
        asked = np.zeros(len(accesses), dcache.REQUEST)
        asked["op"] = np.where(accesses["op"] == FENCE_I, CLEAN, accesses["op"])
        # a fence waits for what came before, as each access here does; the data RAM is another unit
        skipped = (accesses["op"] > STORES) | (accesses["shared"] > 0)
        asked["op"][skipped & (accesses["op"] != FENCE_I)] = LOAD
        asked["mask"] = np.where(skipped, 0, accesses["mask"])
        asked["warp"] = accesses["warp"]
        for lane in range(LANES):
            asked[f"addr{lane}"] = np.where(skipped, 0, accesses["addr"][:, lane])
            asked[f"data{lane}"] = accesses["data"][:, lane]
            asked[f"strobe{lane}"] = accesses["strobe"][:, lane]
        results = self.dcache.replay(asked)
        cfg, pc = self.dcache.cfg, trace.fetches["pc"][accesses["fetch"] - trace.first]
        stalls = waits(cfg, asked, results, cfg.memory).sum(axis=1) + walks(cfg, asked, results)
        self.stalls["data"] += int(stalls.sum())
        self._add("d-misses", pc, np.bitwise_count(asked["mask"] & ~results["hit"]))
        self._add("stalls", pc, stalls)
        return results

    def _add(self, name: str, pc: Column, counts: NDArray[Any]) -> None:
        column = self.by_pc[name]
        column += np.bincount(pc // 4, counts, len(column))[: len(column)].astype(np.int64)

    def finish(self) -> int:
        """The run has ended: dirty lines are written back. Returns how many."""
        asked = np.zeros(1, dcache.REQUEST)
        asked["op"] = CLEAN
        results, cfg = self.dcache.replay(asked), self.dcache.cfg
        stalls = waits(cfg, asked, results, cfg.memory).sum() + walks(cfg, asked, results).sum()
        self.stalls["the clean at the end"] += int(stalls)
        return int(results["writes"][0])

    def lines(self, instructions: int, cycles: int) -> list[str]:
        """For people, behind a run of ``instructions`` in ``cycles`` of the ideal machine; finishes it."""
        before = dict(self.dcache.counters)
        last, i, d = self.finish(), self.icache.counters, self.dcache.counters
        words = d["hits"] + d["misses"]
        what = "write-backs" if self.data.write_back else "writes"
        stalled = sum(self.stalls.values())
        causes = ", ".join(f"{count} for {cause}" for cause, count in self.stalls.items())
        return [
            f"icache {_named(self.fetching)}: {i['fetches']} fetches, {_rate(i, i['fetches'])}",
            f"dcache {_named(self.data)}: {words} words, {_rate(d, words)}, {before['writes']} {what}"
            f" and {last} at the end",
            f"{stalled} stall cycles: {causes}: CPI {(cycles + stalled) / max(instructions, 1):.3f}",
        ]


def _named(cfg: Any) -> str:
    return f"{cfg.name}, {cfg.cache.policy}"


def _rate(counters: dict[str, int], total: int) -> str:
    hits, misses = counters["hits"], counters["misses"]
    shown = f"{hits / total:.3%}" if total else "-"
    return f"{hits} hits, {misses} misses: hit rate {shown}, {counters['evictions']} evictions"

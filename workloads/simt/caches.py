# SPDX-License-Identifier: Apache-2.0
"""What the caches make of a run: its fetches through the golden model of ``icache``, its loads and stores
through that of ``dcache`` (:mod:`workloads.simt.following`), piece by piece, so that a run of any
length takes the same memory.

A cache is wider than its preset where the machine is: 32 address bits, 4 blocks, 8 warps. Hits do not depend
on that. Stalls are those of a machine that waits for each miss, with the memory of the configurations; of a
data cache that serves hits under misses there are none to tell. Where fetches hit while a line comes, they
count from the cycles of the ideal machine.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.dcache.schema import CLEAN, LANES, LOAD
from models import dcache, icache
from models.dcache import DcacheModel
from models.dcache.cycles import waits, walks
from models.icache import IcacheModel
from models.icache.cycles import Waits
from models.icache.serving import COUNTED
from models.memory import Memory
from workloads.simt.following import STALLED, WAITED, Data, Fetching, access_all, fetch_all
from workloads.simt.machine import Trace
from workloads.simt.requests import Column, bases, wide

COLUMNS = ("i-misses", "d-misses", "stalls")  # of a listing, as following.py counts them


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
        self.icache.replay(bases(base))
        self._waits = Waits(self.icache.cfg, fetching.memory)
        self._sums, self._by_pc = np.zeros(3, np.int64), np.zeros((len(COLUMNS), code_bytes // 4), np.int64)
        flags = np.zeros(1 << 5, dcache.RESULT)
        flags["burst"][:, 0] = np.arange(len(flags))
        self._cycles = self._waited(LOAD, flags)
        written = np.zeros(2, dcache.RESULT)
        written["tries"] = 0, 1
        none, single = self._waited(CLEAN, written)
        self._clean = np.array([none, single - none])

    def _waited(self, op: int, results: NDArray[Any]) -> Column:
        """Cycles [n] of requests like ``op`` with these results."""
        requests, cfg = np.zeros(len(results), dcache.REQUEST), self.dcache.cfg
        requests["op"] = op
        return waits(cfg, requests, results, cfg.memory).sum(axis=1) + walks(cfg, requests, results)

    def run(self, trace: Trace, *, results: bool = False) -> tuple[NDArray[Any], NDArray[Any]]:
        """The next piece of a run. Returns, if ``results`` are wanted, RESULT [n] of its fetches and RESULT
        [m] of its accesses.
        """
        n, m = len(trace.fetches), len(trace.accesses)
        fetched, accessed = np.zeros(n * results, icache.RESULT), np.zeros(m * results, dcache.RESULT)
        fetching, data = self._fetching(), self._data(trace.accesses["op"])
        stalls, misses = np.empty((2, m), np.int64)
        access_all(data, trace.accesses, stalls, misses, accessed)
        fetch_all(
            fetching,
            trace.fetches,
            trace.accesses,
            trace.first,
            stalls,
            misses,
            self._sums,
            self._by_pc,
            fetched,
        )
        self.icache.add(fetching.counts)
        self.dcache.add(data.counts)
        return fetched, accessed

    def _fetching(self) -> Fetching:
        result, blank = np.zeros((2, 1), icache.RESULT)
        return Fetching(
            self.icache.state(), np.zeros(1, icache.REQUEST), result, blank, self._waits.timing,
            self._waits.coming, np.zeros(len(COUNTED), np.int64),
        )  # fmt: skip

    def _data(self, ops: NDArray[Any]) -> Data:
        result, blank = np.zeros((2, 1), dcache.RESULT)
        return Data(
            self.dcache.state(ops), self.dcache.cfg.nonblocking, result, blank,
            np.zeros((3, LANES), np.int64), self._cycles, self._clean,
            np.zeros(len(dcache.COUNTED + dcache.AHEAD), np.int64),
        )  # fmt: skip

    @property
    def stalls(self) -> dict[str, int]:
        """Cycles that the machine waits, by what for."""
        return {"instructions": int(self._sums[WAITED]), "data": int(self._sums[STALLED])}

    @property
    def by_pc(self) -> dict[str, Column]:
        """COLUMNS by instruction; no stalls where others go on behind a miss."""
        shown = COLUMNS[:-1] if self.data.nonblocking else COLUMNS
        return dict(zip(shown, self._by_pc, strict=False))

    def finish(self) -> tuple[int, int]:
        """The run has ended: dirty lines are written back. Returns how many, and the cycles it takes."""
        request = np.zeros(1, dcache.REQUEST)
        request["op"] = CLEAN
        results = self.dcache.replay(request)
        return int(results["writes"][0]), int(self._waited(CLEAN, results)[0])

    def lines(self, instructions: int, cycles: int) -> list[str]:
        """For people, behind a run of ``instructions`` in ``cycles`` of the ideal machine; finishes it."""
        before = dict(self.dcache.counters)
        (last, clean), i, d = self.finish(), self.icache.counters, self.dcache.counters
        words = d["hits"] + d["misses"]
        what = "write-backs" if self.data.write_back else "writes"
        rows = [
            f"icache {_named(self.fetching)}: {i['fetches']} fetches, {rate(i, i['fetches'])}",
            f"dcache {_named(self.data)}: {words} words, {rate(d, words)}, {before['writes']} {what}"
            f" and {last} at the end",
        ]
        if self.data.nonblocking:
            return [*rows, f"cycles: RTL=1 (behind a miss of {self.data.name} other warps go on)"]
        stalled = sum(self.stalls.values())
        causes = ", ".join(f"{count} for {cause}" for cause, count in self.stalls.items())
        return [
            *rows,
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

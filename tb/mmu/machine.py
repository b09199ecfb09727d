# SPDX-License-Identifier: Apache-2.0
"""The SIMT machine on the RTL of ``mmu``: it executes what the RTL fetches, with words that the RTL loads.

Warps take their turns as on the ideal machine (:mod:`workloads.simt.machine`): an instruction is fetched once
the one before it in that order has been asked for and its warp has ended its own. So the caches see what
their golden models see of the same run, and cycles are all that a miss can change. With a data cache that
serves hits under misses any warp that is ready goes on; each executes what it does on the ideal machine.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import Stream
from configs.dcache.schema import CLEAN
from configs.icache.schema import INVALIDATE
from configs.mmu.schema import Config
from models import dcache, icache
from models.memory import Memory
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, ReplayError
from tb.lpas.dialogue import Dialogue
from tb.mmu.outcome import ProgramOutcome, wide
from workloads.simt import requests
from workloads.simt.isa import BLOCKS, LANES, WARPS
from workloads.simt.machine import Fault, Machine, Trace
from workloads.simt.state import FENCE_I, LOADS, READY

CACHES = ("icache", "dcache")
ROLES = Roles(tuple(Port(f"{name}_req", f"{name}_res", f"{name}_evt", f"{name}_perf") for name in CACHES))
ICACHE, DCACHE = range(2)  # the ports
STEP = 1000  # cycles at a time without a result
SHOWN = 4  # cycles after which counters show all results
AHEAD = 64  # fetches that may wait for their turn


class MachineRun:
    """``machine``, before its run, on the RTL of ``cfg``; ``trace`` is the same run on the ideal machine.

    ``ready``: any warp that is ready goes on, not only the one whose turn it is; always so of a data cache
    that serves hits under misses. :meth:`run` raises :class:`ReplayError` where the RTL's words lead the
    machine elsewhere, or an error.
    """

    def __init__(
        self, cfg: Config, machine: Machine, trace: Trace, seed: int = 1, *, ready: bool = False
    ) -> None:
        self.cfg, self.machine, self.trace = wide(cfg), machine, trace
        line = max(inner.cache.line_bytes for inner in (self.cfg.icache, self.cfg.dcache))
        self.replay = Replay(self.cfg, Memory(image=machine.memory), line, roles=ROLES, seed=seed)
        self._dialogue, streams = Dialogue(self.replay), self.cfg.streams
        self._asked = [streams[port.request] for port in ROLES.ports]
        self._answered = [streams[str(port.result)] for port in ROLES.ports]
        self._any_order = ready or self.cfg.dcache.nonblocking
        self._fetches = self._packed(ICACHE, requests.fetches(trace, fences=False))
        self._accesses = self._packed(DCACHE, requests.accesses(trace, shared=True))
        # Of the ideal run: numbers of the fetches of each warp; of the accesses, by those of their fetches
        self._warps = trace.fetches["block"].astype(np.int64) * WARPS + trace.fetches["warp"]
        self._rows = [deque(np.flatnonzero(self._warps == w).tolist()) for w in range(WARPS * BLOCKS)]
        self._access_of = {int(fetch): n for n, fetch in enumerate(trace.accesses["fetch"] - trace.first)}
        self._row = [0] * len(self._rows)  # the fetch that each warp is at
        self._ended = np.zeros(len(self._warps), np.int64)  # cycle in which each instruction was done
        self._sent: tuple[list[int], list[int]] = ([], [])  # fetches and accesses, as they were asked for
        self._due: dict[tuple[int, int], deque[Callable[[Lanes], None]]] = defaultdict(deque)
        self._fetching = 0  # fetches without a result
        self._last_warp = 0
        self._fencing = False  # no fetch goes before a fence.i that is not done
        self._last = 0  # cycle of the last result

    def _packed(self, port: int, records: NDArray[Any]) -> Lanes:
        stream = self._asked[port]
        return pack_lanes(stream, {field.name: records[field.name] for field in stream.fields}, len(records))

    def _ask(self, port: int, word: Lanes, then: Callable[[Lanes], None]) -> None:
        self._dialogue.ask(port, word)
        self._due[port, self._key(port, self._asked[port], word)].append(then)

    def _key(self, port: int, stream: Stream, word: Lanes) -> int:
        """What results of a port keep their order by."""
        if port == ICACHE or self.cfg.dcache.blocking:
            return 0
        return int(unpack_lanes(stream, word[None] if word.ndim == 1 else word, "warp")[0])

    def run(self, progress: Callable[[int], None] = lambda fetched: None) -> ProgramOutcome:
        """To the end; ``progress`` is told how many instructions were fetched."""
        self._bases()
        self._settle()
        first = self.replay.cycle
        try:
            while not self.machine.finished:
                self._fetch()
                self._go()
                progress(len(self._sent[ICACHE]))
        except Fault as fault:  # the ideal run has met none
            self._fail(str(fault))
        cycles = self._last - first + 1
        if any(self._rows):
            self._fail("the program has ended early")
        self.replay.idle(SHOWN)
        clean = np.zeros(1, dcache.REQUEST)
        clean["op"] = CLEAN
        counters = {
            port.counters: self.replay.counters(n) for n, port in enumerate(ROLES.ports) if port.counters
        }
        began = self.replay.cycle
        self._ask(DCACHE, self._packed(DCACHE, clean)[0], lambda result: self._no_error(DCACHE, result))
        self._settle()
        words = np.arange(len(self.machine.memory))
        memory = self.replay.read_many(words)
        ended = self._ended[np.array(self._sent[ICACHE], np.int64)]
        return ProgramOutcome(
            self._as_asked(), ended, first, cycles, self._last - began + 1, counters, memory
        )

    def _as_asked(self) -> Trace:
        """What was asked for, in order."""
        fetches, accesses = (np.array(rows, np.int64) for rows in self._sent)
        place = np.zeros(len(fetches), np.int64)
        place[fetches] = np.arange(len(fetches))
        made = self.trace.accesses[accesses]
        made["fetch"] = place[made["fetch"] - self.trace.first]
        return Trace(self.trace.base, self.trace.fetches[fetches], made)

    def _bases(self) -> None:
        for word in self._packed(ICACHE, requests.bases(self.trace.base)):
            self._ask(ICACHE, word, lambda result: None)

    def _settle(self) -> None:
        while self._dialogue.open:
            self._go()

    def _go(self) -> None:
        """On to the next results."""
        for port, chunk in enumerate(self._dialogue.go(STEP).ports):
            for number in range(len(chunk.results)):
                self._last = int(chunk.result_cycle[number])
                result = chunk.results[number : number + 1]
                key = self._key(port, self._answered[port], result)
                if not self._due[port, key]:
                    self._fail(f"{CACHES[port]} answers warp {key}, which asked for nothing")
                self._due[port, key].popleft()(result)

    def _turn(self) -> int | None:
        """The warp that may fetch next, if one may."""
        status, sent = self.machine.state.status, self._sent[ICACHE]
        if not self._any_order:
            if len(sent) == len(self._warps):
                return None
            w = int(self._warps[len(sent)])
            return w if status[w] == READY else None
        ready = np.flatnonzero(status == READY)
        if not len(ready):
            return None
        self._last_warp = int(ready[np.argmin((ready - self._last_warp - 1) % len(status))])
        return self._last_warp

    def _fetch(self) -> None:
        """Ask for what may be fetched now."""
        while not self._fencing and self._fetching < AHEAD and (w := self._turn()) is not None:
            fetch, row = self.machine.fetch(w), self._rows[w].popleft() if self._rows[w] else None
            expected = None if row is None else self.trace.fetches[row]
            if row is None or fetch != expected:
                self._fail(f"warp {w} fetches {fetch}, not {expected}")
            self._row[w] = row
            access = self._access_of.get(row)
            self._fencing = access is not None and bool(self.trace.accesses[access]["op"] == FENCE_I)
            self._sent[ICACHE].append(row)
            self._fetching += 1
            self._ask(ICACHE, self._fetches[row], partial(self._execute, w))

    def _execute(self, w: int, result: Lanes) -> None:
        """Its instruction has come to warp ``w``."""
        self._fetching -= 1
        self._no_error(ICACHE, result)
        word = int(unpack_lanes(self._answered[ICACHE], result, "inst")[0])
        access = self.machine.execute(w, word)
        self._ended[self._row[w]] = self._last
        if access is None:
            return
        number = self._access_of.get(self._row[w])
        expected = self.trace.accesses[number].copy() if number is not None else None
        if expected is not None:
            expected["fetch"] = access["fetch"]
            if expected["op"] == LOADS:
                expected["data"] = access["data"]
        if number is None or access != expected:
            self._fail(f"warp {w} asks for {access}, not {expected}")
        self._sent[DCACHE].append(number)
        self._ask(DCACHE, self._accesses[number], lambda result: self._complete(w, access, result))

    def _complete(self, w: int, access: Any, result: Lanes) -> None:
        """The data of its access have come to warp ``w``."""
        self._no_error(DCACHE, result)
        if access["op"] == FENCE_I:
            invalidate = np.zeros(1, icache.REQUEST)
            invalidate["op"] = INVALIDATE
            self._ask(ICACHE, self._packed(ICACHE, invalidate)[0], lambda _: self._fenced(w))
            return
        self._ended[self._row[w]] = self._last
        stream = self._answered[DCACHE]
        self.machine.complete(w, [int(unpack_lanes(stream, result, f"data{n}")[0]) for n in range(LANES)])

    def _fenced(self, w: int) -> None:
        self._ended[self._row[w]] = self._last
        self._fencing = False
        self.machine.complete(w)

    def _no_error(self, port: int, result: Lanes) -> None:
        if unpack_lanes(self._answered[port], result, "err")[0]:
            self._fail(f"{CACHES[port]} reports an error")

    def _fail(self, what: str) -> NoReturn:
        where = f"cycle {self.replay.cycle}, instruction {len(self._sent[ICACHE])}"
        raise ReplayError(f"{self.cfg.name}, {where}: {what}")

# SPDX-License-Identifier: Apache-2.0
"""The machine: up to 4 blocks of up to 8 warps of up to 8 threads; one warp at a time executes.

:meth:`Machine.run` runs a program against a memory that answers at once and returns the trace, which is what
cache models take. Where something else answers (caches, cycle by cycle), the same instructions are executed
step by step; several warps may wait at a time, and each is answered for itself::

    w = machine.choose()                   # or any other of machine.ready()
    fetch = machine.fetch(w)               # ask for fetch["pc"] of fetch["block"]
    access = machine.execute(w, word)      # once the word is there
    if access is not None:
        machine.complete(w, data)          # once the access is done; data: words by lane, for loads
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.files import atomic_path
from workloads.simt import execute, running
from workloads.simt.faults import Fault, deadlock, endless, fault
from workloads.simt.isa import BLOCKS, LANES, SP, WARPS
from workloads.simt.state import (
    ACCESS,
    BARRIER,
    DONE,
    FETCH,
    FETCHING,
    IDLE,
    READY,
    SHARED_BYTES,
    WAITING,
    MachineState,
)

MEMORY_BYTES = 16 << 20
CHUNK = 1 << 14  # records at a time
LIMIT = 100_000_000  # instructions, after which a program counts as one that does not end


@dataclass(frozen=True)
class Start:
    """How a block begins: the base that its fetches add, the pc, and integer registers by number."""

    base: int = 0
    pc: int = 0
    registers: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Launch:
    """A :class:`Start` for each block, and how many warps and threads of each begin.

    ``stack``: bytes of each thread's stack, which its sp is set to the end of; the first one's ends with
    memory, and a stack pointer below its own is a fault. 0: no stacks.
    """

    blocks: Sequence[Start] = (Start(),)
    warps: int = WARPS
    threads: int = LANES
    schedule: str = running.SCHEDULES[0]
    stack: int = 0

    def check(self) -> None:
        """Raises :class:`UserError` for what the machine does not have."""
        sizes = {
            "blocks": (len(self.blocks), BLOCKS),
            "warps": (self.warps, WARPS),
            "threads": (self.threads, LANES),
        }
        for name, (number, most) in sizes.items():
            if not 1 <= number <= most:
                raise UserError(f"{name}={number}: must be 1 to {most}")
        if self.schedule not in running.SCHEDULES:
            raise UserError(f"schedule {self.schedule!r}: choose one of {', '.join(running.SCHEDULES)}")
        for start in self.blocks:
            if start.base % 4 or start.pc % 4:
                raise UserError(f"base {start.base:#x}, pc {start.pc:#x}: must be multiples of 4")


class Trace(NamedTuple):
    """What a run, or a piece of one, asked of its caches, in order. ``base``: [blocks], what fetches add to
    their pc.
    """

    base: NDArray[np.int64]
    fetches: NDArray[Any]  # FETCH [n]
    accesses: NDArray[Any]  # ACCESS [m], by ``fetch``
    first: int = 0  # number of the first of the fetches

    @property
    def addresses(self) -> NDArray[np.int64]:
        """Byte addresses [n] of the fetches."""
        return self.base[self.fetches["block"]] + self.fetches["pc"]

    def write(self, path: Path) -> None:
        """As a numpy archive of ``base`` and an array for each field: ``fetch_pc``, ``access_addr``..."""
        arrays: dict[str, Any] = {"base": self.base}
        for kind, records in (("fetch", self.fetches), ("access", self.accesses)):
            arrays |= {f"{kind}_{name}": records[name] for name in records.dtype.names or ()}
        with atomic_path(path) as temporary:
            np.savez_compressed(temporary, **arrays)


class Machine:
    """A run of ``launch`` on ``memory``, uint32 words from address 0 on, which change. Raises UserError."""

    def __init__(self, memory: NDArray[np.uint32], launch: Launch) -> None:
        launch.check()
        self.memory, self.launch = memory, launch
        self.shared = np.zeros(SHARED_BYTES // 4, np.uint32)
        self.state = MachineState(len(launch.blocks), launch.warps, launch.threads)
        self._last = running.NOBODY
        self._access = np.zeros(WARPS * BLOCKS, ACCESS)
        for block, start in enumerate(launch.blocks):
            own = slice(block * WARPS, (block + 1) * WARPS)
            started = slice(own.start, own.start + launch.warps)
            self.state.base[block] = start.base
            self.state.pc[own] = start.pc
            self.state.warps["mask"][started] = (1 << launch.threads) - 1
            self.state.status[started] = READY
            for register, value in start.registers.items():
                self.state.x[own, register] = value & 0xFFFFFFFF
        if launch.stack:
            self.state.record["stack"], self.state.record["top"] = launch.stack, memory.nbytes
            number = np.arange(WARPS * BLOCKS * LANES).reshape(-1, LANES)
            self.state.x[:, SP] = memory.nbytes - number * launch.stack

    @property
    def finished(self) -> bool:
        """Whether all warps have stopped."""
        return not self.state.status.any()

    # --- all at once ----------------------------------------------------------------------------------------

    def run(self, limit: int = LIMIT) -> Trace:
        """To the end, from wherever the run is now. Raises :class:`Fault`, also behind ``limit``."""
        first, parts = self.state.fetched, list(self.chunks(limit))
        fetches = np.concatenate([part.fetches for part in parts] or [np.zeros(0, FETCH)])
        accesses = np.concatenate([part.accesses for part in parts] or [np.zeros(0, ACCESS)])
        return Trace(self.state.base, fetches, accesses, first)

    def chunks(self, limit: int = LIMIT) -> Iterator[Trace]:
        """The same in pieces, for runs whose trace is too large to keep."""
        schedule = running.SCHEDULES.index(self.launch.schedule)
        if np.isin(self.state.status, (FETCHING, WAITING)).any():
            raise UserError("a warp waits for an answer: complete its step before running on")
        while not self.finished:
            first = self.state.fetched
            if first >= limit:
                raise endless(self.state, self._last, limit)
            room = min(CHUNK, limit - first)
            fetches, accesses = np.empty(room, FETCH), np.empty(room, ACCESS)
            outcome, self._last, n, m = running.run(
                self.state.record, schedule, self._last, self.memory, self.shared, fetches, accesses
            )
            yield Trace(self.state.base, fetches[:n], accesses[:m], first)
            if outcome != DONE:
                self._fault(self._last, outcome, fetches[:n])
            if n < room and m < room and not self.finished:
                raise deadlock(self.state, np.flatnonzero(self.state.status == BARRIER).tolist())

    def _fault(self, w: int, outcome: int, fetches: NDArray[Any] | None = None) -> NoReturn:
        """Raise the fault of warp ``w``; ``fetches``: FETCH [n] before its instruction, if known."""
        error = fault(self.state, w, outcome, self.memory.nbytes)
        if fetches is not None:
            own = np.flatnonzero((fetches["block"] == error.block) & (fetches["warp"] == error.warp))
            error.before = int(fetches["pc"][own[-1]]) if len(own) else None
        raise error

    # --- step by step ---------------------------------------------------------------------------------------

    def ready(self) -> list[int]:
        """The warps (block * 8 + warp) that want to fetch."""
        return [int(w) for w in np.flatnonzero(self.state.status == READY)]

    def choose(self) -> int | None:
        """The one of them whose turn it is, or None."""
        w = running.choose(self.state.record, running.SCHEDULES.index(self.launch.schedule), self._last)
        return None if w == running.NOBODY else int(w)

    def fetch(self, w: int) -> Any:
        """What warp ``w`` asks for: a FETCH record. Raises :class:`Fault`."""
        self._expect(w, READY, "is not ready to fetch")
        record = np.zeros(1, FETCH)
        outcome = running.fetch(self.state.record, w, record[0])
        if outcome != DONE:
            self._fault(w, outcome)
        self._last = w
        return record[0]

    def execute(self, w: int, word: int) -> Any | None:
        """The answer to a fetch: execute it. An ACCESS record if it needs data. Raises :class:`Fault`."""
        self._expect(w, FETCHING, "has not asked for an instruction")
        access = self._access[w : w + 1]
        number = self.state.warps["since"][w]
        outcome = execute.execute(self.state.record, w, int(word), access[0])
        if outcome < DONE:
            self._fault(w, outcome)
        if self.state.status[w] != WAITING:
            return None
        access["fetch"] = number
        return access[0].copy()

    def complete(self, w: int, data: Sequence[int] | NDArray[Any] = (0,) * LANES) -> None:
        """The access of warp ``w`` is done; ``data``: whole words by lane, looked at for loads only."""
        self._expect(w, WAITING, "has no access open")
        self._access["data"][w] = data
        execute.complete(self.state.warps[w], self._access[w])

    def _expect(self, w: int, status: int, otherwise: str) -> None:
        if self.state.status[w] != status:
            raise ValueError(f"warp {w} {otherwise}")


def new_memory(size: int = MEMORY_BYTES) -> NDArray[np.uint32]:
    """Memory of ``size`` bytes, all zero."""
    return np.zeros(size // 4, np.uint32)


__all__ = ["Fault", "IDLE", "Launch", "Machine", "Start", "Trace", "new_memory"]

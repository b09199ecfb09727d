# SPDX-License-Identifier: Apache-2.0
"""Trace replay: a block's Verilated RTL as a shared library, arrays in and arrays out, no Python in a cycle.

The C++ side (``harness.cpp.mako``) is generated from the block's port description and moves packed words
(:mod:`tb.common.components.packing`). A block's own ``tb/<block>/replay.py`` makes words of its accesses and
records of the words that come back.
"""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs import BlockConfig, MemoryTiming
from models.memory import Memory
from tb.common.components.packing import Lanes, lanes, unpack_lanes
from tb.common.replay.compare import PAGE
from tb.common.replay.library import Roles, load_library
from tb.common.replay.progress import Progress
from tb.common.replay.structures import (
    BAD_BURST,
    DEADLOCK,
    DONE,
    FATAL,
    MORE,
    SURPLUS,
    TAIL,
    Options,
    Pattern,
    declare,
)
from tb.common.replay.traffic import ORDERS, Traffic
from tb.common.replay.work import Chunk, Work


class ReplayError(RuntimeError):
    """The RTL did what no result can be compared with; the message says what, and at which request."""


class DeadlockError(ReplayError):
    """The RTL stopped: no request, result or beat of memory for longer than patience."""


class Replay:
    """One Verilated instance of ``cfg`` (of the Verilog in ``rtl_dir``, if given) with its memory.

    It comes out of reset. ``seed`` gives the random first contents of flip-flops and RAMs. A block without
    AXI ports needs no ``memory``; all AXI ports share one memory, at first as ``memory`` says; bursts to a
    poisoned line, counted in ``line_bytes``, are answered with SLVERR, and change nothing. ``plusarg``, like
    ``+mutant=3``, is for the Verilog. A run fails after ``patience`` cycles in which nothing moves, or as
    many beats of memory without a request or result.
    Raises :class:`configs.UserError` if the RTL cannot be built.
    """

    def __init__(
        self,
        cfg: BlockConfig,
        memory: Memory | None = None,
        line_bytes: int = 1,
        *,
        seed: int = 1,
        timing: MemoryTiming | None = None,
        traffic: Traffic | None = None,
        patience: int | None = None,
        rtl_dir: Path | None = None,
        roles: Roles | None = None,
        plusarg: str | None = None,
    ) -> None:
        self.cfg, self.roles, memory = cfg, roles or Roles(), memory or Memory(0)
        timing, traffic = timing or cfg.memory, traffic or Traffic()
        self.patience = patience or default_patience(timing, traffic)
        self._library = load_library(cfg, rtl_dir, self.roles)
        declare(self._library)
        poisoned = np.array(sorted(memory.poisoned), np.uint64)
        patterns = [Pattern(pattern.ctypes.data, len(pattern), 0) for pattern in traffic.patterns]
        self._held = (memory.image, poisoned, traffic)  # the library points into these
        options = Options(
            seed & 0x7FFFFFFF, self.patience, timing.latency, timing.gap, memory.seed, memory.base // 4,
            memory.image.size, memory.image.ctypes.data, line_bytes, poisoned.size, poisoned.ctypes.data,
            ORDERS.index(traffic.order), *patterns, plusarg.encode() if plusarg else None,
        )  # fmt: skip
        self._self = ctypes.c_void_p(self._library.replay_new(ctypes.byref(options)))
        if not self._self:
            raise ReplayError(f"{cfg.name}: the RTL ends the simulation during reset: {self._message()}")

    def __del__(self) -> None:
        if getattr(self, "_self", None):
            self._library.replay_delete(self._self)
            self._self = ctypes.c_void_p()

    @property
    def cycle(self) -> int:
        """Cycles of the first clock since power-up, those of reset included."""
        return int(self._library.replay_cycle(self._self))

    @property
    def origin(self) -> int:
        """The first cycle after reset, of a block that says when it is (``Roles.resetting``)."""
        return int(self._library.replay_origin(self._self))

    def check_counters(self) -> None:
        """Raise :class:`ReplayError` unless all counters are 0, as they are after reset."""
        for number, stream in enumerate(self.roles.counted):
            for name, value in self.counters(number).items() if stream else ():
                if value:
                    raise ReplayError(f"{self.cfg.name}: counter {name} is {value} after reset, not 0")

    def feed(self, stream: str, words: Lanes) -> None:
        """Send ``words`` [n, lanes] to an input stream other than the requests."""
        words = np.ascontiguousarray(words, np.uint32)
        index = self.roles.writable(self.cfg).index(stream)
        code = self._call("feed", index, ctypes.c_void_p(words.ctypes.data), ctypes.c_uint64(len(words)))
        if code == DEADLOCK:
            raise DeadlockError(f"{self.cfg.name}: stream {stream} is not ready for {self.patience} cycles")

    def idle(self, cycles: int) -> None:
        """Let cycles pass without requests."""
        self._call("idle", ctypes.c_uint64(cycles))

    def reset(self, *, memory: bool = False, design: bool = True) -> None:
        """Reset for some cycles; with ``memory`` the AXI ports as well, which then forget open bursts.

        Without ``design`` these alone. What was written stays.
        """
        self._call("reset", int(memory), int(design))

    def written(self) -> NDArray[np.uint64]:
        """Byte addresses [p] of the pages (of PAGE bytes) of memory that were written to, in order."""
        pages = np.zeros(self._library.replay_written(self._self, None), np.uint64)
        self._library.replay_written(self._self, ctypes.c_void_p(pages.ctypes.data))
        return pages * np.uint64(PAGE)

    def read_many(self, word_addresses: ArrayLike) -> NDArray[np.uint32]:
        """Words of memory as they are now, in the shape of ``word_addresses``."""
        addresses = np.ascontiguousarray(word_addresses, np.uint64)
        words = np.zeros(addresses.shape, np.uint32)
        self._library.replay_read(
            self._self, ctypes.c_void_p(addresses.ctypes.data), ctypes.c_uint64(addresses.size),
            ctypes.c_void_p(words.ctypes.data),
        )  # fmt: skip
        return words

    def counters(self, number: int = 0) -> dict[str, int]:
        """The counters of a port, by its number, or of a stream of ``Roles.counted``, by field.

        Raises :class:`ReplayError` if one of cycles (``..._cycles``) says more than can be.
        """
        name = self.roles.counted[number]
        assert name, f"{self.cfg.block} has no counters"
        stream = self.cfg.streams[name]
        words = np.zeros((1, lanes(stream)), np.uint32)
        self._library.replay_counters(self._self, number, ctypes.c_void_p(words.ctypes.data))
        fields = {item.name: int(unpack_lanes(stream, words, item.name)[0]) for item in stream.fields}
        for item, value in fields.items():
            if item.endswith("_cycles") and value > self.cycle * self.roles.waiters:
                raise ReplayError(f"{self.cfg.name}: counter {item} is {value} after {self.cycle} cycles")
        return fields

    def run(self, *work: Work, tail: int = TAIL) -> Iterator[Chunk]:
        """Give each port its work and wait for all results, in chunks of at most ROOM of anything.

        It ends when all writes have and nothing has moved for ``tail`` cycles. Raises :class:`ReplayError`.
        """
        progress = Progress(self.cfg, self.roles, work, tail)
        code = MORE
        while code == MORE:
            code = self._call("run", ctypes.byref(progress.run))
            yield progress.chunk()
        if code != DONE:
            self._fail(code, progress)

    def go(self, progress: Progress, cycles: int) -> Chunk:
        """The same in steps: until a result has come, so many cycles at most. See :mod:`.dialogue`."""
        code = self._call("go", ctypes.byref(progress.run), ctypes.c_uint64(cycles))
        if code != MORE:
            self._fail(code, progress)
        return progress.chunk()

    def _fail(self, code: int, progress: Progress) -> NoReturn:
        where, due = f"{self.cfg.name}, cycle {self.cycle}", progress.due()
        if code == SURPLUS:
            raise ReplayError(f"{where}: {progress.surplus()}")
        if code == BAD_BURST:
            raise ReplayError(f"{where}: {self._message()}; due is {due or 'nothing'}")
        if not due:
            raise DeadlockError(f"{where}: writes to memory do not end in {self.patience} cycles")
        raise DeadlockError(f"{where}: {due} {progress.stuck()}; nothing moves for {self.patience} cycles")

    def _call(self, name: str, *arguments: Any) -> int:
        code = int(getattr(self._library, f"replay_{name}")(self._self, *arguments))
        if code == FATAL:
            raise ReplayError(
                f"{self.cfg.name}, cycle {self.cycle}: the RTL ends the simulation: {self._message()}"
            )
        if code == BAD_BURST and name != "run":
            raise ReplayError(f"{self.cfg.name}, cycle {self.cycle}: {self._message()}")
        return code

    def _message(self) -> str:
        return str(self._library.replay_message(self._self).decode())


def quiet(timing: MemoryTiming) -> int:
    """Cycles in which nothing moves, after which no burst is on its way, nor any that waits for another: also
    of those that no request waits for, like a line ahead and what it replaces.
    """
    return TAIL + timing.latency + timing.gap


def default_patience(timing: MemoryTiming, traffic: Traffic) -> int:
    """Cycles without progress that no working design needs, far more than a line takes."""
    slow = max(len(pattern) if not pattern.all() else 1 for pattern in traffic.patterns)
    return 10_000 + 4 * timing.latency + 16 * timing.gap + 2 * slow

# SPDX-License-Identifier: Apache-2.0
"""Trace replay: a block's Verilated RTL as a shared library, arrays in and arrays out, no Python in a cycle.

The C++ side (``harness.cpp.mako``) is generated from the block's port description and moves packed words
(:mod:`tb.common.replay.lanes`). A block's own ``tb/<block>/replay.py`` makes words of its accesses and
records of the words that come back.
"""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig, MemoryTiming
from models.memory import Memory
from tb.common.replay.lanes import Lanes, lanes, unpack
from tb.common.replay.library import Port, Roles, load_library

ROOM = 1 << 15  # rows of a chunk: its arrays stay in the processor's cache
TAIL = 64  # cycles in which nothing may come after the last result
#: of ``tb/<block>/quick.py``: told a folder of Verilog and a plusarg, says what is wrong or nothing
Check = Callable[[Path, str], str]
MORE, DONE, DEADLOCK, SURPLUS, BAD_BURST, FATAL = range(6)


class ReplayError(RuntimeError):
    """The RTL did what no result can be compared with; the message says what, and at which request."""


class DeadlockError(ReplayError):
    """The RTL stopped: no request, result or data beat for longer than patience."""


def _always() -> NDArray[np.uint8]:
    return np.ones(1, np.uint8)


@dataclass(frozen=True)
class Traffic:
    """In which cycles each channel is active: patterns of 0 and 1, repeated without end.

    ``request``: a new request may be offered (once offered it stays); ``result``: the consumer is ready;
    ``address``: the memory takes an address; ``data``: it may offer a new data beat.
    """

    request: NDArray[np.uint8] = field(default_factory=_always)
    result: NDArray[np.uint8] = field(default_factory=_always)
    address: NDArray[np.uint8] = field(default_factory=_always)
    data: NDArray[np.uint8] = field(default_factory=_always)

    def __post_init__(self) -> None:
        for name in ("request", "result", "address", "data"):
            pattern = np.ascontiguousarray(getattr(self, name), np.uint8)
            if not pattern.any():
                raise ValueError(f"traffic pattern {name}: never active")
            object.__setattr__(self, name, pattern)

    @classmethod
    def random(
        cls, seed: int, *, request: float = 0, result: float = 0, address: float = 0, data: float = 0
    ) -> "Traffic":
        """Channels idle at random, each in the given share of its cycles; a seed fixes every cycle."""
        rng = np.random.default_rng(seed)
        lengths = (65_537, 65_539, 65_543, 65_551)  # coprime: the combination hardly ever repeats
        idle = (request, result, address, data)
        shares = zip(lengths, idle, strict=True)
        return cls(
            *((rng.random(n) >= share).astype(np.uint8) if share else _always() for n, share in shares)
        )

    @classmethod
    def spaced(cls, cycles: int) -> "Traffic":
        """A request every ``cycles`` cycles at most, all else always active."""
        return cls((np.arange(cycles) == 0).astype(np.uint8))


class _Pattern(ctypes.Structure):
    _fields_ = [("active", ctypes.c_void_p), ("length", ctypes.c_uint64), ("at", ctypes.c_uint64)]


class _Options(ctypes.Structure):
    _fields_ = [
        *(
            (name, ctypes.c_uint64)
            for name in ("random_state", "patience", "latency", "gap", "contents_seed")
        ),
        *((name, ctypes.c_uint64) for name in ("image_start", "image_words")),
        ("image", ctypes.c_void_p),
        ("poisoned_count", ctypes.c_uint64),
        ("poisoned", ctypes.c_void_p),
        *((name, _Pattern) for name in ("request", "result", "address", "data")),
        ("plusarg", ctypes.c_char_p),
    ]


class _PortRun(ctypes.Structure):
    _fields_ = [
        ("requests", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        *((name, ctypes.c_void_p) for name in ("state", "before")),
        *((name, ctypes.c_uint64) for name in ("states", "sent", "stated", "answered")),
        *(
            (name, ctypes.c_void_p)
            for name in ("results", "events", "result_cycle", "request_cycle", "mark_cycle")
        ),
        *((f"new_{name}", ctypes.c_uint64) for name in ("results", "events", "requests", "marks")),
    ]


class _Run(ctypes.Structure):
    _fields_ = [
        ("ports", ctypes.c_void_p),
        *((name, ctypes.c_uint64) for name in ("tail", "room")),
        ("reads", ctypes.c_void_p),
        *((name, ctypes.c_uint64) for name in ("new_reads", "begun", "surplus")),
    ]


@dataclass(frozen=True)
class Work:
    """What one port is asked.

    ``requests`` [n, lanes]; ``state`` [s, lanes]: words of the port's state stream, word k to be taken before
    request ``before[k]`` is offered; ``describe`` names a request in messages.
    """

    requests: Lanes
    state: Lanes | None = None
    before: NDArray[np.uint64] | None = None
    describe: Callable[[int], str] = "request {}".format


@dataclass(frozen=True)
class PortChunk:
    """What one port did in some cycles, in order; the arrays are overwritten by the next chunk.

    ``results`` [r, lanes] with ``result_cycle`` [r]; ``request_cycle`` [q] of the requests accepted;
    ``events`` [e, lanes]; ``marks`` [m]: cycles in which the port's mark was set. Cycles count from power-up,
    of requests and results by their own clock, of marks by the first clock.
    """

    results: Lanes
    result_cycle: NDArray[np.uint64]
    request_cycle: NDArray[np.uint64]
    events: Lanes
    marks: NDArray[np.uint64]


@dataclass(frozen=True)
class Chunk:
    """What happened in some cycles: by port, and ``reads`` [b], byte addresses of the bursts asked for."""

    ports: list[PortChunk]
    reads: NDArray[np.uint64]


class _Port:
    """A port's work and the arrays that the library fills."""

    def __init__(self, cfg: BlockConfig, port: Port, work: Work) -> None:
        streams = cfg.streams
        self.work = work
        state = np.zeros((0, 1), np.uint32) if work.state is None else work.state
        before = np.zeros(0, np.uint64) if work.before is None else work.before
        assert len(state) == len(before) and (port.state or not len(state)), f"{port}: state without a stream"
        assert not len(before) or before[-1] < len(work.requests), f"{port}: state after the last request"
        self.given = [
            np.ascontiguousarray(array, kind)
            for array, kind in ((work.requests, np.uint32), (state, np.uint32), (before, np.uint64))
        ]
        self.results = np.zeros((ROOM, lanes(streams[port.result])), np.uint32)
        self.events = np.zeros((ROOM, lanes(streams[port.event]) if port.event else 0), np.uint32)
        self.result_cycle, self.request_cycle, self.marks = np.zeros((3, ROOM), np.uint64)
        rows = (self.results, self.events, self.result_cycle, self.request_cycle, self.marks)
        pointers = [array.ctypes.data for array in self.given]
        self.fields = (
            pointers[0], len(work.requests), pointers[1], pointers[2], len(state), 0, 0, 0,
            *(array.ctypes.data for array in rows),
        )  # fmt: skip

    def chunk(self, run: _PortRun) -> PortChunk:
        """What the last call did."""
        results = slice(run.new_results)
        return PortChunk(
            self.results[results], self.result_cycle[results], self.request_cycle[: run.new_requests],
            self.events[: run.new_events], self.marks[: run.new_marks],
        )  # fmt: skip


class Replay:
    """One Verilated instance of ``cfg`` (of the Verilog in ``rtl_dir``, if given) with its memory.

    It comes out of reset. ``seed`` gives the random first contents of flip-flops and RAMs. ``line_bytes`` is
    the unit in which ``memory`` counts poisoned lines; ``plusarg``, like ``+mutant=3``, is for the Verilog.
    A run fails after ``patience`` cycles in which nothing moves, or as many beats of data without a result.
    Raises :class:`configs.UserError` if the RTL cannot be built.
    """

    def __init__(
        self,
        cfg: BlockConfig,
        memory: Memory,
        line_bytes: int,
        *,
        seed: int = 1,
        timing: MemoryTiming | None = None,
        traffic: Traffic | None = None,
        patience: int | None = None,
        rtl_dir: Path | None = None,
        roles: Roles | None = None,
        plusarg: str | None = None,
    ) -> None:
        self.cfg, self.roles = cfg, roles or Roles()
        timing, traffic = timing or cfg.memory, traffic or Traffic()
        self.patience = patience or default_patience(timing, traffic)
        self._library = load_library(cfg, rtl_dir, self.roles)
        poisoned = np.array(sorted(memory.poisoned), np.uint64) * np.uint64(line_bytes)
        patterns = [_Pattern(p.ctypes.data, len(p), 0) for p in vars(traffic).values()]
        self._held = (memory.image, poisoned, traffic)  # the library points into these
        options = _Options(
            seed & 0x7FFFFFFF, self.patience, timing.latency, timing.gap, memory.seed, memory.base // 4,
            memory.image.size, memory.image.ctypes.data, poisoned.size, poisoned.ctypes.data, *patterns,
            plusarg.encode() if plusarg else None,
        )  # fmt: skip
        for name, kind in (
            ("new", ctypes.c_void_p),
            ("cycle", ctypes.c_uint64),
            ("origin", ctypes.c_uint64),
            ("message", ctypes.c_char_p),
        ):
            getattr(self._library, f"replay_{name}").restype = kind
        self._self = ctypes.c_void_p(self._library.replay_new(ctypes.byref(options)))
        if not self._self:
            raise ReplayError(f"{cfg.name}: the RTL ends the simulation during reset")

    def __del__(self) -> None:
        if getattr(self, "_self", None):
            self._library.replay_delete(self._self)
            self._self = ctypes.c_void_p()

    @property
    def cycle(self) -> int:
        """Cycles since power-up, those of reset included."""
        return int(self._library.replay_cycle(self._self))

    @property
    def origin(self) -> int:
        """The first cycle after reset, of a block that says when it is (``Roles.resetting``)."""
        return int(self._library.replay_origin(self._self))

    def check_counters(self) -> None:
        """Raise :class:`ReplayError` unless all counters are 0, as they are after reset."""
        for number, port in enumerate(self.roles.ports):
            for name, value in self.counters(number).items() if port.counters else ():
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

    def reset(self) -> None:
        """Reset for some cycles; the memory goes on answering."""
        self._call("reset")

    def counters(self, port: int = 0) -> dict[str, int]:
        """The counters of a port, by field.

        Raises :class:`ReplayError` if one of cycles (``..._cycles``) says more than there were.
        """
        name = self.roles.ports[port].counters
        assert name, f"{self.cfg.block} has no counters"
        stream = self.cfg.streams[name]
        words = np.zeros((1, lanes(stream)), np.uint32)
        self._library.replay_counters(self._self, port, ctypes.c_void_p(words.ctypes.data))
        found = {item.name: int(unpack(stream, words, item.name)[0]) for item in stream.fields}
        for item, value in found.items():
            if item.endswith("_cycles") and value > self.cycle:
                raise ReplayError(f"{self.cfg.name}: counter {item} is {value} after {self.cycle} cycles")
        return found

    def run(self, *work: Work) -> Iterator[Chunk]:
        """Give each port its work and wait for all results, in chunks of at most ROOM of anything.

        Raises :class:`ReplayError`.
        """
        ports = [_Port(self.cfg, port, one) for port, one in zip(self.roles.ports, work, strict=True)]
        runs = (_PortRun * len(ports))(*(_PortRun(*port.fields) for port in ports))
        reads = np.zeros(ROOM, np.uint64)
        state = _Run(ctypes.addressof(runs), TAIL, ROOM, reads.ctypes.data)
        code = MORE
        while code == MORE:
            code = self._call("run", ctypes.byref(state))
            chunks = [port.chunk(run) for port, run in zip(ports, runs, strict=True)]
            yield Chunk(chunks, reads[: state.new_reads])
        if code != DONE:
            self._fail(code, state, list(zip(runs, work, strict=True)))

    def _call(self, name: str, *arguments: Any) -> int:
        code = int(getattr(self._library, f"replay_{name}")(self._self, *arguments))
        if code == FATAL:
            message = self._library.replay_message(self._self).decode()
            raise ReplayError(f"{self.cfg.name}, cycle {self.cycle}: the RTL ends the simulation: {message}")
        return code

    def _fail(self, code: int, state: _Run, ports: list[tuple[_PortRun, Work]]) -> None:
        where = f"{self.cfg.name}, cycle {self.cycle}"

        def port_name(number: int) -> str:
            return f"port {self.roles.ports[number].request}, " if len(ports) > 1 else ""

        if code == SURPLUS:
            raise ReplayError(
                f"{where}: {port_name(state.surplus)}a result that no request asked for, "
                f"after {ports[state.surplus][0].answered} answered ones"
            )
        late = next((n for n, (run, _) in enumerate(ports) if run.answered < run.count), 0)
        run, work = ports[late]
        due = port_name(late) + (work.describe(run.answered) if run.answered < run.count else "nothing")
        if code == BAD_BURST:
            raise ReplayError(
                f"{where}: an AXI read burst is not INCR, not aligned, not of the bus's width or of other "
                f"attributes than normal memory; due is {due}"
            )
        what = "was accepted, but has no result" if run.sent > run.answered else "is not accepted"
        raise DeadlockError(f"{where}: {due} {what}; nothing moves for {self.patience} cycles")


def default_patience(timing: MemoryTiming, traffic: Traffic) -> int:
    """Cycles without progress that no working design needs, far more than a line takes."""
    slow = max(len(pattern) if not pattern.all() else 1 for pattern in vars(traffic).values())
    return 10_000 + 4 * timing.latency + 16 * timing.gap + 2 * slow

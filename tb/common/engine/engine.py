# SPDX-License-Identifier: Apache-2.0
"""Runs the engine of a test: hands its records to those who listen, and lets Python act in chosen cycles."""

import ctypes
from collections.abc import Callable, Iterator
from enum import IntEnum
from itertools import islice
from typing import Any

import cocotb
import cocotb._event_loop
import numpy as np
from cocotb.triggers import NullTrigger, Timer
from cocotb.utils import get_sim_time

from tb.common.components.clocking import Clocking
from tb.common.engine.library import library

DRIVE, SAMPLE = range(2)
WAKE = "cacheforge_wake"  # a second top on Icarus, whose signal `wake` changes when Python has to act


class Kind(IntEnum):
    """Kinds of records."""

    TRANSFER = 0
    OFFER = 1
    WITHDRAWN = 2
    CHANGED = 3
    BAD_VALID = 4
    BAD_READY = 5
    BAD_DATA = 6


OFTEN = 100  # times that Python acts until cocotb looks at its timers
CHUNK = 4096  # half periods that are drawn at a time

#: kind, cycles it waited, flag, word, unknown bits
Listener = Callable[[int, int, bool, int, int], None]


class Watched:
    """A channel that the engine samples: its state as of the last sample."""

    def __init__(self, engine: "Engine", number: int) -> None:
        self._engine, self.number = engine, number
        self._state = (ctypes.c_uint32 * 4)()
        self._always = False

    def _look(self, index: int) -> int:
        self._engine.call("channel_state", self.number, self._state)
        return self._state[index]

    @property
    def waited(self) -> int:
        """Cycles for which what is offered has waited."""
        return self._look(0)

    @property
    def waits(self) -> int:
        """Cycles of waiting: of a stream since its last reset, of AXI since the test began."""
        return self._look(1)

    @property
    def offered(self) -> int:
        """Cycles with valid, since the last reset."""
        return self._look(2)

    @property
    def waiting(self) -> bool:
        """Whether something is offered and not taken."""
        return bool(self._look(3))

    def reset(self) -> int:
        """Forget what waits; returns the cycles for which it has."""
        return int(self._engine.call("channel_reset", self.number))

    def wake(self, wanted: bool) -> None:
        """Whether Python acts in the cycle of a transfer, not only some time after it."""
        self._engine.call("await", self.number, wanted or self._always)

    def wake_always(self) -> None:
        """Python acts in the cycle of each transfer: a listener looks at pins, or drives some."""
        self._always = True
        self.wake(True)


class Engine:
    """The engine of one test of the design ``top``.

    ``foreign``: beside components that wait for edges of a clock. Each step is then a time step of cocotb's.
    """

    def __init__(self, top: str, *, foreign: bool = False) -> None:
        self.library, self._foreign = library(), foreign
        self.handle = self.library.engine_new(top.encode(), foreign)
        self.clockings: list[Clocking] = []
        self._listeners: list[Listener] = []
        self._sizes: list[int] = []
        self._done: list[Callable[[], None]] = []
        self._count = ctypes.c_size_t()
        self._drifts: dict[int, Iterator[int]] = {}
        self._running = False

    def clocking(self, clk: Any, period: int = 10_000, late: int = 0) -> Clocking:
        """A clock, see :class:`Clocking`; the main one first."""
        made = Clocking(self, clk, period, late)
        number = self.check(self.library.engine_clock(self.handle, clk._name.encode(), period // 2))
        made.place = ctypes.c_uint32.from_address(self.library.engine_cycle(self.handle, number))
        self.clockings.append(made)
        return made

    def __del__(self) -> None:
        self.library.engine_free(self.handle)

    def check(self, number: int) -> int:
        """A number that a function gave. Raises RuntimeError for -1."""
        if number < 0:
            raise RuntimeError(self.library.engine_message(self.handle).decode())
        return number

    def call(self, function: str, *arguments: Any) -> Any:
        """Call ``engine_<function>`` of the library. Raises RuntimeError if it fails."""
        result = getattr(self.library, f"engine_{function}")(self.handle, *arguments)
        return self.check(result) if isinstance(result, int) else result

    def clock(self, clocking: Clocking) -> int:
        """The number of a clock."""
        return self.clockings.index(clocking)

    def channel(
        self, clocking: Clocking, valid: str, ready: str, fields: list[tuple[str, bool]], listener: Listener,
        *, flag: str = "", axi: bool = False, offers: bool = False,
    ) -> Watched:  # fmt: skip
        """Sample a channel. ``fields``: ports, the lowest bits first, and whether all bits must be known."""
        names = (valid.encode(), ready.encode(), flag.encode())
        number = self.check(
            self.library.engine_channel(self.handle, self.clock(clocking), *names, axi, offers)
        )
        for name, strict in fields:
            self.check(self.library.engine_field(self.handle, number, name.encode(), strict))
        self._listeners.append(listener)
        self._sizes.append(self.library.engine_channel_words(self.handle, number))
        return Watched(self, number)

    def source(self, clocking: Clocking, valid: str, ready: str, data: str, done: Callable[[], None]) -> int:
        """Drive a stream into the design; ``done`` is called when the last word was taken."""
        self._done.append(done)
        names = (valid.encode(), ready.encode(), data.encode())
        return self.check(self.library.engine_source(self.handle, self.clock(clocking), *names))

    def memory(
        self,
        clocking: Clocking,
        prefix: str,
        bus_bytes: int,
        contents: int,
        reads: int | None,
        writes: int | None,
    ) -> int:
        """Answer the AXI port ``prefix``. ``reads``, ``writes``: the generator of a half that is there."""
        ends = prefix.encode(), bus_bytes, contents, reads, writes
        if not (made := self.library.engine_memory(self.handle, self.clock(clocking), *ends)):
            self.check(-1)
        return int(made)

    def set_reset(self, clocking: Clocking) -> None:
        """A clock's resets have changed."""
        self.library.engine_reset(self.handle, self.clock(clocking), clocking.in_reset, clocking.axi_in_reset)

    def start(self) -> None:
        """Start the clocks, once."""
        if self._running:
            return
        self._running = True
        now = int(get_sim_time("ps"))
        for number, clocking in enumerate(self.clockings):
            self.library.engine_start(self.handle, number, now + clocking.late + clocking.period // 2)
            if clocking.halves is not None:
                self._drifts[number] = clocking.halves
                self._draw(number)
        evaluates = cocotb.SIM_NAME.startswith("Verilator")
        cocotb.start_soon(self._walk() if self._foreign else self._run() if evaluates else self._follow())

    def _draw(self, number: int) -> None:
        halves = np.fromiter(islice(self._drifts[number], CHUNK), np.uint64, CHUNK)
        self.library.engine_halves(self.handle, number, halves.ctypes.data, CHUNK)

    async def _run(self) -> None:
        """Verilator: the engine evaluates the design until there is something to do.

        Then other tasks go on, and what they write to the design is there when it is evaluated next. The
        simulator itself goes on only now and then, for tasks that wait for a time: cocotb's part of a time
        step takes as long as all else.
        """
        settled, run = Timer(1, "ps"), self.library.engine_run
        tasks = cocotb._event_loop._inst._callbacks  # of cocotb 2.1
        while True:
            for _ in range(OFTEN):
                self._act(run(self.handle))
                while tasks:
                    await NullTrigger()
            await settled

    async def _walk(self) -> None:
        """A step of the engine in each time step, so that others see each edge."""
        while True:
            await Timer(self.library.engine_delay(self.handle), "ps")
            code = self.library.engine_once(self.handle)
            if code >= 0:
                self._act(code)

    async def _follow(self) -> None:
        """Icarus: the engine works in callbacks of its own and changes a signal when there is."""
        wake = cocotb.tops[WAKE].wake
        self.check(self.library.engine_step(self.handle, f"{WAKE}.wake".encode()))
        try:
            while True:
                await wake.value_change
                self._act(self.library.engine_code(self.handle))
        finally:
            self.library.engine_stop(self.handle)

    def _act(self, code: int) -> None:
        number = code >> 8
        clocking = self.clockings[number]
        self._now()
        if code & 255 == DRIVE:
            self._deliver()
            clocking.drive()
            return
        clocking.sample()
        data = self.library.engine_finished(self.handle, ctypes.byref(self._count))
        for source in (ctypes.c_uint32 * self._count.value).from_address(data) if data else ():
            self._done[source]()
        self._deliver()
        if number in self._drifts and self.library.engine_few(self.handle, number):
            self._draw(number)

    def wake(self, clocking: Clocking, cycle: int, each_drive: bool, each_sample: bool) -> None:
        """Python acts in that cycle of a clock, or in each, before or after its sample."""
        self.library.engine_wake(self.handle, self.clock(clocking), cycle, each_drive, each_sample)

    def _now(self) -> None:
        for clocking in self.clockings:
            clocking.cycle = clocking.place.value

    def _deliver(self) -> None:
        """Hand over what has happened since the last time, each in its cycle."""
        place = self.library.engine_records(self.handle, ctypes.byref(self._count))
        count = self._count.value
        if not count:
            return
        data = ctypes.string_at(place, 4 * count)
        self.library.engine_forget(self.handle)
        words = memoryview(data).cast("I")
        at = 0
        while at < count:
            head, waited = words[at], words[at + 1]
            channel, strange = head & 255, head >> 17 & 1
            for number, clocking in enumerate(self.clockings):
                clocking.cycle = words[at + 2 + number]
            begin, size = 4 * (at + 4), 4 * self._sizes[channel]
            word = int.from_bytes(data[begin : begin + size], "little")
            unknown = int.from_bytes(data[begin + size : begin + 2 * size], "little") if strange else 0
            at += 4 + size // 4 * (1 + strange)
            self._listeners[channel](head >> 8 & 255, waited, bool(head >> 16 & 1), word, unknown)
        self._now()

# SPDX-License-Identifier: Apache-2.0
"""The AXI4 memory of the testbench: any burst, reads and writes; timing, stalls, order, errors."""

import ctypes
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from pyuvm import uvm_component

from configs import MemoryTiming
from configs.parts import AxiPort
from tb.common.components.axi.sparse import BLOCK, SparseMemory
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import STEADY, MemoryPacing
from tb.common.engine.library import generator, library

Order = Literal["any", "address first", "data first"]
ORDERS: dict[Order, int] = {"any": 0, "address first": 1, "data first": 2}
NUMBER = {"ar": 0, "r": 1, "aw": 2, "w": 3, "b": 4}


class Contents(SparseMemory):
    """Bytes that the engine holds."""

    def __init__(self, seed: int) -> None:
        self._library = library()
        self.handle = self._library.contents_new(seed)

    def __del__(self) -> None:
        self._library.contents_free(self.handle)

    def read(self, address: int, count: int) -> bytes:
        """See :class:`SparseMemory`."""
        data = ctypes.create_string_buffer(count)
        self._library.contents_read(self.handle, address, data, count)
        return data.raw

    def write(self, address: int, data: bytes, strobes: int = -1) -> None:
        """See :class:`SparseMemory`."""
        mask = (strobes & (1 << len(data)) - 1).to_bytes((len(data) + 7) // 8, "little")
        self._library.contents_write(self.handle, address, data, mask, len(data))

    @property
    def touched(self) -> list[int]:
        """See :class:`SparseMemory`."""
        count = self._library.contents_touched(self.handle, None, 0)
        numbers = (ctypes.c_uint64 * count)()
        self._library.contents_touched(self.handle, numbers, count)
        return [number * BLOCK for number in numbers]


class Faults:
    """Which bursts are answered with an error: those that touch a poisoned address.

    ``beat``: which of the beats that touch one fails in a read, from 0 (their number: all); None for a
    random choice. ``response``: SLVERR or DECERR, None for a random choice. ``refusals``: of writes alone.
    """

    beat: int | None = None
    response: int | None = None

    def __init__(self, memory: int, refusals: bool) -> None:
        self._memory, self._refusals = memory, refusals

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in ("beat", "response"):
            numbers = [-1 if number is None else number for number in (self.beat, self.response)]
            library().memory_faults(self._memory, self._refusals, *numbers)

    def poison(self, numbers: Iterable[int], size: int) -> None:
        """The pieces of ``size`` bytes with these numbers (byte address / ``size``) fail from now on."""
        pieces = np.array([int(number) for number in numbers], np.uint64)
        library().memory_poison(self._memory, self._refusals, size, pieces.ctypes.data, len(pieces))

    def heal(self) -> None:
        """Nothing fails any more."""
        library().memory_heal(self._memory, self._refusals)


class WriteHalf:
    """What tests change of the half that writes."""

    def __init__(self, memory: int) -> None:
        self.refusals = Faults(memory, True)


class AxiMemory(uvm_component):
    """Answers one AXI4 master. Its ``contents`` are its own; memories of several ports may share them.

    Timing: a burst's first beat (or a write's answer) comes ``timing.latency`` cycles after its address (its
    last beat), or when the bursts before it have left; ``timing.gap`` idle cycles follow every beat;
    ``pacing`` adds to that. ``faults`` says what is answered with an error. A reset of the block
    alone is none of its business: it answers on. One of its own side (``m_axi_rst``) forgets what is on its
    way, never what has been written. The engine moves the pins.
    """

    port: AxiPort  # set by whoever creates it, before its build_phase
    contents: Contents  # the same, if they are not of the test's seed, or shared
    writes: WriteHalf  # of a port that writes

    def build_phase(self) -> None:
        """Make the engine's memory. Contents of the test's seed, unless others have been set."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking, engine = bench.clockings[self.port.clock], bench.engine
        name = "memory" if self.port.prefix == "m_axi" else f"{self.port.prefix}_memory"
        if not hasattr(self, "contents"):
            self.contents = Contents(bench.seed & 0xFFFFFFFF)
        self._rngs = [  # the engine draws from them as long as the memory lives
            bench.component_rng(part) if there else None
            for part, there in ((name, self.port.reads), (f"{name}_write", self.port.writes))
        ]
        self._library = engine.library
        self._memory = engine.memory(
            self._clocking, self.port.prefix, self.port.strobe_bits, self.contents.handle,
            *(generator(rng) if rng is not None else None for rng in self._rngs),
        )  # fmt: skip
        self.faults = Faults(self._memory, False)
        if self.port.writes:
            self.writes = WriteHalf(self._memory)
        self.pacing = STEADY
        self.set_timing(bench.cfg.memory)
        self._forget()

    def reset(self) -> None:
        """The block is being reset, perhaps memory with it. To be called while driving is allowed."""
        if self._clocking.axi_in_reset:
            self._forget()

    def _forget(self) -> None:
        self._library.memory_reset(self._memory)
        self.pace(self.pacing)

    def set_timing(self, timing: MemoryTiming) -> None:
        """Latency and bandwidth, of the bursts that are asked for from now on."""
        self.timing = timing
        self._library.memory_timing(self._memory, timing.latency, timing.gap)

    def pace(self, pacing: MemoryPacing) -> None:
        """Change what is added to the timing, from the next cycle on."""
        self.pacing = pacing
        parts = (pacing.address, pacing.beat, pacing.write_address, pacing.write_beat, pacing.answer)
        paces = np.array([(part.run, part.pause, part.longest) for part in parts], np.float64)
        patient = bytes(part.patient for part in parts)
        self._library.memory_pace(self._memory, pacing.jitter, paces.ctypes.data, patient)

    def mix(self, *, reorder: bool, interleave: bool = False) -> None:
        """Whether bursts of different ids overtake each other, and whether their data beats mingle."""
        self._library.memory_mix(self._memory, reorder, interleave)

    def wait_for(self, order: Order) -> None:
        """Take the address of a write before its data, or after, or as they come."""
        self._library.memory_wait_for(self._memory, ORDERS[order])

    def hold(self, *channels: str) -> None:
        """Take nothing on these channels (``ar``, ``aw``, ``w``), offer nothing more on them (``r``, ``b``),
        through resets, until :meth:`release`.
        """
        for channel in channels:
            self._library.memory_hold(self._memory, NUMBER[channel], 1)

    def release(self, *channels: str) -> None:
        """Go on, from the next cycle on. Like :meth:`hold` to be called while driving is allowed."""
        for channel in channels:
            self._library.memory_hold(self._memory, NUMBER[channel], 0)

    def loaded(self, channel: str) -> bool:
        """Whether ``r`` or ``b`` has something to offer."""
        return bool(self._library.memory_loaded(self._memory, NUMBER[channel]))

    @property
    def outstanding(self) -> int:
        """Bursts that have begun and not ended."""
        return int(self._library.memory_outstanding(self._memory))

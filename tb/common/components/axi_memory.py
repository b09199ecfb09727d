# SPDX-License-Identifier: Apache-2.0
"""An AXI4 memory to read from, with settable timing, random latency and stalls, and error responses."""

from collections import deque
from typing import NamedTuple, Protocol

import numpy as np
from cocotb_bus.bus import Bus
from numpy.typing import NDArray
from pyuvm import uvm_component

from configs import MemoryTiming
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import STEADY, MemoryPacing
from tb.common.components.stream import HIGH

SLVERR, DECERR = 2, 3


class Words(Protocol):
    """What the responder needs of a memory; :class:`models.memory.Memory` is one."""

    @property
    def poisoned(self) -> frozenset[int]:
        """Line addresses that answer with an error."""

    def line(self, line_address: int, line_words: int) -> NDArray[np.uint32]:
        """The words of one line, shape [line_words]."""


class Burst(NamedTuple):
    """A burst on its way: first due in cycle ``due``; per beat (data, response); its id."""

    due: int
    beats: list[tuple[int, int]]
    number: int


class AxiReadMemory(uvm_component):
    """Answers INCR read bursts of one line each, in order; with ``reorder``, in order for each id.

    Timing: a burst's first beat comes ``timing.latency`` cycles after its address, or when the bursts before
    it have left; ``timing.gap`` idle cycles follow every beat; ``pacing`` adds to that. A poisoned line
    answers with SLVERR or DECERR in one of its beats, or in all. Reset forgets what is on its way.
    """

    prefix = "m_axi"  # set by the agent, if it is another one

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.pacing = STEADY
        self.error_beat: int | None = None  # the beat that fails; None for a random choice
        self.reorder = False
        self.survives = False  # answer on through resets that do not concern the memory

    def configure(self, memory: Words, line_bytes: int, data_bits: int, timing: MemoryTiming) -> None:
        """Set contents, line size and bus width in bits, and timing."""
        self.memory, self.timing = memory, timing
        self._line_bytes, self._beat_bits = line_bytes, data_bits

    def build_phase(self) -> None:
        """Find the signals and rest."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clocking
        self._rng = bench.component_rng("memory" if self.prefix == "m_axi" else f"{self.prefix}_memory")
        names = ["arvalid", "arready", "araddr", "arid", "rid", "rdata", "rresp", "rlast", "rvalid", "rready"]
        self._bus = Bus(bench.dut, self.prefix, names, case_insensitive=False)
        self.reset()

    def reset(self) -> None:
        """Forget open bursts. To be called while driving is allowed."""
        self._open: deque[Burst] = deque()
        self._beats: deque[tuple[int, int]] = deque()
        self._free, self._driving, self._valid = 0, False, False
        self._accepting = True
        self._flags: list[int] = []
        self._bus.rvalid.value = 0
        self._bus.arready.value = 1
        self.pace(self.pacing)

    def pace(self, pacing: MemoryPacing) -> None:
        """Change what is added to the timing, from the next cycle on."""
        self.pacing = pacing
        self._ready = pacing.address.ready(self._rng)
        self._pauses = pacing.beat.ready(self._rng)

    @property
    def outstanding(self) -> int:
        """Lines asked for and not yet wholly delivered."""
        return len(self._open) + bool(self._beats)

    async def run_phase(self) -> None:
        """Sleep until an address comes; then drive until nothing is left to do."""
        while True:
            if self._bus.arvalid.value != HIGH:
                await self._bus.arvalid.value_change
            await self._clocking.active(self._sample, self._drive)

    def _drive(self) -> None:
        accepting = next(self._ready)
        if accepting != self._accepting:
            self._accepting = accepting
            self._bus.arready.value = int(accepting)
        if not self._driving:
            self._offer()

    def _offer(self) -> None:
        now = self._clocking.cycle
        if not self._beats and self._open and (burst := self._next(now)):
            self._open.remove(burst)
            self._beats = deque(burst.beats)
            self._bus.rid.value = burst.number
        self._driving = bool(self._beats) and now >= self._free and next(self._pauses)
        if self._driving or self._valid:
            self._bus.rvalid.value = int(self._driving)
            self._valid = self._driving
        if self._driving:
            data, *flags = self._beats[0][0], self._beats[0][1], int(len(self._beats) == 1)
            self._bus.rdata.value = data
            if flags != self._flags:  # a write costs more than a comparison
                self._flags = flags
                self._bus.rresp.value, self._bus.rlast.value = flags

    def _next(self, now: int) -> Burst | None:
        if not self.reorder:
            return self._open[0] if self._open[0].due <= now else None
        first = {burst.number: burst for burst in reversed(self._open)}
        ready = [burst for burst in first.values() if burst.due <= now]
        return ready[int(self._rng.integers(len(ready)))] if ready else None

    def _sample(self) -> bool:
        if self._clocking.in_reset and not self.survives:
            return False
        if self._driving and self._bus.rready.value == HIGH:
            self._beats.popleft()
            self._driving = False
            self._free = self._clocking.cycle + 1 + self.timing.gap
        asked = self._bus.arvalid.value == HIGH
        if asked and self._accepting:
            self._accept(int(self._bus.araddr.value), int(self._bus.arid.value))
        return bool(asked or self._valid or self._beats or self._open)

    def _accept(self, address: int, number: int) -> None:
        jitter = int(self._rng.integers(self.pacing.jitter + 1)) if self.pacing.jitter else 0
        line = address // self._line_bytes
        words = self.memory.line(line, self._line_bytes // 4)
        data = int.from_bytes(words.astype("<u4").tobytes(), "little")
        count = self._line_bytes * 8 // self._beat_bits
        responses = self._errors(count) if line in self.memory.poisoned else [0] * count
        mask = (1 << self._beat_bits) - 1
        beats = [(data >> self._beat_bits * beat & mask, response) for beat, response in enumerate(responses)]
        self._open.append(Burst(self._clocking.cycle + self.timing.latency + jitter, beats, number))

    def _errors(self, count: int) -> list[int]:
        response = int(self._rng.choice([SLVERR, DECERR]))
        chosen = int(self._rng.integers(count + 1)) if self.error_beat is None else self.error_beat
        return [response if beat == chosen or chosen == count else 0 for beat in range(count)]

# SPDX-License-Identifier: Apache-2.0
"""The two halves of the memory: reading (channels AR and R) and writing (AW, W and B)."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from configs import MemoryTiming
from tb.common.components.axi.bursts import SLVERR, Burst
from tb.common.components.axi.memory_parts import Faults, ReadyLine, SparseMemory, asked_for, bits, choose
from tb.common.components.bench import look
from tb.common.components.pacing import MemoryPacing


@dataclass(eq=False)
class Answer:
    """A burst on its way: first due in cycle ``due``; (data, response) of each beat to come."""

    id: int
    due: int
    beats: deque[tuple[int, int]]


class ReadSide:
    """Answers read bursts in order; with ``reorder``, in order for each id; with ``interleave`` so too,
    changing from one to another after any beat.

    What a burst reads is what stands in memory when its address is taken.
    """

    def __init__(
        self, bus: Any, contents: SparseMemory, faults: Faults, bus_bytes: int, rng: np.random.Generator
    ) -> None:
        self._bus, self._contents, self._faults, self._bus_bytes = bus, contents, faults, bus_bytes
        self._rng = rng
        self._ready, self._asks = look(bus.rready), look(bus.arvalid)
        self._asked_for = asked_for(bus, "ar")
        self.timing = MemoryTiming()
        self.reorder = self.interleave = False
        self.held = False  # nothing more is offered
        self.address = ReadyLine(bus.arready, rng)

    def reset(self) -> None:
        """Forget open bursts. To be called while driving is allowed."""
        self._open: deque[Answer] = deque()
        self._current: Answer | None = None
        self._free, self._driving, self._valid, self._asked = 0, False, False, False
        self._flags: tuple[int, ...] = ()
        self._bus.rvalid.value = 0
        self.address.reset()

    def pace(self, pacing: MemoryPacing) -> None:
        """Change what is added to the timing."""
        self._jitter = pacing.jitter
        self.address.pace(pacing.address)
        self._pauses = pacing.beat.ready(self._rng)

    @property
    def outstanding(self) -> int:
        """Bursts asked for and not yet wholly delivered."""
        return len(self._open)

    def loaded(self, now: int) -> bool:
        """Whether there is a beat to offer."""
        return any(answer.due <= now for answer in self._open)

    def drive(self, now: int) -> None:
        """The outputs of cycle ``now``."""
        self.address.drive(self._asked)
        if not self._driving:
            self._offer(now)

    def _offer(self, now: int) -> None:
        current = self._current
        if self._open and (current is None or self.interleave):
            current = choose(self._open, now, self.reorder or self.interleave, self._rng)
            if current is not None and current is not self._current:
                self._bus.rid.value = current.id
            self._current = current
        free = current is not None and now >= self._free and not self.held
        self._driving = free and next(self._pauses)
        if self._driving or self._valid:
            self._bus.rvalid.value = int(self._driving)
            self._valid = self._driving
        if self._driving and current is not None:
            data, *flags = *current.beats[0], int(len(current.beats) == 1)
            self._bus.rdata.value = data
            if tuple(flags) != self._flags:  # a write costs more than a comparison
                self._flags = tuple(flags)
                self._bus.rresp.value, self._bus.rlast.value = flags

    def sample(self, now: int) -> bool:
        """The handshakes of cycle ``now``; returns whether there is more to do."""
        if self._driving and self._ready() == "1" and self._current is not None:
            self._current.beats.popleft()
            if not self._current.beats:
                self._open.remove(self._current)
                self._current = None
            self._driving = False
            self._free = now + 1 + self.timing.gap
        offered = self._asks() == "1"
        if offered and self.address.high:
            self._accept(now)
        self._asked = offered and not self.address.high
        return bool(offered or self._valid or self._open)

    def _accept(self, now: int) -> None:
        jitter = int(self._rng.integers(self._jitter + 1)) if self._jitter else 0
        burst, step = self._asked_for(), self._bus_bytes
        words = [burst.beat(number)[0] // step * step for number in range(burst.beats)]
        data = [int.from_bytes(self._contents.read(word, step), "little") for word in words]
        responses = self._faults.responses(burst, self._rng)
        beats = deque(zip(data, responses, strict=True))
        self._open.append(Answer(burst.id, now + self.timing.latency + jitter, beats))


#: what the memory waits for before it takes the other: AXI allows all three
Order = Literal["any", "address first", "data first"]


@dataclass(eq=False)
class Write:
    """A burst whose address has been taken; its (data, strobes) so far; ``due`` and ``response`` of the
    answer; whether memory has its bytes.
    """

    burst: Burst
    beats: list[tuple[int, int]] = field(default_factory=list)
    due: int = 0
    response: int = 0
    stored: bool = False

    @property
    def id(self) -> int:
        """Id of the burst."""
        return self.burst.id


class WriteSide:
    """Takes write bursts and answers them in order; with ``reorder``, in order for each id. ``refusals`` are
    faults of writes alone, of bytes that may be read.

    The answer comes ``timing.latency`` cycles after the last beat (or the address, if that comes later), and
    ``timing.gap`` cycles without ready follow every beat. Bytes become visible when the answer has been
    offered, no sooner: who reads before will get old ones, as AXI allows. What fails, or is answered in the
    cycle in which a reset begins, is not written.
    """

    def __init__(
        self, bus: Any, contents: SparseMemory, faults: Faults, bus_bytes: int, rng: np.random.Generator
    ) -> None:
        self._bus, self._contents, self._faults, self._bus_bytes = bus, contents, faults, bus_bytes
        self._rng = rng
        self._ready, self._asks, self._sends = look(bus.bready), look(bus.awvalid), look(bus.wvalid)
        self._asked_for = asked_for(bus, "aw")
        self._data, self._strobes = look(bus.wdata), look(bus.wstrb)
        self.timing = MemoryTiming()
        self.refusals = Faults()
        self.order: Order = "any"
        self.reorder = False
        self.held = False  # nothing more is offered
        self.address, self.data = ReadyLine(bus.awready, rng), ReadyLine(bus.wready, rng)

    def reset(self) -> None:
        """Forget open bursts; what has been written stays. To be called while driving is allowed."""
        self._filling: deque[Write] = deque()  # their data is still to come
        self._early: deque[tuple[int, int]] = deque()  # data whose address is still to come
        self._answers: deque[Write] = deque()
        self._free_data = 0
        self._offered: Write | None = None
        self._asked, self._sent, self._valid = False, False, False
        self._bus.bvalid.value = 0
        self.address.reset()
        self.data.reset()

    def wait_for(self, order: Order) -> None:
        """What is taken first, from the next reset on, or at once in a rest. To be called while driving is
        allowed.
        """
        self.order = order
        self.address.rests_low, self.data.rests_low = order == "data first", order == "address first"
        if not self.outstanding:
            self.address.reset()
            self.data.reset()

    def pace(self, pacing: MemoryPacing) -> None:
        """Change what is added to the timing."""
        self._jitter = pacing.jitter
        self.address.pace(pacing.write_address)
        self.data.pace(pacing.write_beat)
        self._pauses = pacing.answer.ready(self._rng)

    @property
    def outstanding(self) -> int:
        """Bursts whose address or data has been taken and whose answer has not."""
        return len(self._filling) + len(self._answers) + bool(self._early)

    def loaded(self, now: int) -> bool:
        """Whether there is an answer to offer."""
        return any(write.due <= now for write in self._answers)

    def drive(self, now: int) -> None:
        """The outputs of cycle ``now``."""
        need_address = self.order == "address first" and not self._filling
        need_data = self.order == "data first" and not (self._sent or self._early)
        self.address.drive(self._asked, not need_data)
        self.data.drive(self._sent, now >= self._free_data and not need_address)
        if self._offered is None:
            self._offer(now)

    def _offer(self, now: int) -> None:
        write = choose(self._answers, now, self.reorder, self._rng)
        if write is not None and not self.held and next(self._pauses):
            self._offered = write
            self._bus.bid.value, self._bus.bresp.value = write.id, write.response
        if (self._offered is not None) != self._valid:
            self._valid = self._offered is not None
            self._bus.bvalid.value = int(self._valid)

    def sample(self, now: int) -> bool:
        """The handshakes of cycle ``now``; returns whether there is more to do."""
        if self._offered is not None and not self._offered.stored:
            self._store(self._offered)
        if self._offered is not None and self._ready() == "1":
            self._answers.remove(self._offered)
            self._offered = None
        offered, sent = self._asks() == "1", self._sends() == "1"
        if offered and self.address.high:
            self._take_address()
        if sent and self.data.high:
            self._early.append((bits(self._data), bits(self._strobes)))
            self._free_data = now + 1 + self.timing.gap
        self._assign(now)
        self._asked = offered and not self.address.high
        self._sent = sent and not self.data.high
        return bool(offered or sent or self._valid or self.outstanding)

    def _take_address(self) -> None:
        self._filling.append(Write(self._asked_for()))

    def _assign(self, now: int) -> None:
        while self._filling and self._early:
            write = self._filling[0]
            write.beats.append(self._early.popleft())
            if len(write.beats) == write.burst.beats:
                jitter = int(self._rng.integers(self._jitter + 1)) if self._jitter else 0
                write.due = now + self.timing.latency + jitter
                write.response = max(
                    faults.response_to_write(write.burst, self._rng)
                    for faults in (self._faults, self.refusals)
                )
                self._answers.append(self._filling.popleft())

    def _store(self, write: Write) -> None:
        write.stored = True
        if write.response >= SLVERR:
            return
        step = self._bus_bytes
        for number, (data, strobes) in enumerate(write.beats):
            word = write.burst.beat(number)[0] // step * step
            self._contents.write(word, data.to_bytes(step, "little"), strobes)

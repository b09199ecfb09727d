# SPDX-License-Identifier: Apache-2.0
"""The writing half of the memory: channels AW, W and B."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from configs import MemoryTiming
from tb.common.components.axi.bursts import SLVERR, Burst
from tb.common.components.axi.channels import Faults, ReadyLine, asked_for, bits, choose
from tb.common.components.axi.contents import SparseMemory
from tb.common.components.bench import look
from tb.common.components.pacing import MemoryPacing

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

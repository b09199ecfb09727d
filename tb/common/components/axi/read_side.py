# SPDX-License-Identifier: Apache-2.0
"""The reading half of the memory: channels AR and R."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from configs import MemoryTiming
from tb.common.components.axi.channels import Faults, ReadyLine, asked_for, choose
from tb.common.components.axi.contents import SparseMemory
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

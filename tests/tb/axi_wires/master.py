# SPDX-License-Identifier: Apache-2.0
"""A master that sends whatever bursts it is given, as far ahead as it may, and keeps what comes back."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from cocotb_bus.bus import Bus

from configs.parts import AxiPort
from tb.common.components.axi.bursts import FIXED, INCR, PAGE, WRAP, Burst
from tb.common.components.bench import HIGH
from tb.common.components.clocking import Clocking
from tb.common.components.pacing import Pacing

Fields = dict[str, int]


def random_burst(rng: np.random.Generator, bus_bytes: int, region: int) -> Burst:
    """Any legal burst within page number ``region``."""
    size = int(rng.integers(bus_bytes.bit_length()))
    kind = int(rng.choice([FIXED, INCR, INCR, WRAP]))
    beats = int(rng.choice([2, 4, 8, 16])) if kind == WRAP else int(rng.integers(1, 17))
    if kind == INCR and rng.random() < 0.1:
        beats = int(rng.integers(17, min(256, PAGE >> size) + 1))
    address = int(rng.integers(PAGE - (beats << size) + 1)) if kind == INCR else int(rng.integers(PAGE))
    if kind == WRAP or rng.random() < 0.5:
        address = address >> size << size
    if (address >> size << size) + (beats << size) > PAGE and kind == INCR:
        address = 0
    return Burst(region * PAGE + address, beats, size, kind, int(rng.integers(16)))


class Source:
    """Drives a channel with what is queued."""

    def __init__(self, bus: Any, names: list[str], pattern: Iterator[bool]) -> None:
        self.bus, self.names, self.pattern = bus, names, pattern
        self.queue: deque[Fields] = deque()
        self.offered = False
        bus.valid.value = 0

    def drive(self) -> None:
        """The outputs of a cycle."""
        if not self.offered:
            self.offered = bool(self.queue) and next(self.pattern)
            self.bus.valid.value = int(self.offered)
            for name in self.names if self.offered else ():
                getattr(self.bus, name).value = self.queue[0][name]

    def sample(self) -> None:
        """The handshake of a cycle."""
        if self.offered and self.bus.ready.value == HIGH:
            self.queue.popleft()
            self.offered = False


class Sink:
    """Takes what comes on a channel and hands it on."""

    def __init__(
        self, bus: Any, names: list[str], pattern: Iterator[bool], take: Callable[[Fields], None]
    ) -> None:
        self.bus, self.names, self.pattern, self.take = bus, names, pattern, take
        self.ready = False

    def drive(self) -> None:
        """The output of a cycle."""
        self.ready = next(self.pattern)
        self.bus.ready.value = int(self.ready)

    def sample(self) -> None:
        """The handshake of a cycle."""
        if self.ready and self.bus.valid.value == HIGH:
            self.take({name: int(getattr(self.bus, name).value) for name in self.names})


class Master:
    """Sends bursts on all channels, each at a pace of its own; data to write may overtake its address."""

    def __init__(self, dut: Any, port: AxiPort, clocking: Clocking, rng: np.random.Generator) -> None:
        self._clocking, self._rng, self._step = clocking, rng, port.strobe_bits
        self.answers: list[Fields] = []
        self.read: dict[int, deque[Burst]] = {}  # by id: bursts whose data is to come
        self.data: list[tuple[Burst, bytes]] = []  # of the bursts that have ended: the bytes, beat by beat
        self.responses: list[tuple[Burst, list[int]]] = []  # of the same: the responses
        self._bytes: dict[int, bytes] = {}  # of the burst that has begun, by id
        self._responses: dict[int, list[int]] = {}
        self._writing = 0
        self._parts: dict[str, Source | Sink] = {}
        for name, stream in port.channels.items():
            fields = [field.name for field in stream.fields]
            bus = Bus(dut, stream.name, ["valid", "ready", *fields], bus_separator="", case_insensitive=False)
            pattern = Pacing(float(rng.integers(1, 9)), float(rng.integers(1, 6))).ready(rng)
            if name == "b":
                self._parts[name] = Sink(bus, fields, pattern, self._answer)
            elif name == "r":
                self._parts[name] = Sink(bus, fields, pattern, self._data)
            else:
                self._parts[name] = Source(bus, fields, pattern)

    def start(self) -> None:
        """Live from the next cycle on."""
        self._clocking.on_drive(self._drive)

    def ask(self, burst: Burst) -> None:
        """Queue a read."""
        self._queue("ar", self._address(burst))
        self.read.setdefault(burst.id, deque()).append(burst)

    def write(self, burst: Burst) -> list[tuple[int, bytes, int]]:
        """Queue a write of random data; returns (address of the bus word, bytes, strobes) of each beat."""
        self._queue("aw", self._address(burst))
        self._writing += 1
        beats = []
        for beat in range(burst.beats):
            data = self._rng.bytes(self._step)
            chosen = int(self._rng.integers(256)) | int(self._rng.integers(256))
            strobes = burst.lanes(beat, self._step) & chosen
            last = int(beat + 1 == burst.beats)
            self._queue("w", {"data": int.from_bytes(data, "little"), "strb": strobes, "last": last})
            beats.append((burst.beat(beat)[0] // self._step * self._step, data, strobes))
        return beats

    @property
    def idle(self) -> bool:
        """Whether all has been answered."""
        return not any(self.read.values()) and len(self.answers) == self._writing

    async def settle(self) -> None:
        """Wait until all has been answered."""
        while not self.idle:
            await self._clocking.cycles(10)

    def _queue(self, channel: str, fields: Fields) -> None:
        part = self._parts[channel]
        assert isinstance(part, Source)
        part.queue.append(fields)

    @staticmethod
    def _address(burst: Burst) -> Fields:
        return {
            "id": burst.id, "addr": burst.address, "len": burst.beats - 1, "size": burst.size,
            "burst": burst.kind, "lock": burst.lock, "cache": burst.cache, "prot": burst.prot,
            "qos": burst.qos,
        }  # fmt: skip

    def _answer(self, fields: Fields) -> None:
        self.answers.append(fields)

    def _data(self, fields: Fields) -> None:
        waiting = self.read.get(fields["id"])
        if not waiting:
            return  # the checker complains
        burst, past = waiting[0], self._bytes.get(fields["id"], b"")
        word = fields["data"].to_bytes(self._step, "little")
        responses = self._responses.setdefault(fields["id"], [])
        beat = len(responses)
        responses.append(fields["resp"])
        first, end = burst.beat(beat)
        base = first // self._step * self._step
        self._bytes[fields["id"]] = past + word[first - base : end - base]
        if fields["last"]:
            self.data.append((waiting[0], self._bytes.pop(fields["id"])))
            self.responses.append((waiting.popleft(), self._responses.pop(fields["id"])))

    def _drive(self) -> bool:
        for part in self._parts.values():
            part.drive()
        self._clocking.on_sample(self._sample)
        return True

    def _sample(self) -> bool:
        for part in self._parts.values():
            part.sample()
        return False

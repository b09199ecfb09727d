# SPDX-License-Identifier: Apache-2.0
"""Monitor and memory of an AXI4 port whose pins the engine moves; seen from outside as what they replace."""

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np
from pyuvm import uvm_analysis_port

from configs import MemoryTiming, Stream
from tb.common.components.axi.agent import LOGGED, AxiMonitor
from tb.common.components.axi.handshake import Handshake, OnOffer, Payload, Transfer, is_known
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.axi.memory_parts import BLOCK, Faults, SparseMemory
from tb.common.components.axi.sides import Order
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import MemoryPacing
from tb.common.components.transactions import Observation
from tb.common.engine.agents import text_of
from tb.common.engine.engine import Kind, Watched
from tb.common.engine.library import generator, library

TELLING = ("r", "aw", "w", "b")  # channels whose offers the rules want to know, taken or not
NUMBER = {"ar": 0, "r": 1, "aw": 2, "w": 3, "b": 4}
ORDERS: dict[Order, int] = {"any": 0, "address first": 1, "data first": 2}


class EngineHandshake(Handshake):
    """A channel that the engine samples. Where it tells of offers, ``waiting`` is as of the last record."""

    watched: Watched | None = None  # set by the monitor, as is
    telling = False

    def __init__(self, stream: Stream, on_offer: OnOffer | None) -> None:
        super().__init__(stream, ("data",), on_offer)
        self._widths = {field.name: field.width for field in stream.fields}

    def reset(self) -> None:
        """See :class:`Handshake`."""
        super().reset()
        if self.watched:
            self.watched.reset()

    def offer(self, cycle: int, payload: Payload) -> None:
        """Something is offered."""
        self._offer = payload
        if self._on_offer is not None:
            self._on_offer(cycle, payload)

    def taken(self) -> None:
        """What was offered is taken."""
        self._offer = None

    def complain(self, kind: int, cycle: int, payload: Payload, before: Payload) -> None:
        """Raise AssertionError about a record that breaks a rule, as :meth:`Handshake.sample` does.

        ``before``: what was offered first, if it was changed.
        """
        if kind == Kind.WITHDRAWN:
            self.fail(cycle, "valid withdrawn before ready")
        if kind in (Kind.BAD_VALID, Kind.BAD_READY):
            self.fail(cycle, f"{'valid' if kind == Kind.BAD_VALID else 'ready'} is X")
        if kind == Kind.BAD_DATA:
            name = next(name for name in self._strict if not is_known(payload[name]))
            self.fail(cycle, f"{name} is {payload[name]} while valid")
        changed = [
            f"{name} {self._text(name, value)} became {self._text(name, payload[name])}"
            for name, value in before.items()
            if value != payload[name]
        ]
        self.fail(cycle, f"data changed while waiting for ready ({', '.join(changed)})")

    def _text(self, name: str, value: str | int) -> str:
        width = self._widths[name]
        return value if isinstance(value, str) else f"{value:0{width}b}"

    waits = property(lambda self: self.watched.waits if self.watched else 0, lambda self, value: None)

    @property
    def waited(self) -> int:
        """See :class:`Handshake`."""
        return self.watched.waited if self.watched else 0

    @property
    def waiting(self) -> bool:
        """See :class:`Handshake`."""
        return self._offer is not None if self.telling else bool(self.watched and self.watched.waiting)


class EngineWatch:
    """Hands the records of a channel to the rules, the log and all that listen to ``transfers``."""

    def __init__(self, monitor: "EngineAxiMonitor", name: str, stream: Stream, bench: Bench) -> None:
        self._monitor, self._name, self._log = monitor, name, bench.log
        self._clocking = bench.clockings[stream.clock]
        widths = {field.name: field.width for field in stream.fields}
        names = [*LOGGED[name], *(field for field in widths if field not in LOGGED[name])]
        self._fields, at = [], 0
        for field in names:
            self._fields.append((field, at, (1 << widths[field]) - 1))
            at += widths[field]
        by_name = {field.name: field for field in stream.fields}
        self.logged = Stream(stream.name, stream.direction, tuple(by_name[field] for field in LOGGED[name]))
        self._logged = (1 << sum(widths[field] for field in LOGGED[name])) - 1
        self.watched = bench.engine.channel(
            self._clocking, f"{stream.name}valid", f"{stream.name}ready",
            [(f"{stream.name}{field}", field != "data") for field in names], self._hear,
            axi=True, offers=name in TELLING,
        )  # fmt: skip
        self.transfers = uvm_analysis_port(f"{name}_transfers", monitor)

    def check_known(self) -> None:
        """The engine finds a valid that is X in the next sample."""

    def _payload(self, word: int, unknown: int) -> Payload:
        if unknown:
            return {
                name: text_of(word >> at & mask, unknown >> at & mask, mask)
                for name, at, mask in self._fields
            }
        return {name: word >> at & mask for name, at, mask in self._fields}

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        cycle, handshake = self._clocking.cycle, self._monitor.handshakes[self._name]
        payload = self._payload(word, 0 if kind == Kind.CHANGED else unknown)
        if kind == Kind.TRANSFER:
            if not waited and handshake.telling:
                handshake.offer(cycle, payload)
            handshake.taken()
            observation = Observation(cycle, word & self._logged, waited)
            self._log.add(self.logged, observation)
            self.transfers.write(observation)
            self._monitor.rules.takes[self._name](Transfer(cycle, waited, payload))
        elif kind == Kind.OFFER:
            handshake.offer(cycle, payload)
        else:
            handshake.complain(kind, cycle, payload, self._payload(unknown, 0))


class EngineAxiMonitor(AxiMonitor):
    """The monitor whose channels the engine samples."""

    watch_class = EngineWatch

    def build_phase(self) -> None:
        """See :class:`AxiMonitor`."""
        super().build_phase()
        self.handshakes: dict[str, EngineHandshake] = {}
        for name, watch in self.watches.items():
            made = EngineHandshake(self.port.channels[name], self.rules.channels[name]._on_offer)
            made.watched, made.telling = watch.watched, name in TELLING
            self.rules.channels[name] = self.handshakes[name] = made

    async def run_phase(self) -> None:
        """See :class:`AxiMonitor`."""
        if self.beats.subscribers:
            self.rules.reads.each = self.beats.write


class EngineContents(SparseMemory):
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


class EngineFaults(Faults):
    """The same in the engine; ``refusals``: of writes alone."""

    _made = False  # while it is made there is nothing to tell

    def __init__(self, memory: int, refusals: bool) -> None:
        super().__init__()
        self._memory, self._refusals, self._made = memory, refusals, True

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if self._made and name in ("beat", "response"):
            numbers = [-1 if number is None else number for number in (self.beat, self.response)]
            library().memory_faults(self._memory, self._refusals, *numbers)

    def poison(self, numbers: Iterable[int], size: int) -> None:
        """See :class:`Faults`."""
        pieces = np.array([int(number) for number in numbers], np.uint64)
        library().memory_poison(self._memory, self._refusals, size, pieces.ctypes.data, len(pieces))

    def heal(self) -> None:
        """See :class:`Faults`."""
        library().memory_heal(self._memory, self._refusals)


class EngineWrites:
    """What tests change of the half that writes."""

    def __init__(self, memory: int) -> None:
        self.refusals = EngineFaults(memory, True)


class EngineMemory(AxiMemory):
    """The memory whose pins the engine moves."""

    contents: EngineContents

    def build_phase(self) -> None:
        """See :class:`AxiMemory`."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking, engine = bench.clockings[self.port.clock], bench.engine
        name = "memory" if self.port.prefix == "m_axi" else f"{self.port.prefix}_memory"
        if not hasattr(self, "contents"):
            self.contents = EngineContents(bench.seed & 0xFFFFFFFF)
        self._rngs = [  # the engine draws from them as long as the memory lives
            bench.component_rng(part) if there else None
            for part, there in ((name, self.port.reads), (f"{name}_write", self.port.writes))
        ]
        self._library = engine.library
        self._memory = engine.memory(
            self._clocking, self.port.prefix, self.port.strobe_bits, self.contents.handle,
            *(generator(rng) if rng is not None else None for rng in self._rngs),
        )  # fmt: skip
        self.faults = EngineFaults(self._memory, False)
        self._refusing = EngineWrites(self._memory) if self.port.writes else None
        self.set_timing(bench.cfg.memory)
        self._forget()

    @property
    def writes(self) -> Any:
        """See :class:`AxiMemory`."""
        return self._refusing

    def _forget(self) -> None:
        self._library.memory_reset(self._memory)
        self.pace(self.pacing)

    def set_timing(self, timing: MemoryTiming) -> None:
        """See :class:`AxiMemory`."""
        self.timing = timing
        self._library.memory_timing(self._memory, timing.latency, timing.gap)

    def pace(self, pacing: MemoryPacing) -> None:
        """See :class:`AxiMemory`."""
        self.pacing = pacing
        parts = (pacing.address, pacing.beat, pacing.write_address, pacing.write_beat, pacing.answer)
        paces = np.array([(part.run, part.pause, part.longest) for part in parts], np.float64)
        patient = bytes(part.patient for part in parts)
        self._library.memory_pace(self._memory, pacing.jitter, paces.ctypes.data, patient)

    def mix(self, *, reorder: bool, interleave: bool = False) -> None:
        """See :class:`AxiMemory`."""
        self._library.memory_mix(self._memory, reorder, interleave)

    def wait_for(self, order: Order) -> None:
        """See :class:`AxiMemory`."""
        self._library.memory_wait_for(self._memory, ORDERS[order])

    def hold(self, *channels: str) -> None:
        """See :class:`AxiMemory`."""
        for channel in channels:
            self._library.memory_hold(self._memory, NUMBER[channel], 1)

    def release(self, *channels: str) -> None:
        """See :class:`AxiMemory`."""
        for channel in channels:
            self._library.memory_hold(self._memory, NUMBER[channel], 0)

    def loaded(self, channel: str) -> bool:
        """See :class:`AxiMemory`."""
        return bool(self._library.memory_loaded(self._memory, NUMBER[channel]))

    @property
    def outstanding(self) -> int:
        """See :class:`AxiMemory`."""
        return int(self._library.memory_outstanding(self._memory))

    async def run_phase(self) -> None:
        """The engine answers."""

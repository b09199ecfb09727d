# SPDX-License-Identifier: Apache-2.0
"""Monitor and memory of an AXI4 port whose pins the engine moves."""

import ctypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from pyuvm import uvm_analysis_port

from configs import MemoryTiming, Stream
from tb.common.components.axi.agent import LOGGED, AxiMonitor
from tb.common.components.axi.handshake import Handshake, Transfer, is_known
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.axi.memory_parts import BLOCK, SparseMemory
from tb.common.components.axi.rules import CHANNELS, AxiRules
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import MemoryPacing
from tb.common.components.transactions import Observation
from tb.common.engine.agents import text_of
from tb.common.engine.engine import BAD_DATA, BAD_READY, BAD_VALID, CHANGED, OFFER, TRANSFER, WITHDRAWN, Engine
from tb.common.engine.library import generator, library

TELLS_OFFERS = ("r", "aw", "w", "b")
NUMBER = {"ar": 0, "r": 1, "aw": 2, "w": 3, "b": 4}
ORDERS = {"any": 0, "address first": 1, "data first": 2}


class EngineHandshake(Handshake):
    """What the engine knows of a channel; ``waiting`` of a channel that tells its offers is that of the record."""

    def attach(self, engine: Engine, number: int) -> None:
        """Its channel in the engine."""
        self._engine, self._number = engine, number
        self._state = (ctypes.c_uint32 * 4)()

    def reset(self) -> None:
        """See :class:`Handshake`."""
        super().reset()
        if hasattr(self, "_engine"):
            self._engine.library.engine_channel_reset(self._engine.handle, self._number)

    def taken(self) -> None:
        """The offer is over."""
        super().reset()

    def _look(self, index: int) -> int:
        if not hasattr(self, "_engine"):
            return 0
        self._engine.library.engine_channel_state(self._engine.handle, self._number, self._state)
        return self._state[index]

    waits = property(lambda self: self._look(1), lambda self, value: None)

    @property
    def waited(self) -> int:
        """See :class:`Handshake`."""
        return self._look(0)

    @property
    def waiting(self) -> bool:
        """See :class:`Handshake`."""
        return bool(self._look(3)) if self.name[-2:] == "ar" else self._offer is not None


class EngineWatch:
    """Hands the records of a channel to the rules, the log and all that listen."""

    def __init__(self, monitor: "EngineAxiMonitor", name: str, stream: Stream, bench: Bench) -> None:
        self._monitor, self._name, self._log = monitor, name, bench.log
        self._clocking = bench.clockings[stream.clock]
        by_name = {field.name: field for field in stream.fields}
        self.logged = Stream(stream.name, stream.direction, tuple(by_name[field] for field in LOGGED[name]))
        others = [field for field in by_name if field not in LOGGED[name]]
        self._fields, at = [], 0
        for field in (*LOGGED[name], *others):
            self._fields.append((field, at, by_name[field].width))
            at += by_name[field].width
        self._logged = (1 << sum(field.width for field in self.logged.fields)) - 1
        ports = [(f"{stream.name}{field}", field != "data") for field, _, _ in self._fields]
        engine = bench.engine
        self.number = engine.channel(
            self._clocking, f"{stream.name}valid", f"{stream.name}ready", ports, self._hear, axi=True,
            offers=name in TELLS_OFFERS,
        )  # fmt: skip
        self.transfers = uvm_analysis_port(f"{name}_transfers", monitor)

    def check_known(self) -> None:
        """A valid or ready that is X shows in the next sample."""

    def _payload(self, word: int, unknown: int) -> Mapping[str, str]:
        payload = {}
        for name, at, width in self._fields:
            mask = (1 << width) - 1
            payload[name] = text_of(word >> at & mask, unknown >> at & mask, width)
        return payload

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        rules, cycle = self._monitor.rules, self._clocking.cycle
        channel: Any = rules.channels[self._name]
        if kind > OFFER:
            self._complain(channel, kind, cycle, word, unknown)
        payload = self._payload(word, unknown)
        if kind == OFFER:
            channel._offer = payload
            if channel._on_offer is not None:
                channel._on_offer(cycle, payload)
            return
        channel.taken()
        transfer = Transfer(cycle, waited, payload)
        observation = Observation(cycle, word & self._logged, waited)
        self._log.add(self.logged, observation)
        self.transfers.write(observation)
        rules.take(self._name, transfer)

    def _complain(self, channel: Handshake, kind: int, cycle: int, word: int, unknown: int) -> None:
        if kind in (BAD_VALID, BAD_READY):
            channel.fail(cycle, f"{'valid' if kind == BAD_VALID else 'ready'} is X")
        if kind == WITHDRAWN:
            channel.fail(cycle, "valid withdrawn before ready")
        payload = self._payload(word, unknown)
        if kind == BAD_DATA:
            for name, text in payload.items():
                if not is_known(text):
                    channel.fail(cycle, f"{name} is {text} while valid")
        assert kind == CHANGED
        before = channel._offer or {}
        changed = [f"{name} {value} became {payload[name]}" for name, value in before.items() if value != payload[name]]
        channel.fail(cycle, f"data changed while waiting for ready ({', '.join(changed)})")


class EngineAxiMonitor(AxiMonitor):
    """The monitor whose channels the engine watches."""

    def build_phase(self) -> None:
        """See :class:`AxiMonitor`."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.port.clock]
        self.rules = AxiRules(self.port, self.read_use, self.write_use, self._publish, self.peek)
        self.rules.reads.from_before = self._from_before
        streams: Any = self.port.channels
        self.watches: Any = {
            name: EngineWatch(self, name, streams[name], bench) for name in CHANNELS if name in streams
        }
        for name, watch in self.watches.items():
            was = self.rules.channels[name]
            made = EngineHandshake(streams[name], ("data",), was._on_offer)
            made.attach(bench.engine, watch.number)
            self.rules.channels[name] = made

    async def run_phase(self) -> None:
        """See :class:`AxiMonitor`."""
        if self.beats.subscribers:
            self.rules.reads.each = self.beats.write


class EngineContents(SparseMemory):
    """The engine's bytes."""

    def __init__(self, seed: int = 1, base: int = 0, image: Any = None) -> None:
        self._library = library()
        words = np.ascontiguousarray(image if image is not None else [], np.uint32)
        self.handle = self._library.contents_new(seed & 0xFFFFFFFF, base, words.ctypes.data, len(words))

    def __del__(self) -> None:
        self._library.contents_free(self.handle)

    def read(self, address: int, count: int) -> bytes:
        """See :class:`SparseMemory`."""
        data = ctypes.create_string_buffer(count)
        self._library.contents_read(self.handle, address, data, count)
        return data.raw

    def write(self, address: int, data: bytes, strobes: int = -1) -> None:
        """See :class:`SparseMemory`."""
        count = len(data)
        mask = (strobes & ((1 << count) - 1)).to_bytes((count + 7) // 8, "little")
        self._library.contents_write(self.handle, address, data, mask, count)

    @property
    def _blocks(self) -> Any:
        count = self._library.contents_touched(self.handle, None, 0)
        numbers = (ctypes.c_uint64 * count)()
        self._library.contents_touched(self.handle, numbers, count)
        return dict.fromkeys(numbers)

    @property
    def touched(self) -> list[int]:
        """See :class:`SparseMemory`."""
        return [index * BLOCK for index in self._blocks]


class EngineFaults:
    """See :class:`tb.common.components.axi.memory_parts.Faults`."""

    def __init__(self, memory: "EngineMemory", refusals: bool) -> None:
        self._memory, self._refusals = memory, refusals
        self._beat: int | None = None
        self._response: int | None = None

    def _set(self) -> None:
        numbers = (-1 if value is None else value for value in (self._beat, self._response))
        library().memory_faults(self._memory.handle, self._refusals, *numbers)

    beat = property(lambda self: self._beat, lambda self, value: (setattr(self, "_beat", value), self._set())[0])
    response = property(
        lambda self: self._response, lambda self, value: (setattr(self, "_response", value), self._set())[0]
    )

    def poison(self, numbers: Iterable[int], size: int) -> None:
        """See :class:`Faults`."""
        array = np.array([int(number) for number in numbers], np.uint64)
        library().memory_poison(self._memory.handle, self._refusals, size, array.ctypes.data, len(array))

    def heal(self) -> None:
        """See :class:`Faults`."""
        library().memory_heal(self._memory.handle, self._refusals)


class _Writes:
    def __init__(self, memory: "EngineMemory") -> None:
        self.refusals = EngineFaults(memory, True)


class EngineMemory(AxiMemory):
    """The engine's memory."""

    def build_phase(self) -> None:
        """See :class:`AxiMemory`."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.port.clock]
        name = "memory" if self.port.prefix == "m_axi" else f"{self.port.prefix}_memory"
        if not hasattr(self, "contents"):
            self.contents = EngineContents(bench.seed & 0xFFFFFFFF)
        engine = bench.engine
        self._library = engine.library
        self._rngs = [
            bench.component_rng(part) if used else None
            for part, used in ((name, self.port.reads), (f"{name}_write", self.port.writes))
        ]
        contents: Any = self.contents
        self.handle = self._library.engine_memory(
            engine.handle, engine.clock(self._clocking), self.port.prefix.encode(), self.port.strobe_bits,
            contents.handle, *(generator(rng) if rng is not None else None for rng in self._rngs),
        )  # fmt: skip
        if not self.handle:
            engine.check(-1)
        self.faults: Any = EngineFaults(self, False)
        if self.port.writes:
            self._writes = _Writes(self)
        self.set_timing(bench.cfg.memory)
        self._forget()

    @property
    def writes(self) -> Any:
        """See :class:`AxiMemory`."""
        return self._writes

    def _forget(self) -> None:
        self._library.memory_reset(self.handle)
        self.pace(self.pacing)

    def set_timing(self, timing: MemoryTiming) -> None:
        """See :class:`AxiMemory`."""
        self.timing = timing
        self._library.memory_timing(self.handle, timing.latency, timing.gap)

    def pace(self, pacing: MemoryPacing) -> None:
        """See :class:`AxiMemory`."""
        self.pacing = pacing
        parts = (pacing.address, pacing.beat, pacing.write_address, pacing.write_beat, pacing.answer)
        paces = np.array([(part.run, part.pause, part.longest) for part in parts], np.float64)
        self._library.memory_pace(
            self.handle, pacing.jitter, paces.ctypes.data, bytes(part.patient for part in parts)
        )

    def mix(self, *, reorder: bool, interleave: bool = False) -> None:
        """See :class:`AxiMemory`."""
        self._library.memory_mix(self.handle, reorder, interleave)

    def wait_for(self, order: Any) -> None:
        """See :class:`AxiMemory`."""
        self._library.memory_wait_for(self.handle, ORDERS[order])

    def hold(self, *channels: str) -> None:
        """See :class:`AxiMemory`."""
        for channel in channels:
            self._library.memory_hold(self.handle, NUMBER[channel], 1)

    def release(self, *channels: str) -> None:
        """See :class:`AxiMemory`."""
        for channel in channels:
            self._library.memory_hold(self.handle, NUMBER[channel], 0)

    def loaded(self, channel: str) -> bool:
        """See :class:`AxiMemory`."""
        return bool(self._library.memory_loaded(self.handle, NUMBER[channel]))

    @property
    def outstanding(self) -> int:
        """See :class:`AxiMemory`."""
        return int(self._library.memory_outstanding(self.handle))

    async def run_phase(self) -> None:
        """The engine answers."""

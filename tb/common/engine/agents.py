# SPDX-License-Identifier: Apache-2.0
"""Drivers, sinks and monitors of streams whose pins the engine moves."""

import ctypes
from typing import Any

import numpy as np
from cocotb.triggers import Event

from tb.common.components.agent import StreamMonitor
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import Pacing
from tb.common.components.stream import ReadySink, StreamDriver
from tb.common.components.transactions import Observation, TransferListener
from tb.common.engine.engine import BAD_DATA, BAD_READY, BAD_VALID, CHANGED, TRANSFER, WITHDRAWN
from tb.common.engine.library import generator


def names(stream: Any) -> tuple[str, str, str]:
    """The ports of a stream: valid, ready and data, empty where it has none."""
    if not stream.fields and not stream.ready:
        return stream.name, "", ""
    ready, data = (f"{stream.name}_ready" if stream.ready else ""), (f"{stream.name}_data" if stream.fields else "")
    return f"{stream.name}_valid", ready, data


def text_of(word: int, unknown: int, width: int) -> str:
    """A word as a simulator shows it, the highest bit first."""
    text = f"{word:0{width}b}"
    if unknown:
        text = "".join("X" if bit == "1" else value for value, bit in zip(text, f"{unknown:0{width}b}", strict=True))
    return text


class EngineDriver(StreamDriver):
    """Hands the words of an item to the engine and waits until they are taken."""

    def build_phase(self) -> None:
        """See :class:`StreamDriver`."""
        bench: Bench = self.cdb_get(KEY)
        self._engine = bench.engine
        self._number = self._engine.source(bench.clockings[self.stream.clock], *names(self.stream), self._taken)
        self._width = max(1, -(-sum(field.width for field in self.stream.fields) // 32))
        self._set()

    def _taken(self) -> None:
        self._done.set()

    async def run_phase(self) -> None:
        """See :class:`StreamDriver`."""
        while True:
            item = await self.seq_item_port.get_next_item()
            if item.words:
                self._done = Event()
                data = b"".join(word.to_bytes(4 * self._width, "little") for word in item.words)
                gaps = np.array(item.gaps, np.uint32)
                self._engine.library.engine_push(
                    self._engine.handle, self._number, gaps.ctypes.data, ctypes.cast(data, ctypes.c_void_p), len(gaps)
                )
                await self._done.wait()
            self.seq_item_port.item_done()

    def _set(self) -> None:
        if hasattr(self, "_number"):
            self._engine.library.engine_source_set(self._engine.handle, self._number, self.held, self.eager)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in ("held", "eager"):
            self._set()

    def offer(self, word: int) -> None:
        """See :class:`StreamDriver`."""
        data = ctypes.create_string_buffer(word.to_bytes(4 * self._width, "little"))
        self._engine.library.engine_force(self._engine.handle, self._number, data)

    def withdraw(self) -> None:
        """See :class:`StreamDriver`."""
        self._engine.library.engine_force(self._engine.handle, self._number, None)

    @property
    def loaded(self) -> bool:
        """See :class:`StreamDriver`."""
        return bool(self._engine.library.engine_loaded(self._engine.handle, self._number))


class EngineSink(ReadySink):
    """Tells the engine when to be ready."""

    def build_phase(self) -> None:
        """See :class:`ReadySink`."""
        bench: Bench = self.cdb_get(KEY)
        self._engine = bench.engine
        self._rng = bench.component_rng(f"{self.stream.name}_sink")
        self._clock = bench.clockings[self.stream.clock]

    def start_of_simulation_phase(self) -> None:
        """The monitor has its channel by now."""
        clock = self._engine.clock(self._clock)
        name = f"{self.stream.name}_ready".encode()
        self._number = self._engine.check(
            self._engine.library.engine_sink(self._engine.handle, clock, name, self.monitor.number)
        )

    @property
    def monitor(self) -> "EngineMonitor":
        """The stream's monitor."""
        agent: Any = self.get_parent()
        return agent.monitor

    def pace(self, pacing: Pacing) -> None:
        """See :class:`ReadySink`."""
        self._engine.library.engine_sink_pace(
            self._engine.handle, self._number, generator(self._rng), pacing.run, pacing.pause, pacing.longest,
            pacing.patient,
        )  # fmt: skip

    def hold(self) -> None:
        """See :class:`ReadySink`."""
        self.play(())

    def play(self, pattern: Any) -> None:
        """See :class:`ReadySink`."""
        levels = bytes(pattern)
        self._engine.library.engine_sink_play(self._engine.handle, self._number, levels, len(levels))


class EngineMonitor(StreamMonitor):
    """Publishes what the engine has recorded."""

    def build_phase(self) -> None:
        """See :class:`StreamMonitor`."""
        bench: Bench = self.cdb_get(KEY)
        self._engine, self._log = bench.engine, bench.log
        self._clocking = bench.clockings[self.stream.clock]
        valid, ready, data = names(self.stream)
        fields = [(data, True)] if data else []
        self.number = self._engine.channel(self._clocking, valid, ready, fields, self._hear, flag=self.flag)
        self._state = (ctypes.c_uint32 * 4)()
        self._width = sum(field.width for field in self.stream.fields)
        from tb.common.components.bench import look
        from tb.common.components.stream import port

        self._valid = look(port(bench.dut, self.stream).valid)

    async def run_phase(self) -> None:
        """Nothing to do."""

    def reset(self) -> None:
        """See :class:`StreamMonitor`."""
        waited = self._engine.library.engine_channel_reset(self._engine.handle, self.number)
        if waited:
            self._log.lost(self.stream, self._clocking.cycle, waited)

    def _look(self, index: int) -> int:
        if not hasattr(self, "number"):
            return 0
        self._engine.library.engine_channel_state(self._engine.handle, self.number, self._state)
        return self._state[index]

    waits = property(lambda self: self._look(1), lambda self, value: None)
    offered = property(lambda self: self._look(2), lambda self, value: None)

    @property
    def waiting(self) -> bool:
        """See :class:`StreamMonitor`."""
        return self._look(0) > 0

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        if kind == TRANSFER:
            self.publish(Observation(self._clocking.cycle, word, waited, flag))
            return
        name, where = self.stream.name, self._where()
        if kind == BAD_VALID:
            raise AssertionError(f"{name}: valid is {self._valid()} in {where}")
        if kind == BAD_READY:
            raise AssertionError(f"{name}: ready is X in {where}")
        if kind == WITHDRAWN:
            raise AssertionError(f"{name}: valid withdrawn before ready, in {where}")
        if kind == BAD_DATA:
            self._read(text_of(word, unknown, self._width))
        assert kind == CHANGED
        raise AssertionError(
            f"{name}: data changed while waiting for ready, in {where}: {self._show(0)} became {self._show(word)}"
        )


class EngineListener(TransferListener):
    """Has Python called in the cycle of the next transfer while somebody waits for it."""

    async def next(self) -> Observation:
        """See :class:`TransferListener`."""
        agent: Any = self.get_parent()
        engine, number = agent.monitor._engine, agent.monitor.number
        engine.library.engine_await(engine.handle, number, 1)
        try:
            return await super().next()
        finally:
            engine.library.engine_await(engine.handle, number, self.waiting > 0)

# SPDX-License-Identifier: Apache-2.0
"""Drivers, sinks and monitors of streams whose pins the engine moves.

Seen from outside each is what it replaces: the same transfers in the same cycles, the same log and messages.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from cocotb.triggers import Event

from configs import Stream
from tb.common.components.agent import StreamMonitor
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.pacing import Pacing
from tb.common.components.stream import ReadySink, StreamDriver, port
from tb.common.components.transactions import Observation, TransferListener
from tb.common.engine.engine import Kind, Watched
from tb.common.engine.library import generator


def ports(stream: Stream) -> tuple[str, str, str]:
    """Names of valid, ready and data; empty where a stream has none."""
    if not stream.fields and not stream.ready:
        return stream.name, "", ""
    ready, data = f"{stream.name}_ready" * stream.ready, f"{stream.name}_data" * bool(stream.fields)
    return f"{stream.name}_valid", ready, data


def text_of(word: int, unknown: int, mask: int) -> str:
    """The bits of ``mask`` of a word as a simulator shows them, the highest first."""
    width = mask.bit_length()
    text = f"{word:0{width}b}"
    if unknown:
        bits = zip(text, f"{unknown:0{width}b}", strict=True)
        text = "".join("X" if strange == "1" else bit for bit, strange in bits)
    return text


class EngineDriver(StreamDriver):
    """Hands the words of an item to the engine and waits until the last was taken."""

    _number = -1  # none yet

    def build_phase(self) -> None:
        """See :class:`StreamDriver`."""
        bench: Bench = self.cdb_get(KEY)
        self._engine = bench.engine
        clocking = bench.clockings[self.stream.clock]
        self._number = self._engine.source(clocking, *ports(self.stream), self._taken)
        self._bytes = 4 * max(1, -(-sum(field.width for field in self.stream.fields) // 32))
        self._set()

    def _taken(self) -> None:
        self._done.set()

    async def run_phase(self) -> None:
        """See :class:`StreamDriver`."""
        while True:
            item = await self.seq_item_port.get_next_item()
            if item.words:
                self._done = Event()
                data = b"".join(word.to_bytes(self._bytes, "little") for word in item.words)
                gaps = np.array([self.gap(cycles) for cycles in item.gaps], np.uint32)
                self._engine.call("push", self._number, gaps.ctypes.data, data, len(gaps))
                await self._done.wait()
            self.seq_item_port.item_done()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in ("held", "eager"):
            self._set()

    def _set(self) -> None:
        if self._number >= 0:
            self._engine.call("source_set", self._number, self.held, self.eager)

    def offer(self, word: int) -> None:
        """See :class:`StreamDriver`."""
        self._engine.call("force", self._number, word.to_bytes(self._bytes, "little"))

    def withdraw(self) -> None:
        """See :class:`StreamDriver`."""
        self._engine.call("force", self._number, None)

    @property
    def loaded(self) -> bool:
        """See :class:`StreamDriver`."""
        return bool(self._engine.call("loaded", self._number))


class WordDriver(EngineDriver):
    """Gives the engine one word at a time: a reset may change what follows. A block's own driver calls
    :meth:`drop` for what a reset loses, and has its say in :meth:`_advance`.
    """

    async def run_phase(self) -> None:
        """See :class:`StreamDriver`."""
        while True:
            item = await self.seq_item_port.get_next_item()
            self._words = zip(item.words, item.gaps, strict=True)
            self._done.clear()
            self._next()
            await self._done.wait()
            self.seq_item_port.item_done()

    def _taken(self) -> None:
        self._next()

    def _next(self) -> None:
        """Go on with the next word; the item is done if there is none."""
        if self._advance():
            self._push()
        else:
            self._done.set()

    def _push(self) -> None:
        """Offer the word next, after its idle cycles."""
        gap = np.array([self._gap], np.uint32)
        self._engine.call(
            "push", self._number, gap.ctypes.data, self._word.to_bytes(self._bytes, "little"), 1
        )

    def drop(self, *, stay: bool = False) -> int:
        """Offer nothing, as only a reset allows it, unless it is to ``stay`` for this cycle; returns the idle
        cycles that were left before the word.
        """
        return int(self._engine.call("drop", self._number, stay))


class EngineSink(ReadySink):
    """Says when the engine is to be ready."""

    def build_phase(self) -> None:
        """See :class:`ReadySink`."""
        bench: Bench = self.cdb_get(KEY)
        self._engine = bench.engine
        self._rng = bench.component_rng(f"{self.stream.name}_sink")
        self._clocking = bench.clockings[self.stream.clock]

    def start_of_simulation_phase(self) -> None:
        """The monitor has its channel by now."""
        agent: Any = self.get_parent()
        _, ready, _ = ports(self.stream)
        clock = self._engine.clock(self._clocking)
        self._number = self._engine.call("sink", clock, ready.encode(), agent.monitor.watched.number)

    def pace(self, pacing: Pacing) -> None:
        """See :class:`ReadySink`."""
        pace = pacing.run, pacing.pause, pacing.longest, pacing.patient
        self._engine.call("sink_pace", self._number, generator(self._rng), *pace)

    def hold(self) -> None:
        """See :class:`ReadySink`."""
        self.play(())

    def play(self, pattern: Sequence[bool]) -> None:
        """See :class:`ReadySink`."""
        self._engine.call("sink_play", self._number, bytes(pattern), len(pattern))


class EngineMonitor(StreamMonitor):
    """Publishes what the engine has recorded."""

    watched: Watched | None = None

    def build_phase(self) -> None:
        """See :class:`StreamMonitor`."""
        bench: Bench = self.cdb_get(KEY)
        self._log, self._clocking = bench.log, bench.clockings[self.stream.clock]
        self._valid = look(port(bench.dut, self.stream).valid)
        valid, ready, data = ports(self.stream)
        fields = [(data, True)] if data else []
        self.watched = bench.engine.channel(self._clocking, valid, ready, fields, self._hear, flag=self.flag)
        self._mask = (1 << sum(field.width for field in self.stream.fields)) - 1

    async def run_phase(self) -> None:
        """The engine samples."""

    def reset(self) -> None:
        """See :class:`StreamMonitor`."""
        assert self.watched is not None
        if waited := self.watched.reset():
            self._log.lost(self.stream, self._clocking.cycle, waited)

    waits = property(lambda self: self.watched.waits if self.watched else 0, lambda self, value: None)
    offered = property(lambda self: self.watched.offered if self.watched else 0, lambda self, value: None)

    @property
    def waited(self) -> int:
        """See :class:`StreamMonitor`."""
        return self.watched.waited if self.watched else 0

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        if kind == Kind.TRANSFER:
            self.publish(Observation(self._clocking.cycle, word, waited, flag))
            return
        if kind == Kind.BAD_DATA:
            self._read(text_of(word, unknown, self._mask))
        problem = {
            Kind.BAD_VALID: "valid is X",
            Kind.BAD_READY: "ready is X",
            Kind.WITHDRAWN: "valid withdrawn before ready,",
            Kind.CHANGED: "data changed while waiting for ready,",
        }[Kind(kind)]
        became = f": {self._show(unknown)} became {self._show(word)}" if kind == Kind.CHANGED else ""
        raise AssertionError(f"{self.stream.name}: {problem} in {self._where()}{became}")


class EngineListener(TransferListener):
    """Python acts in the cycle of the next transfer while a sequence waits for it."""

    async def next(self) -> Observation:
        """See :class:`TransferListener`."""
        agent: Any = self.get_parent()
        agent.monitor.watched.wake(True)
        try:
            return await super().next()
        finally:
            agent.monitor.watched.wake(self.waiting > 0)

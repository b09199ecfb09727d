# SPDX-License-Identifier: Apache-2.0
"""Agents of valid/ready streams: items, driver and sink, for any :class:`configs.Stream`."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from cocotb.triggers import Event
from pyuvm import uvm_component, uvm_driver, uvm_sequence, uvm_sequence_item

from configs import Stream
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import Pacing
from tb.common.engine.library import generator


class StreamItem(uvm_sequence_item):
    """Transfers of one stream, up to thousands: their packed ``words`` and the idle cycles before each."""

    def __init__(self, name: str, words: Sequence[int], gaps: Sequence[int] | None = None) -> None:
        super().__init__(name)
        self.words = list(words)
        self.gaps = list(gaps) if gaps is not None else [0] * len(self.words)


class ItemSequence(uvm_sequence):
    """Sends items one after the other."""

    def __init__(self, name: str, items: Sequence[StreamItem]) -> None:
        super().__init__(name)
        self.items = items

    async def body(self) -> None:
        """Start and finish each item."""
        for item in self.items:
            await self.start_item(item)
            await self.finish_item(item)


def ports(stream: Stream) -> tuple[str, str, str]:
    """Names of valid, ready and data; empty where a stream has none."""
    if not stream.fields and not stream.ready:
        return stream.name, "", ""
    ready, data = f"{stream.name}_ready" * stream.ready, f"{stream.name}_data" * bool(stream.fields)
    return f"{stream.name}_valid", ready, data


class StreamDriver(uvm_driver):
    """Drives the items of its sequencer; an item is done when its last word has been taken.

    The next word follows in the cycle after, unless its gap says otherwise, across items too. A word that
    reset interrupts is offered again afterwards. While it is ``held`` it offers nothing more; if it is
    ``eager`` it offers during resets, too. The engine moves the pins; a driver that a test puts in its place
    may change :meth:`gap`.
    """

    stream: Stream  # set by the agent
    held = False  # from the next cycle on
    eager = False
    _number = -1  # none yet

    def build_phase(self) -> None:
        """Make the engine's source."""
        bench: Bench = self.cdb_get(KEY)
        self._engine, self._done = bench.engine, Event()
        self._clocking = bench.clockings[self.stream.clock]
        self._number = self._engine.source(self._clocking, *ports(self.stream), self._taken)
        self._bytes = 4 * max(1, -(-self.stream.width // 32))
        self._set()

    def _taken(self) -> None:
        """The last word was taken."""
        self._done.set()

    async def run_phase(self) -> None:
        """Play item after item."""
        while True:
            item = await self.seq_item_port.get_next_item()
            if item.words:
                self._done.clear()
                self._push(item.words, [self.gap(cycles) for cycles in item.gaps])
                await self._done.wait()
            self.seq_item_port.item_done()

    def _push(self, words: Sequence[int], gaps: Sequence[int]) -> None:
        data = b"".join(word.to_bytes(self._bytes, "little") for word in words)
        idle = np.array(gaps, np.uint32)
        self._engine.call("push", self._number, idle.ctypes.data, data, len(idle))

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in ("held", "eager"):
            self._set()

    def _set(self) -> None:
        if self._number >= 0:
            self._engine.call("source_set", self._number, self.held, self.eager)

    @property
    def loaded(self) -> bool:
        """Whether a word is to be offered as soon as it may be."""
        return bool(self._engine.call("loaded", self._number))

    def gap(self, cycles: int) -> int:
        """Idle cycles before the next word, which its item asks to be ``cycles``."""
        return cycles

    def offer(self, word: int) -> None:
        """Put a word and its valid on the pins, whatever is queued; it stays there until the next."""
        self._engine.call("force", self._number, word.to_bytes(self._bytes, "little"))

    def withdraw(self) -> None:
        """Offer nothing; only a reset allows it."""
        self._engine.call("force", self._number, None)


class WordDriver(StreamDriver):
    """Gives the engine one word at a time: a reset may change what follows. A block's own driver calls
    :meth:`drop` for what a reset loses, and has its say in :meth:`_advance`.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._words: Iterator[tuple[int, int]] = iter(())
        self._gap, self._word = 0, 0
        self._pending = False

    async def run_phase(self) -> None:
        """See :class:`StreamDriver`."""
        while True:
            item = await self.seq_item_port.get_next_item()
            self._words = zip(item.words, item.gaps, strict=True)
            self._done.clear()
            self._next()
            await self._done.wait()
            self.seq_item_port.item_done()

    def _advance(self) -> bool:
        self._word, gap = next(self._words, (0, -1))
        self._pending = gap >= 0
        self._gap = self.gap(gap) if self._pending else gap
        return self._pending

    def _taken(self) -> None:
        self._next()

    def _next(self) -> None:
        """Go on with the next word; the item is done if there is none."""
        if self._advance():
            self._push([self._word], [self._gap])
        else:
            self._done.set()

    def drop(self, *, stay: bool = False) -> int:
        """Offer nothing, as only a reset allows it, unless it is to ``stay`` for this cycle; returns the idle
        cycles that were left before the word.
        """
        return int(self._engine.call("drop", self._number, stay))


class ReadySink(uvm_component):
    """Drives ``ready`` of an outgoing stream by a :class:`Pacing`, which may be changed at any time."""

    stream: Stream  # set by the agent
    channel: int  # likewise when it connects: the number of the engine's channel that watches the stream

    def build_phase(self) -> None:
        """Find clock and random stream."""
        bench: Bench = self.cdb_get(KEY)
        self._engine = bench.engine
        self._rng = bench.component_rng(f"{self.stream.name}_sink")
        self._clocking = bench.clockings[self.stream.clock]

    def start_of_simulation_phase(self) -> None:
        """Make the engine's sink; always ready at first."""
        _, ready, _ = ports(self.stream)
        clock = self._engine.clock(self._clocking)
        self._number = self._engine.call("sink", clock, ready.encode(), self.channel)

    def pace(self, pacing: Pacing) -> None:
        """Follow ``pacing`` from the next cycle on."""
        pace = pacing.run, pacing.pause, pacing.longest, pacing.patient
        self._engine.call("sink_pace", self._number, generator(self._rng), *pace)

    def hold(self) -> None:
        """Not ready from the next cycle on, until :meth:`pace`."""
        self.play(())

    def play(self, pattern: Sequence[bool]) -> None:
        """Readiness cycle by cycle from the next one on, then not ready."""
        self._engine.call("sink_play", self._number, bytes(pattern), len(pattern))

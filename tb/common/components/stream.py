# SPDX-License-Identifier: Apache-2.0
"""Agents of valid/ready streams: items, driver and sink, for any :class:`configs.Stream`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cocotb.triggers import Event
from cocotb.types import Logic
from cocotb_bus.bus import Bus
from pyuvm import uvm_component, uvm_driver, uvm_sequence, uvm_sequence_item

from configs import Stream
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.pacing import ALWAYS, Pacing

HIGH, LOW = Logic(1), Logic(0)


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


def port(dut: Any, stream: Stream) -> Bus:
    """The signals of ``stream``: ``valid``, ``ready`` and ``data``, as far as it has them.

    A stream that is but a pulse (no fields, no ready) is one signal of its own name.
    """
    if not stream.fields and not stream.ready:
        return Bus(dut, None, {"valid": stream.name}, case_insensitive=False)
    names = ["valid"] + ["ready"] * stream.ready + ["data"] * bool(stream.fields)
    return Bus(dut, stream.name, names, case_insensitive=False)


class StreamDriver(uvm_driver):
    """Drives the items of its sequencer; an item is done when its last word has been taken.

    The next word follows in the cycle after, unless its gap says otherwise, across items too. A word that
    reset interrupts is offered again afterwards. While it is ``held`` it offers nothing more; if it is
    ``eager`` it offers during resets, too. A driver that a test puts in its place changes :meth:`gap`,
    :meth:`offer` or :meth:`keep`.
    """

    stream: Stream  # set by the agent

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._words: Iterator[tuple[int, int]] = iter(())
        self._gap, self._word = 0, 0
        self._pending = self._offered = self._driving = False
        self.held = False  # from the next cycle on
        self.eager = False
        self._done = Event()

    def build_phase(self) -> None:
        """Find the signals and rest."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.stream.clock]
        self._port = port(bench.dut, self.stream)
        self._ready = look(self._port.ready)
        self._high, self._port.valid.value = False, 0
        if self.stream.fields:
            self._port.data.value = 0

    async def run_phase(self) -> None:
        """Play item after item."""
        while True:
            item = await self.seq_item_port.get_next_item()
            self._words = zip(item.words, item.gaps, strict=True)
            if self._advance():
                self._done.clear()
                if not self._driving:
                    self._driving = True
                    self._clocking.on_drive(self._drive)
                await self._done.wait()
            self.seq_item_port.item_done()

    def _advance(self) -> bool:
        self._word, gap = next(self._words, (0, -1))
        self._pending = gap >= 0
        self._gap = self.gap(gap) if self._pending else gap
        return self._pending

    def _drive(self) -> bool:
        if self._offered:
            self.keep(self._word)
            return True
        if self.loaded and not self.held and (self.eager or not self._clocking.in_reset):
            self.offer(self._word)
            self._offered = True
            self._clocking.on_sample(self._sample)
            return True
        self.withdraw()
        self._gap -= self._gap > 0 and not self._clocking.in_reset
        self._driving = self._pending
        return self._pending

    @property
    def loaded(self) -> bool:
        """Whether a word is to be offered as soon as it may be."""
        return self._pending and not self._gap and not self._offered

    def gap(self, cycles: int) -> int:
        """Idle cycles before the next word, which its item asks to be ``cycles``."""
        return cycles

    def offer(self, word: int) -> None:
        """Put a word and its valid on the pins, where they stay until it is taken."""
        self.put(word)
        self._level(True)

    def withdraw(self) -> None:
        """Offer nothing; only a reset allows it."""
        self._level(False)

    def _level(self, high: bool) -> None:
        if high != self._high:  # a write costs more than a comparison
            self._high = high
            self._port.valid.value = int(high)

    def keep(self, word: int) -> None:
        """Called in each cycle that ``word`` still waits: nothing is to change."""

    def put(self, word: int) -> None:
        """Put a word on the data pins."""
        if self.stream.fields:
            self._port.data.value = word

    def _sample(self) -> bool:
        if self._clocking.in_reset:
            self._offered = False
        elif self._ready() == "1":
            self._offered = False
            if not self._advance():
                self._done.set()
        return self._offered


class ReadySink(uvm_component):
    """Drives ``ready`` of an outgoing stream by a :class:`Pacing`, which may be changed at any time."""

    stream: Stream  # set by the agent
    waiting: Callable[[], bool]  # likewise: whether a word has been offered and not taken

    def build_phase(self) -> None:
        """Find the signals; always ready at first."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.stream.clock]
        self._rng = bench.component_rng(f"{self.stream.name}_sink")
        self._ready = port(bench.dut, self.stream).ready
        self._pattern = ALWAYS.ready(self._rng)
        self._driving = self._patient = False
        self._level(True)

    def pace(self, pacing: Pacing) -> None:
        """Follow ``pacing`` from the next cycle on."""
        self._patient = pacing.patient
        self._follow(pacing.ready(self._rng))

    def hold(self) -> None:
        """Not ready from the next cycle on, until :meth:`pace`."""
        self._follow(iter(()))

    def play(self, pattern: Sequence[bool]) -> None:
        """Readiness cycle by cycle from the next one on, then not ready."""
        self._follow(iter(pattern))

    def _follow(self, pattern: Iterator[bool]) -> None:
        self._pattern = pattern
        if not self._driving:
            self._driving = True
            self._clocking.on_drive(self._drive)

    def _drive(self) -> bool:
        ready = next(self._pattern, None)
        self._level(bool(ready) and (not self._patient or self.waiting()))
        self._driving = ready is not None
        return self._driving

    def _level(self, ready: bool) -> None:
        if getattr(self, "_now", None) != ready:
            self._now = ready
            self._ready.value = int(ready)

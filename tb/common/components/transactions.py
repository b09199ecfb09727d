# SPDX-License-Identifier: Apache-2.0
"""Reports of monitors, the log of them, and the ends of analysis connections."""

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cocotb.triggers import Event
from pyuvm import uvm_component, uvm_subscriber

from configs import Field, Stream
from tb.common.components.packing import unpack_words
from tb.common.coverage import meetings
from utils.files import write_atomic

DECIMAL = 16  # bits of a field up to which its values are written in decimal
LARGEST = 64  # bits of a field that numpy has numbers for


class Observation(NamedTuple):
    """One transfer seen at the pins.

    ``cycle`` of the handshake (see ``clocking``), the packed ``word`` (0 for a stream without data), the
    cycles it ``waited`` with valid high, and whether the monitor's ``flag`` (e.g. busy) was high.
    """

    cycle: int
    word: int
    waited: int = 0
    flag: bool = False


class TransactionLog:
    """Every transfer of a test, a line each, sorted by cycle, then channel::

        708 req u=34 v=585 mode_u=0 mode_v=0 level=0 tex=0 id=0

    Values are decimal, of fields of more than 16 bits hexadecimal. Same seed, same log, whatever the
    simulator: that is what the order is for, because monitors of one cycle may be woken in any order.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[int, str, int]] = []
        self._waits: list[tuple[str, int, int]] = []  # channel, cycle of the transfer, cycles it waited
        self._streams: dict[str, Stream] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, stream: Stream, observation: Observation) -> None:
        """Record a transfer."""
        self._streams[stream.name] = stream
        self._entries.append((observation.cycle, stream.name, observation.word))
        if observation.waited:
            self._waits.append((stream.name, observation.cycle, observation.waited))

    def lost(self, stream: Stream, cycle: int, waited: int) -> None:
        """In ``cycle`` a reset ended an offer that had waited for so long."""
        self._waits.append((stream.name, cycle, waited))

    def events(self, streams: Sequence[Stream]) -> list[meetings.Event]:
        """The events of ``streams`` of one clock, see :mod:`tb.common.coverage.meetings`."""
        taken: dict[str, list[tuple[int, int]]] = {stream.name: [] for stream in streams}
        waits: dict[str, list[int]] = {stream.name: [] for stream in streams}
        for cycle, name, word in self._entries:
            if name in taken:
                taken[name].append((cycle, word))
        for name, cycle, waited in self._waits:
            if name in waits:
                waits[name].extend(range(cycle - waited, cycle))
        events = []
        for stream in streams:
            transfers = taken[stream.name]
            cycles = np.array([cycle for cycle, _ in transfers], np.int64)
            logged = self._streams.get(stream.name, stream)
            of_kind = {
                stream.name: cycles,
                f"{stream.name} waits": np.array(waits[stream.name], np.int64),
                f"{stream.name} error": cycles[meetings.failing(logged, [word for _, word in transfers])],
            }
            events += [meetings.Event(name, stream.name, of_kind[name]) for name in meetings.names(stream)]
        return events

    def text(self) -> str:
        """The whole log."""
        entries = sorted(self._entries)
        words: dict[str, list[int]] = {name: [] for name in self._streams}
        for _, channel, word in entries:
            words[channel].append(word)
        fields = {name: fields_texts(self._streams[name], of_stream) for name, of_stream in words.items()}
        return "".join(f"{cycle} {channel}{next(fields[channel])}\n" for cycle, channel, _ in entries)

    def save(self, path: Path) -> None:
        """Write the log."""
        write_atomic(path, self.text())


def fields_text(stream: Stream, word: int) -> str:
    """The fields of a packed word as `` name=value ...``, with a blank before each."""
    return next(fields_texts(stream, [word]))


def fields_texts(stream: Stream, words: Sequence[int]) -> Iterator[str]:
    """:func:`fields_text` of words [n]."""
    form = "".join(f" {field.name}=%{'#x' if field.width > DECIMAL else 'd'}" for field in stream.fields)
    if any(field.width > LARGEST for field in stream.fields):
        return (form % tuple(stream.unpack(word).values()) for word in words)
    columns = [column.tolist() for column in unpack_words(stream, words).values()]
    return (form % values for values in zip(*columns, strict=True)) if columns else repeat("", len(words))


def shown(field: Field, *values: int) -> list[str]:
    """Values of a field for people: as in the log, decimal ones in hexadecimal, too, others of one length."""
    if field.width > DECIMAL:
        digits = max(len(f"{value:x}") for value in values)
        return [f"{value:#0{digits + 2}x}" for value in values]
    return [f"{value} ({value:#x})" if abs(value) > 9 else str(value) for value in values]


def parse_fields(stream: Stream, words: Sequence[str]) -> int:
    """The packed word of ``name=value`` words, as the log has them."""
    values = {name: int(value, 0) for name, _, value in (word.partition("=") for word in words)}
    return stream.pack(values)


#: ``AnalysisImp(name, parent, method)``: an export that hands what it gets to a method of its component. One
#: component may have many, as ``uvm_analysis_imp_decl`` makes them in SystemVerilog
AnalysisImp = uvm_subscriber.uvm_AnalysisImp


class TransferListener(uvm_subscriber):
    """Lets sequences wait for the next transfer of a stream; costs next to nothing while none does.

    ``wake``: called with whether Python is to act in the cycle of a transfer.
    """

    wake: Callable[[bool], None]  # set by the agent when it connects

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._event = Event()
        self._latest: Observation | None = None
        self.waiting = 0  # sequences

    def write(self, tt: Observation) -> None:
        """The monitor saw a transfer."""
        if self.waiting:
            self._latest = tt
            self._event.set()
            self._event.clear()

    async def next(self) -> Observation:
        """The next transfer; returns in its cycle, when nothing may be driven any more."""
        self.waiting += 1
        self.wake(True)
        try:
            await self._event.wait()
        finally:
            self.waiting -= 1
            self.wake(self.waiting > 0)
        assert self._latest is not None
        return self._latest

# SPDX-License-Identifier: Apache-2.0
"""Follows the design in every cycle, beside a golden model that is exact in cycles: compares all outputs."""

from collections import deque
from collections.abc import Iterable
from typing import NoReturn, Protocol

import numpy as np
from pyuvm import uvm_analysis_port

from tb.common.components.bench import look
from tb.common.components.reference import ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import Observation, fields_text
from tb.zcache.cycles.pins import ChannelPins, channels

COUNTERS = "perf"
BEFORE = 8  # cycles before a difference, of which the message has the handshakes


class CycleModel(Protocol):
    """A golden model, as the reference asks it. What it is given stands until it is given something else."""

    def drive(self, name: str, level: bool) -> None:
        """A reset, valid or ready that the testbench drives, by the name of its pin."""

    def offer(self, channel: str, word: int) -> None:
        """The data of an incoming stream or AXI channel whose valid is high, packed."""

    def step(self) -> None:
        """A cycle with these inputs."""

    def levels(self) -> str:
        """The level of each valid and ready of the design in that cycle: ``0`` and ``1``, in the order of
        :attr:`CycleReference.answered`.
        """

    def word(self, channel: str) -> int:
        """The data of an outgoing stream or AXI channel in that cycle, packed."""

    def counts(self) -> bytes:
        """The counters since reset: 32 bits of each, the lowest byte first."""

    def state(self) -> str:
        """What the model holds, lines of text for people."""


class CycleReference(ReferenceModel):
    """Samples all pins at the sample point of each cycle, before the monitors, and compares what the design
    shows with the model's: each valid and ready, data where valid is high, and the counters. Streams count
    while no reset is driven, AXI channels while that of the memory's side is not.

    Transfers of ``channels`` go on as :class:`Expectation`, by ``expected``. ``offered`` publishes, by
    channel, the first cycle of each of their words, taken or not.
    """

    model: CycleModel
    counters_late = 0  # cycles after the model's in which the design shows a count: 1 if it registers steps

    def make_model(self) -> CycleModel:
        """The model; called once the pins are known."""
        raise NotImplementedError

    def build_phase(self) -> None:
        super().build_phase()
        self.offered = {channel: uvm_analysis_port(f"offered_{channel}", self) for channel in self.channels}
        dut, cfg = self.bench.dut, self.bench.cfg
        self.pins = channels(dut, cfg)
        self._resets = sorted({pins.reset for pins in self.pins})
        self.driven = [*self._resets, *(pins.driven for pins in self.pins if pins.driven)]
        self.answered = [pins.answered for pins in self.pins if pins.answered]
        self._read_driven = [look(getattr(dut, name)) for name in self.driven]
        self._read_answered = [look(getattr(dut, name)) for name in self.answered]
        place = self.driven.index
        self._incoming = [(place(pins.valid), pins) for pins in self.pins if pins.incoming]
        self._outgoing = [
            (self.answered.index(pins.valid), place(pins.ready) if pins.ready else -1, pins)
            for pins in self.pins
            if not pins.incoming and pins.valid
        ]
        self._axi_levels = {pins.answered for pins in self.pins if pins.axi}
        [self._counters] = [pins for pins in self.pins if pins.stream.name == COUNTERS]
        self._counted, self._count = b"", 0  # the model's counters, and what the design must show
        self._count_text, self._shown = "", 0  # what it shows
        self._high_resets: list[str] = []
        self._counts: deque[bytes] = deque()  # of the model, which are to be shown
        self._levels = "-" * len(self.driven)
        self._words: dict[str, str] = {}
        self._recent: deque[tuple[int, str, str]] = deque(maxlen=BEFORE)  # cycle, driven, answered
        self._transfers = dict.fromkeys(self.channels, 0)
        self._waiting: set[str] = set()  # channels whose word was offered and not taken
        self.cycles = 0  # compared
        self.model = self.make_model()

    def start_of_simulation_phase(self) -> None:
        """From the first cycle on."""
        self.bench.clocking.on_sample(self._sample)

    def _sample(self) -> bool:
        self._feed()
        self.model.step()
        self._compare()
        self.cycles += 1
        return True

    def _feed(self) -> None:
        """Give the model what has changed at the inputs."""
        levels = "".join([read() for read in self._read_driven])
        if levels != self._levels:
            for name, before, now in zip(self.driven, self._levels, levels, strict=True):
                if before != now:
                    if now not in "01":
                        self._differ(name, f"is {now}, and the testbench drives it")
                    self.model.drive(name, now == "1")
            self._levels = levels
            named = zip(self._resets, levels, strict=False)
            self._high_resets = [name for name, level in named if level == "1"]
        for place, pins in self._incoming:
            if levels[place] == "1":
                text, name = pins.text(), pins.stream.name
                if text != self._words.get(name):
                    self._words[name] = text
                    self.model.offer(name, self._number(pins, text))

    def _compare(self) -> None:
        driven, resets = self._levels, self._high_resets
        answered = "".join([read() for read in self._read_answered])
        expected = self.model.levels()
        if answered != expected:
            self._compare_levels(resets, expected, answered)
        for place, ready, pins in self._outgoing:
            if expected[place] == "1" and not self._ignored(pins, resets):
                text = pins.text()
                word = self.model.word(pins.stream.name)
                if self._number(pins, text) != word:
                    self._differing_word(pins, word, int(text, 2))
                self._pass_on(pins.stream.name, word, ready < 0 or driven[ready] == "1")
        self._compare_counters(bool(resets))
        self._recent.append((self.bench.clocking.cycle, driven, answered))

    @staticmethod
    def _ignored(pins: ChannelPins, resets: list[str]) -> bool:
        """Whether a reset is driven in which nothing on this channel counts."""
        return bool(resets) and (not pins.axi or pins.reset in resets)

    def _compare_levels(self, resets: list[str], expected: str, answered: str) -> None:
        by_name = {pins.answered: pins for pins in self.pins}
        for name, want, got in zip(self.answered, expected, answered, strict=True):
            if want != got and not self._ignored(by_name[name], resets):
                self._differ(name, f"expected {want}, got {got}")

    def _pass_on(self, name: str, word: int, taken: bool) -> None:
        """A word is offered, and perhaps taken."""
        if name not in self._transfers:
            return
        if name not in self._waiting:
            self.offered[name].write(Observation(self.bench.clocking.cycle, word))
        if taken:
            self._waiting.discard(name)
            self.expected[name].write(Expectation([word], [self._transfers[name]]))
            self._transfers[name] += 1
        else:
            self._waiting.add(name)

    def _compare_counters(self, in_reset: bool) -> None:
        if in_reset:
            self._counts = deque([bytes(self._counters.stream.width // 8)] * self.counters_late)
            return
        self._counts.append(self.model.counts())
        counts, text = self._counts.popleft(), self._counters.text()
        if counts != self._counted:
            self._counted = counts
            started = np.frombuffer(counts, "<u4") + np.uint32(self.bench.settings.counter_start)
            self._count = int.from_bytes(started.tobytes(), "little")
        if text != self._count_text:
            self._count_text, self._shown = text, self._number(self._counters, text)
        if self._shown != self._count:
            self._differing_word(self._counters, self._count, self._shown)

    def _number(self, pins: ChannelPins, text: str) -> int:
        try:
            return int(text, 2)
        except ValueError:
            return self._differ(f"data of {pins.stream.name}", f"is {text} while valid")

    def _differing_word(self, pins: ChannelPins, expected: int, got: int) -> NoReturn:
        want, have = pins.stream.unpack(expected), pins.stream.unpack(got)
        lines = [
            f"{name}: expected {want[name]:#x}, got {have[name]:#x}"
            for name in want
            if want[name] != have[name]
        ]
        self._differ(pins.stream.name, "\n  ".join(["data differs", *lines]))

    def _differ(self, what: str, text: str) -> NoReturn:
        """Fail: what differs, what led to it, and what the model holds."""
        lines = [f"cycle {self.bench.clocking.cycle}, {what}: {text}", "  handshakes before:"]
        for cycle, driven, answered in self._recent:
            high = [*self._high(self.driven, driven), *self._high(self.answered, answered)]
            lines.append(f"    {cycle}: {' '.join(high)}")
        lines.append("  inputs of this cycle: " + " ".join(self._high(self.driven, self._levels)))
        for place, pins in self._incoming:
            if self._levels[place] == "1":
                lines.append(
                    f"    {pins.stream.name}{fields_text(pins.stream, int(self._words[pins.stream.name], 2))}"
                )
        lines += [
            "  the model, after this cycle:",
            *(f"    {line}" for line in self.model.state().splitlines()),
        ]
        self.bench.fail("\n".join(lines))

    @staticmethod
    def _high(names: list[str], levels: str) -> list[str]:
        return [name for name, level in zip(names, levels, strict=True) if level != "0"]

    def accept(self, kind: str, transfer: Observation) -> None:
        """Nothing is collected: the pins tell all."""

    def flush(self) -> None:
        """All is predicted in its cycle."""

    def poison(self, lines: Iterable[int]) -> None:
        """The model sees each response."""

    def heal(self) -> None:
        """The model sees each response."""

    def lose(self) -> None:
        """The model sees the reset itself."""

    def reset(self) -> None:
        """The model sees the reset itself; what was offered is lost."""
        self._waiting.clear()

    def counters(self) -> dict[str, int]:
        word = int.from_bytes(self.model.counts(), "little")
        counted: dict[str, int] = self._counters.stream.unpack(word)
        return counted

    def check_phase(self) -> None:
        """It has looked on."""
        if not self.cycles:
            self.bench.fail("no cycle was compared")

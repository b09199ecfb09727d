# SPDX-License-Identifier: Apache-2.0
"""Compares, and does nothing else: what is right is the model's affair.

A scoreboard has channels. On each, expected words and observed transfers meet in order, whichever is first.
"""

from collections import deque
from collections.abc import Sequence

from pyuvm import uvm_component

from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import Observation


class Mismatch(AssertionError):
    """Design and model differ; the text says what, where, expected, got, and how to repeat the run."""


class Channel:
    """The two queues of one channel and the cycles of what matched."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.expected: deque[tuple[int, int]] = deque()  # (word, index of the transaction)
        self.seen: deque[Observation] = deque()
        self.matched: list[Observation] = []  # in order, since reset
        self.checked = 0
        self.dropped = 0  # expected, but lost in a reset
        self.announced: int | None = None


class Scoreboard(uvm_component):
    """Base of all scoreboards; a block names its ``channels`` and explains its differences."""

    channels: tuple[str, ...] = ()

    def build_phase(self) -> None:
        """Empty channels."""
        self.bench: Bench = self.cdb_get(KEY)
        self.by_name = {name: Channel(name) for name in self.channels}

    def announce(self, channel: str, count: int) -> None:
        """``count`` more transactions will be checked on ``channel``; fewer or more fail the test."""
        one = self.by_name[channel]
        one.announced = (one.announced or 0) + count

    def expect(self, channel: str, words: Sequence[int], indices: Sequence[int]) -> None:
        """The next words of ``channel``, with the index of the transaction each belongs to."""
        one = self.by_name[channel]
        one.expected.extend(zip(words, indices, strict=True))
        self._compare(one)

    def observe(self, channel: str, seen: Observation) -> None:
        """A transfer at the pins."""
        one = self.by_name[channel]
        one.seen.append(seen)
        self._compare(one)

    def _compare(self, channel: Channel) -> None:
        while channel.expected and channel.seen:
            word, index = channel.expected.popleft()
            seen = channel.seen.popleft()
            if word != seen.word:
                self.fail(self.explain(channel.name, index, word, seen))
            channel.checked += 1
            channel.matched.append(seen)
        self.compared(channel)

    def compared(self, channel: Channel) -> None:
        """Called when ``channel`` has moved on; for checks of what is now complete."""

    def explain(self, channel: str, index: int, expected: int, seen: Observation) -> str:
        """What differs, for people. Blocks say more."""
        return f"{channel} {index} in cycle {seen.cycle}: expected {expected:#x}, got {seen.word:#x}"

    def fail(self, text: str) -> None:
        """Raises :class:`Mismatch` with the command that repeats the run."""
        raise Mismatch(f"{text}\n  repeat with: {self.bench.repro}")

    def reset(self) -> None:
        """The design was reset: what it has not delivered is lost, what it has delivered must be expected."""
        for channel in self.by_name.values():
            if channel.seen:
                self.fail(f"{channel.name}: {len(channel.seen)} transfers that nothing was expected for")
            channel.dropped += len(channel.expected)
            channel.expected.clear()
            channel.matched.clear()

    def check_complete(self) -> None:
        """At the end: nothing missing, nothing too much, and as much checked as announced."""
        for channel in self.by_name.values():
            if channel.expected:
                word, index = channel.expected[0]
                self.fail(
                    f"{channel.name}: {len(channel.expected)} missing, the first is {index} ({word:#x})"
                )
            if channel.seen:
                first = channel.seen[0]
                text = f"{len(channel.seen)} too many, the first in cycle {first.cycle}: {first.word:#x}"
                self.fail(f"{channel.name}: {text}")
            done = channel.checked + channel.dropped
            if channel.announced is not None and done != channel.announced:
                self.fail(f"{channel.name}: {channel.announced} announced, {done} checked")

# SPDX-License-Identifier: Apache-2.0
"""Compares, and does nothing else: what is right is the model's affair.

A scoreboard has channels. On each, expected words and observed transfers meet, whichever is first: in order,
or, where a channel has a key, in order among those of the same key alone.
"""

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, TypeVar

from pyuvm import uvm_scoreboard

from configs import Stream
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation, shown

Mine = TypeVar("Mine")
Other = TypeVar("Other")
#: what must be alike for an expected word and an observed one to be compared, e.g. port, id or address
Key = Callable[[int], Hashable]


def in_order(word: int) -> Hashable:
    """The key of a channel that promises the order of its transfers."""
    return None


class Expectation(NamedTuple):
    """The next ``words`` [n] of a channel, with the ``indices`` [n] of the transactions they belong to."""

    words: Sequence[int]
    indices: Sequence[int]


class Expected(NamedTuple):
    """A word, and the index of its transaction."""

    word: int
    transaction: int


class Channel:
    """What is expected and what was observed, by key, and the transfers that matched."""

    def __init__(self, name: str, key: Key = in_order) -> None:
        self.name, self.key = name, key
        self._expected: dict[Hashable, deque[Expected]] = {}
        self._observed: dict[Hashable, deque[Observation]] = {}
        self.matched: list[Observation] = []  # in order of the comparison, since reset
        self.checked = 0
        self.dropped = 0  # expected, but lost in a reset
        self.announced: int | None = None

    @property
    def missing(self) -> list[Expected]:
        """What has not come, that of the lowest index first."""
        return sorted(chain(*self._expected.values()), key=attrgetter("transaction"))

    @property
    def unexpected(self) -> list[Observation]:
        """What nothing is expected for, in order of time."""
        return sorted(chain(*self._observed.values()), key=attrgetter("cycle"))

    @property
    def observed(self) -> int:
        """Transfers since reset."""
        return len(self.matched) + sum(map(len, self._observed.values()))

    def expect(self, expected: Expected) -> Observation | None:
        """The transfer to compare it with; None: none has come, it waits."""
        return self._meet(self.key(expected.word), expected, self._expected, self._observed)

    def observe(self, transfer: Observation) -> Expected | None:
        """What it is to be compared with; None: nothing is expected yet, it waits."""
        return self._meet(self.key(transfer.word), transfer, self._observed, self._expected)

    @staticmethod
    def _meet(
        key: Hashable, mine: Mine, waiting: dict[Hashable, deque[Mine]], others: dict[Hashable, deque[Other]]
    ) -> Other | None:
        queue = others.get(key)
        if queue:
            return queue.popleft()
        waiting.setdefault(key, deque()).append(mine)
        return None

    def forgive(self) -> None:
        """Transfers without an expectation belong to transactions that a reset ended."""
        self._observed.clear()

    def drop(self, count: int = 0) -> None:
        """All that is missing was lost in a reset, and ``count`` transactions that were not expected yet."""
        self.dropped += sum(map(len, self._expected.values())) + count
        self._expected.clear()


class Scoreboard(uvm_scoreboard):
    """Base of all scoreboards; a block names its ``channels`` and explains its differences.

    ``keys``: for each channel that does not promise an order, what tells its transactions apart.
    ``expected`` and ``observed`` hold an analysis export for each channel.
    """

    channels: tuple[str, ...] = ()
    keys: Mapping[str, Key] = {}

    def build_phase(self) -> None:
        """Empty channels."""
        self.bench: Bench = self.cdb_get(KEY)
        self.by_name = {name: Channel(name, self.keys.get(name, in_order)) for name in self.channels}
        self.expected = {
            name: AnalysisImp(f"expected_{name}", self, partial(self._expect, name)) for name in self.channels
        }
        self.observed = {
            name: AnalysisImp(f"observed_{name}", self, partial(self.observe, name)) for name in self.channels
        }

    def announce(self, channel: str, count: int) -> None:
        """``count`` more transactions will be checked on ``channel``; fewer or more fail the test."""
        announced = self.by_name[channel].announced or 0
        self.by_name[channel].announced = announced + count

    def _expect(self, name: str, expectation: Expectation) -> None:
        self.expect(name, expectation.words, expectation.indices)

    def expect(self, name: str, words: Sequence[int], indices: Sequence[int]) -> None:
        """The next words of a channel, with the index of the transaction each belongs to."""
        channel = self.by_name[name]
        for word, index in zip(words, indices, strict=True):
            expected = Expected(word, index)
            if transfer := channel.expect(expected):
                self._compare(channel, expected, transfer)
        self.compared(channel)

    def observe(self, name: str, transfer: Observation) -> None:
        """A transfer at the pins."""
        channel = self.by_name[name]
        if expected := channel.observe(transfer):
            self._compare(channel, expected, transfer)
        self.compared(channel)

    def _compare(self, channel: Channel, expected: Expected, transfer: Observation) -> None:
        if expected.word != transfer.word:
            self.fail(self.explain(channel.name, expected.transaction, expected.word, transfer))
        channel.checked += 1
        channel.matched.append(transfer)
        self.agreed(channel, expected, transfer)

    def agreed(self, channel: Channel, expected: Expected, transfer: Observation) -> None:
        """Called for each transfer that is as expected."""

    def compared(self, channel: Channel) -> None:
        """Called when ``channel`` has moved on; for checks of what is now complete."""

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, for people. Blocks say more."""
        return f"{channel} {index} in cycle {transfer.cycle}: expected {expected:#x}, got {transfer.word:#x}"

    def stream_of(self, channel: str) -> Stream:
        """The fields of the words of a channel."""
        return self.bench.cfg.streams[channel]

    def differences(self, channel: str, expected: int, word: int) -> list[str]:
        """Fields of a word that differ, a line of text each."""
        stream = self.stream_of(channel)
        want, got = stream.unpack(expected), stream.unpack(word)
        return [
            "  {}: expected {}, got {}".format(field.name, *shown(field, want[field.name], got[field.name]))
            for field in stream.fields
            if want[field.name] != got[field.name]
        ]

    def fail(self, text: str) -> None:
        """Raises :class:`Mismatch` with the command that repeats the run."""
        self.bench.fail(text)

    def reset(self) -> None:
        """The design was reset: what it has not delivered is lost, what it has delivered must be expected."""
        for channel in self.by_name.values():
            if surplus := len(channel.unexpected):
                self.fail(f"{channel.name}: {surplus} transfers that nothing was expected for")
            channel.drop()
            channel.matched.clear()

    def check_phase(self) -> None:
        """At the end: nothing missing, nothing too much, and as much checked as announced."""
        for channel in self.by_name.values():
            if missing := channel.missing:
                word, index = missing[0]
                self.fail(f"{channel.name}: {len(missing)} missing, the first is {index} ({word:#x})")
            if surplus := channel.unexpected:
                text = f"{len(surplus)} too many, the first in cycle {surplus[0].cycle}: {surplus[0].word:#x}"
                self.fail(f"{channel.name}: {text}")
            done = channel.checked + channel.dropped
            if channel.announced is not None and done != channel.announced:
                self.fail(f"{channel.name}: {channel.announced} announced, {done} checked")

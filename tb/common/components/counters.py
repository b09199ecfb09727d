# SPDX-License-Identifier: Apache-2.0
"""Compares the design's performance counters, at the end of a test, with what others counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyuvm import uvm_component

from tb.common.components.bench import KEY, Bench

LATE = 2  # cycles after which a counter shows an event


def since_reset(counters: Mapping[str, int], start: int) -> dict[str, int]:
    """What 32-bit counters that began with ``start`` have counted."""
    return {name: (value - start) % (1 << 32) for name, value in counters.items()}


async def in_time(sequence: Any, res: str = "res", checker: "CounterChecker | None" = None) -> None:
    """A counter shows an event ``LATE`` cycles after it: seen of a result that is held, cycle by cycle.

    To be called with the stream ``res`` held and a request on its way; ``checker`` reads the counters, if not
    the environment's ``performance``.
    """
    monitor, behind = sequence.env.agents[res].monitor, []
    shown = checker or sequence.env.performance
    while not monitor.waiting:
        await sequence.clocking.cycles(1)
    await sequence.clocking.cycles(4)
    for _ in range(20):
        await sequence.clocking.cycles(1)
        behind.append(monitor.waits - shown.counters()["result_wait_cycles"])
    sequence.expect("cycles behind", [LATE - 1] * 20, behind)


@dataclass(frozen=True)
class Bounds:
    """A count that is not known exactly: ``least`` to ``most``, or, if that is None, above."""

    least: int = 0
    most: int | None = None

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        return f"{self.least} to {self.most}" if self.least else f"at most {self.most}"


def agrees(count: int, expected: int | Bounds) -> bool:
    """Whether ``count`` is ``expected``, or within it."""
    if not isinstance(expected, Bounds):
        return count == expected
    return expected.least <= count and (expected.most is None or count <= expected.most)


#: Whoever counts what the design counts, or part of it: counts since reset, by the design's names for them.
Witness = Callable[[], Mapping[str, int | Bounds]]


def counts_of(model: Any) -> Witness:
    """A model with ``counters`` as a witness."""
    return lambda: model.counters


@dataclass(frozen=True)
class Sum:
    """Counters that fit together: what they count together (``counted``), and what that must be."""

    what: str
    counted: int
    expected: int | Bounds


def check_sums(bench: Bench, *sums: Sum) -> None:
    """Fail for those that do not hold."""
    for item in sums:
        if not agrees(item.counted, item.expected):
            bench.fail(f"{item.what}: rtl {item.counted}, expected {item.expected}")


class CounterChecker(uvm_component):
    """Holds the counters on ``stream`` against those of each of ``witnesses`` (name -> who counts).

    Each counter has a witness, or a place in ``unwitnessed`` with what holds it instead.
    """

    stream = "perf"
    unit = ""  # whose counters, for the message

    def build_phase(self) -> None:
        """No witness yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.witnesses: dict[str, Witness] = {}
        self.unwitnessed: Mapping[str, str] = {}

    def counters(self) -> dict[str, int]:
        """The design's counters since reset, by name. Raises AssertionError when they are X."""
        text = str(getattr(self.bench.dut, f"{self.stream}_data").value)
        assert set(text) <= {"0", "1"}, f"{self.stream}_data is {text}"
        shown = self.bench.cfg.streams[self.stream].unpack(int(text, 2))
        return since_reset(shown, self.bench.settings.counter_start)

    def check_phase(self) -> None:
        """All that know a counter agree with the design, and somebody does."""
        counted = {name: witness() for name, witness in self.witnesses.items()}
        shown, witnessed = self.counters(), set[str]()
        for counter, value in shown.items():
            theirs = {name: counts[counter] for name, counts in counted.items() if counter in counts}
            if not all(agrees(value, count) for count in theirs.values()):
                others = ", ".join(f"{name} {count}" for name, count in theirs.items())
                self.bench.fail(f"{self.unit}counter {counter}: rtl {value}, {others}")
            if theirs:
                witnessed.add(counter)
        if wrong := (shown.keys() - self.unwitnessed) ^ witnessed:
            self.bench.fail(f"{self.unit}either a witness or a place in 'unwitnessed': {sorted(wrong)}")

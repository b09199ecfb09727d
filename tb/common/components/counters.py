# SPDX-License-Identifier: Apache-2.0
"""Compares the design's performance counters, at the end of a test, with what others counted."""

from collections.abc import Mapping
from typing import Any, Protocol

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


class Witness(Protocol):
    """Whoever counts what the design counts, or part of it."""

    def counters(self) -> dict[str, int]:
        """Counts since reset, by the names of the design's counters."""


class Counted:
    """A model that counts, as a witness; ``constant``: counters that it does not have, and what they are."""

    def __init__(self, model: Any, **constant: int) -> None:
        self._model, self._constant = model, constant

    def counters(self) -> dict[str, int]:
        """See :class:`Witness`."""
        return {**self._model.counters, **self._constant}


class CounterChecker(uvm_component):
    """Holds the counters on ``stream`` against those of each of ``witnesses`` (name -> who counts)."""

    stream = "perf"
    unit = ""  # whose counters, for the message

    def build_phase(self) -> None:
        """No witness yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.witnesses: dict[str, Witness] = {}

    def counters(self) -> dict[str, int]:
        """The design's counters since reset, by name. Raises AssertionError when they are X."""
        text = str(getattr(self.bench.dut, f"{self.stream}_data").value)
        assert set(text) <= {"0", "1"}, f"{self.stream}_data is {text}"
        shown = self.bench.cfg.streams[self.stream].unpack(int(text, 2))
        return since_reset(shown, self.bench.settings.counter_start)

    def check_phase(self) -> None:
        """All that know a counter agree with the design."""
        counted = {name: witness.counters() for name, witness in self.witnesses.items()}
        for counter, value in self.counters().items():
            known = {name: counts[counter] for name, counts in counted.items() if counter in counts}
            if set(known.values()) - {value}:
                others = ", ".join(f"{name} {count}" for name, count in known.items())
                self.bench.fail(f"{self.unit}counter {counter}: rtl {value}, {others}")

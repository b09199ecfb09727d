# SPDX-License-Identifier: Apache-2.0
"""The sampling rule, in this one place, for every simulator.

A cycle ``k`` of the testbench begins at a falling clock edge and ends with the rising edge after it::

    clk     ____      ____      ____
        ___|    |____|    |____|    |____
                k         k+1
    drive       ^         ^                  at the falling edge: inputs change
    sample      .         .                  later in the same time step, all settled, nothing may be written

No flip-flop of a design moves at the falling edge. So inputs never race with the clock, and what is sampled
is what the rising edge of the same cycle sees: a handshake sampled in cycle ``k`` happens at that edge. Both
simulators therefore show the same values in the same cycles.

A design with several clocks has a :class:`Clocking` for each, with cycles of its own. Their edges never fall
into the same time step, where simulators may see them in either order: all half periods are even numbers of
picoseconds, and every second clock starts an odd number late.

The engine (:mod:`tb.common.engine`) makes the clocks, drives and samples. Python acts where it has to:
a component registers a plain function, :data:`Step`, when it has something to do and lets it lapse when not.
"""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

from cocotb.triggers import Event

#: called once a cycle; returns whether it is to be called in the next cycle too
Step = Callable[[], bool]

FOREVER = 0xFFFFFFFF


class Clocking:
    """Counts the cycles of a clock and calls the registered steps, drives before samples, in the order of
    registration.

    ``in_reset`` is set from the cycle in which reset is driven until the one in which it is released:
    handshakes in between do not count, but for those of AXI, where only a reset of the memory's side counts
    (``axi_in_reset``). ``released`` is the cycle in which the last reset was released.
    """

    def __init__(self, engine: Any, clk: Any, period: int = 10_000, late: int = 0) -> None:
        assert period % 4 == 0, f"{period} ps: half a period must be an even number of picoseconds"
        self.engine, self.clk, self.period, self.late = engine, clk, period, late
        self.cycle = 0
        self.in_reset = self.axi_in_reset = True
        self.released = 0
        self.resets: list[int] = []  # the first cycle of each
        self.releases: list[int] = []  # the first cycle after each
        self.halves: Iterator[int] | None = None  # of a clock that drifts
        self.place: ctypes.c_uint32  # where the engine counts its cycles; set by it
        self._waits: list[tuple[int | None, Callable[[], Any]]] = []
        self._samples: list[Step] = []
        self._told = FOREVER, False, False

    def start(self) -> None:
        """Start it; the first clock that is started starts the engine."""
        self.engine.start()

    def reset(self, axi: bool) -> None:
        """Reset is driven from this cycle on, that of the memory's side too if ``axi``."""
        self.in_reset, self.axi_in_reset = True, axi
        self.resets.append(self.cycle)
        self.engine.set_reset(self)

    def release(self) -> None:
        """It is released in this cycle."""
        self.in_reset = self.axi_in_reset = False
        self.released = self.cycle
        self.releases.append(self.cycle)
        self.engine.set_reset(self)

    def drift(self, halves: Iterator[int]) -> None:
        """Call before :meth:`start`: half periods in picoseconds, even ones, instead of the constant."""
        self.halves = halves

    def on_drive(self, step: Step) -> None:
        """Call ``step`` from the next drive point on, until it returns False."""
        self._waits.append((None, step))
        self._tell()

    def on_sample(self, step: Step) -> None:
        """Call ``step`` from the next sample point on (this cycle's, when driving) until it returns False."""
        self._samples.append(step)
        self._tell()

    async def cycles(self, count: int) -> None:
        """Wait for the drive point ``count`` cycles from now. The caller may then drive."""
        reached, goal = Event(), self.cycle + count
        self._waits.append((goal, reached.set))
        if goal < self._told[0]:
            self._tell()
        await reached.wait()

    def _tell(self) -> None:
        """Say in which cycle there is something to do next, and whether in each."""
        goals = [goal for goal, _ in self._waits]
        every = None in goals
        goal = min((goal for goal in goals if goal is not None), default=FOREVER)
        wanted = goal, every, bool(self._samples)
        if wanted != self._told:
            self._told = wanted
            self.engine.wake(self, *wanted)

    def drive(self) -> None:
        """Call what is due before the sample."""
        waits, self._waits = self._waits, []
        kept: list[tuple[int | None, Callable[[], Any]]] = []
        for goal, action in waits:
            if goal is None:
                if action():
                    kept.append((goal, action))
            elif self.cycle < goal:
                kept.append((goal, action))
            else:
                action()
        self._waits[:0] = kept
        self._tell()

    def sample(self) -> None:
        """Call what is due at the sample, if anything is."""
        if self._samples:
            steps, self._samples = self._samples, []
            self._samples[:0] = [step for step in steps if step()]
            self._tell()

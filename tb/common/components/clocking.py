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

One task runs the clock's two phases and calls plain functions, :data:`Step`. A component registers a step
when it has something to do and lets it lapse when not; monitors are woken by ``valid`` and cost nothing until
then. Which monitor a simulator wakes first is its own affair: a cycle's samples are called by rank.
"""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, ReadOnly, Timer

#: called once a cycle; returns whether it is to be called in the next cycle too
Step = Callable[[], bool]

#: rank, step, and what to call when it lapses
Sampled = tuple[int, Step, Callable[[], None]]

_rank = itemgetter(0)


def _nobody() -> None:
    """Nobody wants to know that a step has lapsed."""


class Clocking:
    """Counts cycles and calls the registered steps, drives before samples: drives in order of registration,
    samples by rank.

    ``in_reset`` is set from the cycle in which reset is driven until the one in which it is released:
    handshakes in between do not count, but for those of AXI, where only a reset of the memory's side counts
    (``axi_in_reset``). ``released`` is the cycle in which the last reset was released.
    """

    def __init__(self, clk: Any, period: int = 10_000, late: int = 0) -> None:
        assert period % 4 == 0, f"{period} ps: half a period must be an even number of picoseconds"
        self.clk, self.period, self._late = clk, period, late
        self.cycle = 0
        self.in_reset = self.axi_in_reset = True
        self.released = 0
        self.resets: list[int] = []  # the first cycle of each
        self.releases: list[int] = []  # the first cycle after each
        self._drives: list[Step] = []
        self._samples: list[Sampled] = []
        self._ranks = 0
        self._drift: Iterator[int] | None = None

    def start(self) -> None:
        """Start the clock and the two phases."""
        cocotb.start_soon(self._run())

    def reset(self, axi: bool) -> None:
        """Reset is driven from this cycle on, that of the memory's side too if ``axi``."""
        self.in_reset, self.axi_in_reset = True, axi
        self.resets.append(self.cycle)

    def release(self) -> None:
        """It is released in this cycle."""
        self.in_reset = self.axi_in_reset = False
        self.released = self.cycle
        self.releases.append(self.cycle)

    def drift(self, halves: Iterator[int]) -> None:
        """Call before :meth:`start`: half periods in picoseconds, even ones, instead of the constant."""
        self._drift = halves

    async def _toggle(self, halves: Iterator[int]) -> None:
        for half in halves:
            self.clk.value = 1
            await Timer(half, unit="ps")
            self.clk.value = 0
            await Timer(half, unit="ps")

    def on_drive(self, step: Step) -> None:
        """Call ``step`` from the next drive point on, until it returns False."""
        self._drives.append(step)

    def on_sample(self, step: Step) -> None:
        """Call ``step`` from the next sample point on (this cycle's, when driving) until it returns False."""
        self._samples.append((0, step, _nobody))

    def new_rank(self) -> int:
        """A rank for :meth:`active`, behind all that were given away before."""
        self._ranks += 1
        return self._ranks

    async def active(self, sample: Step, drive: Callable[[], None] | None = None, rank: int = 0) -> None:
        """Call ``sample`` every cycle until it lapses, ``drive`` too from the next drive point on."""
        lapsed = Event()

        def driving() -> bool:
            if lapsed.is_set():
                return False
            assert drive is not None
            drive()
            return True

        self._samples.append((rank, sample, lapsed.set))
        if drive is not None:
            self._drives.append(driving)
        await lapsed.wait()

    async def cycles(self, count: int) -> None:
        """Wait for the drive point ``count`` cycles from now. The caller may then drive."""
        reached, goal = Event(), self.cycle + count

        def step() -> bool:
            if self.cycle < goal:
                return True
            reached.set()
            return False

        self._drives.append(step)
        await reached.wait()

    async def _run(self) -> None:
        falling, settled = self.clk.falling_edge, ReadOnly()
        self.clk.value = 0
        await Timer(
            self._late + self.period // 2, unit="ps"
        )  # the clock begins low, in the middle of a cycle
        if self._drift is None:
            Clock(self.clk, self.period, unit="ps").start()
        else:
            cocotb.start_soon(self._toggle(self._drift))
        while True:
            await falling
            self.cycle += 1
            steps, self._drives = self._drives, []
            self._drives[:0] = [step for step in steps if step()]
            await settled
            self.sample()

    def sample(self) -> None:
        """Call what is due at the sample, by rank."""
        ranked, self._samples = self._samples, []
        ranked.sort(key=_rank)
        going_on = []
        for entry in ranked:
            if entry[1]():
                going_on.append(entry)
            else:
                entry[2]()
        self._samples[:0] = going_on

# SPDX-License-Identifier: Apache-2.0
"""Resets, scoreboard and environment of the pipelined texture units.

::

    per unit: virtual sequences -> prim, quad drivers -> [ DUT ] -> res sink        (gpu_clk)
                                         AXI memory <->  |                           (tex_clk)
    monitors: prim quad res | evt probe AXI
         prim quad -> reference (golden model) -> scoreboard <- res evt
                                               -> lines to read <- AXI
         scoreboard -> coverage, virtual sequences
         monitors -> what is in a unit and how long, coverage of the pins, transaction log
"""

from typing import Any

from configs.texpipe.schema import COUNTERS, Config
from tb.texpipe.coverage import PinCoverage, TexpipeCoverage
from tb.texpipe.reference import PredictedQuad, TexpipeReference
from tb.texpipe.rules import FlightChecker, ReadChecker
from tb.texunit.env import Ports, UnitsEnv
from tb.texunit.resets import TexunitResetDriver
from tb.texunit.scoreboard import TexunitScoreboard


class TexpipeResetDriver(TexunitResetDriver):
    """At power-up it lasts until nothing of a random state is left, so that all simulators leave it alike."""

    power_up_edges = 12


class TexpipeScoreboard(TexunitScoreboard):
    """As that of ``texunit``; many more quads are in a unit, which are remembered to explain a difference."""

    def build_phase(self) -> None:
        super().build_phase()
        cfg: Config = self.bench.cfg
        self._remembered = cfg.ahead.depth + 4 * cfg.fifo.depth + 256

    def _predicted(self, quad: PredictedQuad) -> None:  # type: ignore[override]
        self._quads[quad.unit, quad.number] = quad  # type: ignore[assignment]
        self._quads.pop((quad.unit, quad.number - self._remembered), None)


class TexpipeEnv(UnitsEnv):
    """Units that are never flushed; what they read from memory follows from what they take."""

    resets_class = TexpipeResetDriver
    reference_class, scoreboard_class = TexpipeReference, TexpipeScoreboard
    coverage_class, pin_coverage_class = TexpipeCoverage, PinCoverage
    reads_class, flight_class = ReadChecker, FlightChecker

    def connect_phase(self) -> None:
        """Lines that are going to be read, too."""
        super().connect_phase()
        self.reference.reads.connect(self.reads.reads)

    def connect_rules(self, n: int, ports: Ports) -> None:
        ports["evt"].connect(self.flights[n].events)
        self.performance[n].witnesses = {"model": self.reference.units[n].counters}
        waits = (name for name, _ in COUNTERS if name.endswith("_wait_cycles"))
        self.performance[n].unwitnessed = dict.fromkeys(waits, "no port shows it: tests of tests/waits.py")

    def idle(self) -> bool:
        return super().idle() and not self.reads.open

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`: results and look-ups, primitives, and lines that were to be read."""
        setups = [flight.prims_in_setup for flight in self.flights]
        return (*super().progress(), *setups, self.reads.compared)

    def summary(self) -> dict[str, Any]:
        counts = [unit.counters() for unit in self.reference.units]
        return {
            **super().summary(),
            "lookups": sum(count["lookups"] for count in counts),
            "hits": sum(count["hits"] for count in counts),
            "reads checked": self.reads.compared,
            "latency checks": sum(flight.timed for flight in self.flights),
        }

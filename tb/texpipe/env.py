# SPDX-License-Identifier: Apache-2.0
"""The environment of the pipelined texture units.

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
from tb.common.components.agent import StreamAgent
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.texpipe.coverage import PinCoverage, TexpipeCoverage
from tb.texpipe.reference import TexpipeReference
from tb.texpipe.rules import FlightChecker, ReadChecker
from tb.texpipe.scoreboard import TexpipeScoreboard
from tb.texunit.resets import ResetMonitor, TexunitResetDriver


class TexpipeResetDriver(TexunitResetDriver):
    """At power-up it lasts until nothing of a random state is left, so that all simulators leave it alike."""

    power_up_edges = 12


class TexpipeEnv(BlockEnv):
    """Agents of all units, models, scoreboard, checkers, and coverage."""

    cfg: Config
    resets_class = TexpipeResetDriver

    def build_phase(self) -> None:
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)
        self.end_of_reset: ResetMonitor = ResetMonitor.create("end_of_reset", self)
        self.reference: TexpipeReference = TexpipeReference.create("reference", self)
        self.scoreboard: TexpipeScoreboard = TexpipeScoreboard.create("scoreboard", self)
        self.coverage: TexpipeCoverage = TexpipeCoverage.create("coverage", self)
        self.pin_coverage: PinCoverage = PinCoverage.create("pin_coverage", self)
        self.reads: ReadChecker = ReadChecker.create("reads", self)
        units = range(self.cfg.units)
        self.flights: list[FlightChecker] = [FlightChecker.create(f"flight{n}", self) for n in units]
        self.performance: list[CounterChecker] = [
            CounterChecker.create(f"performance{n}", self) for n in units
        ]
        for n in units:
            self.flights[n].unit = n
            self.performance[n].stream, self.performance[n].unit = f"perf{n}", f"unit {n}, "

    def connect_phase(self) -> None:
        """From what the units take to what they must give, and who looks on."""
        super().connect_phase()
        self.reads.port = self.axi["m_axi"].monitor
        self.counters = self.pin_coverage.counters = self.coverage.counters
        for n in range(self.cfg.units):
            self._connect_unit(n)
        # model -> what is expected
        self.reference.predicted.connect(self.scoreboard.predicted)
        self.reference.reads.connect(self.reads.reads)
        self.scoreboard.completed.connect(self.coverage.analysis_export)
        self.scoreboard.completed.connect(self.sequencer.completed)
        # memory
        self.reads.port.addresses.connect(self.pin_coverage.addresses)
        self.reads.port.lines.connect(self.pin_coverage.lines)
        self.reads.port.addresses.connect(self.reads.addresses)
        # resets
        self.resets.asserted.connect(self.pin_coverage.resets)

    def _connect_unit(self, n: int) -> None:
        prim, quad, res, evt, probe = (
            self.agents[f"{name}{n}"].ap for name in ("prim", "quad", "res", "evt", "probe")
        )
        flight = self.flights[n]
        # rules: they judge a transfer by what came before it
        prim.connect(flight.prims)
        quad.connect(flight.quads)
        res.connect(flight.results)
        evt.connect(flight.events)
        probe.connect(flight.probes)
        # what was taken -> model -> what is expected
        for name, source in (("prim", prim), ("quad", quad)):
            source.connect(self.reference.inputs[f"{name}{n}"])
        # what came out
        for name, source in (("res", res), ("evt", evt)):
            self.reference.expected[f"{name}{n}"].connect(self.scoreboard.expected[f"{name}{n}"])
            source.connect(self.scoreboard.observed[f"{name}{n}"])
        # coverage, counters
        for name, source in (("prim", prim), ("quad", quad), ("res", res)):
            source.connect(self.pin_coverage.inputs[f"{name}{n}"])
        self.performance[n].witnesses = {"model": self.reference.units[n].counters}
        waits = (name for name, _ in COUNTERS if name.endswith("_wait_cycles"))
        self.performance[n].unwitnessed = dict.fromkeys(waits, "no port shows it: tests of tests/waits.py")

    @property
    def meeting(self) -> list[StreamAgent]:
        """See :meth:`BlockEnv.meeting`: those of the first unit and of the last."""
        units = {0, self.cfg.units - 1}
        return [self.agents[f"{name}{n}"] for n in sorted(units) for name in ("prim", "quad", "res")]

    @property
    def outstanding(self) -> int:
        """Quads accepted and not answered."""
        return sum(flight.quads_in_flight for flight in self.flights)

    def idle(self) -> bool:
        in_setup = any(flight.prims_in_setup for flight in self.flights)
        return not self.outstanding and not in_setup and not self.bursts and not self.reads.open

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`: results and look-ups, primitives, and lines that were to be read."""
        setups = [flight.prims_in_setup for flight in self.flights]
        return (*super().progress(), *setups, self.reads.compared)

    def state(self) -> str:
        dut = self.bench.dut
        return (
            f"{self.outstanding} quads unanswered, {self.bursts} lines on their way, "
            f"gpu_resetting={dut.gpu_resetting.value}, tex_resetting={dut.tex_resetting.value}"
        )

    def reset(self, part: str) -> None:
        self.axi["m_axi"].monitor.cover_reset(self.counters)
        super().reset(part)
        self.reads.reset()
        for flight in self.flights:
            flight.reset()

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results = [self.scoreboard.by_name[f"res{n}"] for n in range(self.cfg.units)]
        counts = [unit.counters() for unit in self.reference.units]
        return {
            "checked": sum(channel.checked for channel in results),
            "announced": sum(channel.announced or 0 for channel in results),
            "lookups": sum(count["lookups"] for count in counts),
            "hits": sum(count["hits"] for count in counts),
            "reads checked": self.reads.compared,
            "latency checks": sum(flight.timed for flight in self.flights),
        }

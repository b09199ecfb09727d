# SPDX-License-Identifier: Apache-2.0
"""The environment of the texture units.

::

    per unit: virtual sequences -> prim, quad drivers -> [ DUT ] -> res sink        (gpu_clk)
                                         AXI memory <->  |                           (tex_clk)
    monitors: prim quad res | evt probe AXI
         prim quad + cycles of queries -> reference (golden model) -> scoreboard <- res evt
         scoreboard -> coverage, virtual sequences
         monitors -> order and stages, coverage of the pins, transaction log
"""

from typing import Any, ClassVar

from pyuvm import uvm_analysis_port

from models.texunit import MOST_QUERIES
from tb.common.components.agent import StreamAgent
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.texunit.coverage import TexunitCoverage
from tb.texunit.path import PathChecker
from tb.texunit.pin_coverage import PinCoverage
from tb.texunit.reads import ReadChecker
from tb.texunit.reference import TexunitReference
from tb.texunit.resets import ResetMonitor, TexunitResetDriver
from tb.texunit.rules import OrderChecker, StageChecker, UnitChecker, stage_times
from tb.texunit.scoreboard import TexunitScoreboard

Ports = dict[str, uvm_analysis_port]  # of a unit's monitors, by the stream's name without its number


class UnitsEnv(BlockEnv):
    """Texture units of any kind: agents, models, scoreboard, checkers of each unit, and coverage.

    ``flights`` count primitives and quads in each unit. A subclass names its classes. :meth:`connect_rules`
    connects the checkers of a unit: they judge a transfer by earlier ones, so they get it before the model.
    """

    resets_class = TexunitResetDriver
    reference_class: ClassVar[type[Any]]
    scoreboard_class: ClassVar[type[TexunitScoreboard]]
    coverage_class: ClassVar[type[Any]]
    pin_coverage_class: ClassVar[type[PinCoverage]]
    reads_class: ClassVar[type[Any]]
    flight_class: ClassVar[type[UnitChecker]]
    reference: Any
    scoreboard: TexunitScoreboard
    flights: list[Any]

    def build_phase(self) -> None:
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)
        self.end_of_reset: ResetMonitor = ResetMonitor.create("end_of_reset", self)
        self.reference = self.reference_class.create("reference", self)
        self.scoreboard = self.scoreboard_class.create("scoreboard", self)
        self.coverage = self.coverage_class.create("coverage", self)
        self.pin_coverage: PinCoverage = self.pin_coverage_class.create("pin_coverage", self)
        self.reads = self.reads_class.create("reads", self)
        self.flights = self.of_units(self.flight_class, "flight")
        self.performance: list[CounterChecker] = self.of_units(CounterChecker, "performance")
        for n in range(self.cfg.units):
            self.performance[n].stream, self.performance[n].unit = f"perf{n}", f"unit {n}, "

    def of_units(self, kind: type[Any], name: str) -> list[Any]:
        """A component for each unit, which knows its number."""
        made = [kind.create(f"{name}{n}", self) for n in range(self.cfg.units)]
        for number, component in enumerate(made):
            component.unit = number
        return made

    def connect_phase(self) -> None:
        super().connect_phase()
        self.reads.port = monitor = self.axi["m_axi"].monitor
        self.counters = self.pin_coverage.counters = self.coverage.counters
        for n in range(self.cfg.units):
            self._connect_unit(n)
        # model -> what is expected
        self.reference.predicted.connect(self.scoreboard.predicted)
        self.scoreboard.completed.connect(self.coverage.analysis_export)
        self.scoreboard.completed.connect(self.sequencer.completed)
        # memory
        monitor.addresses.connect(self.pin_coverage.addresses)
        monitor.lines.connect(self.pin_coverage.lines)
        monitor.addresses.connect(self.reads.addresses)
        # resets
        self.resets.asserted.connect(self.pin_coverage.resets)

    def _connect_unit(self, n: int) -> None:
        ports = {name: self.agents[f"{name}{n}"].ap for name in ("prim", "quad", "res", "evt", "probe")}
        for name, export in (("prim", "prims"), ("quad", "quads"), ("res", "results"), ("probe", "probes")):
            ports[name].connect(getattr(self.flights[n], export))
        self.connect_rules(n, ports)
        # what was taken -> model -> what is expected; what came out
        for name, port in ports.items():
            if f"{name}{n}" in self.reference.inputs:
                port.connect(self.reference.inputs[f"{name}{n}"])
        for name in ("res", "evt"):
            self.reference.expected[f"{name}{n}"].connect(self.scoreboard.expected[f"{name}{n}"])
            ports[name].connect(self.scoreboard.observed[f"{name}{n}"])
        # coverage
        for name in ("prim", "quad", "res"):
            ports[name].connect(self.pin_coverage.inputs[f"{name}{n}"])

    def connect_rules(self, n: int, ports: Ports) -> None:
        """Rules of unit ``n``, whose monitors these are; witnesses of its counters."""
        raise NotImplementedError

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
        return not self.outstanding and not in_setup and not self.bursts

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
        results = [self.scoreboard.by_name[f"res{n}"] for n in range(self.cfg.units)]
        return {
            "checked": sum(channel.checked for channel in results),
            "announced": sum(channel.announced or 0 for channel in results),
        }


class TexunitEnv(UnitsEnv):
    """The published units, whose stages and queries have their cycles."""

    reference_class, scoreboard_class = TexunitReference, TexunitScoreboard
    coverage_class, pin_coverage_class = TexunitCoverage, PinCoverage
    reads_class, flight_class = ReadChecker, OrderChecker

    def build_phase(self) -> None:
        super().build_phase()
        self.stages: list[StageChecker] = self.of_units(StageChecker, "stages")
        self.paths: list[PathChecker] = self.of_units(PathChecker, "paths")

    def connect_phase(self) -> None:
        """Lost quads, lines that come, and the first cycles after resets."""
        super().connect_phase()
        self.reference.lost.connect(self.scoreboard.lost)
        self.reads.port.lines.connect(self.reads.lines)
        self.resets.asserted.connect(self.end_of_reset.asserted)
        self.end_of_reset.ap.connect(self.reference.origins)
        self.end_of_reset.ap.connect(self.reads.origins)

    def connect_rules(self, n: int, ports: Ports) -> None:
        stages, paths = self.stages[n], self.paths[n]
        ports["evt"].connect(stages.events)
        ports["probe"].connect(stages.probes)
        ports["probe"].connect(paths.probes)
        self.scoreboard.completed.connect(paths.completed)
        self.end_of_reset.ap.connect(stages.origins)
        for name in ("prim", "evt", "probe"):
            ports[name].connect(self.reads.inputs[f"{name}{n}"])
        self.performance[n].witnesses = {"model": self.reference.units[n].counters, "stages": stages.counters}

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`: results and primitives, and of each as many steps as it may take.

        Queries and reads alone are none: a unit that goes on asking for ever has hung.
        """
        results = [self.scoreboard.by_name[f"res{n}"].observed for n in range(self.cfg.units)]
        queries = [
            min(unit.unexplained, MOST_QUERIES * flight.quads_in_flight)
            for unit, flight in zip(self.reference.units, self.flights, strict=True)
        ]
        setups = [flight.prims_in_setup for flight in self.flights]
        return (*results, *queries, *setups, self.reads.table_lines)

    def reset(self, part: str) -> None:
        super().reset(part)
        for stages, paths in zip(self.stages, self.paths, strict=True):
            stages.reset()
            paths.reset()

    def summary(self) -> dict[str, Any]:
        counts, times = [unit.counters() for unit in self.reference.units], stage_times(self.stages)
        return {
            **super().summary(),
            "lookups": sum(count["queries"] for count in counts),
            "hits": sum(count["hits"] + count["repeats"] for count in counts),
            "latency checks": sum(count for count, _, _ in times.values()),
            "stages": times,
        }

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

from typing import Any

from configs.texunit.schema import Config
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
from tb.texunit.rules import OrderChecker, StageChecker, stage_times
from tb.texunit.scoreboard import TexunitScoreboard


class TexunitEnv(BlockEnv):
    """Agents of all units, models, scoreboard, a set of checkers for each unit, and coverage."""

    cfg: Config
    resets_class = TexunitResetDriver

    def build_phase(self) -> None:
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)
        self.end_of_reset: ResetMonitor = ResetMonitor.create("end_of_reset", self)
        self.reference: TexunitReference = TexunitReference.create("reference", self)
        self.scoreboard: TexunitScoreboard = TexunitScoreboard.create("scoreboard", self)
        self.coverage: TexunitCoverage = TexunitCoverage.create("coverage", self)
        self.pin_coverage: PinCoverage = PinCoverage.create("pin_coverage", self)
        self.reads: ReadChecker = ReadChecker.create("reads", self)
        units = range(self.cfg.units)
        self.orders: list[OrderChecker] = [OrderChecker.create(f"order{n}", self) for n in units]
        self.stages: list[StageChecker] = [StageChecker.create(f"stages{n}", self) for n in units]
        self.paths: list[PathChecker] = [PathChecker.create(f"paths{n}", self) for n in units]
        self.performance: list[CounterChecker] = [
            CounterChecker.create(f"performance{n}", self) for n in units
        ]
        for n in units:
            self.orders[n].unit = self.stages[n].unit = self.paths[n].unit = n
            self.performance[n].stream, self.performance[n].unit = f"perf{n}", f"unit {n}, "

    def connect_phase(self) -> None:
        """From what the units take to what they must give, and who looks on."""
        super().connect_phase()
        self.reads.port = self.axi["m_axi"].monitor
        addresses, lines = self.reads.port.addresses, self.reads.port.lines
        self.counters = self.pin_coverage.counters = self.coverage.counters
        for n in range(self.cfg.units):
            self._connect_unit(n)
        # model -> what is expected
        self.reference.predicted.connect(self.scoreboard.predicted)
        self.reference.lost.connect(self.scoreboard.lost)
        self.scoreboard.completed.connect(self.coverage.analysis_export)
        self.scoreboard.completed.connect(self.sequencer.completed)
        # memory
        addresses.connect(self.pin_coverage.addresses)
        lines.connect(self.pin_coverage.lines)
        addresses.connect(self.reads.addresses)
        lines.connect(self.reads.lines)
        # resets
        self.resets.asserted.connect(self.pin_coverage.resets)
        self.end_of_reset.ap.connect(self.reference.origins)
        self.end_of_reset.ap.connect(self.reads.origins)

    def _connect_unit(self, n: int) -> None:
        prim, quad, res, evt, probe = (
            self.agents[f"{name}{n}"].ap for name in ("prim", "quad", "res", "evt", "probe")
        )
        order, stages = self.orders[n], self.stages[n]
        # rules: they judge a transfer by what came before it
        prim.connect(order.prims)
        quad.connect(order.quads)
        res.connect(order.results)
        probe.connect(order.probes)
        evt.connect(stages.events)
        probe.connect(stages.probes)
        probe.connect(self.paths[n].probes)
        self.scoreboard.completed.connect(self.paths[n].completed)
        self.end_of_reset.ap.connect(stages.origins)
        for name, source in (("prim", prim), ("evt", evt), ("probe", probe)):
            source.connect(self.reads.inputs[f"{name}{n}"])
        # what was taken, and when -> model -> what is expected
        for name, source in (("prim", prim), ("quad", quad), ("probe", probe), ("evt", evt), ("res", res)):
            source.connect(self.reference.inputs[f"{name}{n}"])
        # what came out
        for name, source in (("res", res), ("evt", evt)):
            self.reference.expected[f"{name}{n}"].connect(self.scoreboard.expected[f"{name}{n}"])
            source.connect(self.scoreboard.observed[f"{name}{n}"])
        # coverage, counters
        for name, source in (("prim", prim), ("quad", quad), ("res", res)):
            source.connect(self.pin_coverage.inputs[f"{name}{n}"])
        self.performance[n].witnesses = {"model": self.reference.units[n].counters, "stages": stages.counters}

    @property
    def meeting(self) -> list[StreamAgent]:
        """See :meth:`BlockEnv.meeting`: those of the first unit and of the last."""
        units = {0, self.cfg.units - 1}
        return [self.agents[f"{name}{n}"] for n in sorted(units) for name in ("prim", "quad", "res")]

    @property
    def outstanding(self) -> int:
        """Quads accepted and not answered."""
        return sum(order.quads_in_flight for order in self.orders)

    def idle(self) -> bool:
        in_setup = any(order.prims_in_setup for order in self.orders)
        return not self.outstanding and not in_setup and not self.bursts

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`: results and primitives, and of each as many steps as it may take.

        Queries and reads alone are none: a unit that goes on asking for ever has hung.
        """
        results = [self.scoreboard.by_name[f"res{n}"].observed for n in range(self.cfg.units)]
        queries = [
            min(unit.unexplained, MOST_QUERIES * order.quads_in_flight)
            for unit, order in zip(self.reference.units, self.orders, strict=True)
        ]
        setups = [order.prims_in_setup for order in self.orders]
        return (*results, *queries, *setups, self.reads.table_lines)

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
        for n in range(self.cfg.units):
            self.orders[n].reset()
            self.stages[n].reset()
            self.paths[n].reset()

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results = [self.scoreboard.by_name[f"res{n}"] for n in range(self.cfg.units)]
        counts = [unit.counters() for unit in self.reference.units]
        times = stage_times(self.stages)
        return {
            "checked": sum(channel.checked for channel in results),
            "announced": sum(channel.announced or 0 for channel in results),
            "lookups": sum(count["queries"] for count in counts),
            "hits": sum(count["hits"] + count["repeats"] for count in counts),
            "latency checks": sum(count for count, _, _ in times.values()),
            "stages": times,
        }

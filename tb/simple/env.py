# SPDX-License-Identifier: Apache-2.0
"""The environment of ``simple``.

::

    virtual sequences -> req driver -> [ DUT ] -> res sink
                    AXI memory <------>  |
         req res AXI writes -> reference (golden model) -> scoreboard <- res evt
         reference -> coverage, virtual sequences
"""

from typing import Any

from configs.simple.schema import Config
from tb.common.components.axi.use import whole_lines
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.memory_checker import MemoryChecker
from tb.common.components.pacing import MemoryPacing
from tb.common.components.stream import HIGH
from tb.simple.coverage import SimpleCoverage
from tb.simple.reference import CHANNELS, SimpleReference
from tb.simple.scoreboard import SimpleScoreboard


class SimpleEnv(BlockEnv):
    """Agents, model, scoreboard, coverage."""

    cfg: Config

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        axi = self.axi["m_axi"]
        axi.uses_lines(self.cfg.cache.line_bytes)
        if not self.cfg.write_back:
            axi.write_use = whole_lines(axi.port, axi.port.strobe_bits)
        self.reference: SimpleReference = SimpleReference.create("reference", self)
        self.scoreboard: SimpleScoreboard = SimpleScoreboard.create("scoreboard", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)
        self.coverage: SimpleCoverage = SimpleCoverage.create("coverage", self)

    def connect_phase(self) -> None:
        """From what the design takes to what it must give, and who looks on."""
        super().connect_phase()
        axi = self.axi["m_axi"].monitor
        # what was taken -> model -> what is expected
        self.agents["req"].ap.connect(self.reference.inputs["req"])
        self.agents["res"].ap.connect(self.reference.inputs["res"])
        axi.write_addresses.connect(self.reference.bursts)
        self.reference.predicted.connect(self.scoreboard.predicted)
        # what came out
        for channel in CHANNELS:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        # counters and memory, at the end
        self.performance.witnesses = {"model": self.reference, "scoreboard": self.scoreboard}
        self.memory_check.contents, self.memory_check.model = (
            self.memory.contents,
            self.reference.model.memory,
        )
        # who looks on
        self.reference.predicted.connect(self.sequencer.completed)
        self.reference.predicted.connect(self.coverage.analysis_export)
        axi.addresses.connect(self.coverage.reads)
        axi.write_addresses.connect(self.coverage.writes)
        axi.lines.connect(self.coverage.lines)
        self.counters = self.coverage.counters

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing; cycles are exact no more."""
        super().pace_memory(pacing)
        self.scoreboard.steady = self.scoreboard.steady and pacing.steady

    @property
    def bursts(self) -> int:
        """AXI bursts on their way, those offered included."""
        dut = self.bench.dut
        return super().bursts + [dut.m_axi_arvalid.value, dut.m_axi_awvalid.value].count(HIGH)

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a flush has one result for many writes."""
        return (*super().progress(), self.reference.begun)

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`."""
        return not self.reference.in_flight and not self.bursts

    def state(self) -> str:
        """See :meth:`BlockEnv.state`."""
        return f"{self.reference.in_flight} requests unanswered, {self.bursts} bursts on their way"

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; a request that is being served is lost."""
        self.reference.flush()
        rules, in_flight = self.axi["m_axi"].monitor.rules, self.reference.in_flight
        self.coverage.reset(rules.reads.outstanding, rules.writes.outstanding, in_flight)
        self.scoreboard.by_name["res"].drop(in_flight)
        super().reset(part)

    def _reset_ends(self, part: str) -> None:
        self.scoreboard.late = bool(self.bursts)
        self.reference.released()
        super()._reset_ends(part)

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results = self.scoreboard.by_name["res"]
        return {
            "checked": results.checked, "announced": results.announced or 0,
            "latency checks": self.scoreboard.timed, **self.reference.counters(),
        }  # fmt: skip

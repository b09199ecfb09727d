# SPDX-License-Identifier: Apache-2.0
"""The environment of ``simple``.

::

    virtual sequences -> req driver -> [ DUT ] -> res sink
                    AXI memory <------>  |
         req res AXI writes -> reference (golden model) -> scoreboard <- res evt
         reference -> coverage, virtual sequences
"""

from configs.simple.schema import Config
from tb.common.components.axi.use import whole_lines
from tb.common.components.counters import CounterChecker
from tb.common.components.memory_checker import MemoryChecker
from tb.common.components.requests import RequestEnv
from tb.simple.coverage import SimpleCoverage
from tb.simple.reference import CHANNELS, SimpleReference
from tb.simple.scoreboard import SimpleScoreboard


class SimpleEnv(RequestEnv):
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
        self.memory_check.contents = self.memory.contents
        self.memory_check.model = self.reference.model.memory
        # who looks on
        self.reference.predicted.connect(self.sequencer.completed)
        self.reference.predicted.connect(self.coverage.analysis_export)
        axi.addresses.connect(self.coverage.reads)
        axi.write_addresses.connect(self.coverage.writes)
        axi.lines.connect(self.coverage.lines)
        self.counters = self.coverage.counters

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a flush has one result for many writes."""
        return (*super().progress(), self.reference.begun)

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`."""
        self.reference.flush()
        rules = self.axi["m_axi"].monitor.rules
        self.coverage.reset(rules.reads.outstanding, rules.writes.outstanding, self.reference.in_flight)
        super().reset(part)

    def _reset_ends(self, part: str) -> None:
        self.scoreboard.late = bool(self.bursts)
        self.reference.released()
        super()._reset_ends(part)

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
from tb.common.components.pacing import MemoryPacing
from tb.common.components.stream import HIGH
from tb.simple.coverage import SimpleCoverage
from tb.simple.reference import SimpleReference
from tb.simple.scoreboard import SimpleScoreboard


class SimpleEnv(BlockEnv):
    """Agents, model, scoreboard, coverage."""

    cfg: Config

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        axi = self.axi["m_axi"]
        axi.uses_lines(self.cfg.cache.line_bytes)
        if self.cfg.policy == "write-through":
            axi.write_use = whole_lines(axi.port, axi.port.strobe_bits)
        self.reference: SimpleReference = SimpleReference.create("reference", self)
        self.scoreboard: SimpleScoreboard = SimpleScoreboard.create("scoreboard", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.coverage: SimpleCoverage = SimpleCoverage.create("coverage", self)

    def connect_phase(self) -> None:
        """From what the design takes to what it must give, and who looks on."""
        super().connect_phase()
        req, res, evt = (self.agents[name].ap for name in ("req", "res", "evt"))
        axi = self.axi["m_axi"].monitor
        req.connect(self.reference.inputs["req"])
        res.connect(self.reference.inputs["res"])
        axi.write_addresses.connect(self.reference.bursts)
        self.reference.predicted.connect(self.scoreboard.predicted)
        self.reference.predicted.connect(self.coverage.analysis_export)
        self.reference.predicted.connect(self.sequencer.completed)
        for channel, observed in (("res", res), ("evt", evt)):
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            observed.connect(self.scoreboard.observed[channel])
        self.performance.witnesses = {"model": self.reference, "scoreboard": self.scoreboard}
        self.counters = self.coverage.counters
        axi.addresses.connect(self.coverage.reads)
        axi.write_addresses.connect(self.coverage.writes)
        axi.lines.connect(self.coverage.lines)
        self.resets.asserted.connect(self.coverage.resets)

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing; cycles are exact no more."""
        self.axi["m_axi"].memory.pace(pacing)
        self.scoreboard.steady = self.scoreboard.steady and pacing.steady

    @property
    def bursts(self) -> int:
        """AXI bursts on their way, those offered included."""
        dut = self.bench.dut
        offered = [dut.m_axi_arvalid.value, dut.m_axi_awvalid.value].count(HIGH)
        return self.axi["m_axi"].monitor.outstanding + offered

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
        self.scoreboard.by_name["res"].drop(self.reference.in_flight)
        self.scoreboard.late = bool(self.bursts)
        super().reset(part)

    def _reset_ends(self, part: str) -> None:
        self.scoreboard.late = bool(self.bursts)
        self.reference.released()
        super()._reset_ends(part)

    def check_phase(self) -> None:
        """Every byte of memory is as the model says."""
        memory = self.axi["m_axi"].memory.contents
        size = self.cfg.cache.line_bytes

        def expected(address: int, count: int) -> bytes:
            lines = range(address // size, (address + count - 1) // size + 1)
            data = b"".join(self.reference.model.memory.line(line).tobytes() for line in lines)
            return data[address % size :][:count]

        written = (self.reference.model.memory.lines * size).tolist()
        if differing := memory.differences(expected, written):
            self.bench.fail(f"memory: {len(differing)} bytes differ, the first: {differing[0]}")

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results, counts = self.scoreboard.by_name["res"], self.reference.counters()
        return {
            "checked": results.checked,
            "announced": results.announced or 0,
            "lookups": counts["hits"] + counts["misses"],
            "hits": counts["hits"],
            "latency checks": self.scoreboard.timed,
        }

# SPDX-License-Identifier: Apache-2.0
"""The environment of the texture cache.

::

    virtual sequences -> req lut inv drivers -> [ DUT ] -> res sink
                              AXI memory <------>  |
    monitors: lut inv req res evt stop begin AXI
         req lut inv -> reference (golden model) -> scoreboard <- res evt AXI
         scoreboard -> latency checker, coverage, virtual sequences
         monitors -> rules, counts, coverage of the pins, transaction log
"""

from typing import Any

from configs import Stream
from configs.texcache.schema import Config
from tb.common.components.bench import HIGH
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.pacing import MemoryPacing
from tb.texcache.coverage import TexcacheCoverage
from tb.texcache.latency import LatencyChecker
from tb.texcache.pin_coverage import PinCoverage
from tb.texcache.pipeline import PipelineChecker
from tb.texcache.prediction import CHANNELS
from tb.texcache.reference import TexcacheReference
from tb.texcache.rules import InvalidationChecker, PinCounts, ResetChecker, StopChecker
from tb.texcache.scoreboard import TexcacheScoreboard

PULSES = ("usp_stop", "usp_begin")  # ports without data, and none that could hold them back


class TexcacheEnv(BlockEnv):
    """Agents, model, scoreboard, checkers and coverage."""

    cfg: Config
    flags = {"req": "busy"}
    at_once = ("usp_stop",)

    def build_phase(self) -> None:
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)
        self.reference: TexcacheReference = TexcacheReference.create("reference", self)
        self.scoreboard: TexcacheScoreboard = TexcacheScoreboard.create("scoreboard", self)
        self.latency: LatencyChecker = LatencyChecker.create("latency", self)
        self.invalidation: InvalidationChecker = InvalidationChecker.create("invalidation", self)
        self.stops: StopChecker = StopChecker.create("stops", self)
        self.pin_counts: PinCounts = PinCounts.create("pin_counts", self)
        self.in_resets: ResetChecker = ResetChecker.create("in_resets", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.pipeline: PipelineChecker = PipelineChecker.create("pipeline", self)
        self.coverage: TexcacheCoverage = TexcacheCoverage.create("coverage", self)
        self.pin_coverage: PinCoverage = PinCoverage.create("pin_coverage", self)

    def watched(self) -> dict[str, Stream]:
        """See :meth:`BlockEnv.watched`; stop and begin too."""
        return {**super().watched(), **{name: Stream(name, "out", (), ready=False) for name in PULSES}}

    def connect_phase(self) -> None:
        super().connect_phase()
        req, lut, inv, res, evt, stop, begin = (
            self.agents[name].ap for name in ("req", "lut", "inv", "res", "evt", *PULSES)
        )
        addresses, lines = self.axi["m_axi"].monitor.addresses, self.axi["m_axi"].monitor.lines
        # what was taken -> model -> what is expected
        req.connect(self.reference.inputs["req"])
        lut.connect(self.reference.inputs["lut"])
        inv.connect(self.reference.inputs["inv"])
        self.reference.predicted.connect(self.scoreboard.predicted)
        for channel in CHANNELS:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
        # what came out
        res.connect(self.scoreboard.observed["res"])
        evt.connect(self.scoreboard.observed["evt"])
        addresses.connect(self.scoreboard.observed["fill"])
        lines.connect(self.scoreboard.lines)
        self.axi["m_axi"].monitor.dropped.connect(self.scoreboard.dropped)
        # what has been compared
        self.scoreboard.completed.connect(self.latency.analysis_export)
        self.scoreboard.completed.connect(self.coverage.analysis_export)
        self.scoreboard.completed.connect(self.sequencer.completed)
        # rules of the ports
        req.connect(self.invalidation.requests)
        res.connect(self.invalidation.results)
        inv.connect(self.invalidation.invalidations)
        req.connect(self.stops.requests)
        res.connect(self.stops.results)
        stop.connect(self.stops.stops)
        begin.connect(self.stops.begins)
        self.resets.asserted.connect(self.in_resets.asserted)
        self.pipeline.monitor = self.axi["m_axi"].monitor
        sources = {
            "requests": req, "stops": stop, "begins": begin, "invalidations": inv, "events": evt,
            "addresses": addresses, "lines": lines, "results": res,
        }  # fmt: skip
        for name, source in sources.items():
            source.connect(self.pipeline.inputs[name])
        self.pipeline.monitor.dropped.connect(self.pipeline.dropped)
        # counters
        res.connect(self.pin_counts.results)
        evt.connect(self.pin_counts.events)
        lines.connect(self.pin_counts.lines)
        self.performance.witnesses = {
            "model": self.reference.counters, "monitors": self.pin_counts.counters,
            "stop checker": self.stops.counters, "pipeline": self.pipeline.counters,
        }  # fmt: skip
        # coverage
        self.counters = self.pin_coverage.counters = self.coverage.counters
        self.reference.invalidated.connect(self.coverage.invalidated)
        self.resets.asserted.connect(self.coverage.resets)
        covered = {"writes": lut, "resets": self.resets.asserted, **sources}
        for name, export in self.pin_coverage.inputs.items():
            covered[name].connect(export)

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing; the latency checks follow."""
        super().pace_memory(pacing)
        self.latency.steady = self.latency.steady and pacing.steady

    def idle(self) -> bool:
        return not self.stops.in_flight and not self.bursts and self.bench.dut.busy.value != HIGH

    def state(self) -> str:
        return (
            f"{self.stops.in_flight} footprints unanswered, {self.bursts} lines on their way, "
            f"{'stopped' if self.stops.stopped else 'not stopped'}, busy={self.bench.dut.busy.value}"
        )

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; counts begin again."""
        self.axi["m_axi"].monitor.cover_reset(self.counters)
        stale, waited = self.pipeline.stale, self.agents["inv"].monitor.waited
        super().reset(part)
        self.pipeline.reset(stale)
        self.invalidation.reset(waited)
        self.stops.reset()
        self.pin_counts.reset()

    def summary(self) -> dict[str, Any]:
        counters, results = self.reference.counters(), self.scoreboard.by_name["res"]
        return {
            "checked": results.checked,
            "announced": results.announced or 0,
            "lookups": counters["lookups"],
            "hits": counters["hits"],
            "latency checks": sum(self.latency.checked.values()),
        }

# SPDX-License-Identifier: Apache-2.0
"""The environment of ``lpas``.

::

    virtual sequences -> req0.. drivers -> [ DUT ] -> res0..
                        AXI memory <------>  |
         req0.. b r -> reference (golden model, cycle by cycle) -> scoreboard <- res0.., evt, aw, w, ar
         reference -> coverage
"""

from dataclasses import replace
from typing import Any

from configs.lpas.schema import Config
from tb.common.components.agent import StreamAgent
from tb.common.components.axi.bursts import whole_lines
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.components.writing import MemoryChecker
from tb.lpas.coverage import LpasCoverage
from tb.lpas.reference import CHANNELS, KINDS, LpasReference
from tb.lpas.scoreboard import LpasScoreboard


class LpasEnv(BlockEnv):
    """Agents of all PEs, model, scoreboard, counters, memory, coverage."""

    cfg: Config
    counts_offers = True
    reference: LpasReference
    scoreboard: LpasScoreboard

    def build_phase(self) -> None:
        super().build_phase()
        axi = self.axi["m_axi"]
        use = whole_lines(axi.port, axi.port.strobe_bits, self.cfg.cache.line_bytes)
        axi.read_use = axi.write_use = replace(use, ids=self.cfg.pes + 1, total=1)
        self.reference = LpasReference.create("reference", self)
        self.scoreboard = LpasScoreboard.create("scoreboard", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)
        self.coverage: LpasCoverage = LpasCoverage.create("coverage", self)
        self.reset_kinds: list[int] = []
        self.reference.reset_kinds = self.reset_kinds
        self.requests: list[list[Observation]] = [
            [] for _ in range(self.cfg.pes)
        ]  # that were taken, of each PE
        self._taken = [
            AnalysisImp(f"taken{pe}", self, requests.append) for pe, requests in enumerate(self.requests)
        ]

    def connect_phase(self) -> None:
        super().connect_phase()
        monitor = self.axi["m_axi"].monitor
        logged = {name: watch.logged for name, watch in monitor.watches.items()}
        self.reference.logged = self.scoreboard.logged = logged
        # what was taken, and what memory answered -> model
        for kind in self.reference.kinds:
            port = self.agents[kind].ap if kind.startswith("req") else monitor.watches[kind].transfers
            port.connect(self.reference.inputs[kind])
        # what must be seen, what was
        for channel in self.reference.channels:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            observed = monitor.watches[channel].transfers if channel in CHANNELS else self.agents[channel].ap
            observed.connect(self.scoreboard.observed[channel])
        for pe in range(self.cfg.pes):
            self.agents[f"res{pe}"].ap.connect(self.reference.answers[pe])
            self.agents[f"req{pe}"].ap.connect(self._taken[pe])
        # at the end
        self.performance.witnesses = {"model": self.reference.counters}
        self.memory_check.contents, self.memory_check.model = (
            self.memory.contents,
            self.reference.model.memory,
        )
        # who looks on
        self.reference.logs.connect(self.coverage.analysis_export)
        monitor.lines.connect(self.coverage.lines)
        self.counters = self.coverage.counters

    @property
    def meeting(self) -> list[StreamAgent]:
        """Of the PEs two, which every array has; in the smallest one they are the first and the last."""
        return [self.agents[f"{stream}{pe}"] for pe in (0, 3) for stream in ("req", "res")]

    def idle(self) -> bool:
        return not self.reference.in_flight and not self.bursts

    def state(self) -> str:
        open_ = {pe: int(count) for pe, count in enumerate(self.reference.open) if count}
        return f"unacknowledged requests by PE {open_}, {self.bursts} bursts on their way"

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; requests that are held are lost."""
        rules = self.axi["m_axi"].monitor.rules
        self.coverage.reset(rules.reads.outstanding, rules.writes.outstanding, self.reference.in_flight)
        lost = self.reference.open.copy()
        self.reset_kinds.append(KINDS[self.bench.clocking.axi_in_reset])
        self.reference.lose()
        for pe, count in enumerate(lost):
            self.scoreboard.by_name[f"res{pe}"].drop(int(count))
        super().reset(part)

    def summary(self) -> dict[str, Any]:
        results = [self.scoreboard.by_name[f"res{pe}"] for pe in range(self.cfg.pes)]
        return {
            "checked": sum(channel.checked for channel in results),
            "announced": sum(channel.announced or 0 for channel in results),
            "cycle checks": self.scoreboard.timed, **self.reference.counters(),
        }  # fmt: skip

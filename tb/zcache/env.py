# SPDX-License-Identifier: Apache-2.0
"""The environment of ``zcache``.

::

    virtual sequences -> tile driver, shade driver -> [ DUT ] -> res sink
                               AXI memory <------->  |
         all pins, each cycle -> reference (golden model) -> scoreboard <- res, evt, pre
         tile shade pre writes, offered results -> oracle (depths, memory)
         tile shade res evt -> outcomes -> coverage, virtual sequences
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from configs.zcache.schema import Config
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.writing import MemoryChecker
from tb.zcache.coverage import ZcacheCoverage
from tb.zcache.drivers import ShadeDriver, TileDriver
from tb.zcache.items import LINE_BYTES
from tb.zcache.oracle import DepthOracle
from tb.zcache.reference import CHANNELS, Outcomes, ZcacheReference
from tb.zcache.scoreboard import ZcacheScoreboard


class ZcacheEnv(BlockEnv):
    """Agents, the model beside the design, a second opinion on depths, scoreboard, counters, coverage."""

    cfg: Config
    counts_offers = True
    reference: ZcacheReference
    scoreboard: ZcacheScoreboard

    def build_phase(self) -> None:
        """Build all components. Each read has the id of its own fill, writes have id 0."""
        super().build_phase()
        axi, cfg = self.axi["m_axi"], self.cfg
        axi.uses_lines(LINE_BYTES)
        axi.read_use = replace(axi.read_use, ids=cfg.fills)
        axi.write_use = replace(axi.write_use, ids=1, per_id=cfg.write_buffer, data_first=False)
        self.reference = ZcacheReference.create("reference", self)
        self.scoreboard = ZcacheScoreboard.create("scoreboard", self)
        self.outcomes: Outcomes = Outcomes.create("outcomes", self)
        self.oracle: DepthOracle = DepthOracle.create("oracle", self)
        self.coverage: ZcacheCoverage = ZcacheCoverage.create("coverage", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        monitor = self.axi["m_axi"].monitor
        # what the model says of this cycle, and what came
        for channel in CHANNELS:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        self.scoreboard.results = self.agents["res"].monitor
        self.scoreboard.tiles = self.agents["tile"].monitor
        # depths, tile after tile, and memory
        self.agents["tile"].ap.connect(self.oracle.tile)
        self.agents["tile"].ap.connect(self.outcomes.tile)
        if self.cfg.given:
            self.agents["shade"].ap.connect(self.oracle.shade)
            self.agents["shade"].ap.connect(self.outcomes.shade)
        self.agents["pre"].ap.connect(self.oracle.lines_asked)
        self.reference.offered["res"].connect(self.oracle.result)
        monitor.writes.connect(self.oracle.writes)
        monitor.answers.connect(self.oracle.answers)
        self.memory_check.contents, self.memory_check.model = self.memory.contents, self.oracle.memory
        # what became of each tile
        self.agents["res"].ap.connect(self.outcomes.res)
        self.agents["evt"].ap.connect(self.outcomes.evt)
        self.outcomes.ap.connect(self.sequencer.completed)
        self.tiles.renewed = partial(self.scoreboard.announce, "res")
        # counters, at the end
        self.performance.witnesses = {
            "model": self.reference.counters, "scoreboard": self.scoreboard.counters,
        }  # fmt: skip
        # who looks on
        self.outcomes.ap.connect(self.coverage.analysis_export)
        self.agents["pre"].ap.connect(self.coverage.lines_asked)
        monitor.addresses.connect(self.coverage.reads)
        monitor.lines.connect(self.coverage.lines)
        monitor.write_addresses.connect(self.coverage.writes)
        monitor.answers.connect(self.coverage.answers)
        self.oracle.cover = self.coverage.counters.hit
        self.coverage.distance = self.reference.distance
        self.counters = self.coverage.counters

    @property
    def tiles(self) -> TileDriver:
        """What drives ``tile``."""
        driver = self.agents["tile"].driver
        assert isinstance(driver, TileDriver)
        return driver

    def refuse(self, lines: Sequence[int]) -> None:
        """From now on memory takes no writes of ``lines``, which can be read."""
        self.memory.writes.refusals.poison(lines, LINE_BYTES)

    def heal(self) -> None:
        super().heal()
        self.memory.writes.refusals.heal()

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`: lines to be fetched ahead, or written, have gone, too."""
        return not self.outcomes.open and not self.bursts and self.reference.resting

    def state(self) -> str:
        return (
            f"{self.outcomes.in_flight} tiles in flight, {self.bursts} bursts\n{self.reference.model.state()}"
        )

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a clear has one result for many writes."""
        return (*super().progress(), self.outcomes.taken, self.axi["m_axi"].monitor.ended)

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; tiles in flight are lost, and the shader's words for them."""
        rules = self.axi["m_axi"].monitor.rules
        self.coverage.reset(rules.reads.outstanding, rules.writes.outstanding, self.outcomes.in_flight)
        self.scoreboard.by_name["res"].drop(self.outcomes.in_flight)
        self.tiles.lose()
        if self.cfg.given:
            shader = self.agents["shade"].driver
            assert isinstance(shader, ShadeDriver)
            shader.lose(self.outcomes.unshaded)
        self.outcomes.reset()
        self.oracle.reset(forgotten=self.bench.clocking.axi_in_reset)
        super().reset(part)

    def summary(self) -> dict[str, Any]:
        results = self.scoreboard.by_name["res"]
        return {
            "checked": results.checked, "announced": results.announced or 0,
            "cycles compared": self.reference.cycles, **self.reference.counters(),
        }  # fmt: skip

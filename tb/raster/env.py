# SPDX-License-Identifier: Apache-2.0
"""The environment of ``raster``.

::

    virtual sequences -> vtx driver -> [ DUT ] -> tile sink
    all pins, each cycle -> reference (golden model) -> scoreboard <- tile
                                     -> coverage, virtual sequences
"""

from typing import Any

from configs.raster.schema import Config
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.raster.coverage import RasterCoverage
from tb.raster.reference import CHANNELS, RasterReference
from tb.raster.scoreboard import RasterScoreboard


class RasterEnv(BlockEnv):
    """Agents, the model beside the design, scoreboard, counters, coverage."""

    cfg: Config
    reference: RasterReference
    scoreboard: RasterScoreboard

    def build_phase(self) -> None:
        super().build_phase()
        self.reference = RasterReference.create("reference", self)
        self.scoreboard = RasterScoreboard.create("scoreboard", self)
        self.coverage: RasterCoverage = RasterCoverage.create("coverage", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)

    def connect_phase(self) -> None:
        """From what the design takes to what it must give, and who looks on."""
        super().connect_phase()
        # what the model says of this cycle, and what came
        for channel in CHANNELS:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        self.agents["vtx"].ap.connect(self.scoreboard.taken)
        self.scoreboard.tiles = self.agents["tile"].monitor
        # counters, at the end
        self.performance.witnesses = {
            "model": self.reference.counters, "scoreboard": self.scoreboard.counters,
        }  # fmt: skip
        # who looks on
        self.reference.outcomes.connect(self.sequencer.completed)
        self.reference.outcomes.connect(self.coverage.analysis_export)
        self.agents["vtx"].ap.connect(self.coverage.vertex)
        self.agents["tile"].ap.connect(self.coverage.tile)
        self.counters = self.coverage.counters

    def idle(self) -> bool:
        return self.reference.machine.resting

    def state(self) -> str:
        return self.reference.machine.state()

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`: a word is taken, or a walk looks at another tile or column."""
        return (*super().progress(), self.scoreboard.words, self.reference.machine.moved)

    def reset(self, part: str) -> None:
        self.coverage.reset(self.reference.machine)
        super().reset(part)

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        return {
            "checked": self.scoreboard.by_name["tile"].checked, "cycles compared": self.reference.cycles,
            **self.reference.counters(),
        }  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Reference, scoreboard and environment of ``raster``.

::

    virtual sequences -> vtx driver -> [ DUT ] -> tile sink
    all pins, each cycle -> reference (golden model) -> scoreboard <- tile
                                     -> coverage, virtual sequences
"""

from typing import Any

from pyuvm import uvm_analysis_port, uvm_component

from configs.raster.schema import OPS, Config
from tb.common.components.agent import StreamMonitor
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.raster.coverage import RasterCoverage
from tb.raster.machine import RasterMachine
from tb.zcache.cycles.reference import CycleModel, CycleReference

CHANNELS = ("tile",)


class RasterReference(CycleReference):
    """Publishes each word of ``vtx`` with what the model makes of it, when it is taken: ``outcomes``."""

    channels = CHANNELS

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.outcomes = uvm_analysis_port("outcomes", self)

    def make_model(self) -> CycleModel:
        self.machine = RasterMachine(self.bench.cfg)
        self.machine.publish = self.outcomes.write
        return self.machine

    def counters(self) -> dict[str, int]:
        """What the golden model counts by words, and the machine by cycles."""
        return self.machine.counters()


class RasterScoreboard(Scoreboard):
    """Channel ``tile``: what the model gives, in this order. A witness for counters: ``vertices`` that went
    in, cycles that ``tile`` waited.
    """

    channels = CHANNELS
    tiles: StreamMonitor  # of ``tile``; set by the environment when it connects

    def build_phase(self) -> None:
        super().build_phase()
        self.taken = AnalysisImp("taken", self, self._taken)
        self.words = 0  # of vtx, since the test began
        self.latest = 0  # the cycle of the last one
        self._vertices = 0  # since reset

    def _taken(self, transfer: Observation) -> None:
        self.words += 1
        self.latest = transfer.cycle
        self._vertices += OPS[self.bench.cfg.streams["vtx"].unpack(transfer.word)["op"]] == "vertex"

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        head = f"{channel} {index} in cycle {transfer.cycle}"
        return "\n".join([head, *self.differences(channel, expected, transfer.word)])

    def counters(self) -> dict[str, int]:
        """What the ports have shown since reset."""
        return {"vertices": self._vertices, "tile_wait_cycles": self.tiles.waits}

    def reset(self) -> None:
        super().reset()
        self._vertices = 0


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
        return {
            "checked": self.scoreboard.by_name["tile"].checked, "cycles compared": self.reference.cycles,
            **self.reference.counters(),
        }  # fmt: skip

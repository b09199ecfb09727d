# SPDX-License-Identifier: Apache-2.0
"""Compares the words of ``tile`` in order, field by field, and counts what the ports show."""

from configs.raster.schema import OPS
from tb.common.components.agent import StreamMonitor
from tb.common.components.analysis import AnalysisImp
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import Observation
from tb.raster.reference import CHANNELS


class RasterScoreboard(Scoreboard):
    """Channel ``tile``: what the model gives, in this order. A witness for counters: ``vertices`` that went
    in, cycles that ``tile`` waited.
    """

    channels = CHANNELS
    tiles: StreamMonitor  # of ``tile``; set by the environment when it connects

    def build_phase(self) -> None:
        """Nothing taken."""
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

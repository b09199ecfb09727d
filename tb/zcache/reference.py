# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``zcache`` beside the design, and what became of each tile."""

from collections import deque
from typing import NamedTuple

from pyuvm import uvm_analysis_port, uvm_component

from configs.depth import TILE
from configs.zcache.schema import Config
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.zcache.cycles.reference import CycleReference
from tb.zcache.following import ZcacheModel

CHANNELS = ("evt", "pre", "res")


class ZcacheReference(CycleReference):
    """Compares every cycle."""

    channels = CHANNELS
    counters_late = 1
    model: ZcacheModel

    def make_model(self) -> ZcacheModel:
        return ZcacheModel(self.bench.cfg, self.answered)

    @property
    def resting(self) -> bool:
        return self.model.resting

    def distance(self) -> int:
        """Tiles before the test at which the model has lines asked for."""
        return int(self.model.state_record["now"]["distance"])


class ExpectedOutcome(NamedTuple):
    """A word of ``tile`` by its fields, the shader's word on it, its result and its event."""

    tile: dict[str, int]
    kill: int
    result: dict[str, int]
    event: dict[str, int]
    taken: Observation
    answered: Observation


class Outcomes(uvm_component):
    """Puts together what belongs to one tile, and publishes it (``ap``) when its event is there."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.tile = AnalysisImp("tile", self, self._tile)
        self.shade = AnalysisImp("shade", self, self._shade)
        self.res = AnalysisImp("res", self, self._res)
        self.evt = AnalysisImp("evt", self, self._evt)
        bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = bench.cfg
        self.taken = self.answered = 0  # since the test began
        self.reset()

    def reset(self) -> None:
        """What was taken is lost."""
        self._tiles: deque[Observation] = deque()
        self._kills: deque[int] = deque()
        self._results: deque[Observation] = deque()
        self.unshaded = 0  # tiles taken without the shader's word

    @property
    def in_flight(self) -> int:
        """Words taken without a result."""
        return len(self._tiles) - len(self._results)

    @property
    def open(self) -> int:
        """Words taken of which not all is known, the event included."""
        return len(self._tiles)

    def _tile(self, transfer: Observation) -> None:
        self.taken += 1
        self._tiles.append(transfer)
        self.unshaded += self.cfg.given and self.cfg.streams["tile"].unpack(transfer.word)["op"] == TILE

    def _shade(self, transfer: Observation) -> None:
        self.unshaded -= 1
        self._kills.append(transfer.word)

    def _res(self, transfer: Observation) -> None:
        self.answered += 1
        self._results.append(transfer)

    def _evt(self, transfer: Observation) -> None:
        taken, answered = self._tiles.popleft(), self._results.popleft()
        tile = self.cfg.streams["tile"].unpack(taken.word)
        kill = self._kills.popleft() if self.cfg.given and tile["op"] == TILE else 0
        result, event = (
            self.cfg.streams["res"].unpack(answered.word),
            self.cfg.streams["evt"].unpack(transfer.word),
        )
        self.ap.write(ExpectedOutcome(tile, kill, result, event, taken, answered))

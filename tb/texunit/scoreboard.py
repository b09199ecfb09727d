# SPDX-License-Identifier: Apache-2.0
"""Compares results and cache queries, and publishes the quads that have been compared."""

from pyuvm import uvm_analysis_port

from tb.common.components.bench import KEY
from tb.common.components.scoreboard import Channel, Expected, Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texunit.reference import PredictedQuad

REMEMBERED = 64  # quads of each unit, to explain a difference with


class TexunitScoreboard(Scoreboard):
    """Channels ``res<n>`` and ``evt<n>`` of each unit, in order; ``completed`` publishes quads."""

    def build_phase(self) -> None:
        self.predicted = AnalysisImp("predicted", self, self._predicted)
        self.lost = AnalysisImp("lost", self, self._lost)
        self.completed = uvm_analysis_port("completed", self)
        self.channels = tuple(
            f"{name}{n}" for n in range(self.cdb_get(KEY).cfg.units) for name in ("res", "evt")
        )
        super().build_phase()
        self._quads: dict[tuple[int, int], PredictedQuad] = {}

    def _predicted(self, quad: PredictedQuad) -> None:
        self._quads[quad.unit, quad.number] = quad
        self._quads.pop((quad.unit, quad.number - REMEMBERED), None)

    def _lost(self, loss: tuple[int, int]) -> None:
        unit, quads = loss
        self.by_name[f"res{unit}"].drop(quads)

    def agreed(self, channel: Channel, expected: Expected, transfer: Observation) -> None:
        """A quad is complete with its result."""
        if channel.name.startswith("res"):
            self.completed.write(self._quads[int(channel.name[3:]), expected.transaction])

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, with primitive, quad and level."""
        unit = int(channel[3:])
        predicted = self._quads[unit, index]
        fields = ", ".join(f"{name}={predicted.prim[name]}" for name in predicted.prim.dtype.names)
        where = f"{channel} in cycle {transfer.cycle}, quad {index} of unit {unit}"
        return "\n".join([
            f"{where} (level {predicted.result['lod']}):",
            *self.differences(channel, expected, transfer.word),
            f"  primitive: {fields}",
            f"  quad: valid={predicted.quad['valid']:04b}, uv={predicted.quad['uv'].tolist()}",
        ])  # fmt: skip

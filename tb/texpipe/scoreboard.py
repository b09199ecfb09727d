# SPDX-License-Identifier: Apache-2.0
"""Compares results and look-ups, and publishes the quads that have been compared."""

from configs.texpipe.schema import Config
from tb.texpipe.reference import PredictedQuad
from tb.texunit.scoreboard import TexunitScoreboard


class TexpipeScoreboard(TexunitScoreboard):
    """As that of ``texunit``; many more quads are in a unit, which are remembered to explain a difference."""

    def build_phase(self) -> None:
        super().build_phase()
        cfg: Config = self.bench.cfg
        self._remembered = cfg.ahead.depth + 4 * cfg.fifo.depth + 256

    def _predicted(self, quad: PredictedQuad) -> None:  # type: ignore[override]
        self._quads[quad.unit, quad.number] = quad  # type: ignore[assignment]
        self._quads.pop((quad.unit, quad.number - self._remembered), None)

# SPDX-License-Identifier: Apache-2.0
"""The environment of ``simple``: see :mod:`tb.common.components.request_env`."""

from configs.simple.schema import Config
from tb.common.components.axi.use import whole_lines
from tb.common.components.writing import WritingEnv
from tb.simple.coverage import SimpleCoverage
from tb.simple.reference import SimpleReference
from tb.simple.scoreboard import SimpleScoreboard


class SimpleEnv(WritingEnv):
    """Agents, model, scoreboard, coverage; whole lines, or beats of a store that is written through."""

    cfg: Config
    reference_class, scoreboard_class = SimpleReference, SimpleScoreboard
    coverage_class = SimpleCoverage

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        axi = self.axi["m_axi"]
        axi.uses_lines(self.cfg.cache.line_bytes)
        if not self.cfg.write_back:
            axi.write_use = whole_lines(axi.port, axi.port.strobe_bits)

# SPDX-License-Identifier: Apache-2.0
"""The environment of ``dcache``: see :mod:`tb.common.components.request_env`."""

from configs.dcache.schema import Config
from tb.common.components.axi.use import whole_lines
from tb.common.components.writing import WritingEnv
from tb.dcache.coverage import DcacheCoverage
from tb.dcache.reference import DcacheReference
from tb.dcache.scoreboard import DcacheScoreboard


class DcacheEnv(WritingEnv):
    """Agents, model, scoreboard, coverage; whole lines, and single beats for words."""

    cfg: Config
    reference_class, scoreboard_class = DcacheReference, DcacheScoreboard
    coverage_class = DcacheCoverage

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        axi = self.axi["m_axi"]
        axi.uses_lines(self.cfg.cache.line_bytes)
        sizes = (self.cfg.cache.line_bytes, axi.port.strobe_bits)
        if self.cfg.uncached_bits:
            axi.read_use = axi.write_use = whole_lines(axi.port, *sizes)
        if not self.cfg.write_back:
            axi.write_use = whole_lines(axi.port, axi.port.strobe_bits)

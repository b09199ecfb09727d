# SPDX-License-Identifier: Apache-2.0
"""The environment of ``icache``: see :mod:`tb.common.components.request_env`."""

from tb.common.components.request_env import RequestEnv
from tb.icache.coverage import IcacheCoverage
from tb.icache.reference import IcacheReference
from tb.icache.scoreboard import IcacheScoreboard


class IcacheEnv(RequestEnv):
    """Agents, model, scoreboard, coverage; memory is read in whole lines."""

    reference_class, scoreboard_class = IcacheReference, IcacheScoreboard
    coverage_class = IcacheCoverage

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)

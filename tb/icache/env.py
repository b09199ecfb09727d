# SPDX-License-Identifier: Apache-2.0
"""The environment of ``icache``: see :mod:`tb.common.components.request_env`."""

from tb.common.components.request_env import RequestEnv
from tb.common.components.requests import FILL
from tb.icache.coverage import IcacheCoverage
from tb.icache.fills import FillWatch, early_use
from tb.icache.reference import IcacheReference
from tb.icache.scoreboard import IcacheScoreboard


class IcacheEnv(RequestEnv):
    """Agents, model, scoreboard, coverage; memory is read in whole lines.

    With restart at the word ``fills`` watches these lines; else there is none.
    """

    reference_class, scoreboard_class = IcacheReference, IcacheScoreboard
    coverage_class = IcacheCoverage

    def build_phase(self) -> None:
        super().build_phase()
        self.fills: FillWatch | None = None
        if not self.cfg.early:
            self.axi["m_axi"].uses_lines(self.cfg.cache.line_bytes)
            self.reference.channels = self.scoreboard.channels = (FILL, *self.reference.channels)
            return
        self.axi["m_axi"].read_use = early_use(self.cfg)
        self.fills = FillWatch.create("fills", self)
        self.fills.cfg = self.cfg
        self.reference.fills = self.scoreboard.fills = self.coverage.fills = self.fills

    def connect_phase(self) -> None:
        """What memory gives is watched beat by beat."""
        super().connect_phase()
        if self.fills is not None:
            self.axi["m_axi"].monitor.addresses.connect(self.fills.addresses)
            self.axi["m_axi"].monitor.beats.connect(self.fills.beats)

    def reset(self, part: str) -> None:
        super().reset(part)
        if self.fills is not None:
            self.fills.reset()

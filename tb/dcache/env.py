# SPDX-License-Identifier: Apache-2.0
"""The environment of ``dcache``: see :mod:`tb.common.components.request_env`."""

from dataclasses import replace

from configs.dcache.schema import Config
from tb.common.components.axi.bursts import whole_lines
from tb.common.components.request_env import RequestEnv
from tb.dcache.coverage import DcacheCoverage, OvertakingCoverage
from tb.dcache.path import PathChecker
from tb.dcache.reference import DcacheReference, OvertakingReference
from tb.dcache.scoreboard import DcacheScoreboard, OvertakingScoreboard


class DcacheEnv(RequestEnv):
    """Agents, model, scoreboard, coverage; whole lines, and single beats for words."""

    cfg: Config
    reference_class, scoreboard_class = DcacheReference, DcacheScoreboard
    coverage_class = DcacheCoverage

    def build_phase(self) -> None:
        super().build_phase()
        axi = self.axi["m_axi"]
        axi.uses_lines(self.cfg.cache.line_bytes)
        sizes = (self.cfg.cache.line_bytes, axi.port.strobe_bits)
        if self.cfg.uncached_bits:
            axi.read_use = axi.write_use = whole_lines(axi.port, *sizes)
        if not self.cfg.write_back:
            axi.write_use = whole_lines(axi.port, axi.port.strobe_bits)


class OvertakingEnv(DcacheEnv):
    """The same of a cache that serves hits under misses."""

    reference_class, scoreboard_class = OvertakingReference, OvertakingScoreboard
    coverage_class = OvertakingCoverage
    reference: OvertakingReference
    scoreboard: OvertakingScoreboard
    coverage: OvertakingCoverage

    def build_phase(self) -> None:
        """Build all components; each read has the id of its own line under way, writes have id 0."""
        super().build_phase()
        self.path: PathChecker = PathChecker.create("path", self)
        axi, cfg = self.axi["m_axi"], self.cfg
        axi.read_use = replace(axi.read_use, ids=cfg.mshrs)
        axi.write_use = replace(axi.write_use, ids=1, per_id=cfg.write_buffer)

    def connect_phase(self) -> None:
        """Reads are counted, and all handshakes followed."""
        super().connect_phase()
        monitor = self.axi["m_axi"].monitor
        monitor.addresses.connect(self.reference.reads)
        self.path.port, self.path.cover = monitor, self.coverage.counters.hit
        self.reference.served = self.coverage.serve
        self.reference.path = self.scoreboard.path = self.path
        for name, export in self.path.channels.items():
            monitor.watches[name].transfers.connect(export)
        self.agents["res"].ap.connect(self.path.results)
        self.resets.asserted.connect(self.path.reset_begins)
        self.resets.released.connect(self.path.reset_ends)

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a reset may come before any result of many reads."""
        return (*super().progress(), self.reference.asked)

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`: lines to be written, or read ahead, have gone, too."""
        if not super().idle():
            return False
        self.reference.flush()
        return not self.reference.due

    def state(self) -> str:
        model = self.reference
        due = model.wanted - model.asked, model.writes.tries - model.writes.begun
        return f"{super().state()}, reads and writes that are still to begin: {due}"

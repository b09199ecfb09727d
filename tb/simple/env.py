# SPDX-License-Identifier: Apache-2.0
"""Reference, scoreboard and environment of ``simple``: see :mod:`tb.common.components.request_env`."""

from typing import Any

from configs.simple.schema import Config
from models.simple import REQUEST, SimpleModel, cycles
from tb.common.components.axi.bursts import whole_lines
from tb.common.components.request_env import RequestEnv
from tb.common.components.requests import FILL, Prediction, RequestReference, RequestScoreboard
from tb.simple.coverage import SimpleCoverage
from tb.simple.items import event_columns, result_columns


class SimpleReference(RequestReference):
    """Requests are served in order, so that a reset meets at most one request."""

    channels = (FILL, "evt", "res")
    request_type, model_class = REQUEST, SimpleModel
    columns = {"evt": event_columns, "res": result_columns}


class SimpleScoreboard(RequestScoreboard):
    """Channels: ``fill`` addresses of reads, ``res`` results, ``evt`` hits and victims; all in order."""

    channels = (FILL, "evt", "res")

    def cycles(self, prediction: Prediction) -> Any:
        """See :func:`models.simple.cycles`."""
        return cycles(self.bench.cfg, prediction.requests, prediction.results, self.timing)


class SimpleEnv(RequestEnv):
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

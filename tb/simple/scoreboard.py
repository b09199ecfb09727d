# SPDX-License-Identifier: Apache-2.0
"""Compares results and events of ``simple`` with the model, and the cycles that each request took."""

from typing import Any

from models.simple import cycles
from tb.common.components.requests import Prediction, RequestScoreboard
from tb.simple.reference import CHANNELS


class SimpleScoreboard(RequestScoreboard):
    """Channels: ``res`` results, ``evt`` what became of requests; both in order."""

    channels = CHANNELS

    def cycles(self, prediction: Prediction) -> Any:
        """See :func:`models.simple.cycles`."""
        return cycles(self.bench.cfg, prediction.requests, prediction.results, self.timing)

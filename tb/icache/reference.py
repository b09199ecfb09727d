# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.icache import REQUEST, IcacheModel
from tb.common.components.requests import RequestReference
from tb.common.components.transactions import Observation
from tb.icache.fills import FillWatch
from tb.icache.items import event_columns, result_columns

NEVER = -1


class Closeness:
    """Tells of each request whether it was taken before the request before it was answered."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """There is none before."""
        self._answered = NEVER

    def of(self, taken: list[Observation], answered: list[Observation]) -> NDArray[np.bool_]:
        """Of the next requests [n]."""
        before = [self._answered, *(transfer.cycle for transfer in answered)]
        self._answered = before[-1]
        pairs = zip(taken, before, strict=False)
        return np.array([transfer.cycle < cycle for transfer, cycle in pairs], np.bool_)


class IcacheReference(RequestReference):
    """Lines that come, or the times of requests, decide about results, too."""

    request_type, model_class = REQUEST, IcacheModel
    columns = {"evt": event_columns, "res": result_columns}
    fills: FillWatch | None = None  # with restart at the word

    def build_phase(self) -> None:
        super().build_phase()
        self.closeness = Closeness()

    def serve(
        self, requests: NDArray[Any], taken: list[Observation], answered: list[Observation]
    ) -> NDArray[Any]:
        if self.fills is not None:
            return self.model.replay(requests, seen=self.fills.seen(taken))
        return self.model.replay(requests, self.closeness.of(taken, answered))

    def forget(self) -> None:
        super().forget()
        self.closeness.reset()

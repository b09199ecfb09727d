# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.icache import REQUEST, IcacheModel
from models.memory import Memory
from tb.common.components.packing import Columns
from tb.common.components.requests import RequestReference
from tb.common.components.transactions import Observation
from tb.icache.fills import FillWatch
from tb.icache.items import event_columns, result_columns

CHANNELS = ("evt", "res")
NEVER = -1


class Closeness:
    """Tells of each request whether it was taken before the one before it was answered."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """There is none before."""
        self._answered = NEVER

    def of(self, taken: list[Observation], answered: list[Observation]) -> NDArray[np.bool_]:
        """Of the next requests [n]."""
        before = [self._answered, *(transfer.cycle for transfer in answered)]
        self._answered = before[-1]
        return np.array([one.cycle < cycle for one, cycle in zip(taken, before, strict=False)], np.bool_)


class IcacheReference(RequestReference):
    """The model over hashed memory of the test's seed."""

    channels = CHANNELS
    request_type = REQUEST
    fills: FillWatch | None = None  # with restart at the word

    def build_phase(self) -> None:
        """Nothing asked yet."""
        super().build_phase()
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = IcacheModel(self.bench.cfg, self.memory)
        self.closeness = Closeness()

    def serve_seen(
        self, requests: NDArray[Any], taken: list[Observation], answered: list[Observation]
    ) -> NDArray[Any]:
        """See :meth:`RequestReference.serve_seen`."""
        if self.fills is not None:
            return self.model.replay(requests, seen=self.fills.seen(taken))
        return self.model.replay(requests, self.closeness.of(taken, answered))

    def columns(self, channel: str, requests: NDArray[Any], results: NDArray[Any]) -> Columns:
        """See :meth:`RequestReference.columns`."""
        return (event_columns if channel == "evt" else result_columns)(requests, results)

    def reset(self) -> None:
        """See :meth:`ReferenceModel.reset`."""
        self.lose_open()
        self.closeness.reset()
        self.model.reset()

    def counters(self) -> dict[str, int]:
        """See :meth:`ReferenceModel.counters`."""
        return self.model.counters

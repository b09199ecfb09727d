# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were taken, and says what the pins must show."""

import numpy as np

from configs.trilinear.schema import HALVES
from models.trilinear import REQUEST, TrilinearModel
from tb.common.components.axi.handshake import Transfer, number
from tb.common.components.reference import AtOnce, Served
from tb.common.components.requests import RequestReference
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import Observation
from tb.texcache.prediction import events, fills
from tb.trilinear.items import result_columns, shown_by

EVENTS = tuple(f"{half}_evt" for half in HALVES)
FILLS = tuple(f"{half}_fill" for half in HALVES)
CHANNELS = ("res", *EVENTS, *FILLS)
ADDRESS = 3  # cycles from a request to the address of its first line, at least


class TrilinearReference(RequestReference):
    """A request takes effect when it is taken."""

    channels = CHANNELS
    request_type, model_class, order_class = REQUEST, TrilinearModel, AtOnce
    columns = {"res": result_columns}

    def build_phase(self) -> None:
        super().build_phase()
        self._taken = 0  # requests, since the test began
        self._first: int | None = None  # the cycle in which the first since reset was taken
        self._before: tuple[int, int] | None = None  # cycle and half of the last address of before a reset

    def accept(self, kind: str, transfer: Observation) -> None:
        if kind == "req" and self._first is None:
            self._first = transfer.cycle
        super().accept(kind, transfer)

    def is_before(self, address: Transfer) -> bool:
        """Whether an address is of before the last reset: offered then, or next behind one of the other half.

        The design takes no request until memory has taken all of these, and asks for nothing without one.
        """
        half, offered, first = number(address.payload["id"]), address.offered, self._first
        behind = self._before == (offered - 1, 1 - half)
        if offered > self.bench.clocking.resets[-1] and not behind:
            if first is None or offered < first + ADDRESS:
                self._fail(address, f"an address of no request, first offered in cycle {offered}")
            return False
        if first is not None:
            self._fail(address, f"an address of before the reset, behind a request of cycle {first}")
        self._before = address.cycle, half
        return True

    def _fail(self, address: Transfer, what: str) -> None:
        self.bench.fail(f"m_axi_ar in cycle {address.cycle}: {what}")

    def follow(self, served: list[Served]) -> None:
        """See :meth:`RequestReference.follow`: what the halves look up and read."""
        if not served:
            return
        results, half = np.stack([item.result for item in served]), self.bench.cfg.half
        for channels, shown in ((EVENTS, events), (FILLS, fills)):
            for name, channel in zip(HALVES, channels, strict=True):
                words, rows = shown_by(half, name, shown, results)
                self.expected[channel].write(Expectation(words, (self._taken + rows).tolist()))
        self._taken += len(served)

    def forget(self) -> None:
        super().forget()
        self._first = None

# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show.

Of a request that a reset meets, those writes reach memory that had begun: the model is told how many.
"""

from typing import Any

from numpy.typing import NDArray
from pyuvm import uvm_component

from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from tb.common.components.analysis import AnalysisImp
from tb.common.components.packing import Columns
from tb.common.components.requests import RequestReference
from tb.common.components.stream import HIGH
from tb.simple.items import event_columns, result_columns

CHANNELS = ("evt", "res")


class SimpleReference(RequestReference):
    """``bursts`` takes the AXI writes."""

    channels = CHANNELS
    request_type = REQUEST

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.bursts = AnalysisImp("bursts", self, self._burst)

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed."""
        super().build_phase()
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = SimpleModel(self.bench.cfg, self.memory)
        self.tries = 0  # writes that the model asked memory for
        self.begun = 0  # writes that the design asked for and memory has taken the address of

    def _burst(self, _write: Any) -> None:
        self.begun += 1

    def serve(self, requests: NDArray[Any]) -> NDArray[Any]:
        """See :meth:`RequestReference.serve`."""
        results = self.model.replay(requests)
        self.tries += int(results["tries"].sum())
        return results

    def columns(self, channel: str, requests: NDArray[Any], results: NDArray[Any]) -> Columns:
        """See :meth:`RequestReference.columns`."""
        return (event_columns if channel == "evt" else result_columns)(requests, results)

    def released(self) -> None:
        """A reset ends: what memory was asked for by the request that it met will happen."""
        offered = self.bench.dut.m_axi_awvalid.value == HIGH
        writes = self.begun + offered - self.tries
        if self.open:  # one at most
            self.model.abandon(self.requests(self.open), writes)
        self.tries += writes
        self.lose_open()
        self.model.reset()

    def reset(self) -> None:
        """The model follows when the reset ends."""

    def counters(self) -> dict[str, int]:
        """See :meth:`ReferenceModel.counters`."""
        return self.model.counters

    def check_phase(self) -> None:
        """No write was asked for that the model does not know of."""
        if self.begun != self.tries:
            self.bench.fail(f"writes to memory: expected {self.tries}, got {self.begun}")

# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show.

A request is predicted once it is answered. So one that a reset meets is left over: those of its writes that
had begun reach memory, and the model is told how many those are.
"""

from collections import deque
from typing import Any, NamedTuple

from numpy.typing import NDArray
from pyuvm import uvm_analysis_port, uvm_component

from configs.simple.schema import Config
from models.memory import Memory
from models.simple import SimpleModel
from tb.common.components.analysis import AnalysisImp
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.stream import HIGH
from tb.common.components.transactions import Observation
from tb.simple.items import event_words, requests_of, result_words

CHANNELS = ("res", "evt")


class Prediction(NamedTuple):
    """Requests in a row [n] with what the model says of them, when they were taken and when answered."""

    first: int  # index of the first since the test began
    requests: NDArray[Any]
    results: NDArray[Any]
    taken: list[Observation]
    answered: list[Observation]


class SimpleReference(ReferenceModel):
    """``predicted`` publishes each :class:`Prediction`, before the words that follow from it."""

    kinds = ("req", "res")
    channels = CHANNELS

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = uvm_analysis_port("predicted", self)
        self.bursts = AnalysisImp("bursts", self, self._burst)

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = SimpleModel(self.cfg, self.memory)
        self.open: deque[Observation] = deque()  # taken, and not predicted
        self.count = 0  # requests that were predicted
        self.tries = 0  # writes that the model asked memory for
        self.begun = 0  # writes that the design asked for and memory has taken the address of
        self.in_flight = 0  # requests taken and not answered

    def accept(self, kind: str, transfer: Observation) -> None:
        """See :meth:`ReferenceModel.accept`."""
        self.in_flight += 1 if kind == "req" else -1
        super().accept(kind, transfer)

    def _burst(self, _write: Any) -> None:
        self.begun += 1

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`."""
        self.open.extend(entry.transfer for entry in inputs if entry.kind == "req")
        answered = [entry.transfer for entry in inputs if entry.kind == "res"]
        taken = [self.open.popleft() for _ in answered if self.open]
        requests = requests_of(self.cfg, [transfer.word for transfer in taken])
        results = self.model.replay(requests)
        self.predicted.write(Prediction(self.count, requests, results, taken, answered))
        indices = range(self.count, self.count + len(requests))
        self.count += len(requests)
        self.tries += int(results["tries"].sum())
        self.expected["evt"].write(Expectation(event_words(self.cfg, requests, results), indices))
        self.expected["res"].write(Expectation(result_words(self.cfg, requests, results), indices))

    def released(self) -> None:
        """A reset ends: what memory was asked for by the request that it met will happen."""
        offered = self.bench.dut.m_axi_awvalid.value == HIGH
        writes = self.begun + offered - self.tries
        for transfer in self.open:
            self.model.abandon(requests_of(self.cfg, [transfer.word]), writes)
        self.tries += writes
        self.open.clear()
        self.in_flight = 0
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

# SPDX-License-Identifier: Apache-2.0
"""Compares results and events of ``simple`` with the model, and the cycles that each request took."""

from collections import deque

from pyuvm import uvm_component

from configs.simple.schema import OPS, Config
from models.simple import latencies, memory_cycles
from tb.common.components.analysis import AnalysisImp
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import Observation
from tb.simple.reference import CHANNELS, Prediction


class SimpleScoreboard(Scoreboard):
    """Channels: ``res`` results, ``evt`` what became of requests; both in order.

    ``steady``: the memory's timing is the configuration's, so that each request's cycles are known. ``late``:
    a burst from before a reset may be in the way of the next ones.
    """

    channels = CHANNELS

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = AnalysisImp("predicted", self, self._predicted)

    def build_phase(self) -> None:
        """Nothing predicted yet."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.steady, self.late, self.timed = True, False, 0
        self.memory_wait = 0  # cycles since reset, of requests whose cycles are known
        self.sure = True  # they all are
        self._recent: deque[Prediction] = deque(maxlen=2)

    def _predicted(self, prediction: Prediction) -> None:
        self._recent.append(prediction)
        wanted = latencies(self.cfg, prediction.requests, prediction.results, self.cfg.memory)
        self.memory_wait += int(memory_cycles(self.cfg, prediction.results, self.cfg.memory).sum())
        for row, (taken, answered) in enumerate(zip(prediction.taken, prediction.answered, strict=True)):
            got, want = answered.cycle - answered.waited - taken.cycle, int(wanted[row])
            result = prediction.results[row]
            exact = self.steady and not self.late
            exact |= result["tries"] == result["fill"] == 0
            self.sure, self.late = self.sure and exact, self.late and exact
            self.timed += bool(exact)
            if got < want or (exact and got != want):
                rule = "exactly" if exact else "at least"
                self.fail(f"{self._describe(prediction, row)} took {got} cycles, expected {rule} {want}")

    def _describe(self, prediction: Prediction, row: int) -> str:
        request = prediction.requests[row]
        fields = ", ".join(f"{name}={request[name]:#x}" for name in ("word", "value", "strobe", "id"))
        cycle = prediction.taken[row].cycle
        return f"request {prediction.first + row}, {OPS[request['op']]} ({fields}) of cycle {cycle},"

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, and in which request."""
        prediction = next(known for known in reversed(self._recent) if known.first <= index)
        who = self._describe(prediction, index - prediction.first)
        differences = self.differences(channel, expected, transfer.word)
        return "\n".join([f"{channel} in cycle {transfer.cycle}, {who}", *differences])

    def reset(self) -> None:
        """See :meth:`Scoreboard.reset`."""
        super().reset()
        self.memory_wait, self.sure = 0, True

    def counters(self) -> dict[str, int]:
        """Cycles of waiting since reset: for the consumer, and for memory if its timing tells."""
        counts = {"result_wait_cycles": sum(transfer.waited for transfer in self.by_name["res"].matched)}
        return counts | ({"memory_wait_cycles": self.memory_wait} if self.sure else {})

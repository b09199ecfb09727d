# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from configs.dcache.schema import STATUS
from models.dcache import READ, REQUEST, DcacheModel
from models.memory import Memory
from tb.common.components.reference import ByKey, Input, Served
from tb.common.components.requests import FILL, RequestReference
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.components.writing import WriteTracker
from tb.dcache.items import event_columns, reads_of, result_columns
from tb.dcache.path import PathChecker


class DcacheReference(RequestReference):
    """Several requests may be under way: a reset meets them, and some of their writes."""

    channels: tuple[str, ...] = (FILL, "evt", "res")
    request_type = REQUEST
    model_class: Any = DcacheModel
    reads_of = staticmethod(reads_of)
    columns = {"evt": event_columns, "res": result_columns}


def journaled(cfg: Any, memory: Memory) -> DcacheModel:
    """A model that can take writes back."""
    return DcacheModel(cfg, memory, journaled=True)


class OvertakingReference(DcacheReference):
    """Of a cache whose results overtake each other. The model is ahead of the cache: at a reset it takes back
    the writes that have not begun.

    ``reads`` takes the AXI reads: each line that misses, or is read ahead, is asked for once.
    """

    channels = ("evt", "res")  # reads are in no order of requests: ``path`` follows them
    order_class = ByKey
    path: PathChecker  # set by the environment, as is
    served: Callable[[list[Served]], None]  # called with requests that the model has served
    writes: WriteTracker
    model_class = staticmethod(journaled)
    model: DcacheModel

    def build_phase(self) -> None:
        """No read, and no write that can be taken back."""
        super().build_phase()
        self.reads = AnalysisImp("reads", self, self._read)
        self._undoable = 0
        self.wanted = 0  # reads of the model
        self.asked = 0  # of the design: their addresses have been taken

    def _read(self, _burst: Any) -> None:
        self.asked += 1

    @property
    def due(self) -> bool:
        """Whether the cache has still to ask memory for something, of the requests that were predicted."""
        return (self.asked, self.writes.begun) != (self.wanted, self.writes.tries)

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`; cycles are judged after words."""
        self._last = max(entry.cycle for entry in inputs)
        super().predict(inputs)
        self.path.judge()

    def follow(self, served: list[Served]) -> None:
        self.served(served)
        for item in served:
            self.path.serve(*item)
        self.path.advance(self._last)

    def settle(self, served: Served) -> None:
        """See :meth:`RequestReference.settle`: which line memory failed first a status tells by time."""
        if served.request["op"] == STATUS:
            line = self.path.stages.told.popleft() if self.path.stages.told else 0
            served.result["data"][0] = max(line, 0) << self.bench.cfg.cache.offset_bits

    def serve(
        self, requests: NDArray[Any], taken: list[Observation], answered: list[Observation]
    ) -> NDArray[Any]:
        results = super().serve(requests, taken, answered)
        self.wanted += int((results["burst"] & READ > 0).sum() + (results["ahead"] & READ > 0).sum())
        self._undoable += int(results["tries"].sum(dtype=int))
        if (certain := self._undoable - (self.writes.tries - self.writes.ended)) > 0:
            self.model.certain(certain)
            self._undoable -= certain
        return results

    def released(self) -> None:
        super().released()
        self.wanted = self.asked  # addresses from before a reset are not published

    def abandon(self, writes: int) -> None:
        """See :meth:`RequestReference.abandon`: none, or fewer than the model has made."""
        if writes > 0:
            self.bench.fail(f"writes to memory at a reset: {writes} more than requests account for")
        self.model.undo(-writes)
        self._undoable += writes

    def check_phase(self) -> None:
        """No line was read twice, or without a request."""
        if self.asked != self.wanted:
            self.bench.fail(f"reads of memory: expected {self.wanted}, got {self.asked}")

# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of a block that answers requests: what every such block meets at its ports."""

import importlib
from typing import Any

from pyuvm import uvm_component, uvm_subscriber

from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY
from tb.common.components.requests import Prediction
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters, Point, bucket_name
from tb.common.coverage.points import WAITS, part


class RequestCoverage(uvm_subscriber):
    """Counts into the bins of the block's :meth:`plan`, which has the points of
    :mod:`tb.common.coverage.points` among others.

    ``place``: the field of a request that says where.
    """

    place = "word"

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.reads = AnalysisImp("reads", self, lambda event: self._waited("address wait", event, "read/"))
        self.writes = AnalysisImp("writes", self, lambda event: self._waited("address wait", event, "write/"))
        self.lines = AnalysisImp("lines", self, self._line)

    def build_phase(self) -> None:
        """Empty bins."""
        self.cfg: Any = self.cdb_get(KEY).cfg
        self.counters = Counters(self.plan())
        [op] = (field for field in self.cfg.streams["req"].fields if field.name == "op")
        self.ops: tuple[str, ...] = op.names
        self._before: Any = None  # the request before, and nothing across a reset

    def plan(self) -> list[Point]:
        """All coverpoints: the block's own plan."""
        points: list[Point] = importlib.import_module(f"tb.{self.cfg.block}.plan").plan(self.cfg)
        return points

    def sample(self, op: str, request: Any, result: Any) -> None:
        """What the block made of a request: bins of its own."""
        raise NotImplementedError

    def _waited(self, point: str, transfer: Observation, prefix: str = "") -> None:
        self.counters.hit(point, prefix + bucket_name(transfer.waited, WAITS))

    def _line(self, event: Observation) -> None:
        if event.word:
            self.counters.hit("error beat", str(part(event.word - 1, self.cfg.beats)))

    def reset(self, reads: int, writes: int, requests: int) -> None:
        """A reset meets so many reads and writes on their way, and requests that were not answered."""
        self._before = None
        what = "a write" if writes else "a read" if reads else "a request" if requests else "idle"
        self.counters.hit("reset", what)

    def write(self, tt: Prediction) -> None:
        """Requests that were answered."""
        for transfer in tt.taken:
            self._waited("request wait", transfer)
        for transfer in tt.answered:
            self._waited("result wait", transfer)
        for request, result in zip(tt.requests, tt.results, strict=True):
            self._pair(request)
            self.sample(self.ops[request["op"]], request, result)

    def _pair(self, request: Any) -> None:
        if self._before is not None:
            names = f"{self.ops[self._before['op']]}/{self.ops[request['op']]}"
            self.counters.hit("after", names)
            same = request[self.place] == self._before[self.place]
            if same and names in self.counters.plan["pair"].bins:
                self.counters.hit("pair", names)
        self._before = request

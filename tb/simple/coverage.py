# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``simple``, request by request."""

from typing import Any

import numpy as np
from pyuvm import uvm_component, uvm_subscriber

from configs.simple.schema import FLUSH, LOAD, OPS, STORE, Config
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters, bucket, bucket_names
from tb.simple import plan
from tb.simple.reference import Prediction


class SimpleCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.simple.plan`."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.reads = AnalysisImp("reads", self, lambda event: self._waited("address wait", event, "read/"))
        self.writes = AnalysisImp("writes", self, lambda event: self._waited("address wait", event, "write/"))
        self.lines = AnalysisImp("lines", self, self._line)
        self.resets = AnalysisImp("resets", self, self._reset)

    def build_phase(self) -> None:
        """Empty bins."""
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._before: Any = None  # the request before, and nothing across a reset

    def _waited(self, point: str, transfer: Observation, prefix: str = "") -> None:
        names = bucket_names(plan.WAITS)
        self.counters.hit(point, prefix + names[int(bucket(np.array([transfer.waited]), plan.WAITS)[0])])

    def _line(self, event: Observation) -> None:
        if event.word:
            self.counters.hit("error beat", str(event.word - 1))

    def _reset(self, _part: str) -> None:
        env, self._before = self.get_parent(), None
        reading, writing = (
            getattr(env.axi["m_axi"].monitor.rules, name).outstanding for name in ("reads", "writes")
        )
        busy = "a request" if env.reference.in_flight else "idle"
        self.counters.hit("reset", "a write" if writing else "a read" if reading else busy)

    def write(self, tt: Prediction) -> None:
        """Requests that were answered."""
        for transfer in tt.taken:
            self._waited("request wait", transfer)
        for transfer in tt.answered:
            self._waited("result wait", transfer)
        for request, result in zip(tt.requests, tt.results, strict=True):
            self._pair(request)
            if request["op"] in (LOAD, STORE):
                self._access(request, result)
            elif request["op"] == FLUSH:
                self._flush(result)

    def _pair(self, request: Any) -> None:
        if self._before is not None:
            names = f"{OPS[self._before['op']]}/{OPS[request['op']]}"
            self.counters.hit("after", names)
            if request["word"] == self._before["word"] and names in self.counters.plan["pair"].bins:
                self.counters.hit("pair", names)
        self._before = request

    def _flush(self, result: Any) -> None:
        tries = int(result["tries"])
        name = "all" if tries == self.cfg.cache.sets else ("none", "one", "several")[min(tries, 2)]
        self.counters.hit("flush", name)
        if result["err"]:
            self.counters.hit("error", "flush")

    def _access(self, request: Any, result: Any) -> None:
        op, hit = OPS[request["op"]], self.counters.hit
        index = int(result["line"]) & (self.cfg.cache.sets - 1)
        hit("slot", f"{op}/{int(request['word']) & ((1 << self.cfg.slot_bits) - 1)}")
        if op == "store":
            hit("strobe", str(request["strobe"]))
        if result["err"]:
            kind = (
                f"fill of a {op}"
                if result["fill"]
                else "store"
                if self.cfg.policy != "write-back"
                else "write-back"
            )
            hit("error", kind)
            return
        if op == "store" and self.cfg.policy == "write-through":
            hit("access", "store/hit" if result["hit"] else "store/miss")
            return
        replaced = plan.OUTCOMES[3 if result["tries"] else 2 if result["evict"] else 1]
        hit("access", f"{op}/{'hit' if result['hit'] else replaced}")
        hit("set", f"{index}/{'hit' if result['hit'] else 'replace' if result['evict'] else 'fill'}")
        if result["evict"]:
            differing = int(result["line"] ^ result["victim"]) >> self.cfg.cache.set_bits
            if differing & (differing - 1) == 0:
                hit("tag", str(differing.bit_length() - 1))

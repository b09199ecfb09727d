# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``simple``, request by request."""

from typing import Any

from pyuvm import uvm_component, uvm_subscriber

from configs.simple.schema import FLUSH, LOAD, OPS, STORE, Config
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY
from tb.common.components.requests import Prediction
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters, bucket_name
from tb.simple import plan


class SimpleCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.simple.plan`."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.reads = AnalysisImp("reads", self, lambda event: self._waited("address wait", event, "read/"))
        self.writes = AnalysisImp("writes", self, lambda event: self._waited("address wait", event, "write/"))
        self.lines = AnalysisImp("lines", self, self._line)

    def build_phase(self) -> None:
        """Empty bins."""
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._before: Any = None  # the request before, and nothing across a reset

    def _waited(self, point: str, transfer: Observation, prefix: str = "") -> None:
        self.counters.hit(point, prefix + bucket_name(transfer.waited, plan.WAITS))

    def _line(self, event: Observation) -> None:
        if event.word:
            self.counters.hit("error beat", str(event.word - 1))

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
            if request["op"] in (LOAD, STORE):
                self._access(request, result)
            elif request["op"] == FLUSH:
                self._flush(int(result["tries"]), result["err"])

    def _pair(self, request: Any) -> None:
        if self._before is not None:
            names = f"{OPS[self._before['op']]}/{OPS[request['op']]}"
            self.counters.hit("after", names)
            if request["word"] == self._before["word"] and names in self.counters.plan["pair"].bins:
                self.counters.hit("pair", names)
        self._before = request

    def _flush(self, tries: int, failed: bool) -> None:
        every = tries == self.cfg.cache.sets
        self.counters.hit("flush", "all" if every else ("none", "one", "several")[min(tries, 2)])
        if failed:
            self.counters.hit("error", "flush")

    def _access(self, request: Any, result: Any) -> None:
        op, hit, cache = OPS[request["op"]], self.counters.hit, self.cfg.cache
        through = op == "store" and not self.cfg.write_back
        hit("slot", f"{op}/{int(request['word']) % (1 << self.cfg.slot_bits)}")
        if op == "store":
            hit("strobe", str(request["strobe"]))
        if result["err"]:
            hit("error", f"fill of a {op}" if result["fill"] else "store" if through else "write-back")
        elif through:
            hit("access", "store/hit" if result["hit"] else "store/miss")
        else:
            replaced = plan.OUTCOMES[3 if result["tries"] else 2 if result["evict"] else 1]
            hit("access", f"{op}/{'hit' if result['hit'] else replaced}")
            kind = "hit" if result["hit"] else "replace" if result["evict"] else "fill"
            hit("set", f"{int(result['line']) % cache.sets}/{kind}")
            differing = int(result["line"] ^ result["victim"]) >> cache.set_bits
            if result["evict"] and differing.bit_count() == 1:
                hit("tag", str(differing.bit_length() - 1))

# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of ``mmu``."""

from pyuvm import uvm_subscriber

from configs.dcache.schema import LOAD, STORE
from configs.icache.schema import FETCH
from tb.common.components.bench import KEY
from tb.common.coverage.bins import Counters
from tb.mmu.plan import WHERE, plan
from tb.mmu.reference import Served


class MmuCoverage(uvm_subscriber):
    """Counts into the bins of :func:`tb.mmu.plan.plan`."""

    def build_phase(self) -> None:
        """Empty bins."""
        self.counters = Counters(plan(self.cdb_get(KEY).cfg))

    def write(self, tt: Served) -> None:
        """Requests that were answered."""
        asked = tt.requests["op"]
        if tt.side == "icache":
            access = asked == FETCH
        else:
            access = ((asked == LOAD) | (asked == STORE)) & (tt.requests["mask"] & ~tt.results["shared"] != 0)
            self._lanes(tt)
        for name, found in (
            ("hit", access & (tt.results["hit"] != 0)),
            ("miss", access & (tt.results["hit"] == 0)),
            ("evict", tt.results["evict"] != 0),
        ):
            self.counters.hit("lines", f"{tt.side}/{name}", int(found.sum()))

    def _lanes(self, served: Served) -> None:
        for request, result in zip(served.requests, served.results, strict=True):
            if request["op"] not in (LOAD, STORE):
                continue
            op = "load" if request["op"] == LOAD else "store"
            shared, cached = result["shared"] != 0, request["mask"] & ~result["shared"] != 0
            self.counters.hit("lanes", f"{op}/{WHERE[2 * shared + cached]}")
            if shared:
                self.counters.hit("passes", f"{op}/{result['passes']}")

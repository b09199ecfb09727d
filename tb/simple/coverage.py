# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``simple``, request by request."""

from typing import Any

from tb.common.components.request_env import RequestCoverage
from tb.common.coverage.bins import Point
from tb.simple import plan


class SimpleCoverage(RequestCoverage):
    """Counts into the bins of :mod:`tb.simple.plan`."""

    def plan(self) -> list[Point]:
        """See :meth:`RequestCoverage.plan`."""
        return plan.plan(self.cfg)

    def sample(self, op: str, request: Any, result: Any) -> None:
        """See :meth:`RequestCoverage.sample`."""
        if op in ("load", "store"):
            self._access(op, request, result)
        elif op == "flush":
            self._flush(int(result["tries"]), result["err"])

    def _flush(self, tries: int, failed: bool) -> None:
        every = tries == self.cfg.cache.sets
        self.counters.hit("flush", "all" if every else ("none", "one", "several")[min(tries, 2)])
        if failed:
            self.counters.hit("error", "flush")

    def _access(self, op: str, request: Any, result: Any) -> None:
        hit, cache, through = self.counters.hit, self.cfg.cache, op == "store" and not self.cfg.write_back
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

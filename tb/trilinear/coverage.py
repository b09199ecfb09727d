# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``trilinear``, request by request."""

from typing import Any

import numpy as np

from configs.trilinear.schema import HALVES, TABLE, TRILINEAR
from tb.common.components.request_env import RequestCoverage
from tb.trilinear import plan


class TrilinearCoverage(RequestCoverage):
    """Counts into the bins of :mod:`tb.trilinear.plan`."""

    place = "tex"

    def build_phase(self) -> None:
        """Empty bins; no entry was written."""
        super().build_phase()
        self._written: tuple[int, int] | None = None  # entry of the request before

    def reset(self, reads: int, writes: int, requests: int) -> None:
        super().reset(reads, writes, requests)
        self._written = None

    def sample(self, op: str, request: Any, result: Any) -> None:
        entry = int(request["tex"]), int(request["level"])
        if result["needs"]:
            self._sample(op, request, result)
            if self._written == entry:
                self.counters.hit("table", HALVES[entry[1] & 1])
        self._written = entry if request["op"] == TABLE else None

    def _sample(self, op: str, request: Any, result: Any) -> None:
        hit, level = self.counters.hit, int(request["level"])
        hit("level", f"{op}/{level}")
        hit("modes", f"{request['mode_u']}/{request['mode_v']}")
        both = result["needs"] == 3
        if both:
            hit("needs", plan.NEEDS[2 + (level & 1)])
        else:
            last = request["op"] == TRILINEAR
            hit("needs", plan.NEEDS[4] if last else plan.NEEDS[level & 1])
        missing = {
            name: self._half(name, result[name]) for n, name in enumerate(HALVES) if result["needs"] >> n & 1
        }
        if both:
            hit("pair of levels", "/".join(plan.OUTCOMES[count > 0] for count in missing.values()))
            hit("look-ups", str(sum(int(result[name]["valid"].sum()) for name in HALVES)))
        failed = [name for name in missing if result[name]["err"]]
        if failed:
            hit("error", "both" if len(failed) == 2 else failed[0])

    def _half(self, name: str, looked_up: Any) -> int:
        """Lines that a half missed."""
        slots = np.flatnonzero(looked_up["valid"])
        for slot in slots:
            kind = "hit" if looked_up["hit"][slot] else "evict" if looked_up["evict"][slot] else "fill"
            self.counters.hit("bank set", f"{name}/{looked_up['bank'][slot]}/{looked_up['set'][slot]}/{kind}")
        missing = len(slots) - int(looked_up["hit"].sum())
        self.counters.hit("missing", f"{name}/{missing}")
        return missing

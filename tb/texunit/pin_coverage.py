# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of what happens at the texture units' pins, transfer by transfer."""

from collections import deque
from functools import partial
from typing import Any

from pyuvm import uvm_component

from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import Counters, bucket_name
from tb.texunit.plan import WAITS


class PinCoverage(uvm_component):
    """Counts into the bins of ``counters``, which the coverage of results fills, too."""

    counters: Counters  # set by the environment

    def build_phase(self) -> None:
        """An input for each stream of each unit; nothing in flight."""
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.resets = AnalysisImp("resets", self, self._reset)
        self.cfg: Any = self.cdb_get(KEY).cfg
        units = range(self.cfg.units)
        methods = {"prim": self._prim, "quad": self._quad, "res": self._result}
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, n))
            for n in units
            for name, method in methods.items()
        }
        self.prims = [0 for _ in units]
        self._forget()

    def _forget(self) -> None:
        #: of each unit the quads in it, by the numbers of their primitives
        self.in_flight: list[deque[int]] = [deque() for _ in range(self.cfg.units)]
        self._open_lines = 0

    def entered(self, unit: int) -> None:
        """A quad is one more in its unit."""
        quads, limit = len(self.in_flight[unit]), self.cfg.fifo.depth
        name = "1" if quads == 1 else "limit" if quads == limit else "2-4" if quads < 5 else "more"
        self.counters.hit("in flight", name)

    def _prim(self, unit: int, transfer: Observation) -> None:
        self.prims[unit] += 1
        self.counters.hit("prim wait", "1+" if transfer.waited else "0")

    def _quad(self, unit: int, transfer: Observation) -> None:
        self.counters.hit("quad wait", bucket_name(transfer.waited, WAITS))
        self.in_flight[unit].append(self.prims[unit])
        self.entered(unit)

    def _result(self, unit: int, transfer: Observation) -> None:
        self.counters.hit("result wait", bucket_name(transfer.waited, WAITS))
        if self.in_flight[unit]:
            self.in_flight[unit].popleft()

    def _address(self, _: Observation) -> None:
        self._open_lines += 1

    def _line(self, transfer: Observation) -> None:
        self._open_lines -= 1
        if transfer.word:
            self.counters.hit("error beat", f"beat {transfer.word - 1}")

    def _reset(self, side: str) -> None:
        busy = any(self.in_flight) or self._open_lines > 0
        self.counters.hit("reset", f"{side}/{'in flight' if busy else 'idle'}")
        self._forget()

# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of what happens at the texture units' pins, transfer by transfer."""

from functools import partial

import numpy as np
from pyuvm import uvm_component

from configs.texunit.schema import Config
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters, bucket, bucket_names
from tb.texunit import plan


class PinCoverage(uvm_component):
    """Counts into the bins of ``counters``, which :class:`TexunitCoverage` fills too."""

    counters: Counters  # set by the environment

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.resets = AnalysisImp("resets", self, self._reset)

    def build_phase(self) -> None:
        """An input for each stream of each unit; nothing in flight."""
        self.cfg: Config = self.cdb_get(KEY).cfg
        units = range(self.cfg.units)
        methods = {"prim": self._prim, "quad": self._quad, "res": self._result}
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, n))
            for n in units
            for name, method in methods.items()
        }
        self._in_flight = [0 for _ in units]
        self._open_lines = 0

    def _waited(self, point: str, cycles: int) -> None:
        self.counters.hit(point, bucket_names(plan.WAITS)[int(bucket(np.array([cycles]), plan.WAITS)[0])])

    def _prim(self, _: int, transfer: Observation) -> None:
        self.counters.hit("prim wait", "1+" if transfer.waited else "0")

    def _quad(self, unit: int, transfer: Observation) -> None:
        self._waited("quad wait", transfer.waited)
        self._in_flight[unit] += 1
        quads, limit = self._in_flight[unit], self.cfg.fifo.depth
        name = "1" if quads == 1 else "limit" if quads == limit else "2-4" if quads < 5 else "more"
        self.counters.hit("in flight", name)

    def _result(self, unit: int, transfer: Observation) -> None:
        self._waited("result wait", transfer.waited)
        self._in_flight[unit] -= 1

    def _address(self, _: Observation) -> None:
        self._open_lines += 1

    def _line(self, transfer: Observation) -> None:
        self._open_lines -= 1
        if transfer.word:
            self.counters.hit("error beat", f"beat {transfer.word - 1}")

    def _reset(self, side: str) -> None:
        busy = any(self._in_flight) or self._open_lines
        self.counters.hit("reset", f"{side}/{'in flight' if busy else 'idle'}")
        self._in_flight = [0 for _ in self._in_flight]
        self._open_lines = 0

# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of what happens at the texture cache's pins, transfer by transfer."""

import numpy as np
from pyuvm import uvm_component

from configs.texcache.schema import Config
from tb.common.components.bench import HIGH, KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import Counters, bucket
from tb.texcache import plan


class PinCoverage(uvm_component):
    """Counts into the bins of ``counters``, which :class:`TexcacheCoverage` fills too."""

    counters: Counters  # set by the environment

    def build_phase(self) -> None:
        methods = {
            "requests": self._request, "results": self._result, "invalidations": self._invalidation,
            "writes": self._write, "addresses": self._address, "lines": self._line, "stops": self._stop,
            "begins": self._begin, "resets": self._reset,
        }  # fmt: skip
        self.inputs = {name: AnalysisImp(name, self, method) for name, method in methods.items()}
        self._forget()
        bench: Bench = self.cdb_get(KEY)
        self.dut, self.cfg = bench.dut, bench.cfg
        self._written = -2, (0, 0)  # last write of the table: cycle, (texture, level)

    def _forget(self) -> None:
        self._in_flight = self._open_lines = 0
        self._stopped = False

    def _request(self, transfer: Observation) -> None:
        self._in_flight += 1
        cycle, entry = self._written
        if cycle == transfer.cycle - 1 and entry == self._entry("req", transfer.word):
            self.counters.hit("table write", "used next")

    def _result(self, _: Observation) -> None:
        self._in_flight -= 1

    def _invalidation(self, transfer: Observation) -> None:
        self.counters.hit("invalidate", "busy" if transfer.waited else "idle")
        if self.dut.req_valid.value == HIGH:
            self.counters.hit("invalidate", "request waits")

    def _write(self, transfer: Observation) -> None:
        self._written = transfer.cycle, self._entry("lut", transfer.word)
        self.counters.hit("table write", "traffic" if self._in_flight else "quiet")

    def _entry(self, stream: str, word: int) -> tuple[int, int]:
        cfg: Config = self.cfg
        fields = cfg.streams[stream].unpack(word)
        return fields["tex"], fields["level"]

    def _address(self, transfer: Observation) -> None:
        self._open_lines += 1
        self.counters.hit("outstanding", ("1", "2", "3+")[min(self._open_lines, 3) - 1])
        if self._open_lines == self.cfg.fifo.depth:
            self.counters.hit("outstanding", "data FIFO full")
        self.counters.hit_many("address wait", bucket(np.array([transfer.waited]), plan.WAITS))

    def _line(self, transfer: Observation) -> None:
        self._open_lines -= 1
        if transfer.word:
            self.counters.hit("error beat", f"beat {transfer.word - 1}")

    def _stop(self, _: Observation) -> None:
        self._stopped = True
        self.counters.hit("stop", "stop")
        held = self.dut.res_valid.value == HIGH and self.dut.res_ready.value != HIGH
        self.counters.hit("stop", "result held back" if held else "memory slow")

    def _begin(self, _: Observation) -> None:
        self._stopped = False
        self.counters.hit("stop", "begin")

    def _reset(self, _: str) -> None:
        state = "stopped" if self._stopped else "outstanding" if self._open_lines else "idle"
        self.counters.hit("reset", state)
        self._forget()

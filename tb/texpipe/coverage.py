# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of the pipelined texture unit: quads that were compared, and the pins."""

from collections import deque
from functools import partial
from typing import Any

import numpy as np
from pyuvm import uvm_component, uvm_subscriber

from configs.texpipe.schema import PRIMS, Config
from configs.texunit.schema import FORMATS
from models.texpipe.levels import level_of
from models.texunit.address import RGB8
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters, bucket_name
from tb.texpipe import plan
from tb.texpipe.mixing import MixingCoverage
from tb.texpipe.reference import PredictedQuad
from tb.texunit.coverage import cover_sampling
from tb.texunit.plan import WAITS


class TexpipeCoverage(uvm_subscriber):
    """Counts quads that have been compared into the bins of :mod:`tb.texpipe.plan`."""

    def build_phase(self) -> None:
        """Empty bins."""
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan.plan(self.cfg))
        self.mixing = MixingCoverage(self.cfg, self.counters) if self.cfg.trilinear else None

    def hit(self, point: str, bin_: str) -> None:
        """Count one bin."""
        self.counters.hit(point, bin_)

    def write(self, tt: PredictedQuad) -> None:
        """A quad that has been compared."""
        prim, result, beats = tt.prim, tt.result, tt.beats
        cover_sampling(self.counters, prim, tt.quad, int(result["lod"]), self._level)
        if self.mixing:
            self.mixing.write(tt)
        self.hit("invalidate", "yes" if prim["invalidate"] else "no")
        if not result["valid"]:
            self.hit("empty", "yes")
            return
        kind = FORMATS[prim["format"]]
        for beat in beats:
            self._pixel("table" if prim["format"] > RGB8 else kind, beat)
        if prim["format"] > RGB8:
            lines = bool(self._poisoned(tt))
            self.hit("table", f"{kind}/{'error' if result['err'] and not lines else 'good'}")
            if result["err"] and not lines:
                self.hit("error", "table")
        if tt.table:
            self.hit("table read", tt.table)
        failed = beats["failed"].astype(bool)
        if failed.any():
            self.hit("error", "new")
        if result["err"] and not failed.any() and prim["format"] <= RGB8:
            self.hit("error", "kept")

    def _level(self, prim: Any, quad: Any) -> int:
        return level_of(prim, quad, self.cfg.trilinear)[0]

    @staticmethod
    def _poisoned(tt: PredictedQuad) -> int:
        """Lines of a quad that memory answered with an error just now."""
        return int(tt.beats["failed"].sum())

    def _pixel(self, kind: str, beat: Any) -> None:
        banks = np.flatnonzero(beat["valid"])
        self.hit("lines", f"{kind}/{len(banks)}")
        self.hit("misses", str(len(banks) - int(beat["hit"].sum())))
        if kind == FORMATS[RGB8]:
            self.hit("split", bucket_name(int(beat["split"]), plan.SPLITS))
        for bank in banks:
            found = "hit" if beat["hit"][bank] else "replace" if beat["evict"][bank] else "fill"
            self.hit("bank", f"{bank}/{found}")
            self.hit("way", f"{beat['way'][bank]}/{found}")


class PinCoverage(uvm_component):
    """Counts what happens at the pins into ``counters``, which :class:`TexpipeCoverage` fills, too."""

    counters: Counters  # set by the environment

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.resets = AnalysisImp("resets", self, self._reset)

    def build_phase(self) -> None:
        """An input for each stream of each unit; nothing in flight."""
        self.cfg: Config = self.cdb_get(KEY).cfg
        methods = {"prim": self._prim, "quad": self._quad, "res": self._result}
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, n))
            for n in range(self.cfg.units)
            for name, method in methods.items()
        }
        self._forget()

    def _forget(self) -> None:
        # of each unit the numbers of the primitives of the quads in it
        self._in_flight: list[deque[int]] = [deque() for _ in range(self.cfg.units)]
        self._prims = [0] * self.cfg.units
        self._open_lines = 0

    def _prim(self, unit: int, transfer: Observation) -> None:
        self._prims[unit] += 1
        self.counters.hit("prim wait", "1+" if transfer.waited else "0")

    def _quad(self, unit: int, transfer: Observation) -> None:
        self.counters.hit("quad wait", bucket_name(transfer.waited, WAITS))
        inside = self._in_flight[unit]
        inside.append(self._prims[unit])
        self.counters.hit("in flight", bucket_name(len(inside), plan.FLIGHTS))
        self.counters.hit("prims", str(min(len(set(inside)), PRIMS)))

    def _result(self, unit: int, transfer: Observation) -> None:
        self.counters.hit("result wait", bucket_name(transfer.waited, WAITS))
        if self._in_flight[unit]:
            self._in_flight[unit].popleft()

    def _address(self, _: Observation) -> None:
        self._open_lines += 1

    def _line(self, transfer: Observation) -> None:
        self._open_lines -= 1
        if transfer.word:
            self.counters.hit("error beat", f"beat {transfer.word - 1}")

    def _reset(self, side: str) -> None:
        busy = any(self._in_flight) or self._open_lines > 0
        self.counters.hit("reset", f"{side}/{'in flight' if busy else 'idle'}")
        self._forget()

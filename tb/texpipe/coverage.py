# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of the pipelined texture unit: quads that were compared, and the pins."""

from typing import Any

import numpy as np
from pyuvm import uvm_subscriber

from configs.texpipe.schema import PRIMS, Config
from configs.texunit.schema import FORMATS
from models.texpipe.levels import level_of
from models.texunit.address import RGB8
from tb.common.components.bench import KEY
from tb.common.coverage.bins import Counters, bucket_name
from tb.texpipe import plan
from tb.texpipe.mixing import MixingCoverage
from tb.texpipe.reference import PredictedQuad
from tb.texunit import pin_coverage
from tb.texunit.coverage import cover_sampling


class TexpipeCoverage(uvm_subscriber):
    """Counts quads that have been compared into the bins of :mod:`tb.texpipe.plan`."""

    def build_phase(self) -> None:
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
            outcome = "hit" if beat["hit"][bank] else "replace" if beat["evict"][bank] else "fill"
            self.hit("bank", f"{bank}/{outcome}")
            self.hit("way", f"{beat['way'][bank]}/{outcome}")


class PinCoverage(pin_coverage.PinCoverage):
    """Counts the primitives in a unit as well."""

    def entered(self, unit: int) -> None:
        """A quad is one more in its unit."""
        inside = self.in_flight[unit]
        self.counters.hit("in flight", bucket_name(len(inside), plan.FLIGHTS))
        self.counters.hit("prims", str(min(len(set(inside)), PRIMS)))

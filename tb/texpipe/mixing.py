# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of levels that are mixed, quad by quad."""

from typing import Any

from configs.texpipe.schema import Config
from configs.texunit.schema import FORMATS
from models.texpipe.levels import ONE
from models.texunit import square_of
from tb.common.coverage.bins import Counters
from tb.texpipe import plan
from tb.texpipe.reference import PredictedQuad
from tb.texunit.plan import FILTERS


class MixingCoverage:
    """Counts into the points of :func:`tb.texpipe.plan.mixing`."""

    def __init__(self, cfg: Config, counters: Counters) -> None:
        self.counters = counters
        self._last: list[str | None] = [None] * cfg.units  # levels of the quad before, by unit

    def write(self, tt: PredictedQuad) -> None:
        """A quad that has been compared."""
        if not tt.result["valid"]:
            return
        prim, fraction = tt.prim, int(tt.result["fraction"])
        if prim["trilinear"]:
            self.counters.hit("fraction", _weighting(tt))
        if fraction:
            level = int(tt.result["lod"]) + 1
            self.counters.hit("mixed", f"{FORMATS[prim['format']]}/{FILTERS[prim['bilinear']]}")
            self.counters.hit("second mip", str(max(int(prim["log2w"]), int(prim["log2h"])) - level))
            for first, second in zip(tt.beats[::2], tt.beats[1::2], strict=True):
                self.counters.hit("two levels", f"{_found(first)}/{_found(second)}")
        now, before = plan.LEVELS[fraction > 0], self._last[tt.unit]
        if before:
            self.counters.hit("levels in a row", f"{before}/{now}")
        self._last[tt.unit] = now


def _weighting(tt: PredictedQuad) -> str:
    fraction = int(tt.result["fraction"])
    if fraction:
        return str(fraction) if fraction in (1, 255) else "2-254"
    if square_of(tt.prim, tt.quad) < ONE:
        return "magnified"
    return "last level" if tt.result["lod"] == tt.prim["max_lod"] else "0"


def _found(beat: Any) -> str:
    if beat["err"]:
        return "error"
    return "hit" if (beat["hit"] == beat["valid"]).all() else "miss"

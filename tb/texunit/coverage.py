# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of the texture unit, quad by quad."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_subscriber

from configs.texunit.schema import FORMATS, MODES, Config
from models.sampler import scaled
from models.texunit import lod_of
from models.texunit.address import RGB8
from tb.common.components.bench import KEY
from tb.common.coverage.bins import Counters, bucket, bucket_names
from tb.texunit import plan
from tb.texunit.reference import PredictedQuad


class TexunitCoverage(uvm_subscriber):
    """Counts quads that have been compared into the bins of :mod:`tb.texunit.plan`."""

    def build_phase(self) -> None:
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._queries = bucket_names((0, 1, 4, 8, 15))

    def hit(self, point: str, bin_: str) -> None:
        """Count one bin."""
        self.counters.hit(point, bin_)

    def write(self, tt: PredictedQuad) -> None:
        """A quad that has been compared."""
        prim, result, queries = tt.prim, tt.result, tt.queries
        hit, kind = self.counters.hit, FORMATS[prim["format"]]
        cover_sampling(self.counters, prim, tt.quad, int(result["lod"]))
        hit("invalidate", "yes" if prim["invalidate"] else "no")
        hit("queries", self._queries[int(bucket(np.array([len(queries)]), (0, 1, 4, 8, 15))[0])])
        self._cache(queries)
        if prim["format"] == RGB8:
            self._split(queries)
        if prim["format"] > RGB8:
            texels = bool(queries["err"].any())
            hit("table", f"{kind}/{'error' if result['err'] and not texels else 'good'}")
            if result["err"] and not texels:
                hit("error", "table")
        if queries["err"].any():
            hit("error", "texel")

    def _cache(self, queries: NDArray[Any]) -> None:
        for query in queries:
            way = int(query["way"])
            if query["err"]:
                self.hit("query", "error")
            elif query["repeat"]:
                self.hit("query", "repeat")
            elif query["hit"]:
                self.hit("query", "hit")
                self.hit("way", f"{way}/hit")
            else:
                self.hit("query", "replace" if query["evict"] else "fill")
                self.hit("way", f"{way}/{'replace' if query['evict'] else 'fill'}")
                if query["evict"]:
                    half = self.cfg.cache.ways // 2
                    self.hit("victim", f"{plan.HALVES[way // half]}/{way % half}")

    def _split(self, queries: NDArray[Any]) -> None:
        there = (queries["repeat"] | queries["hit"]).astype(bool)
        lines = queries["line"].astype(np.int64)
        for i in np.nonzero(np.diff(lines) == 1)[0]:
            names = [
                f"{part} {'there' if there[i + k] else 'missing'}"
                for k, part in enumerate(("first", "second"))
            ]
            self.hit("split", "/".join(names))


def cover_sampling(
    counters: Counters, prim: Any, quad: Any, level: int, formula: Callable[[Any, Any], int] = lod_of
) -> None:
    """Counts what a quad asks for into the points of :func:`tb.texunit.plan.sampling`.

    ``level``: its own; ``formula``: level of a primitive and a quad.
    """
    hit, kind = counters.hit, FORMATS[prim["format"]]
    w, h = int(prim["log2w"]), int(prim["log2h"])
    hit("format", f"{kind}/{plan.FILTERS[prim['bilinear']]}")
    hit("modes", f"{MODES[prim['mode_u']]}/{MODES[prim['mode_v']]}")
    hit("shape", _shape(w, h))
    hit("log2w", str(w))
    hit("log2h", str(h))
    hit("pixels", f"{quad['valid']:04b}")
    hit("lod", str(level))
    free = prim.copy()
    free["max_lod"] = 15
    hit("lod limit", "limited" if formula(free, quad) > level else "free")
    hit("mip", str(max(w - level, h - level, 0)))
    for pixel in range(4):
        if quad["valid"] >> pixel & 1:
            _cover_pixel(counters, prim, quad["uv"][pixel], max(w - level, 0), max(h - level, 0))


def _cover_pixel(counters: Counters, prim: Any, uv: NDArray[Any], w: int, h: int) -> None:
    for axis, log2, mode in (("u", w, prim["mode_u"]), ("v", h, prim["mode_v"])):
        u = int(uv["uv".index(axis)])
        fine = scaled(u, log2, True)
        texel = fine >> 8 if prim["bilinear"] else u << log2 >> 16
        side = 1 << log2
        place = 2 if texel < 0 else 3 if texel >= side else 1 if texel == side - 1 else 0
        counters.hit(f"edge {axis}", f"{MODES[mode]}/{plan.PLACES[place]}")
        if prim["bilinear"] and fine & 255 in (0, 255):
            counters.hit("weight", f"{axis} {fine & 255}")


def _shape(w: int, h: int) -> str:
    if w == h:
        return "square" if w else "1 x 1"
    if 0 in (w, h):
        return "n x 1" if w else "1 x n"
    return "wide" if w > h else "high"

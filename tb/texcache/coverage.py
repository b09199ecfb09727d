# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of the texture cache, many footprints at a time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_subscriber

from configs.texcache.schema import Config
from models.texcache.timing import fifo_latency
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp
from tb.common.coverage.bins import Counters, bucket
from tb.texcache import plan
from tb.texcache.history import History
from tb.texcache.prediction import beat_numbers
from tb.texcache.scoreboard import Completed

Bits = NDArray[np.bool_]


class TexcacheCoverage(uvm_subscriber):
    """Counts footprints that have been compared into the bins of :mod:`tb.texcache.plan`.

    ``invalidated``: the model dropped all lines.
    """

    def build_phase(self) -> None:
        self.invalidated = AnalysisImp("invalidated", self, self._invalidated)
        self.resets = AnalysisImp("resets", self, self._invalidated)
        bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = bench.cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._outcome = _outcome_index(self.cfg)
        self._forget()

    def _forget(self) -> None:
        self.history = History(self.cfg)
        self._previous: Any = None  # last footprint and the cycle of its request

    def _invalidated(self, _: object) -> None:
        self._forget()

    def write(self, tt: Completed) -> None:
        """Sample footprints that have been compared."""
        if len(tt.requested):
            self._requests(tt)
            self._lookups(tt)
            self._flow(tt)
            self.history.sample(tt, self.counters)

    def _requests(self, done: Completed) -> None:
        f, many = done.prediction.footprints, self.counters.hit_many
        side = self.cfg.max_side >> f["level"].astype(np.int64)
        small = side < self.cfg.small_side
        many("level", f["level"])
        many("modes", (small * 3 + f["mode_u"]) * 3 + f["mode_v"])
        many("edge u", f["mode_u"] * 4 + _place(f["u"], side))
        many("edge v", f["mode_v"] * 4 + _place(f["v"], side))
        for index in (0, 1):
            chosen = side == 1 << index
            many("smallest", index * 3 + f["mode_u"][chosen])
        many("texture", f["tex"])
        self._successive(done)

    def _successive(self, done: Completed) -> None:
        f, requested = done.prediction.footprints, done.requested
        if self._previous is not None:
            f = np.concatenate([[self._previous[0]], f])
            requested = np.concatenate([[self._previous[1]], requested])
        self._previous = f[-1], requested[-1]
        step = np.diff(f["level"].astype(np.int64))[np.diff(f["tex"].astype(np.int64)) == 0]
        self.counters.hit_many("level change", (step[np.abs(step) == 1] < 0).astype(np.int64))
        gaps = bucket(np.diff(requested) - 1, plan.WAITS) - plan.gaps_missing(self.cfg)
        self.counters.hit_many("request gap", gaps)

    def _lookups(self, done: Completed) -> None:
        r, many = done.prediction.results, self.counters.hit_many
        valid, hit = r["valid"].astype(np.int64), r["hit"].astype(np.int64)
        slots = np.arange(4)
        many("outcome", self._outcome[(valid << slots).sum(axis=1), (hit << slots).sum(axis=1)])
        missing = valid.sum(axis=1) - hit.sum(axis=1)
        many("missing", missing)
        order = np.searchsorted(plan.beats(self.cfg), r["beats"])
        many("beats", order * 2 + (missing > 0))
        self._pairs(r)
        bins = self.counters.plan["bank set"].bins
        looked, missed, evict = valid == 1, (valid == 1) & (hit == 0), r["evict"] == 1
        kinds = (looked & (hit == 1), missed & ~evict, missed & evict)
        sets, ways = len(bins) // 3 // self.cfg.banks, self.cfg.cache.ways
        for kind, chosen in enumerate(kinds):
            bank = r["bank"][chosen].astype(np.int64)
            many("bank set", (bank * sets + r["set"][chosen]) * 3 + kind)
            many("bank way", (bank * ways + r["way"][chosen]) * 3 + kind)
        self._parallel(r, missed)
        self._small_bank_bits(done, looked)

    def _pairs(self, r: NDArray[Any]) -> None:
        for name in self.counters.plan["same line"].bins if "same line" in self.counters.plan else ():
            a, b = (("L0", "L1", "R0", "R1").index(slot) for slot in name.split())
            both = (r["valid"][:, a] == 1) & (r["valid"][:, b] == 1)
            same = int((both & (r["line"][:, a] == r["line"][:, b])).sum())
            self.counters.hit("same line", name, same)

    def _parallel(self, r: NDArray[Any], missed: Bits) -> None:
        if "parallel misses" in self.counters.plan:
            beat = beat_numbers(r)
            for number in range(4):
                count = (missed & (beat == number)).sum(axis=1)
                self.counters.hit_many("parallel misses", count[count >= 2] - 2)

    def _small_bank_bits(self, done: Completed, looked: Bits) -> None:
        if "small bank bits" in self.counters.plan:
            side = self.cfg.max_side >> done.prediction.footprints["level"].astype(np.int64)
            lines = done.prediction.results["line"][looked & (side < self.cfg.small_side)[:, None]]
            self.counters.hit_many("small bank bits", lines >> self.cfg.cache.set_bits & (self.cfg.banks - 1))

    def _flow(self, done: Completed) -> None:
        r = done.prediction.results
        missed: Bits = np.asarray(done.missing.any(axis=1))
        behind = ~missed & (done.latency >= fifo_latency(self.cfg, 0) + r["beats"])
        self.counters.hit_many("path", np.where(missed, 2, behind))
        self.counters.hit_many("latency", missed[done.idle].astype(np.int64))
        self.counters.hit_many("result wait", bucket(done.held, plan.WAITS))
        waited = np.array([transfer.waited for transfer in done.prediction.accepted])
        self.counters.hit_many("request wait", bucket(waited, plan.WAITS))


def _outcome_index(cfg: Config) -> NDArray[np.int64]:
    """Index of the bin of (slots looked up, slots that hit), both as bits; too large for what cannot be."""
    index = np.full((16, 16), 1 << 20)
    count = 0
    for mask in (plan.MASK_BITS[number] for number in plan.masks(cfg)):
        for hits in range(16):
            if not hits & ~mask:
                index[mask, hits] = count
                count += 1
    return index


def _place(x: NDArray[Any], side: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index into PLACES of coordinate ``x`` of a footprint's left (upper) texel."""
    conditions = [x == -1, (x < -1) | (x >= side), x == side - 1]
    return np.select(conditions, [2, 3, 1], 0)

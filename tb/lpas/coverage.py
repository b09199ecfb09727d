# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``lpas``: grants, acknowledges and bursts, as the model has them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_subscriber

from configs.lpas.schema import FLUSH, OPS, Config
from models.lpas.follow import Logs
from models.lpas.machine import READ
from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import Counters, bucket_name
from tb.lpas import plan


class LpasCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.lpas.plan`."""

    def build_phase(self) -> None:
        self.lines = AnalysisImp("lines", self, self._line)
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._asked = plan.asked(self.cfg)
        self._forget()
        self._area = [
            {pe: number for number, area in enumerate(areas) for pe in area} for areas in self.cfg.area_pes
        ]

    def _forget(self) -> None:
        self._job = ""
        self._last: dict[int, tuple[int, str]] = {}  # of each PE: cycle and access of its last grant
        self._local = [0] * self.cfg.pes  # of each cache: local grants since one of another area

    def write(self, tt: Logs) -> None:
        """A stretch of cycles."""
        for grant in tt.grants:
            self._grant(grant)
        self._together(tt.grants)
        for ack in tt.acks:
            outcome = "error" if ack["err"] else "fine"
            self.counters.hit("acknowledge", f"{OPS[min(ack['op'], FLUSH)]}/{outcome}")
        for burst in tt.bursts:
            self._burst(burst)

    def _grant(self, grant: Any) -> None:
        hit, cfg, pe, cache = self.counters.hit, self.cfg, int(grant["pe"]), int(grant["cache"])
        row = cache // cfg.array.columns
        area, word, op = self._area[row][pe], int(grant["word"]), OPS[grant["op"]]
        hit("way", f"{pe}/{cache}")
        hit("area", f"{row}/{area}/{'others' if grant['asked'] > 1 else 'alone'}")
        hit("wait", f"{area}/{bucket_name(int(grant['waited']), plan.WAITS)}")
        hit("asked", bucket_name(int(grant["asked"]), self._asked))
        self._bound(cache, area, int(grant["waited"]))
        self._follows(pe, op, int(grant["cycle"]))
        hit("access", f"{op}/{'hit' if grant['hit'] else 'miss'}")
        hit("set", f"{cache}/{(word >> cfg.slot_bits + cfg.array.pe_bits) % cfg.cache.sets}")
        hit("slot", f"{op}/{word % (1 << cfg.slot_bits)}")

    def _bound(self, cache: int, area: int, waited: int) -> None:
        if self.cfg.bound == "age" and waited >= self.cfg.age:
            self.counters.hit("urgent", str(area))
        if self.cfg.bound == "weights" and area:
            self.counters.hit("round", str(min(self._local[cache], self.cfg.weight)))
        self._local[cache] = 0 if area else self._local[cache] + 1

    def _follows(self, pe: int, op: str, cycle: int) -> None:
        if pe in self._last:
            before, last = self._last[pe]
            soonest = 2 if last == OPS[0] and not self.cfg.read_pipeline else 1
            when = "at once" if cycle - before == soonest else "later"
            self.counters.hit("follows", f"{last}/{op}/{when}")
        self._last[pe] = cycle, op

    def _together(self, grants: NDArray[Any]) -> None:
        for count in np.unique(grants["cycle"], return_counts=True)[1]:
            self.counters.hit("grants", bucket_name(int(count), self._asked))

    def _burst(self, burst: Any) -> None:
        reads = burst["kind"] == READ
        if burst["single"]:
            job = "ldm" if reads else "stm"
        else:
            job = "read" if reads else "write"
            self.counters.hit("job", f"{burst['id']}/{job}")
        if self._job:
            self.counters.hit("after", f"{self._job}/{job}")
        self._job = job

    def _line(self, event: Observation) -> None:
        if event.word:
            self.counters.hit("error beat", str(event.word - 1))

    def reset(self, reads: int, writes: int, requests: int) -> None:
        """A reset meets so many reads and writes on their way, and requests that were not acknowledged."""
        self._forget()
        what = "a write" if writes else "a read" if reads else "a request" if requests else "idle"
        self.counters.hit("reset", what)

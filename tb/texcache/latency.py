# SPDX-License-Identifier: Apache-2.0
"""Checks how long each footprint took: exactly where the design fixes it, within bounds elsewhere."""

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_subscriber

from configs import MemoryTiming
from configs.texcache.schema import Config
from models.texcache.timing import FIFO_CYCLES, fifo_latency, fill_cycles, hit_latency, idle_latency
from tb.common.components.bench import KEY, Bench
from tb.texcache.prediction import describe
from tb.texcache.scoreboard import Completed


class LatencyChecker(uvm_subscriber):
    """Holds :class:`Completed` against :mod:`models.texcache.timing`.

    ``timing``: the memory's, None if it is not ours to know exactly; ``steady``: nothing is added to it.
    ``checked``: footprints, by the kind of check.
    """

    def build_phase(self) -> None:
        """The memory is the configuration's."""
        self.steady = True
        self._taken = -1  # cycle in which the last result was taken
        self.checked = {"exact": 0, "bounds": 0}
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        self.timing: MemoryTiming | None = self.cfg.memory

    def write(self, tt: Completed) -> None:
        """Footprints that have been compared."""
        beats, missed = tt.prediction.results["beats"].astype(np.int64), tt.missing.any(axis=1)
        shortest = np.where(missed, fifo_latency(self.cfg, 0), hit_latency(self.cfg, 0)) + beats
        if self.timing is not None:
            shortest += np.where(missed, fill_cycles(self.cfg), 0)
        self._refuse(tt, tt.latency < shortest, shortest, "at least")
        arrival = tt.line_due.max(axis=1)
        self._refuse(tt, arrival >= tt.offered, arrival + 1 - tt.requested, "its line being there, at least")
        self._busy(tt, beats, arrival)
        self.checked["bounds"] += 2 * len(beats)
        exact, rule = tt.idle & ~missed, hit_latency(self.cfg, 0) + beats
        self._refuse(tt, exact & (tt.latency != rule), rule, "idle, all hit: exactly")
        self.checked["exact"] += int(exact.sum())
        if self.timing is not None and self.steady:
            for row in np.nonzero(tt.idle & missed & (tt.requested > tt.drained))[0]:
                self._idle_miss(tt, int(row))

    def _busy(self, tt: Completed, beats: NDArray[np.int64], arrival: NDArray[np.int64]) -> None:
        """No lost cycle in a busy pipeline, whatever memory and consumer do.

        A result comes a cycle per beat, and per line unless fills have a port of their own, after the last
        of: the request, the result before it was taken, its last line came; and at most as many cycles as the
        FIFO path is longer than a hit's.
        """
        taken = tt.offered + tt.held
        before = np.concatenate([[self._taken], taken])[:-1]
        self._taken = int(taken[-1]) if len(taken) else self._taken
        due = np.maximum.reduce([before, tt.requested, arrival]) + beats
        if self.cfg.fill_port == "shared":
            due += tt.missing.sum(axis=1)
        due += FIFO_CYCLES - 1
        self._refuse(
            tt, tt.offered > due, due - tt.requested, "its lines and the result before being there, at most"
        )

    def _idle_miss(self, done: Completed, row: int) -> None:
        low, high = idle_latency(self.cfg, done.prediction.results[row])
        self.checked["exact" if low == high else "bounds"] += 1
        if not low <= done.latency[row] <= high:
            self._fail(done, row, f"idle cache, missing: {low} to {high}")

    def _refuse(self, done: Completed, wrong: NDArray[np.bool_], want: NDArray[np.int64], rule: str) -> None:
        if wrong.any():
            row = int(np.argmax(wrong))
            self._fail(done, row, f"{rule} {want[row]}")

    def _fail(self, done: Completed, row: int, rule: str) -> None:
        self.bench.fail(
            f"latency of {describe(done.prediction, row)}, accepted in cycle {done.requested[row]}: "
            f"expected {rule}, got {done.latency[row]}"
        )

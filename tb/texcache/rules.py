# SPDX-License-Identifier: Apache-2.0
"""Rules of the texture cache's ports: invalidation, stop and begin, resets; what its pins let be counted."""

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_component

from configs.texcache.schema import Config
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.counters import LATE
from tb.common.components.packing import unpack_words
from tb.common.components.transactions import AnalysisImp, Observation


class InvalidationChecker(uvm_component):
    """No request is taken while an invalidation waits, and no invalidation while a footprint is unanswered.

    Those are counted here: what the design says of itself, ``busy``, is not asked.
    """

    def build_phase(self) -> None:
        self.requests = AnalysisImp("requests", self, self._request)
        self.results = AnalysisImp("results", self, self._result)
        self.invalidations = AnalysisImp("invalidations", self, self._invalidation)
        self._clocking = self.cdb_get(KEY).clocking
        self.reset(0)

    def reset(self, waited: int) -> None:
        """What the design took is lost; an invalidation may have ``waited`` so many cycles until now."""
        if waited:
            self._check_taken(self._clocking.cycle - waited)
        self._unanswered, self._answered = 0, -1  # footprints; the cycle of the last result
        self._taken = -1  # the cycle of the last request

    def _result(self, transfer: Observation) -> None:
        self._unanswered -= 1
        self._answered = transfer.cycle

    def _request(self, transfer: Observation) -> None:
        self._unanswered += 1
        self._taken = transfer.cycle

    def _check_taken(self, offered: int) -> None:
        assert self._taken < offered, (
            f"a request was taken in cycle {self._taken} while an invalidation waits"
        )

    def _invalidation(self, transfer: Observation) -> None:
        self._check_taken(transfer.cycle - transfer.waited)
        now_answered = self._answered == transfer.cycle  # a result of the same cycle is no earlier one
        left = self._unanswered + now_answered
        assert not left, f"invalidation taken in cycle {transfer.cycle}, with {left} footprints unanswered"


class StopChecker(uvm_component):
    """From stop to begin, both included, no request is taken; begin comes with the result of the last that
    waited. The design is busy as long as a request is unanswered.
    """

    def build_phase(self) -> None:
        self.requests = AnalysisImp("requests", self, self._request)
        self.results = AnalysisImp("results", self, self._result)
        self.stops = AnalysisImp("stops", self, self._stop)
        self.begins = AnalysisImp("begins", self, self._begin)
        self._forget()
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg

    def reset(self) -> None:
        """The design is being reset: what it took is lost."""
        self._judge()
        self._forget()

    def _forget(self) -> None:
        self._taken: list[Observation] = []  # requests
        self._answered: list[Observation] = []  # results
        self.pauses: list[tuple[int, int]] = []  # cycles of stop and begin, -1 before begin

    @property
    def stopped(self) -> bool:
        """Whether a stop waits for its begin."""
        return bool(self.pauses) and self.pauses[-1][1] < 0

    @property
    def in_flight(self) -> int:
        """Requests accepted and not answered."""
        return len(self._taken) - len(self._answered)

    def _request(self, transfer: Observation) -> None:
        self._taken.append(transfer)

    def _result(self, transfer: Observation) -> None:
        self._answered.append(transfer)

    def _stop(self, transfer: Observation) -> None:
        assert not self.stopped, f"stop in cycle {transfer.cycle} without a begin after the one before"
        self.pauses.append((transfer.cycle, -1))

    def _begin(self, transfer: Observation) -> None:
        assert self.stopped, f"begin in cycle {transfer.cycle} without a stop before"
        self.pauses[-1] = self.pauses[-1][0], transfer.cycle

    def check_phase(self) -> None:
        """The rules, for each stop since reset; the last has its begin, too."""
        self._judge()
        if self.stopped:
            self.bench.fail(f"stop in cycle {self.pauses[-1][0]} without a begin")

    def _judge(self) -> None:
        taken = np.array([transfer.cycle for transfer in self._taken], np.int64)
        self._check_busy(taken)
        for stop, begin in self.pauses:
            if begin < 0:
                continue
            early = taken[(taken >= stop) & (taken <= begin)]
            if len(early):
                self.bench.fail(f"a request was taken in cycle {early[0]}, stopped from {stop} to {begin}")
            if self.cfg.resume == "drained":
                self._check_drained(stop, begin, int((taken < begin).sum()))

    def _check_busy(self, taken: NDArray[np.int64]) -> None:
        """``busy``, the flag of each request, says whether others are in the pipeline."""
        answered = np.array([result.cycle for result in self._answered], np.int64)
        left = np.arange(len(taken)) - np.searchsorted(answered, taken)
        for transfer, others in zip(self._taken, left.tolist(), strict=True):
            if transfer.flag != (others > 0):
                self.bench.fail(
                    f"busy is {int(transfer.flag)} in cycle {transfer.cycle}, "
                    f"with {others} footprints unanswered"
                )

    def _check_drained(self, stop: int, begin: int, taken: int) -> None:
        """Begin comes with the result of the last of ``taken`` footprints."""
        if len(self._answered) < taken:  # a reset has taken it away
            left = taken - sum(result.cycle < begin for result in self._answered)
            if left > 1:
                self.bench.fail(f"begin in cycle {begin}, but {left} footprints have no result yet")
            return
        last = self._answered[taken - 1]
        want = max(stop + 1, last.cycle - last.waited)
        if begin != want:
            self.bench.fail(f"begin in cycle {begin}, expected {want}: the last result that was waited for")

    def counters(self) -> dict[str, int]:
        """Cycles that a request waited, because of stop or for another reason."""
        waiting = np.zeros(self.bench.clocking.cycle + 1, np.int64)
        for transfer in self._taken:
            waiting[transfer.cycle - transfer.waited : transfer.cycle] = 1
        stopped = sum(int(waiting[stop : begin + 1].sum()) for stop, begin in self.pauses)
        return {"stop_cycles": stopped, "request_wait_cycles": int(waiting.sum()) - stopped}


class ResetChecker(uvm_component):
    """In each cycle of a reset, of whichever kind, the look-up table is not ready; all counters are at their
    start from the next cycle on, until an event after the reset can show.
    """

    def build_phase(self) -> None:
        self.asserted = AnalysisImp("asserted", self, self._begins)
        self._looking = False
        self.bench: Bench = self.cdb_get(KEY)
        self._ready, self._counters = look(self.bench.dut.lut_ready), look(self.bench.dut.perf_data)
        start = self.bench.settings.counter_start
        perf = self.bench.cfg.streams["perf"]
        self._start = perf.pack(dict.fromkeys((field.name for field in perf.fields), start))

    def _begins(self, _part: str) -> None:
        self._began = self.bench.clocking.cycle
        if not self._looking:
            self._looking = True
            self.bench.clocking.on_sample(self._look)

    def _look(self) -> bool:
        clocking = self.bench.clocking
        if clocking.in_reset and (ready := self._ready()) != "0":
            self.bench.fail(f"lut_ready is {ready} in cycle {clocking.cycle}, which is one of a reset")
        if clocking.cycle > self._began and (text := self._counters()) != f"{self._start:0{len(text)}b}":
            self.bench.fail(f"counters are not at their start in cycle {clocking.cycle}, after a reset")
        self._looking = clocking.in_reset or clocking.cycle < clocking.released + LATE - 1
        return self._looking


class PinCounts(uvm_component):
    """Counts what the pins show since reset, by the names of the design's counters."""

    def build_phase(self) -> None:
        self.results = AnalysisImp("results", self, self._result)
        self.events = AnalysisImp("events", self, self._event)
        self.lines = AnalysisImp("lines", self, self._line)
        self.reset()
        bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = bench.cfg

    def reset(self) -> None:
        """The design counts from zero."""
        self._results = self._held = self._errors = 0
        self._events: list[int] = []

    def _result(self, transfer: Observation) -> None:
        self._results += 1
        self._held += transfer.waited

    def _event(self, transfer: Observation) -> None:
        self._events.append(transfer.word)

    def _line(self, transfer: Observation) -> None:
        self._errors += transfer.word > 0

    def counters(self) -> dict[str, int]:
        """The counts."""
        events = unpack_words(self.cfg.streams["evt"], self._events)
        total = {
            name: sum(int(events[f"{name}{slot}"].sum()) for slot in range(self.cfg.slots))
            for name in ("valid", "hit", "evict")
        }
        return {
            "footprints": self._results,
            "lookups": total["valid"],
            "hits": total["hit"],
            "misses": total["valid"] - total["hit"],
            "evictions": total["evict"],
            "errors": self._errors,
            "conflict_cycles": len(self._events) - int(events["last"].sum()),
            "result_wait_cycles": self._held,
        }

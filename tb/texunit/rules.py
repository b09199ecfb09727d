# SPDX-License-Identifier: Apache-2.0
"""Rules of a texture unit: the order of primitives and quads, and the cycles that each stage takes."""

from collections import deque
from collections.abc import Sequence

from pyuvm import uvm_component

from configs.texunit.schema import Config
from models.texunit.timing import FILTER_CYCLES, LOD_CYCLES, LOOKUP_CYCLES, MISS_CYCLES, query_cycles
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation

STAGES = ("lod", "repeat", "hit", "miss", "filter")


class UnitChecker(uvm_component):
    """Counts quads in flight in a unit and primitives in setup, from its ports and its probe."""

    unit = 0  # set by the environment

    def build_phase(self) -> None:
        self.prims = AnalysisImp("prims", self, self._prim)
        self.quads = AnalysisImp("quads", self, self._quad)
        self.results = AnalysisImp("results", self, self._result)
        self.probes = AnalysisImp("probes", self, self._probe)
        self.reset()
        self.bench: Bench = self.cdb_get(KEY)
        self.probe = self.bench.cfg.streams[f"probe{self.unit}"]

    def reset(self) -> None:
        """The unit forgets what it took."""
        self.quads_in_flight = self.prims_in_setup = 0

    def _prim(self, _: Observation) -> None:
        self.prims_in_setup += 1

    def _quad(self, _: Observation) -> None:
        self.quads_in_flight += 1

    def _result(self, transfer: Observation) -> None:
        if not self.quads_in_flight:
            self._fail(transfer.cycle, "a result of no quad")
        self.quads_in_flight -= 1

    def _probe(self, transfer: Observation) -> None:
        self.prims_in_setup -= self.probe.unpack(transfer.word)["prim_done"]

    def _fail(self, now: int, text: str) -> None:
        self.bench.fail(f"unit {self.unit}, cycle {now}: {text}")


class OrderChecker(UnitChecker):
    """A unit takes no primitive while quads are in flight, no quad before its primitive is set up, and no
    more quads than a FIFO has entries.

    After a reset it has no primitive.
    """

    def reset(self) -> None:
        """The unit forgets what it took."""
        super().reset()
        self.begun = False  # it has taken a primitive

    def _prim(self, transfer: Observation) -> None:
        assert not self.quads_in_flight, (
            f"unit {self.unit}: a primitive was taken in cycle {transfer.cycle} while quads are in flight"
        )
        self.prims_in_setup += 1
        self.begun = True

    def _quad(self, transfer: Observation) -> None:
        assert self.begun, (
            f"unit {self.unit}: a quad was taken in cycle {transfer.cycle} before any primitive"
        )
        assert not self.prims_in_setup, (
            f"unit {self.unit}: a quad was taken in cycle {transfer.cycle} before the primitive was set up"
        )
        self.quads_in_flight += 1
        limit = self.bench.cfg.fifo.depth
        if self.quads_in_flight > limit:
            self._fail(transfer.cycle, f"{self.quads_in_flight} quads in flight, limit {limit}")


class StageChecker(uvm_component):
    """Times each stage of a unit by the handshakes of its probe, which come after the event of their cycle.

    ``timed``, ``shortest``, ``longest``: by stage, how often and in how many cycles since the test began.
    """

    unit = 0  # set by the environment

    def build_phase(self) -> None:
        self.events = AnalysisImp("events", self, self._event)
        self.probes = AnalysisImp("probes", self, self._probe)
        self.origins = AnalysisImp("origins", self, self._origin)
        self.timed = dict.fromkeys(STAGES, 0)
        self.longest = dict.fromkeys(STAGES, 0)
        self.shortest = dict.fromkeys(STAGES, 1 << 30)
        self._first_cycle = 0
        self.reset()
        self.bench: Bench = self.cdb_get(KEY)
        cfg: Config = self.bench.cfg
        self.event, self.probe = cfg.streams[f"evt{self.unit}"], cfg.streams[f"probe{self.unit}"]
        self._query_cycles = {**query_cycles(cfg), "miss": MISS_CYCLES + cfg.beats_per_line}

    def reset(self) -> None:
        """The unit is empty; it counts from zero."""
        self._lod: deque[int] = deque()  # cycles of what went in
        self._query: deque[int] = deque()
        self._filter: deque[int] = deque()
        self._answered = -1, 0  # last event: cycle, word
        self._memory_wait = self._lod_busy = 0

    def _origin(self, cycle: int) -> None:
        self._first_cycle = cycle

    def counters(self) -> dict[str, int]:
        """Cycles of waiting since reset, by the names of the design's counters."""
        cycles = self.bench.clocking.cycle - self._first_cycle - 1  # a counter shows a cycle one late
        return {"memory_wait_cycles": self._memory_wait, "quad_wait_cycles": cycles - self._lod_busy}

    def _event(self, transfer: Observation) -> None:
        self._answered = transfer.cycle, transfer.word

    def _probe(self, transfer: Observation) -> None:
        now, probe = transfer.cycle, self.probe.unpack(transfer.word)
        if probe["lod_out"]:
            took = self._since(self._lod, "lod", now)
            self._time("lod", now, took, LOD_CYCLES, exact=False)
            self._lod_busy += took  # it holds one quad, and takes the next in this cycle at the earliest
        if probe["lod_in"]:
            self._lod.append(now)
        if probe["query_out"]:
            kind = self._outcome(now)
            took = self._since(self._query, kind, now)
            self._time(kind, now, took, self._query_cycles[kind], exact=kind != "miss")
            if kind == "miss":
                self._memory_wait += took - LOOKUP_CYCLES
        if probe["query_in"]:
            self._query.append(now)
        if probe["filter_out"]:
            self._time("filter", now, self._since(self._filter, "filter", now), FILTER_CYCLES)
        if probe["filter_in"]:
            self._filter.append(now)

    def _outcome(self, now: int) -> str:
        cycle, word = self._answered
        if cycle != now:
            self.bench.fail(f"unit {self.unit}: a query was answered in cycle {now} without an event")
        event = self.event.unpack(word)
        return "repeat" if event["repeat"] else "hit" if event["hit"] else "miss"

    def _since(self, entered: deque[int], stage: str, now: int) -> int:
        """Cycles since what now leaves a stage went into it."""
        if not entered:
            self.bench.fail(
                f"unit {self.unit}: in cycle {now} something left stage {stage} that never went in"
            )
        return now - entered.popleft()

    def _time(self, stage: str, now: int, took: int, want: int, exact: bool = True) -> None:
        self.timed[stage] += 1
        self.longest[stage] = max(self.longest[stage], took)
        self.shortest[stage] = min(self.shortest[stage], took)
        if took < want or (exact and took != want):
            least = "" if exact else "at least "
            self.bench.fail(
                f"unit {self.unit}, cycle {now}: {stage} took {took} cycles, expected {least}{want}"
            )


def stage_times(checkers: Sequence[StageChecker]) -> dict[str, tuple[int, int, int]]:
    """Of each stage that was timed in any unit: how often, its least and its most cycles."""
    times = {
        stage: (
            sum(checker.timed[stage] for checker in checkers),
            min(checker.shortest[stage] for checker in checkers),
            max(checker.longest[stage] for checker in checkers),
        )
        for stage in STAGES
    }
    return {stage: time for stage, time in times.items() if time[0]}

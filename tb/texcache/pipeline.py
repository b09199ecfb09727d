# SPDX-License-Identifier: Apache-2.0
"""Follows each beat of look-ups from its request to its result, cycle by cycle, by the ports alone."""

from collections import deque
from collections.abc import Iterator

from pyuvm import uvm_component

from configs.texcache.schema import Config
from models.texcache.stages import Beat, Stages
from tb.common.components.analysis import AnalysisImp
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY, Bench
from tb.common.components.packing import unpack_words
from tb.common.components.transactions import Observation


class PipelineChecker(uvm_component):
    """No cycle is lost, and none gained, from request to result, in whatever traffic.

    The rules are those of docs/texcache.md: a stage takes a beat as soon as the one before has left it. When
    requests were offered, addresses and results taken, and when lines came, is seen at the ports; from that
    follow the cycles in which each request is taken, each beat leaves the tag check and each result is
    offered, and for how long the head waited for its lines.
    """

    monitor: AxiMonitor  # set by the environment

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._forget()
        self._drained = -1  # cycle in which the last line of before a reset came
        self.requests = AnalysisImp("requests", self, self._request)
        self.stops = AnalysisImp("stops", self, self._stop)
        self.begins = AnalysisImp("begins", self, self._begin)
        self.invalidations = AnalysisImp("invalidations", self, self._invalidation)
        self.events = AnalysisImp("events", self, self._event)
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.dropped = AnalysisImp("dropped", self, self._line_dropped)
        self.results = AnalysisImp("results", self, self._result)

    def build_phase(self) -> None:
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg

    @property
    def stale(self) -> bool:
        """Whether lines of before the last reset are still on their way."""
        return self.monitor.rules.reads.stale > 0

    def reset(self, stale: bool) -> None:
        """The design is being reset, and was ``stale`` before: what was answered is judged, all else lost."""
        self._judge(stale)
        self._forget()

    def _forget(self) -> None:
        self._stopped = -1
        self._closed: list[tuple[int, int]] = []  # first and last cycle without requests
        self._requests: list[Observation] = []
        self._events: list[Observation] = []
        self._asked: list[int] = []
        self._arrived: list[int] = []
        self._results: list[Observation] = []

    def _request(self, transfer: Observation) -> None:
        self._requests.append(transfer)

    def _stop(self, transfer: Observation) -> None:
        self._stopped = transfer.cycle

    def _begin(self, transfer: Observation) -> None:
        self._closed.append((self._stopped, transfer.cycle))

    def _invalidation(self, transfer: Observation) -> None:
        self._closed.append((transfer.cycle - transfer.waited, transfer.cycle))

    def _event(self, transfer: Observation) -> None:
        self._events.append(transfer)

    def _address(self, transfer: Observation) -> None:
        self._asked.append(transfer.cycle)

    def _line(self, transfer: Observation) -> None:
        self._arrived.append(transfer.cycle)

    def _line_dropped(self, transfer: Observation) -> None:
        self._drained = transfer.cycle

    def _result(self, transfer: Observation) -> None:
        self._results.append(transfer)

    def check_phase(self) -> None:
        """Of what came since the last reset."""
        self._judge(self.stale)

    def counters(self) -> dict[str, int]:
        """Cycles that the head of the tag FIFO waited for its lines."""
        return {"memory_wait_cycles": self._judge(self.stale).memory_wait}

    def _judge(self, stale: bool) -> Stages:
        stages = Stages(self.cfg, self._asked, self._arrived)
        for wrong in self._walk(stages, stale):
            self.bench.fail(wrong)
        return stages

    def _walk(self, stages: Stages, stale: bool) -> Iterator[str]:
        """What is wrong. Lines of before a reset take places of the data FIFO, for which addresses wait."""
        drained = self.bench.clocking.cycle if stale else self._drained
        number = 0  # of the footprint
        closed = deque(sorted(self._closed))
        begins = True  # a footprint
        for beat in self._beats():
            request, missing = self._requests[number], len(beat.missing)
            requested = request.cycle
            about = f"footprint taken in cycle {requested}, beat with {missing} lines missing"
            if begins:
                want = max(requested - request.waited, stages.left)
                while closed and closed[0][0] <= want:
                    want = max(want, closed.popleft()[1] + 1)
                if requested != want:
                    yield f"{about}: expected to be taken in {want}"
            begins = beat.last
            want = stages.tag_check(beat, requested)
            if beat.left != want and (requested > drained or not missing):
                yield f"{about}: left the tag check in cycle {beat.left}, expected {want}"
            try:
                read = stages.read(beat)
            except IndexError:
                return
            if beat.last:
                if number == len(self._results):
                    return
                result = self._results[number]
                if (offered := result.cycle - result.waited) != read + 1:
                    yield f"{about}: result offered in cycle {offered}, expected {read + 1}"
                stages.taken = result.cycle
                number += 1

    def _beats(self) -> Iterator[Beat]:
        columns = unpack_words(self.cfg.streams["evt"], [event.word for event in self._events])
        words = {name: column.tolist() for name, column in columns.items()}
        for row, event in enumerate(self._events):
            places = {
                slot: (words[f"bank{slot}"][row], words[f"set{slot}"][row], words[f"way{slot}"][row])
                for slot in range(self.cfg.slots)
                if words[f"valid{slot}"][row]
            }
            missing = [place for slot, place in places.items() if not words[f"hit{slot}"][row]]
            yield Beat(event.cycle - 1, list(places.values()), missing, bool(words["last"][row]))

# SPDX-License-Identifier: Apache-2.0
"""Follows each beat of look-ups from its request to its result, cycle by cycle, by the ports alone."""

from collections import deque
from collections.abc import Iterator
from functools import partial

from pyuvm import uvm_component

from configs.texcache.schema import Config
from models.texcache.stages import Beat, Stages
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY, Bench
from tb.common.components.packing import unpack_words
from tb.common.components.transactions import AnalysisImp, Observation

#: transfers that it follows
KINDS = ("requests", "stops", "begins", "invalidations", "events", "addresses", "lines", "results")


class PipelineChecker(uvm_component):
    """No cycle is lost, and none gained, from request to result, in whatever traffic.

    The rules are those of docs/texcache.md: a stage takes a beat as soon as the one before has left it. When
    requests were offered, addresses and results taken, and when lines came, is seen at the ports; from that
    follow the cycles in which each request is taken, each beat leaves the tag check and each result is
    offered, and for how long the head waited for its lines.
    """

    monitor: AxiMonitor  # set by the environment

    def build_phase(self) -> None:
        self._forget()
        self._drained = -1  # cycle in which the last line of before a reset came
        self.inputs = {kind: AnalysisImp(kind, self, partial(self._note, kind)) for kind in KINDS}
        self.dropped = AnalysisImp("dropped", self, self._line_dropped)
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
        self._taken: dict[str, list[Observation]] = {kind: [] for kind in KINDS}

    def _note(self, kind: str, transfer: Observation) -> None:
        self._taken[kind].append(transfer)

    @property
    def _closed(self) -> list[tuple[int, int]]:
        """First and last cycle of each time without requests, in order."""
        stops = zip(self._taken["stops"], self._taken["begins"], strict=False)
        closed = [(stop.cycle, begin.cycle) for stop, begin in stops]
        closed += [(event.cycle - event.waited, event.cycle) for event in self._taken["invalidations"]]
        return sorted(closed)

    def _line_dropped(self, transfer: Observation) -> None:
        self._drained = transfer.cycle

    def check_phase(self) -> None:
        """Of what came since the last reset."""
        self._judge(self.stale)

    def counters(self) -> dict[str, int]:
        """Cycles that the head of the tag FIFO waited for its lines."""
        return {"memory_wait_cycles": self._judge(self.stale).memory_wait}

    def _judge(self, stale: bool) -> Stages:
        addresses, arrived = ([event.cycle for event in self._taken[kind]] for kind in ("addresses", "lines"))
        stages = Stages(self.cfg, addresses, arrived)
        for wrong in self._walk(stages, stale):
            self.bench.fail(wrong)
        return stages

    def _walk(self, stages: Stages, stale: bool) -> Iterator[str]:
        """What is wrong. Lines of before a reset take places of the data FIFO, for which addresses wait."""
        drained = self.bench.clocking.cycle if stale else self._drained
        number = 0  # of the footprint
        closed = deque(self._closed)
        begins = True  # a footprint
        for beat in self._beats():
            request, missing = self._taken["requests"][number], len(beat.missing)
            requested = request.cycle
            about = f"footprint taken in cycle {requested}, beat with {missing} lines missing"
            if begins:
                want = max(requested - request.waited, stages.decided)
                while closed and closed[0][0] <= want:
                    want = max(want, closed.popleft()[1] + 1)
                if requested != want:
                    yield f"{about}: expected to be taken in {want}"
            begins = beat.last
            try:
                decided, due = stages.tag_check(beat, requested)
                left = self._left(beat, due, stages.lines + missing)
                read = stages.read(beat, left)
            except IndexError:  # a reset came before its lines
                return
            late = missing > 0 and requested <= drained
            if beat.decided != decided and (self.cfg.parity or not late):
                yield f"{about}: tags changed in cycle {beat.decided}, expected {decided}"
            if left != due and not late:
                yield f"{about}: left the tag check in cycle {left}, expected {due}"
            if beat.last:
                if number == len(self._taken["results"]):
                    return
                result = self._taken["results"][number]
                if (offered := result.cycle - result.waited) != read + 1:
                    yield f"{about}: result offered in cycle {offered}, expected {read + 1}"
                stages.taken = result.cycle
                number += 1

    def _left(self, beat: Beat, due: int, lines: int) -> int:
        """The cycle in which ``beat`` leaves the tag check; ``lines``: addresses up to its last one.

        By parity: as its last line goes to the AR channel, which shows the address in the next cycle.
        """
        if not self.cfg.parity:
            return beat.decided
        if not beat.missing:
            return due
        address = self._taken["addresses"][lines - 1]
        return address.cycle - address.waited - 1

    def _beats(self) -> Iterator[Beat]:
        events = self._taken["events"]
        columns = unpack_words(self.cfg.streams["evt"], [event.word for event in events])
        words = {name: column.tolist() for name, column in columns.items()}
        for row, event in enumerate(events):
            places = {
                slot: (words[f"bank{slot}"][row], words[f"set{slot}"][row], words[f"way{slot}"][row])
                for slot in range(self.cfg.slots)
                if words[f"valid{slot}"][row]
            }
            missing = [place for slot, place in places.items() if not words[f"hit{slot}"][row]]
            yield Beat(event.cycle - 1, list(places.values()), missing, bool(words["last"][row]))

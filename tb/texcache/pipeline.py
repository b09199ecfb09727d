# SPDX-License-Identifier: Apache-2.0
"""Follows each beat of look-ups from its tag check to its result, a cycle at a time, by the ports alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from pyuvm import uvm_component

from configs.texcache.schema import Config
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY, Bench
from tb.common.components.packing import unpack_words
from tb.common.components.transactions import Observation

Place = tuple[int, int, int]  # bank, set, way


@dataclass(frozen=True)
class Beat:
    """``left``: cycle in which it leaves the tag check; lines that it reads, and that it misses, by place."""

    left: int
    reads: list[Place]
    missing: list[Place]
    last: bool  # of its footprint


@dataclass
class Found:
    """What a walk through all beats finds: the first result in a wrong cycle, and the waits for memory."""

    wrong: str = ""
    memory_wait: int = 0


class PipelineChecker(uvm_component):
    """No cycle is lost, and none gained, between tag check and result, in whatever traffic.

    Stages and their rules are those of docs/texcache.md (tags, FIFO, head, fill, read): a stage takes a beat
    as soon as the one before has left it. When a beat left the tag check, a line came and a result was taken
    is seen at the ports; so the cycle of each result follows, and how long the head waited for its lines.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.events = AnalysisImp("events", self, self._event)
        self.lines = AnalysisImp("lines", self, self._line)
        self.results = AnalysisImp("results", self, self._result)
        self._forget()

    def build_phase(self) -> None:
        """Find the configuration."""
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg

    def reset(self) -> None:
        """The design is being reset: what was answered is judged, all else is lost."""
        self._judge()
        self._forget()

    def _forget(self) -> None:
        self._events: list[Observation] = []
        self._arrived: list[int] = []  # cycles of the last beats of lines
        self._results: list[Observation] = []

    def _event(self, transfer: Observation) -> None:
        self._events.append(transfer)

    def _line(self, transfer: Observation) -> None:
        self._arrived.append(transfer.cycle)

    def _result(self, transfer: Observation) -> None:
        self._results.append(transfer)

    def check_phase(self) -> None:
        """Of what came since the last reset."""
        self._judge()

    def _judge(self) -> None:
        if wrong := self._walk().wrong:
            self.bench.fail(wrong)

    def counters(self) -> dict[str, int]:
        """Cycles that the head of the tag FIFO waited for its lines."""
        return {"memory_wait_cycles": self._walk().memory_wait}

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

    def _walk(self) -> Found:
        """All times are cycles, -1 before the first beat."""
        found, arrived, results = Found(), iter(self._arrived), iter(self._results)
        taken = -1  # the result before
        head = moved = read = -1  # the beat before has left the head, the fill stage, the read stage
        before: list[Place] = []  # what that beat reads
        for beat in self._beats():
            straight = not beat.missing and read < beat.left
            if straight and (taken <= beat.left or self.cfg.held_hit == "wait"):
                done = beat.left
            else:
                start = max(beat.left + 1, head) + 1  # through the tag FIFO into the head
                for number, place in enumerate(beat.missing or [None], 1):
                    due = start
                    if place is not None:
                        came = next(arrived, None)
                        if came is None:
                            return found
                        due = came + 1
                        found.memory_wait += max(0, due - start)
                    head = max(start, due, moved)
                    moved = head + 1
                    if place is not None and any(self._meet(place, other) for other in before):
                        moved = max(moved, read + 1)
                    if number >= len(beat.missing):
                        moved = max(moved, read)
                    start = head + 1
                done = read = max(moved + 1, taken)
                before = beat.reads
            if beat.last:
                result = next(results, None)
                if result is None:
                    return found
                offered, taken = result.cycle - result.waited, result.cycle
                if offered != done + 1 and not found.wrong:
                    found.wrong = (
                        f"result offered in cycle {offered}, expected {done + 1}: its last beat left the tag "
                        f"check in {beat.left}, with {len(beat.missing)} lines missing"
                    )
        return found

    def _meet(self, fill: Place, read: Place) -> bool:
        """Whether a line cannot be written while ``read`` has not been made."""
        if self.cfg.fill_port == "shared":
            return fill[0] == read[0]
        return self.cfg.cache.ways == 1 and fill == read

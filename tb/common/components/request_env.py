# SPDX-License-Identifier: Apache-2.0
"""Environment and functional coverage of a block that answers requests in order.

::

    virtual sequences -> req driver -> [ DUT ] -> res sink
                    AXI memory <------>  |
         req res -> reference (golden model) -> scoreboard <- res, other channels
         reference -> coverage, virtual sequences

A block names its classes; further components are built and connected after these. A block that writes memory
has a tracker of writes (``writes``), and memory is compared byte by byte at the end.
"""

import importlib
from typing import Any, ClassVar

from pyuvm import uvm_component, uvm_subscriber

from tb.common.components.bench import KEY
from tb.common.components.counters import CounterChecker
from tb.common.components.env import BlockEnv
from tb.common.components.pacing import MemoryPacing
from tb.common.components.requests import FILL, Prediction, RequestReference, RequestScoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.components.writing import MemoryChecker, WriteTracker
from tb.common.coverage.bins import WAITS, Counters, Point, bucket_name, part


class RequestCoverage(uvm_subscriber):
    """Counts into the bins of the block's :meth:`plan`, which has the points of
    :mod:`tb.common.coverage.bins` among others.

    ``place``: the field of a request that says where.
    """

    place = "word"

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.reads = AnalysisImp("reads", self, lambda event: self._waited("address wait", event, "read/"))
        self.writes = AnalysisImp("writes", self, lambda event: self._waited("address wait", event, "write/"))
        self.lines = AnalysisImp("lines", self, self._line)

    def build_phase(self) -> None:
        """Empty bins."""
        self.cfg: Any = self.cdb_get(KEY).cfg
        self.counters = Counters(self.plan())
        [op] = (field for field in self.cfg.streams["req"].fields if field.name == "op")
        self.ops: tuple[str, ...] = op.names
        self._before: Any = None  # the request before, and nothing across a reset

    def plan(self) -> list[Point]:
        """All coverpoints: the block's own plan."""
        points: list[Point] = importlib.import_module(f"tb.{self.cfg.block}.plan").plan(self.cfg)
        return points

    def sample(self, op: str, request: Any, result: Any) -> None:
        """What the block made of a request: bins of its own."""
        raise NotImplementedError

    def _waited(self, point: str, transfer: Observation, prefix: str = "") -> None:
        self.counters.hit(point, prefix + bucket_name(transfer.waited, WAITS))

    def _line(self, event: Observation) -> None:
        if event.word:
            self.counters.hit("error beat", str(part(event.word - 1, self.cfg.beats)))

    def reset(self, reads: int, writes: int, requests: int) -> None:
        """A reset meets so many reads and writes on their way, and requests that were not answered."""
        self._before = None
        what = "a write" if writes else "a read" if reads else "a request" if requests else "idle"
        self.counters.hit("reset", what)

    def write(self, tt: Prediction) -> None:
        """Requests that were answered."""
        for transfer in tt.taken:
            self._waited("request wait", transfer)
        for transfer in tt.answered:
            self._waited("result wait", transfer)
        for request, result in zip(tt.requests, tt.results, strict=True):
            self._pair(request)
            self.sample(self.ops[request["op"]], request, result)

    def _pair(self, request: Any) -> None:
        if self._before is not None:
            names = f"{self.ops[self._before['op']]}/{self.ops[request['op']]}"
            self.counters.hit("after", names)
            same = request[self.place] == self._before[self.place]
            if same and names in self.counters.plan["pair"].bins:
                self.counters.hit("pair", names)
        self._before = request


class RequestEnv(BlockEnv):
    """Model, scoreboard, counters, coverage, writes; ``channels`` of the reference are compared."""

    counts_offers = True
    reference_class: ClassVar[type[RequestReference]]
    scoreboard_class: ClassVar[type[RequestScoreboard]]
    coverage_class: ClassVar[type[RequestCoverage]]
    reference: Any
    scoreboard: RequestScoreboard
    writes: WriteTracker | None = None
    memory_check: MemoryChecker

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        self.reference = self.reference_class.create("reference", self)
        self.scoreboard = self.scoreboard_class.create("scoreboard", self)
        self.performance: CounterChecker = CounterChecker.create("performance", self)
        self.coverage: RequestCoverage = self.coverage_class.create("coverage", self)
        if any(port.writes for port in self.cfg.axi_ports.values()):
            self.writes = self.reference.writes = WriteTracker.create("writes", self)
            self.memory_check = MemoryChecker.create("memory_check", self)

    def connect_phase(self) -> None:
        """From what the design takes to what it must give, and who looks on."""
        super().connect_phase()
        # what was taken -> model -> what is expected
        for kind in self.reference.kinds:
            self.agents[kind].ap.connect(self.reference.inputs[kind])
        self.reference.predicted.connect(self.scoreboard.predicted)
        # what came out
        for channel in self.reference.channels:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            if channel in self.agents:
                self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        if FILL in self.reference.channels:
            [axi] = self.axi.values()
            axi.monitor.addresses.connect(self.scoreboard.observed[FILL])
        # counters, at the end
        self.performance.witnesses = {
            "model": self.reference.counters, "scoreboard": self.scoreboard.counters,
        }  # fmt: skip
        # who looks on
        self.reference.predicted.connect(self.sequencer.completed)
        self.reference.predicted.connect(self.coverage.analysis_export)
        for axi in self.axi.values():
            axi.monitor.addresses.connect(self.coverage.reads)
            axi.monitor.lines.connect(self.coverage.lines)
            axi.monitor.write_addresses.connect(self.coverage.writes)
        self.counters = self.coverage.counters
        # writes, and what a reset leaves of them
        if self.writes is not None:
            [axi] = self.axi.values()
            self.writes.follow(axi, self.resets)
            self.memory_check.contents = axi.memory.contents
            self.memory_check.model = self.reference.model.memory

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing; cycles are exact no more."""
        super().pace_memory(pacing)
        self.scoreboard.steady = self.scoreboard.steady and pacing.steady

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`."""
        return not self.reference.in_flight and not self.bursts

    def state(self) -> str:
        """See :meth:`BlockEnv.state`."""
        return f"{self.reference.in_flight} requests unanswered, {self.bursts} bursts on their way"

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; requests that are being served are lost."""
        self.reference.flush()
        rules = [axi.monitor.rules for axi in self.axi.values()]
        reads = sum(port.reads.outstanding for port in rules)
        writes = sum(port.writes.outstanding for port in rules)
        self.coverage.reset(reads, writes, self.reference.in_flight)
        self.scoreboard.by_name["res"].drop(self.reference.in_flight)
        super().reset(part)

    def _reset_ends(self, part: str) -> None:
        if self.writes is not None:
            self.scoreboard.late = bool(self.bursts)
            self.reference.released()
        super()._reset_ends(part)

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a flush has one result for many writes."""
        return (*super().progress(), 0 if self.writes is None else self.writes.begun)

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results = self.scoreboard.by_name["res"]
        return {
            "checked": results.checked, "announced": results.announced or 0,
            "latency checks": self.scoreboard.timed, **self.reference.counters(),
        }  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model of ``mmu`` with the requests of both sides, in the order of their answers."""

from itertools import groupby
from typing import Any, NamedTuple

from numpy.typing import NDArray
from pyuvm import uvm_analysis_port, uvm_component

from models.memory import Memory
from models.mmu import MmuModel
from tb.common.components.packing import pack_words
from tb.common.components.reference import Input
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import Observation
from tb.common.components.writing import CountsWrites
from tb.icache.fills import FillWatch
from tb.icache.reference import Closeness
from tb.mmu.sides import CHANNELS, COLUMNS, SIDES, Side


class Served(NamedTuple):
    """Requests of one side in a row [n], what the model says of them, when they were taken and answered."""

    side: str
    first: int  # index of the first since the test began
    requests: NDArray[Any]
    results: NDArray[Any]
    taken: list[Observation]
    answered: list[Observation]


class MmuReference(CountsWrites):
    """The model over hashed memory of the test's seed. ``predicted`` publishes each :class:`Served`.

    ``command``: what the control port has been told to do and has not answered, or nothing.
    """

    fills: FillWatch | None = None  # of an instruction cache with restart at the word
    kinds = tuple(f"{side}_{kind}" for side in SIDES for kind in ("req", "res"))
    channels = CHANNELS
    journaled = False  # writes can be taken back

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = uvm_analysis_port("predicted", self)

    def build_phase(self) -> None:
        """Nothing asked yet."""
        super().build_phase()
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = MmuModel(self.bench.cfg, self.memory, journaled=self.journaled)
        self.sides = {name: Side(name, self.bench.cfg.streams) for name in SIDES}
        self._closeness = Closeness()
        self.command = ""
        self._counted = 0  # of the model's tries

    def accept(self, kind: str, transfer: Observation) -> None:
        """See :meth:`ReferenceModel.accept`."""
        side, what = kind.split("_")
        self.sides[side].in_flight += 1 if what == "req" else -1
        super().accept(kind, transfer)

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`."""
        for entry in inputs:
            if entry.kind.endswith("_req"):
                self.sides[entry.kind.removesuffix("_req")].open.append(entry.transfer)
        answers = (entry for entry in inputs if entry.kind.endswith("_res"))
        for kind, run in groupby(answers, key=lambda entry: entry.kind):
            self._serve(self.sides[kind.removesuffix("_res")], [entry.transfer for entry in run])

    def _serve(self, side: Side, answered: list[Observation]) -> None:
        taken, requests, results = self.results(side, answered)
        self.predicted.write(Served(side.name, side.count, requests, results, taken, answered))
        indices = range(side.count, side.count + len(requests))
        side.count += len(requests)
        for channel in (f"{side.name}_evt", f"{side.name}_res"):
            words = pack_words(self.bench.cfg.streams[channel], COLUMNS[channel](requests, results))
            self.expected[channel].write(Expectation(words, indices))

    def results(self, side: Side, answered: list[Observation]) -> tuple[list[Observation], Any, Any]:
        """Of these answers: when their requests were taken, these, and the model's results [n]."""
        taken = [side.open.popleft() for _ in answered if side.open]
        requests = side.requests(taken)
        if side.name == "icache" and self.fills is not None:
            return taken, requests, self.model.fetch(requests, seen=self.fills.seen(taken))
        if side.name == "icache":
            return taken, requests, self.model.fetch(requests, self._closeness.of(taken, answered))
        return taken, requests, self.model.access(requests)

    @property
    def in_flight(self) -> int:
        """Requests taken and not answered."""
        return sum(side.in_flight for side in self.sides.values())

    def counters(self) -> dict[str, int]:
        """See :meth:`ReferenceModel.counters`."""
        return self.model.counters

    def released(self, offered: int, forgotten: bool) -> None:
        """See :meth:`CountsWrites.released`."""
        self._count_tries()
        self.abandon(self.unknown(offered, forgotten))
        self._counted = self.model.tries  # those of the abandoned are in what was unknown
        for side in self.sides.values():
            side.lose()
        self.command = ""
        self._closeness.reset()

    def abandon(self, writes: int) -> None:
        """A reset met the open requests, or a command, after so many writes that the model has not made."""
        data = self.sides["dcache"]
        self.model.abandon(data.requests(data.open), self.command, writes)

    def _count_tries(self) -> None:
        """Add those since the last time, of requests and of the control port's commands."""
        self.tries += self.model.tries - self._counted
        self._counted = self.model.tries

    def check_phase(self) -> None:
        """See :meth:`CountsWrites.check_phase`."""
        self._count_tries()
        super().check_phase()

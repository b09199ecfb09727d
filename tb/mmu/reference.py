# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model of ``mmu`` with the requests of both sides, in the order of their answers."""

from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs.dcache.schema import CLEAN
from configs.mmu.registers import COMMANDS
from models.dcache import REQUEST as ACCESS
from models.icache.serving import Seen
from models.memory import Memory
from models.mmu import MmuModel
from tb.common.components.axi.bursts import SLVERR
from tb.common.components.bench import KEY
from tb.common.components.packing import pack_words
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import Observation
from tb.common.components.writing import WriteTracker
from tb.icache.fills import FillWatch
from tb.icache.reference import NEVER, Closeness
from tb.mmu.control import ControlMaster, Operation
from tb.mmu.sides import CHANNELS, COLUMNS, READS, SIDES, Side, fill_channels

CONTROL = "control"  # the kind of what the control port asks for


class Served(NamedTuple):
    """Requests of one side in a row [n], what the model says of them, when they were taken and answered."""

    side: str
    first: int  # index of the first since the test began
    requests: NDArray[Any]
    results: NDArray[Any]
    taken: list[Observation]
    answered: list[Observation]


class MmuReference(ReferenceModel):
    """The model over hashed memory of the test's seed. ``predicted`` publishes each :class:`Served`.

    ``command``: what the control port has been told to do and has not answered, or nothing. Where its
    operations come among requests the block decides. The model does what a test tells it, or, if it
    ``follows``, each operation in its place, and holds the answer against its own. The place is seen at the
    ports, of all but one: of a fence's clean, the first of two operations, only if it is not ``owed``.
    """

    control: ControlMaster  # set by the environment, as is
    writes: WriteTracker
    fills: FillWatch | None = None  # of an instruction cache with restart at the word
    kinds = (CONTROL, *(f"{side}_{kind}" for side in SIDES for kind in ("req", "res")))
    journaled = False  # writes can be taken back
    follows = False

    def build_phase(self) -> None:
        cfg = self.cdb_get(KEY).cfg
        self.channels = (*fill_channels(cfg).values(), *CHANNELS)
        super().build_phase()
        self.predicted = uvm_analysis_port("predicted", self)
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = MmuModel(self.bench.cfg, self.memory, journaled=self.journaled)
        self.sides = {name: Side(name, self.bench.cfg.streams) for name in SIDES}
        self._closeness = Closeness()
        self.command = ""
        self.owed = False  # no request of the data side has come since its last operation
        self._fence: int | None = None  # requests from this cycle on come behind the clean of a fence
        self._failed = False  # that clean
        self._counted = 0  # of the model's tries

    def accept(self, kind: str, transfer: Observation) -> None:
        if kind != CONTROL:
            side, what = kind.split("_")
            self.sides[side].in_flight += 1 if what == "req" else -1
        elif not self.follows:
            return
        super().accept(kind, transfer)

    def _predict_before(self, cycle: int) -> None:
        """See :meth:`ReferenceModel`; the place of a status is seen one cycle late."""
        super()._predict_before(cycle - (self.follows and self.control.reading))

    def predict(self, inputs: list[Input]) -> None:
        for operates, run in groupby(inputs, key=lambda entry: entry.kind == CONTROL):
            if not operates:
                self.answer(list(run))
                continue
            for entry in run:
                assert isinstance(entry.transfer, Operation)
                self._operate(entry.transfer)

    def _operate(self, operation: Operation) -> None:
        """One begins, or is done."""
        name = operation.name
        if not operation.answer:
            self.command = name if name in COMMANDS else self.command
            if name == "fence":
                if self.owed:
                    self.bench.fail(f"fence in cycle {operation.cycle - 1}: nobody can tell where it comes")
                self._fence = operation.cycle
            return
        data, response = operation.answer
        want = self._done(operation, data)
        self.command = "" if name in COMMANDS else self.command
        if want != (data, response):
            wanted = ", ".join(f"{what:#x}" for what in want)
            self.bench.fail(
                f"{name} answered in cycle {operation.cycle}: expected {wanted}, got {data:#x}, {response:#x}"
            )

    def _done(self, operation: Operation, shown: int) -> tuple[int, int]:
        """The model does an operation; what it reads, and the response."""
        name = operation.name
        if name == "base":
            mask = (1 << self.bench.cfg.axi.address_bits) - 1
            self.model.base(operation.number, operation.value & mask, self._lines())
        elif name.endswith("_policy"):
            self.model.policy(name.removesuffix("_policy"), operation.value % 4)
        elif name.endswith("_status"):
            self.owed |= name == "dcache_status"
            return self.status(name.removesuffix("_status"), shown), 0
        elif name == "fence":
            self.clean()
            self.model.command("invalidate_icache")
            return 0, SLVERR * self._failed
        else:
            self.owed |= COMMANDS[name][0] is not None
            return 0, SLVERR * self.model.command(name)
        self.owed |= name == "dcache_policy"
        return 0, 0

    def status(self, side: str, shown: int) -> int:
        """The model's, of which time may decide: ``shown``, if that can be."""
        return self.model.status(side, self._lines())

    def _lines(self) -> Seen | None:
        """What an operation between fetches has to know of the lines that come: it is in time for each."""
        return self.fills and self.fills.seen([Observation(NEVER, 0)])

    def clean(self) -> None:
        """The clean of a fence that is under way is done, if it was not before."""
        if self._fence is not None:
            self._fence, self.owed = None, True
            self._failed = self.model.command("clean")
            self.command = ""

    def answer(self, inputs: list[Input]) -> None:
        """Predict requests that were answered, no operation between them."""
        for entry in inputs:
            if entry.kind.endswith("_req"):
                self.sides[entry.kind.removesuffix("_req")].open.append(entry.transfer)
                self.owed &= entry.kind != "dcache_req"
        answers = (entry for entry in inputs if entry.kind.endswith("_res"))
        for kind, run in groupby(answers, key=lambda entry: entry.kind):
            self._split(self.sides[kind.removesuffix("_res")], [entry.transfer for entry in run])

    def _split(self, side: Side, answered: list[Observation]) -> None:
        """Serve those before the clean of a fence, let that be done, and serve the others."""
        count = self.before(side) if side.name == "dcache" else len(answered)
        if count:
            self._serve(side, answered[:count])
        if answered[count:]:
            self.clean()
            self._serve(side, answered[count:])

    def before(self, side: Side) -> int:
        """How many of the requests that have no answer yet come before the clean of a fence."""
        return (
            len(side.open) if self._fence is None else sum(taken.cycle < self._fence for taken in side.open)
        )

    def _serve(self, side: Side, answered: list[Observation]) -> None:
        taken, requests, results = self.results(side, answered)
        self.predicted.write(Served(side.name, side.count, requests, results, taken, answered))
        indices = range(side.count, side.count + len(requests))
        side.count += len(requests)
        if fill := fill_channels(self.bench.cfg).get(side.name):
            rows, addresses = READS[side.name](getattr(self.bench.cfg, side.name), requests, results)
            self.expected[fill].write(Expectation(addresses.tolist(), [indices[row] for row in rows]))
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
        return self.model.counters

    def reset(self) -> None:
        """The model follows when the reset ends."""

    def released(self) -> None:
        """A reset ends: the model makes the writes that it leaves."""
        self.count_tries()
        self.abandon(self.writes.left())
        self._counted = self.model.tries  # those of the abandoned are in what was unknown
        for side in self.sides.values():
            side.lose()
        self.command, self.owed, self._fence = "", False, None
        self._closeness.reset()

    def abandon(self, writes: int) -> None:
        """A reset met the open requests, or a command, after so many writes that the model has not made."""
        data = self.sides["dcache"]
        requests, command = data.requests(data.open), self.command
        if command == "fence" and data.open and not self.before(data):
            clean = np.zeros(1, ACCESS)
            clean["op"] = CLEAN
            requests, command = np.concatenate([clean, requests]), ""
        self.model.abandon(requests, command, writes)

    def count_tries(self) -> None:
        """Add the model's since the last time, of requests and of the control port's commands."""
        self.writes.tries += self.model.tries - self._counted
        self._counted = self.model.tries

    def extract_phase(self) -> None:
        """All tries are counted before they are compared."""
        self.count_tries()

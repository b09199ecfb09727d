# SPDX-License-Identifier: Apache-2.0
"""A block that answers requests: model, scoreboard, sequence of ``req`` and ``res``.

Requests and results are arrays [n] of the golden model's record types.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port, uvm_component

from configs import MemoryTiming
from tb.common.components.analysis import AnalysisImp
from tb.common.components.counters import Bounds
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import Columns, columns, pack_words, unpack_words
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation, Scoreboard
from tb.common.components.transactions import Observation
from tb.common.components.virtual_sequence import VirtualSequence
from workloads.traces.requests import records


class Prediction(NamedTuple):
    """Requests [n], in the order in which they were answered, with what the model says of them, when they
    were taken and when answered.
    """

    first: int  # number of the first that was answered, since the test began
    requests: NDArray[Any]
    results: NDArray[Any]
    taken: list[Observation]
    answered: list[Observation]


def latencies(predictions: Iterable[Any]) -> list[int]:
    """Cycles from each request to its result, of :class:`Prediction` or the like."""
    return [
        answered.cycle - answered.waited - taken.cycle
        for one in predictions
        for taken, answered in zip(one.taken, one.answered, strict=True)
    ]


class Served(NamedTuple):
    """A request that has not been answered, and what the model said of it."""

    transfer: Observation
    request: Any
    result: Any


class RequestReference(ReferenceModel):
    """Predicts a request once it is answered; so one that a reset meets is left over, in ``open``.

    ``key``, of a block whose results may overtake each other: the field of both streams by which they do not.
    A result belongs to the oldest request of its key that is open; the model serves each when it was taken.
    ``at_once``: it does so though results are in order. ``told``: channels on which each request has a word,
    expected once it is answered; the block publishes what it expects on the others.

    ``predicted`` publishes each :class:`Prediction`, before the words that follow from it. ``request_type``:
    the model's.
    """

    kinds = ("req", "res")
    request_type: np.dtype[Any]
    key: str | None = None
    at_once = False

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = uvm_analysis_port("predicted", self)

    @property
    def told(self) -> tuple[str, ...]:
        """See the class; all channels."""
        return self.channels

    def build_phase(self) -> None:
        """Nothing asked yet."""
        super().build_phase()
        self.open: deque[Observation] = deque()  # taken, and not predicted
        self._served: dict[int, deque[Served]] = {}  # of these, by key
        self.count = 0  # requests that were predicted
        self.in_flight = 0  # requests taken and not answered

    def accept(self, kind: str, transfer: Observation) -> None:
        """See :meth:`ReferenceModel.accept`."""
        self.in_flight += 1 if kind == "req" else -1
        super().accept(kind, transfer)

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`."""
        asked, answered = (
            [entry.transfer for entry in inputs if entry.kind == kind] for kind in ("req", "res")
        )
        self.open.extend(asked)
        if self.key is None and not self.at_once:
            taken = [self.open.popleft() for _ in answered if self.open]
            requests = self.requests(taken)
            results = self.serve_seen(requests, taken, answered)
        else:
            self._serve(asked)
            taken, requests, results = self._matched(answered)
        self.predicted.write(Prediction(self.count, requests, results, taken, answered))
        indices = range(self.count, self.count + len(requests))
        self.count += len(requests)
        for channel in self.told:
            words = pack_words(self.bench.cfg.streams[channel], self.columns(channel, requests, results))
            self.expected[channel].write(Expectation(words, indices))

    def _serve(self, asked: list[Observation]) -> None:
        requests = self.requests(asked)
        results = self.serve(requests)
        served = list(map(Served, asked, requests, results))
        for one in served:
            key = int(one.request[self.key]) if self.key else 0
            self._served.setdefault(key, deque()).append(one)
        self.follow(served)

    def follow(self, served: list[Served]) -> None:
        """The model has served these, in the order in which they were taken; results come later."""

    def settle(self, one: Served) -> None:
        """A request was answered: what only time tells of its result."""

    def _matched(self, answered: list[Observation]) -> tuple[list[Observation], NDArray[Any], NDArray[Any]]:
        """The requests of these results: transfers, requests and the model's results."""
        found: list[Served] = []
        for transfer in answered:
            key = self.bench.cfg.streams["res"].unpack(transfer.word)[self.key] if self.key else 0
            if not self._served.get(key):
                which = f" of {self.key} {key}" if self.key else ""
                self.bench.fail(f"res in cycle {transfer.cycle}: no request{which} is open")
            found.append(self._served[key].popleft())
            self.open.remove(found[-1].transfer)
            self.settle(found[-1])
        taken = [one.transfer for one in found]
        if not found:
            nothing = self.requests([])
            return taken, nothing, self.serve(nothing)
        return taken, np.stack([one.request for one in found]), np.stack([one.result for one in found])

    def requests(self, taken: Iterable[Observation]) -> NDArray[Any]:
        """The requests [n] of transfers."""
        words = [transfer.word for transfer in taken]
        return records(self.request_type, unpack_words(self.bench.cfg.streams["req"], words))

    def lose_open(self) -> None:
        """Requests that were not answered never will be."""
        self.open.clear()
        self._served.clear()
        self.in_flight = 0

    def serve_seen(
        self, requests: NDArray[Any], taken: list[Observation], answered: list[Observation]
    ) -> NDArray[Any]:
        """The model's results [n]; for a block whose results hang on the cycles of their transfers, too."""
        return self.serve(requests)

    def serve(self, requests: NDArray[Any]) -> NDArray[Any]:
        """The model's results [n]."""
        raise NotImplementedError

    def columns(self, channel: str, requests: NDArray[Any], results: NDArray[Any]) -> Columns:
        """What the pins of ``channel`` must show."""
        raise NotImplementedError


class RequestScoreboard(Scoreboard):
    """Compares, and looks at the cycles that each request took.

    ``steady``: the memory has this ``timing`` exactly, so that these are known; ``late``: something from
    before a reset may be in the way of the next requests.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = AnalysisImp("predicted", self, self._predicted)

    def build_phase(self) -> None:
        """Nothing predicted yet."""
        super().build_phase()
        self.timing: MemoryTiming = self.bench.cfg.memory
        self.steady, self.late, self.timed = True, False, 0
        self.memory_wait = 0  # cycles since reset, of requests whose cycles are known
        self.sure = True  # they all are
        self._recent: deque[Prediction] = deque(maxlen=2)

    def cycles(self, prediction: Prediction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Cycles [n] to the result, and those [n] of waiting for memory, if that has its usual timing."""
        raise NotImplementedError

    def exact(self, waits: int) -> bool:
        """Whether the cycles of the next request, which ``waits`` for memory, are known."""
        return (self.steady and not self.late) or not waits

    def _predicted(self, prediction: Prediction) -> None:
        self._recent.append(prediction)
        cycles, waits = self.cycles(prediction)
        self.memory_wait += int(waits.sum())
        for row, (taken, answered) in enumerate(zip(prediction.taken, prediction.answered, strict=True)):
            got, want = answered.cycle - answered.waited - taken.cycle, int(cycles[row])
            exact = self.exact(int(waits[row]))
            self.sure, self.late = self.sure and exact, self.late and exact
            self.timed += exact
            if got < want or (exact and got != want):
                rule = "exactly" if exact else "at least"
                self.fail(f"{self._describe(prediction, row)} took {got} cycles, expected {rule} {want}")

    def _describe(self, prediction: Prediction, row: int) -> str:
        """A request by its number, fields and cycle."""
        named = []
        for field in self.bench.cfg.streams["req"].fields:
            value = int(prediction.requests[row][field.name])
            named.append(field.names[value] if field.names else f"{field.name}={value:#x}")
        return f"request {prediction.first + row} ({', '.join(named)}) of cycle {prediction.taken[row].cycle}"

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, and in which request."""
        prediction = next(known for known in reversed(self._recent) if known.first <= index)
        who = self._describe(prediction, index - prediction.first)
        differences = self.differences(channel, expected, transfer.word)
        return "\n".join([f"{channel} in cycle {transfer.cycle}, {who}", *differences])

    def reset(self) -> None:
        """See :meth:`Scoreboard.reset`."""
        super().reset()
        self.memory_wait, self.sure = 0, True

    def counters(self) -> dict[str, int | Bounds]:
        """Cycles of waiting since reset: for the consumer, and for memory, of any number if its timing does
        not tell.
        """
        return {
            "result_wait_cycles": sum(transfer.waited for transfer in self.by_name["res"].matched),
            "memory_wait_cycles": self.memory_wait if self.sure else Bounds(),
        }


class RequestSequence(VirtualSequence):
    """Sends requests that are announced to the scoreboard.

    ``distribution``: what ``draw(cfg, rng, count)`` gives common tests (:mod:`request_tests`) to send.
    """

    distribution: Any

    def lines(self, requests: NDArray[Any]) -> NDArray[Any]:
        """The line of memory [n] that each of requests [n] needs."""
        raise NotImplementedError

    def draw(self, count: int) -> NDArray[Any]:
        """Requests [count] at random."""
        drawn: NDArray[Any] = self.distribution.draw(self.cfg, self.rng, count)
        return drawn

    async def send_records(self, requests: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Announce and send requests [n]; returns when the last was taken."""
        self.env.scoreboard.announce("res", len(requests))
        await self.send_words("req", pack_words(self.cfg.streams["req"], columns(requests)), pacing)

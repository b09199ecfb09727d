# SPDX-License-Identifier: Apache-2.0
"""A block that answers requests: model, scoreboard, sequence of ``req`` and ``res``.

Requests and results are arrays [n] of the golden model's record types.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port, uvm_component

from configs import Field, MemoryTiming, Stream
from models import records
from models.memory import Memory
from tb.common.components.counters import Bounds
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import Columns, columns, pack_words, unpack_words
from tb.common.components.reference import InOrder, Input, Order, ReferenceModel, Served
from tb.common.components.scoreboard import Expectation, Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation, shown
from tb.common.components.virtual_sequence import VirtualSequence
from tb.common.components.writing import WriteTracker

#: the channel of addresses on the AXI port, of blocks that read lines in the order of their requests
FILL = "fill"
FILLS = Stream(FILL, "out", (Field("address", 64),))  # its words


class Prediction(NamedTuple):
    """Requests [n], in the order in which they were answered, with the model's results, and the transfers in
    which they were taken and answered.
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
        for prediction in predictions
        for taken, answered in zip(prediction.taken, prediction.answered, strict=True)
    ]


#: reads of memory [k], in their order: the row of the request that each is for, and its byte address
Reads = tuple[NDArray[np.int64], NDArray[np.int64]]


def lines_of(cfg: Any, requests: NDArray[Any], results: NDArray[Any]) -> Reads:
    """The reads of a cache whose requests need a line each."""
    rows = np.flatnonzero(results["fill"])
    return rows, results["line"][rows] * cfg.cache.line_bytes


class RequestReference(ReferenceModel):
    """Predicts requests with a golden model in the order of ``order_class``. ``model_class`` makes the model
    of a configuration and a memory.

    ``columns``: channels on which each request has a word, expected once the request is answered, and the
    fields of these words. A block publishes itself what it expects on other channels. ``request_type``: the
    model's. ``predicted`` publishes each :class:`Prediction`, before the words that follow from it. A channel
    :data:`FILL` has the address of each line that a request reads, and is compared before the others.

    ``writes``, of a block that writes memory: the model abandons requests that a reset meets after as many
    writes as the reset leaves.
    """

    kinds = ("req", "res")
    channels: tuple[str, ...] = ("evt", "res")
    request_type: np.dtype[Any]
    model_class: Any
    reads_of: Any = staticmethod(lines_of)
    order_class: type[Order] = InOrder
    columns: ClassVar[Mapping[str, Callable[[NDArray[Any], NDArray[Any]], Columns]]]
    writes: WriteTracker | None = None  # set by the environment

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.predicted = uvm_analysis_port("predicted", self)

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed; no request yet."""
        super().build_phase()
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = self.model_class(self.bench.cfg, self.memory)
        self.order: Any = self.order_class(self)
        self.count = 0  # requests that were predicted
        self.in_flight = 0  # requests taken and not answered

    def accept(self, kind: str, transfer: Observation) -> None:
        """See :meth:`ReferenceModel.accept`."""
        self.in_flight += 1 if kind == "req" else -1
        super().accept(kind, transfer)

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`."""
        requested, answered = (
            [entry.transfer for entry in inputs if entry.kind == kind] for kind in ("req", "res")
        )
        taken, requests, results = self.order.match(requested, answered)
        self.predicted.write(Prediction(self.count, requests, results, taken, answered))
        indices = range(self.count, self.count + len(requests))
        self.count += len(requests)
        if FILL in self.channels:
            rows, addresses = self.reads_of(self.bench.cfg, requests, results)
            self.expected[FILL].write(Expectation(addresses.tolist(), [indices[row] for row in rows]))
        for channel, columns_of in self.columns.items():
            words = pack_words(self.bench.cfg.streams[channel], columns_of(requests, results))
            self.expected[channel].write(Expectation(words, indices))

    def requests(self, taken: Iterable[Observation]) -> NDArray[Any]:
        """The requests [n] of transfers."""
        words = [transfer.word for transfer in taken]
        return records(self.request_type, unpack_words(self.bench.cfg.streams["req"], words))

    def serve(
        self, requests: NDArray[Any], taken: list[Observation], answered: list[Observation]
    ) -> NDArray[Any]:
        """The model's results [n]; ``answered``: transfers of the results, if the order knows them."""
        results: NDArray[Any] = self.model.replay(requests)
        if self.writes is not None:
            self.writes.tries += int(results["tries"].sum(dtype=np.int64))
        return results

    def follow(self, served: list[Served]) -> None:
        """The model has served these at once, in the order in which they were taken."""

    def settle(self, served: Served) -> None:
        """A request that was served at once is answered: complete the result with what only time tells."""

    def abandon(self, writes: int) -> None:
        """A reset ends that met open requests, after ``writes`` which the model has not made."""
        if self.order.open:
            self.model.abandon(self.requests(self.order.open), writes)

    def released(self) -> None:
        """A reset ends, of a block that writes: the model follows."""
        assert self.writes is not None
        self.abandon(self.writes.left())
        self.forget()

    def reset(self) -> None:
        """See :meth:`ReferenceModel.reset`: at once, unless the reset's end decides about writes."""
        if self.writes is None:
            self.forget()

    def forget(self) -> None:
        """Requests that were not answered never will be."""
        self.order.lose()
        self.in_flight = 0
        self.model.reset()

    def counters(self) -> dict[str, int]:
        """See :meth:`ReferenceModel.counters`."""
        counters: dict[str, int] = self.model.counters
        return counters


class RequestScoreboard(Scoreboard):
    """Compares, and looks at the cycles that each request took.

    ``steady``: the memory has this ``timing`` exactly, so that these are known; ``late``: something from
    before a reset may be in the way of the next requests.
    """

    channels: tuple[str, ...] = ("evt", "res")

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
                rule = f"exactly {want}" if exact else f"at least {want} ({self._loose()})"
                self.fail(f"{self._describe(prediction, row)} took {got} cycles, expected {rule}")

    def _loose(self) -> str:
        return "bursts from before the reset may delay it" if self.steady else "the memory's timing varies"

    def _describe(self, prediction: Prediction, row: int) -> str:
        """A request by its number, fields and cycle."""
        named = []
        for field in self.bench.cfg.streams["req"].fields:
            value = int(prediction.requests[row][field.name])
            named.append(field.names[value] if field.names else f"{field.name}={shown(field, value)[0]}")
        return f"request {prediction.first + row} ({', '.join(named)}) of cycle {prediction.taken[row].cycle}"

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """Fields that differ, the request, and the model's outcome."""
        prediction = next(recent for recent in reversed(self._recent) if recent.first <= index)
        who = self._describe(prediction, index - prediction.first)
        differences = self.differences(channel, expected, transfer.word)
        result, events = prediction.results[index - prediction.first], self.bench.cfg.streams.get("evt")
        model = [
            f"{field.name}={shown(field, int(result[field.name]))[0]}"
            for field in (events.fields if events else ())
            if field.name in result.dtype.names and np.ndim(result[field.name]) == 0
        ]
        lines = [f"{channel} in cycle {transfer.cycle}, {who}", *differences]
        return "\n".join([*lines, f"  model: {', '.join(model)}"] if model else lines)

    def stream_of(self, channel: str) -> Stream:
        """See :meth:`Scoreboard.stream_of`; a fill has its address alone."""
        return FILLS if channel == FILL else super().stream_of(channel)

    def reset(self) -> None:
        """See :meth:`Scoreboard.reset`; requests that are lost may have asked for their lines."""
        if FILL in self.by_name:
            self.by_name[FILL].forgive()
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

# SPDX-License-Identifier: Apache-2.0
"""The component that feeds a golden model with all that the design accepts, and the orders in which a model
serves requests: in order, at once, or by a key.
"""

from collections import deque
from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port, uvm_component

from models.memory import Memory
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation


class Input(NamedTuple):
    """Something the design took: in one cycle, kinds come in the order of :attr:`ReferenceModel.kinds`."""

    cycle: int
    rank: int
    kind: str
    transfer: Observation


class ReferenceModel(uvm_component):
    """Base of all reference models: collects inputs, and has them predicted some at a time.

    ``kinds``: the input channels, in the order in which those of one cycle take effect; each has its export
    in ``inputs``. ``channels``: what is predicted; :class:`Expectation` leave by the ports in ``expected``.
    ``batch``: how many inputs to collect before predicting; more is faster, 1 finds a difference in the cycle
    it shows. The order of prediction, and so the result, does not depend on it.
    """

    memory: Memory  # the model's
    kinds: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    def build_phase(self) -> None:
        """Nothing accepted yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.batch = 256
        self._inputs: list[Input] = []
        self.inputs = {kind: AnalysisImp(kind, self, partial(self.accept, kind)) for kind in self.kinds}
        self.expected = {name: uvm_analysis_port(f"expected_{name}", self) for name in self.channels}

    def accept(self, kind: str, transfer: Observation) -> None:
        """An input was taken by the design."""
        self._inputs.append(Input(transfer.cycle, self.kinds.index(kind), kind, transfer))
        if len(self._inputs) >= self.batch:
            self._predict_before(self.bench.clocking.cycle)

    def flush(self) -> None:
        """Predict all that was accepted. Not to be called between the samples of one cycle."""
        self._predict_before(self.bench.clocking.cycle + 1)

    def _predict_before(self, cycle: int) -> None:
        ready = sorted(entry for entry in self._inputs if entry.cycle < cycle)
        self._inputs = [entry for entry in self._inputs if entry.cycle >= cycle]
        if ready:
            self.predict(ready)

    def predict(self, inputs: list[Input]) -> None:
        """Run the model over ``inputs``, in order, and publish what to expect."""
        raise NotImplementedError

    def poison(self, lines: Iterable[int]) -> None:
        """From now on memory answers for ``lines`` with an error. To be called while the design is idle."""
        self.flush()
        self.memory.poison(lines)

    def heal(self) -> None:
        """From now on all is well. To be called while the design is idle."""
        self.flush()
        self.memory.heal()

    def lose(self) -> None:
        """A reset begins: what was accepted is predicted as far as it can still be compared."""
        self.flush()

    def counters(self) -> dict[str, int]:
        """What the model counted since reset, by the names of the design's counters; those it knows."""
        return {}

    def reset(self) -> None:
        """The design was reset, all its accepted inputs are predicted: the model's state follows."""
        raise NotImplementedError


class Served(NamedTuple):
    """A request that has not been answered, and the model's result."""

    transfer: Observation
    request: Any
    result: Any


#: requests that were answered: their transfers, the requests [n], the model's results [n]
Matched = tuple[list[Observation], NDArray[Any], NDArray[Any]]


class Order(Protocol):
    """The order in which the model serves requests, and the request that each result belongs to."""

    def __init__(self, reference: Any) -> None: ...

    def match(self, taken: list[Observation], answered: list[Observation]) -> Matched:
        """The requests of these results; ``taken``: further requests."""

    def lose(self) -> None:
        """Requests that were not answered never will be."""


class InOrder:
    """Results come in order. The model serves a request once it is answered, so that one which a reset meets
    is left over, in ``open``.
    """

    def __init__(self, reference: Any) -> None:
        self._reference = reference
        self.open: deque[Observation] = deque()

    def match(self, taken: list[Observation], answered: list[Observation]) -> Matched:
        """See :class:`Order`."""
        self.open.extend(taken)
        oldest = [self.open.popleft() for _ in answered if self.open]
        requests = self._reference.requests(oldest)
        return oldest, requests, self._reference.serve(requests, oldest, answered)

    def lose(self) -> None:
        """See :class:`Order`."""
        self.open.clear()


class AtOnce:
    """Results come in order. The model serves a request when it is taken.

    ``field``, if there is one, is a key of requests and results: only results of one key come in order.
    """

    field: ClassVar[str] = ""

    def __init__(self, reference: Any) -> None:
        self._reference = reference
        self._served: dict[int, deque[Served]] = {}  # by key

    def _key(self, fields: Any) -> int:
        return int(fields[self.field]) if self.field else 0

    def match(self, taken: list[Observation], answered: list[Observation]) -> Matched:
        """See :class:`Order`."""
        reference, stream = self._reference, self._reference.bench.cfg.streams["res"]
        requests = reference.requests(taken)
        results = reference.serve(requests, taken, [])
        served = list(map(Served, taken, requests, results))
        for item in served:
            self._served.setdefault(self._key(item.request), deque()).append(item)
        reference.follow(served)
        matched: list[Served] = []
        for transfer in answered:
            key = self._key(stream.unpack(transfer.word))
            if not self._served.get(key):
                which = f" of {self.field} {key}" if self.field else ""
                reference.bench.fail(f"res in cycle {transfer.cycle}: no request{which} is open")
            matched.append(self._served[key].popleft())
            reference.settle(matched[-1])
        if not matched:
            return [], requests[:0], results[:0]
        transfers, answered_requests, their_results = zip(*matched, strict=True)
        return list(transfers), np.stack(answered_requests), np.stack(their_results)

    def lose(self) -> None:
        """See :class:`Order`."""
        self._served.clear()


class ByKey(AtOnce):
    """Results of different warps may overtake each other."""

    field = "warp"

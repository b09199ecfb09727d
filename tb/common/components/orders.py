# SPDX-License-Identifier: Apache-2.0
"""Orders in which a golden model serves requests: in order, at once, or by a key."""

from collections import deque
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tb.common.components.transactions import Observation


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

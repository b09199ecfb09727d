# SPDX-License-Identifier: Apache-2.0
"""What both directions have in common: the rules of an address channel, and the bursts that are open."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, NoReturn, TypeVar

from configs.parts import AxiPort
from tb.common.components.axi.bursts import Burst, faults
from tb.common.components.axi.handshake import Transfer, number
from tb.common.components.axi.use import BurstUse


class BurstEvent(NamedTuple):
    """A burst at its address, its last beat or its answer: like an ``Observation``, with the burst.

    ``word``: the byte address, or at the end of a read its first beat that failed, from 1, or 0, or the
    response of a write. ``beats``: (data, response) of a read, (data, strobes) of a write.
    """

    cycle: int
    word: int
    waited: int
    flag: bool
    burst: Burst
    beats: tuple[tuple[int, int], ...]


#: called with the name of an analysis port and what it publishes
Publish = Callable[[str, BurstEvent], None]


class Open:
    """A burst whose address was taken in ``cycle``, its beats so far, and the cycle of the last one.

    ``stale``: the block was reset after it had asked for it.
    """

    def __init__(self, burst: Burst, cycle: int) -> None:
        self.burst, self.cycle = burst, cycle
        self.beats: list[tuple[int, int]] = []
        self.complete: int | None = None
        self.stale = False

    def event(self, transfer: Transfer, word: int) -> BurstEvent:
        """What is published of it."""
        return BurstEvent(transfer.cycle, word, transfer.waited, False, self.burst, tuple(self.beats))


O = TypeVar("O", bound=Open)  # noqa: E741


class Direction(Generic[O]):
    """Open bursts by id. ``verb``: "read" or "write"."""

    def __init__(self, port: AxiPort, use: BurstUse, verb: str, publish: Publish) -> None:
        self.port, self.use, self.verb, self.publish = port, use, verb, publish
        self.most = self.most_per_id = self.ended = 0
        self.reset()

    def reset(self) -> None:
        """Forget open bursts."""
        self.open: dict[int, deque[O]] = {}

    @property
    def outstanding(self) -> int:
        """Bursts asked for that have not ended."""
        return sum(map(len, self.open.values()))

    def begin(self, transfer: Transfer, make: Callable[[Burst, int], O]) -> O:
        """An address was taken: check it and open its burst."""
        burst = Burst.of({name: number(text) for name, text in transfer.payload.items()})
        where = f"AXI {self.verb} of {burst.address:#x} in cycle {transfer.cycle}"
        for broken in (*faults(burst, self.port.strobe_bits), *self.use.broken(burst)):
            raise AssertionError(f"{where}: {broken}")
        mine = self.open.setdefault(burst.id, deque())
        mine.append(opened := make(burst, transfer.cycle))
        total = self.outstanding
        self.most, self.most_per_id = max(self.most, total), max(self.most_per_id, len(mine))
        for count, limit, whose in (
            (len(mine), self.use.per_id, f" of id {burst.id}"),
            (total, self.use.total, ""),
        ):
            if limit is not None and count > limit:
                raise AssertionError(f"{where}: {count} bursts outstanding{whose}, limit {limit}")
        return opened

    def oldest(self, cycle: int, payload: Mapping[str, str]) -> O:
        """The burst that what is offered by the memory in ``cycle`` belongs to."""
        mine = self.open.get(number(payload["id"]))
        if not mine:
            self.fail(cycle, f"nothing was asked for with id {number(payload['id'])}")
        return mine[0]

    def end(self, opened: O) -> None:
        """Close a burst, the oldest of its id."""
        self.open[opened.burst.id].popleft()
        self.ended += 1

    def fail(self, cycle: int, text: str) -> NoReturn:
        """Raise AssertionError about data or answer."""
        raise AssertionError(f"AXI {self.verb} data in cycle {cycle}: {text}")

    def check_complete(self) -> None:
        """At the end: raise AssertionError when a burst is open."""
        for mine in self.open.values():
            for opened in mine:
                raise AssertionError(
                    f"AXI {self.verb} of {opened.burst.address:#x} in cycle {opened.cycle} has not ended: "
                    f"{len(opened.beats)} of {opened.burst.beats} beats"
                )

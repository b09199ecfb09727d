# SPDX-License-Identifier: Apache-2.0
"""The rules of a valid/ready handshake and of an address channel, and the bursts that are open.

No simulator is needed. Values are a simulator's text, ``"0"``, ``"1"``, ``"x01z"``, or numbers.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, NoReturn, TypeVar

from configs import Stream
from configs.parts import AxiPort
from tb.common.components.axi.bursts import Burst, BurstUse, faults

Payload = Mapping[str, str | int]  # of all fields by name
OnOffer = Callable[[int, Payload], None]


class Transfer(NamedTuple):
    """A handshake in ``cycle``, after ``waited`` cycles with valid and without ready; ``payload`` as text."""

    cycle: int
    waited: int
    payload: Payload

    @property
    def offered(self) -> int:
        """The first cycle with valid."""
        return self.cycle - self.waited


class Handshake:
    """One channel. Raises AssertionError, naming rule and cycle, for X on valid, ready or payload, and for an
    offer that is withdrawn or changed before it is taken.

    ``lax``: fields of which parts may be X: that is another's affair. ``on_offer(cycle, payload)`` is called
    when something is offered, taken or not.
    """

    def __init__(self, stream: Stream, lax: tuple[str, ...] = (), on_offer: OnOffer | None = None) -> None:
        self.name, self._on_offer = stream.name, on_offer
        self._strict = tuple(field.name for field in stream.fields if field.name not in lax)
        self.waits = 0  # cycles with valid and without ready
        self.reset()

    def reset(self) -> None:
        """Forget an offer."""
        self._offer: Payload | None = None
        self._waited = 0

    @property
    def waiting(self) -> bool:
        """Whether something was offered and not taken in the last cycle."""
        return self._offer is not None

    @property
    def waited(self) -> int:
        """Cycles for which what is offered has waited until now."""
        return self._waited

    def fail(self, cycle: int, text: str) -> NoReturn:
        """Raise AssertionError."""
        raise AssertionError(f"{self.name}: {text}, in cycle {cycle}")

    def sample(self, cycle: int, valid: str, ready: str, payload: Payload) -> Transfer | None:
        """A cycle in which valid is high, or has been in the one before; returns what was taken in it."""
        if valid not in ("0", "1"):
            self.fail(cycle, f"valid is {valid}")
        if ready not in ("0", "1"):
            self.fail(cycle, f"ready is {ready}")
        if valid == "0":
            if self._offer is not None:
                self.fail(cycle, "valid withdrawn before ready")
            return None
        if self._offer is None:
            for name in self._strict:
                if not is_known(payload[name]):
                    self.fail(cycle, f"{name} is {payload[name]} while valid")
            self._offer = payload
            if self._on_offer is not None:
                self._on_offer(cycle, payload)
        elif payload != self._offer:
            changed = [
                f"{name} {value} became {payload[name]}"
                for name, value in self._offer.items()
                if value != payload[name]
            ]
            self.fail(cycle, f"data changed while waiting for ready ({', '.join(changed)})")
        if ready == "0":
            self._waited += 1
            self.waits += 1
            return None
        transfer = Transfer(cycle, self._waited, payload)
        self.reset()
        return transfer


def number(text: str | int) -> int:
    """The value, with 0 for what is not known."""
    if isinstance(text, int):
        return text
    try:
        return int(text, 2)
    except ValueError:
        return int("".join("01"[bit == "1"] for bit in text), 2)


def is_known(text: str | int) -> bool:
    """Whether every bit is 0 or 1."""
    return isinstance(text, int) or not text.strip("01")


def known_lanes(text: str | int, lanes: int) -> bool:
    """Whether every bit of the bytes in the mask ``lanes`` is 0 or 1; ``text`` has the highest first."""
    if isinstance(text, int) or is_known(text):
        return True
    count = len(text) // 8
    return all(is_known(text[(count - 1 - i) * 8 : (count - i) * 8]) for i in range(count) if lanes >> i & 1)


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

    def oldest(self, cycle: int, payload: Payload) -> O:
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

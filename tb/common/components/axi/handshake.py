# SPDX-License-Identifier: Apache-2.0
"""The rules of a valid/ready handshake, channel by channel; no simulator is needed.

Values are those of a simulator, as text: ``"0"``, ``"1"``, ``"x01z"``.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from configs import Stream

OnOffer = Callable[[int, Mapping[str, str]], None]


class Transfer(NamedTuple):
    """A handshake in ``cycle``, after ``waited`` cycles with valid and without ready; ``payload`` as text."""

    cycle: int
    waited: int
    payload: Mapping[str, str]

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
        self._offer: Mapping[str, str] | None = None
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

    def sample(self, cycle: int, valid: str, ready: str, payload: Mapping[str, str]) -> Transfer | None:
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


def number(text: str) -> int:
    """The value, with 0 for what is not known."""
    try:
        return int(text, 2)
    except ValueError:
        return int("".join("01"[bit == "1"] for bit in text), 2)


def is_known(text: str) -> bool:
    """Whether every bit is 0 or 1."""
    return not text.strip("01")


def known_lanes(text: str, lanes: int) -> bool:
    """Whether every bit of the bytes in the mask ``lanes`` is 0 or 1; ``text`` has the highest first."""
    if is_known(text):
        return True
    count = len(text) // 8
    return all(is_known(text[(count - 1 - i) * 8 : (count - i) * 8]) for i in range(count) if lanes >> i & 1)

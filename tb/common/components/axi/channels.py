# SPDX-License-Identifier: Apache-2.0
"""What the two sides of the memory are made of: a ready to drive, error responses, the choice of what is
next.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from tb.common.components.axi.bursts import DECERR, OKAY, SLVERR, Burst
from tb.common.components.axi.handshake import number
from tb.common.components.bench import Look, look
from tb.common.components.pacing import ALWAYS, Pacing


class Due(Protocol):
    """A burst that can be answered from cycle ``due`` on."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def due(self) -> int:
        """The cycle."""


D = TypeVar("D", bound=Due)


def bits(pins: Look) -> int:
    """The value of pins with 0 for X: the checker, not the memory, complains about those."""
    return number(pins())


def asked_for(bus: Any, channel: str) -> Callable[[], Burst]:
    """A function that reads the burst on the address channel ``ar`` or ``aw``."""
    pins = [look(getattr(bus, f"{channel}{name}")) for name in ("addr", "len", "size", "burst", "id")]

    def read() -> Burst:
        address, length, size, kind, name = map(bits, pins)
        return Burst(address, length + 1, size, kind, name)

    return read


def choose(waiting: Sequence[D], now: int, reorder: bool, rng: np.random.Generator) -> D | None:
    """Which of ``waiting``, the oldest first, is answered: the first, or with ``reorder`` that of any id."""
    if not reorder:
        return waiting[0] if waiting and waiting[0].due <= now else None
    first = {burst.id: burst for burst in reversed(waiting)}
    ready = [burst for burst in first.values() if burst.due <= now]
    return ready[int(rng.integers(len(ready)))] if ready else None


class ReadyLine:
    """Drives the ready of a channel: by a :class:`Pacing`, unless it is ``held``.

    ``rests_low``: not ready while nothing goes on.
    """

    def __init__(self, signal: Any, rng: np.random.Generator) -> None:
        self._signal, self._rng = signal, rng
        self.held = self.rests_low = False
        self._patient = False
        self.high = False
        self._pattern: Iterator[bool] = ALWAYS.ready(rng)

    def reset(self) -> None:
        """As at rest."""
        self.high = not (self.held or self._patient or self.rests_low)
        self._signal.value = int(self.high)

    def pace(self, pacing: Pacing) -> None:
        """Follow ``pacing`` from the next cycle on."""
        self._pattern, self._patient = pacing.ready(self._rng), pacing.patient

    def drive(self, waiting: bool, allowed: bool = True) -> None:
        """The level of this cycle; ``waiting``: something has been offered and not taken."""
        self._set(next(self._pattern) and allowed and not self.held and (waiting or not self._patient))

    def _set(self, high: bool) -> None:
        if high != self.high:  # a write costs more than a comparison
            self.high = high
            self._signal.value = int(high)


class Faults:
    """Which bursts are answered with an error: those that touch a poisoned address.

    ``beat``: which of the beats that touch one fails in a read, from 0 (their number: all); None for a
    random choice. ``response``: SLVERR or DECERR, None for a random choice.
    """

    def __init__(self) -> None:
        self.beat: int | None = None
        self.response: int | None = None
        self._poisoned: dict[int, set[int]] = {}  # size of a piece -> numbers of pieces

    def poison(self, numbers: Iterable[int], size: int) -> None:
        """The pieces of ``size`` bytes with these numbers (byte address / ``size``) fail from now on."""
        self._poisoned.setdefault(size, set()).update(int(number) for number in numbers)

    def heal(self) -> None:
        """Nothing fails any more."""
        self._poisoned.clear()

    def responses(self, burst: Burst, rng: np.random.Generator) -> list[int]:
        """The response of each beat."""
        answers = [OKAY] * burst.beats
        if not any(self._poisoned.values()):
            return answers
        failing = [beat for beat in range(burst.beats) if self._fails(*burst.beat(beat))]
        if failing:
            response = int(rng.choice([SLVERR, DECERR])) if self.response is None else self.response
            chosen = int(rng.integers(len(failing) + 1)) if self.beat is None else self.beat
            failing = failing if chosen >= len(failing) else [failing[chosen]]
            for beat in failing:
                answers[beat] = response
        return answers

    def response_to_write(self, burst: Burst, rng: np.random.Generator) -> int:
        """The response of the whole burst."""
        return max(self.responses(burst, rng))

    def _fails(self, first: int, end: int) -> bool:
        return any(
            not numbers.isdisjoint(range(first // size, (end - 1) // size + 1))
            for size, numbers in self._poisoned.items()
        )

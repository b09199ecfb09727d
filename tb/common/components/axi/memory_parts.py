# SPDX-License-Identifier: Apache-2.0
"""Parts of the memory: its sparse contents, a ready to drive, error responses, the choice among bursts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.memory import WORD_BYTES, Memory
from tb.common.components.axi.bursts import DECERR, OKAY, SLVERR, Burst
from tb.common.components.axi.handshake import number
from tb.common.components.bench import Look, look
from tb.common.components.pacing import ALWAYS, Pacing

BLOCK = 64  # bytes that are made at a time


class Difference(NamedTuple):
    """A byte that is not as expected."""

    address: int
    expected: int
    got: int

    def __str__(self) -> str:
        return f"byte {self.address:#x}: expected {self.expected:#04x}, got {self.got:#04x}"


class SparseMemory:
    """Bytes. What was never written is what :class:`models.memory.Memory` says of the same seed and image: a
    pure function of (seed, address), or ``image`` (words of 32 bits) from byte address ``base`` on.

    Several ports may share one. Blocks of :data:`BLOCK` bytes exist from the first access on.
    """

    def __init__(self, seed: int = 1, base: int = 0, image: NDArray[np.uint32] | None = None) -> None:
        self._initial = Memory(seed, base, image)
        self._blocks: dict[int, bytearray] = {}

    def read(self, address: int, count: int) -> bytes:
        """``count`` bytes from byte address ``address`` on."""
        index, offset = divmod(address, BLOCK)
        data = self._block(index)[offset : offset + count]
        while len(data) < count:
            index += 1
            data = data + self._block(index)[: count - len(data)]
        return bytes(data)

    def write(self, address: int, data: bytes, strobes: int = -1) -> None:
        """Write the bytes of ``data`` whose bit in ``strobes`` is set."""
        for position, value in enumerate(data, address):
            if strobes & 1:
                self._block(position // BLOCK)[position % BLOCK] = value
            strobes >>= 1

    @property
    def touched(self) -> list[int]:
        """Byte addresses of the blocks that were read or written, in order."""
        return [index * BLOCK for index in sorted(self._blocks)]

    def differences(
        self, expected: Callable[[int, int], bytes], also: Iterable[int] = ()
    ) -> list[Difference]:
        """All bytes that differ from ``expected(address, count)``, in order of address.

        Compared are the blocks that were touched here, and those of the byte addresses ``also``.
        """
        numbers = {address // BLOCK for address in (*self.touched, *also)}
        different = []
        for index in sorted(numbers):
            start = index * BLOCK
            pair = expected(start, BLOCK), self.read(start, BLOCK)
            if pair[0] != pair[1]:
                bytewise = enumerate(zip(*pair, strict=True), start)
                different += [Difference(at, want, got) for at, (want, got) in bytewise if want != got]
        return different

    def _block(self, index: int) -> bytearray:
        block = self._blocks.get(index)
        if block is None:
            words = self._initial.line(index, BLOCK // WORD_BYTES)
            block = self._blocks[index] = bytearray(words.astype("<u4").tobytes())
        return block


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

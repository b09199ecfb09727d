# SPDX-License-Identifier: Apache-2.0
"""Port descriptions: how the fields of a stream lie in its one packed ``data`` vector.

Every DUT port group is a stream: ``<name>_valid``, ``<name>_ready`` (unless ``ready=False``) and one wide
``<name>_data``. The RTL unpacks, the testbench packs, and the trace-replay harness copies the same words, all
from the description here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Field:
    """One field of a stream: ``width`` bits (at least 1), two's complement if ``signed``.

    Not all that fits may mean something: values below ``limit`` do, if there is one; those that have a name
    are listed in ``names``, from 0 on, and are then all that there are.
    """

    name: str
    width: int
    signed: bool = False
    doc: str = ""
    limit: int | None = None
    names: tuple[str, ...] = ()

    @property
    def legal(self) -> tuple[int, int]:
        """The smallest and the largest value that means something."""
        limit = len(self.names) or self.limit
        return (0, limit - 1) if limit else self.range

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the largest value that fits."""
        low = -(1 << self.width - 1) if self.signed else 0
        return low, low + (1 << self.width) - 1


@dataclass(frozen=True)
class Stream:
    """A valid/ready stream of packed fields; the first field lies in the least significant bits.

    ``direction`` is seen from the DUT: ``"in"`` or ``"out"``. A stream with ``ready=False`` cannot be held
    back (events), one with ``valid=False`` always has a word; one with no fields has no data port (a bare
    handshake). ``clock`` names the clock whose edges move it. An ``observer`` is there to be watched only.
    """

    name: str
    direction: str
    fields: tuple[Field, ...]
    ready: bool = True
    doc: str = ""
    clock: str = "clk"
    valid: bool = True
    observer: bool = False

    @property
    def width(self) -> int:
        """Bits of the data vector."""
        return sum(field.width for field in self.fields)

    def field(self, name: str) -> Field:
        """The field of that name. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def offset(self, name: str) -> int:
        """Bit position of field ``name``. Raises KeyError."""
        position = 0
        for field in self.fields:
            if field.name == name:
                return position
            position += field.width
        raise KeyError(name)

    @cached_property
    def _places(self) -> tuple[tuple[str, int, int], ...]:
        """Name, position and mask of each field."""
        return tuple((field.name, self.offset(field.name), (1 << field.width) - 1) for field in self.fields)

    @cached_property
    def _signs(self) -> tuple[tuple[str, int], ...]:
        """Name and sign bit of the signed fields."""
        return tuple((field.name, 1 << field.width - 1) for field in self.fields if field.signed)

    def pack(self, values: Mapping[str, int]) -> int:
        """The data vector for ``values`` (every field, each in its range). Raises KeyError, ValueError."""
        word = 0
        for name, position, mask in self._places:
            value = int(values[name])
            if not 0 <= value <= mask or self._signs:
                self._check(name, value)
            word |= (value & mask) << position
        return word

    def _check(self, name: str, value: int) -> None:
        low, high = self.field(name).range
        if not low <= value <= high:
            raise ValueError(f"stream {self.name}: field {name}={value} is not in {low}..{high}")

    def unpack(self, word: int) -> dict[str, int]:
        """The fields of a data vector, the inverse of :meth:`pack`."""
        values = {name: word >> position & mask for name, position, mask in self._places}
        for name, sign in self._signs:
            if values[name] & sign:
                values[name] -= sign << 1
        return values


def counter_stream(
    counters: Iterable[tuple[str, str]], doc: str = "performance counters since reset"
) -> Stream:
    """The stream ``perf``, always valid, of counters of 32 bits: name and what each counts."""
    fields = tuple(Field(name, 32, doc=what) for name, what in counters)
    return Stream("perf", "out", fields, ready=False, valid=False, doc=doc)


def request_streams(
    req: tuple[Field, ...],
    res: tuple[Field, ...],
    evt: tuple[Field, ...],
    counters: Iterable[tuple[str, str]],
) -> dict[str, Stream]:
    """The streams of a block that answers requests in order; ``counters``: name and what it counts."""
    why = "what became of a request, the cycle after its result was taken"
    listed = (
        Stream("req", "in", req, doc="requests"),
        Stream("res", "out", res, doc="one result for each request, in order"),
        Stream("evt", "out", evt, ready=False, observer=True, doc=why),
        counter_stream(counters),
    )
    return {stream.name: stream for stream in listed}

# SPDX-License-Identifier: Apache-2.0
"""AXI4 bursts: which bytes each beat addresses (AMBA AXI4, A3.4), which are legal, and which a block uses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from configs.parts import AxiPort

FIXED, INCR, WRAP = 0, 1, 2
OKAY, EXOKAY, SLVERR, DECERR = 0, 1, 2, 3
PAGE = 4096  # no burst crosses it
WRAP_BEATS = (2, 4, 8, 16)
FIXED_BEATS = 16  # at most
EXCLUSIVE_BYTES, EXCLUSIVE_BEATS = 128, 16  # at most
#: legal values of AxCACHE: what is not modifiable cannot be allocated
MEMORY_TYPES = frozenset({0, 1, 2, 3, 6, 7, 10, 11, 14, 15})


class Burst(NamedTuple):
    """A burst as its address announces it: ``beats`` of ``1 << size`` bytes each, from ``address`` on."""

    address: int
    beats: int
    size: int
    kind: int = INCR
    id: int = 0
    lock: int = 0
    cache: int = 0b0011  # normal, not cacheable, bufferable
    prot: int = 0
    qos: int = 0

    @classmethod
    def of(cls, fields: Mapping[str, int]) -> "Burst":
        """From the fields of an address channel (``addr``, ``len``, ``size``, ``burst``, ``id`` ...)."""
        attributes = (fields[name] for name in ("id", "lock", "cache", "prot", "qos"))
        return cls(fields["addr"], fields["len"] + 1, fields["size"], fields["burst"], *attributes)

    @property
    def aligned(self) -> int:
        """The address of the first beat, as a multiple of a beat's bytes."""
        return self.address >> self.size << self.size

    @property
    def bytes(self) -> int:
        """Bytes of all beats, those below an unaligned start included."""
        return self.beats << self.size

    def beat(self, number: int) -> tuple[int, int]:
        """First byte address of a beat (from 0) and the one behind its last."""
        step = 1 << self.size
        if number == 0 or self.kind == FIXED:
            return self.address, self.aligned + step
        first = self.aligned + number * step
        if self.kind == WRAP:
            low = self.address // self.bytes * self.bytes
            first = low + (first - low) % self.bytes
        return first, first + step

    def lanes(self, number: int, bus_bytes: int) -> int:
        """The byte lanes that a beat may use, as a mask."""
        first, end = self.beat(number)
        return ((1 << end - first) - 1) << first % bus_bytes


def line(address: int, line_bytes: int, bus_bytes: int) -> Burst:
    """The INCR burst of a whole line."""
    return Burst(address, line_bytes // bus_bytes, bus_bytes.bit_length() - 1)


def faults(burst: Burst, bus_bytes: int) -> Iterator[str]:
    """What AXI4 forbids about ``burst`` on a bus of that width, in words."""
    if 1 << burst.size > bus_bytes:
        yield f"size: beats of {1 << burst.size} bytes on a bus of {bus_bytes}"
    if burst.kind not in (FIXED, INCR, WRAP):
        yield f"burst: type {burst.kind} is reserved"
    if burst.kind == FIXED and burst.beats > FIXED_BEATS:
        yield f"length: a FIXED burst of {burst.beats} beats, at most {FIXED_BEATS}"
    if burst.kind == WRAP and burst.beats not in WRAP_BEATS:
        yield f"length: a WRAP burst of {burst.beats} beats, not 2, 4, 8 or 16"
    if burst.kind == WRAP and burst.address != burst.aligned:
        yield f"alignment: a WRAP burst of {1 << burst.size}-byte beats begins at {burst.address:#x}"
    if burst.kind == INCR and burst.address // PAGE != (burst.aligned + burst.bytes - 1) // PAGE:
        yield "page: the burst crosses a 4 KiB page"
    if burst.cache not in MEMORY_TYPES:
        yield f"cache: {burst.cache:#06b} is reserved"
    if burst.lock:
        yield from _exclusive_faults(burst)


def _exclusive_faults(burst: Burst) -> Iterator[str]:
    size = burst.bytes
    if burst.beats > EXCLUSIVE_BEATS or size > EXCLUSIVE_BYTES or size & (size - 1):
        yield f"exclusive: {burst.beats} beats, {size} bytes; at most 16, and a power of two up to 128"
    elif burst.address % size:
        yield f"exclusive: {size} bytes at {burst.address:#x}, which is not a multiple"
    if burst.cache & 0b1100:
        yield f"exclusive: to cacheable memory ({burst.cache:#06b})"


#: attributes that say the same in every burst: no exclusive access; normal memory, not cacheable, bufferable;
#: unprivileged, secure data; no quality of service
PLAIN: Mapping[str, int] = {"lock": 0, "cache": 0b0011, "prot": 0, "qos": 0}


@dataclass(frozen=True)
class BurstUse:
    """The bursts of one direction.

    ``shapes``: pairs (beats, log2 of a beat's bytes), None for any; ``kinds``: burst types; ``aligned``:
    bytes of which the address is a multiple; ``attributes``: their values in every burst; ``ids``: 0 to
    ``ids`` - 1; ``per_id`` and ``total``: most bursts on their way, None for no limit; ``data_first``:
    whether data may be offered before its address.
    """

    shapes: frozenset[tuple[int, int]] | None = None
    kinds: frozenset[int] | None = None
    aligned: int = 1
    attributes: Mapping[str, int] = field(default_factory=dict)
    ids: int | None = None
    per_id: int | None = None
    total: int | None = None
    data_first: bool = True

    def broken(self, burst: Burst) -> Iterator[str]:
        """Which promises ``burst`` breaks, in words."""
        expected: dict[str, Any] = {}
        got: dict[str, Any] = {}
        shape = (burst.beats, burst.size)
        if self.shapes is not None and shape not in self.shapes:
            nearest = min(self.shapes, key=lambda own: (own[1] != burst.size, abs(own[0] - burst.beats)))
            expected |= {"len": nearest[0] - 1, "size": nearest[1]}
            got |= {"len": burst.beats - 1, "size": burst.size}
        if self.kinds is not None and burst.kind not in self.kinds:
            expected["burst"], got["burst"] = min(self.kinds), burst.kind
        for name, value in self.attributes.items():
            if getattr(burst, name) != value:
                expected[name], got[name] = value, getattr(burst, name)
        if expected:
            yield f"expected {expected}, got {got}"
        if self.ids is not None and burst.id >= self.ids:
            yield f"id {burst.id}, below {self.ids} in use"
        if burst.address % self.aligned:
            yield f"not the address of a line of {self.aligned} bytes"


def whole_lines(port: AxiPort, *line_bytes: int) -> BurstUse:
    """Whole lines of one of these lengths, at most ``port.outstanding`` of each id at a time."""
    size = port.strobe_bits.bit_length() - 1
    return BurstUse(
        shapes=frozenset((port.beats(length), size) for length in line_bytes),
        kinds=frozenset({INCR}),
        aligned=min(line_bytes),
        attributes=PLAIN,
        ids=port.ids,
        per_id=port.outstanding,
    )

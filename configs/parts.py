# SPDX-License-Identifier: Apache-2.0
"""The parts that configurations are made of: a cache's geometry, an AXI4 port, a FIFO, the memory's timing.

A block's configuration is a tree of named parts. A block narrows a part's limits in a subclass of its own::

    class Cache(CacheGeometry):
        ways: Literal[2, 4, 8] = Field(4, description="ways of a set")

A block that contains others has their configurations among its parts (:mod:`configs.base`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from configs import ports

T = TypeVar("T")
_FACT = "fact"

Fact = Annotated[T, _FACT]
"""A field that the block's design fixes: it describes, and nobody overrides it."""


def power_of_two(value: int) -> int:
    """A pydantic validator. Raises ValueError for anything else."""
    if value < 1 or value & (value - 1):
        raise ValueError("must be a power of two")
    return value


PowerOfTwo = Annotated[int, AfterValidator(power_of_two)]


def log2(value: int) -> int:
    """The exponent of a power of two."""
    return value.bit_length() - 1


def is_fact(field: FieldInfo) -> bool:
    """Whether a field is no choice."""
    return _FACT in field.metadata


class Part(BaseModel):
    """The base of all parts: frozen, unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CacheGeometry(Part):
    """A set-associative cache. An address is, from the top, tag, set, byte of the line."""

    ways: PowerOfTwo = Field(4, ge=1, le=16, description="ways of a set")
    sets: PowerOfTwo = Field(64, ge=2, le=4096, description="sets")
    line_bytes: PowerOfTwo = Field(32, ge=4, le=256, description="bytes of a line")
    address_bits: int = Field(32, ge=12, le=64, description="bits of a byte address")

    @property
    def way_bits(self) -> int:
        """Bits of a way number: 0 when direct mapped."""
        return (self.ways - 1).bit_length()

    @property
    def set_bits(self) -> int:
        """Bits of the set index: 0 when fully associative."""
        return log2(self.sets)

    @property
    def index_bits(self) -> int:
        """Bits that hold a set's number, one at least: of indices and RAMs."""
        return max(1, self.set_bits)

    @property
    def offset_bits(self) -> int:
        """Bits of a byte's place in its line."""
        return log2(self.line_bytes)

    @property
    def line_bits(self) -> int:
        """Bits of a line address."""
        return self.address_bits - self.offset_bits

    @property
    def tag_bits(self) -> int:
        """Bits of a tag: all of the line address above the set index."""
        return self.line_bits - self.set_bits

    @property
    def capacity_bytes(self) -> int:
        """Bytes of data."""
        return self.sets * self.ways * self.line_bytes


class FifoGeometry(Part):
    """A FIFO."""

    depth: PowerOfTwo = Field(16, ge=4, le=256, description="entries")


class MemoryTiming(Part):
    """How the AXI memory behind a block answers; a matter of the testbench, not of the RTL.

    A burst's first beat comes ``latency`` cycles after the address handshake, or as soon as the beats of the
    bursts before it have left; ``gap`` idle cycles follow every beat.
    """

    latency: int = Field(26, ge=1, le=10_000, description="cycles from address handshake to first data beat")
    gap: int = Field(0, ge=0, le=1_000, description="idle cycles after each data beat")


@dataclass(frozen=True)
class Signal:
    """A port of the DUT's top; ``direction`` (``"in"`` or ``"out"``) is seen from the DUT."""

    name: str
    direction: str
    width: int
    doc: str = ""
    signed: bool = False


class AxiPort(Part):
    """An AXI4 master port; ``channels`` and ``signals`` say what it is made of."""

    data_bits: PowerOfTwo = Field(64, ge=8, le=1024, description="width of the data")
    address_bits: int = Field(32, ge=12, le=64, description="bits of a byte address")
    id_bits: int = Field(4, ge=1, le=16, description="width of an id")
    prefix: Fact[str] = Field("m_axi", description="what the names of its signals begin with")
    clock: Fact[str] = Field("clk", description="its clock")
    reads: Fact[bool] = Field(True, description="it has the channels AR and R")
    writes: Fact[bool] = Field(True, description="it has the channels AW, W and B")
    ids: Fact[int] = Field(1, description="ids in use: 0 to ids - 1")
    outstanding: Fact[int] = Field(1, description="most bursts of an id on their way")

    @property
    def strobe_bits(self) -> int:
        """Bytes of a beat."""
        return self.data_bits // 8

    def beats(self, line_bytes: int) -> int:
        """Data beats of a line."""
        return line_bytes // self.strobe_bits

    @property
    def channels(self) -> dict[str, ports.Stream]:
        """The channels in use, ``"aw"`` to ``"r"``, with their fields but for valid and ready."""
        f = ports.Field
        address = (
            f("id", self.id_bits, doc="id of the burst"),
            f("addr", self.address_bits, doc="byte address of the first beat"),
            f("len", 8, doc="beats of the burst less one"),
            f("size", 3, doc="log2 of a beat's bytes"),
            f("burst", 2, doc="1 INCR"),
            f("lock", 1, doc="1 exclusive"),
            f("cache", 4, doc="memory type"),
            f("prot", 3, doc="protection"),
            f("qos", 4, doc="quality of service"),
        )
        data = f("data", self.data_bits, doc="a beat")
        strobe, last = (
            f("strb", self.strobe_bits, doc="bytes that are written"),
            f("last", 1, doc="last beat"),
        )
        answer = (f("id", self.id_bits, doc="id of the burst"), f("resp", 2, doc="2 and 3 are errors"))
        directions: dict[str, tuple[str, tuple[ports.Field, ...]]] = {}
        if self.writes:
            directions |= {"aw": ("out", address), "w": ("out", (data, strobe, last)), "b": ("in", answer)}
        if self.reads:
            directions |= {"ar": ("out", address), "r": ("in", (answer[0], data, answer[1], last))}
        return {
            name: ports.Stream(f"{self.prefix}_{name}", direction, fields, clock=self.clock)
            for name, (direction, fields) in directions.items()
        }

    @property
    def signals(self) -> tuple[Signal, ...]:
        """All its ports of the DUT's top, channel by channel."""
        reset = Signal(f"{self.prefix}_rst", "in", 1, "reset with the memory, which forgets open bursts")
        return (reset, *channel_signals(self.channels))


class AxiLitePort(Part):
    """An AXI4-Lite slave port of 32 bits; ``channels`` and ``signals`` say what it is made of."""

    address_bits: Fact[int] = Field(12, description="bits of a byte address")
    prefix: Fact[str] = Field("s_axil", description="what the names of its signals begin with")
    clock: Fact[str] = Field("clk", description="its clock")

    @property
    def channels(self) -> dict[str, ports.Stream]:
        """The channels, ``"aw"`` to ``"r"``, with their fields but for valid and ready."""
        f = ports.Field
        address = (f("addr", self.address_bits, doc="byte address"), f("prot", 3, doc="protection"))
        data, answer = f("data", 32, doc="a word"), f("resp", 2, doc="2 and 3 are errors")
        strobe = f("strb", 4, doc="bytes that are written")
        listed: dict[str, tuple[str, tuple[ports.Field, ...]]] = {
            "aw": ("in", address),
            "w": ("in", (data, strobe)),
            "b": ("out", (answer,)),
            "ar": ("in", address),
            "r": ("out", (data, answer)),
        }
        return {
            name: ports.Stream(f"{self.prefix}_{name}", direction, fields, clock=self.clock)
            for name, (direction, fields) in listed.items()
        }

    @property
    def signals(self) -> tuple[Signal, ...]:
        """All its ports of the DUT's top, channel by channel."""
        return channel_signals(self.channels)


def channel_signals(channels: Mapping[str, ports.Stream]) -> tuple[Signal, ...]:
    """The signals of AXI channels: a port for each field, then valid and ready."""
    result: list[Signal] = []
    for name, channel in channels.items():
        back = "in" if channel.direction == "out" else "out"
        result += [Signal(channel.name + f.name, channel.direction, f.width, f.doc) for f in channel.fields]
        result += [
            Signal(f"{channel.name}valid", channel.direction, 1, f"a transfer of {name.upper()} is offered"),
            Signal(f"{channel.name}ready", back, 1, "it is taken"),
        ]
    return tuple(result)


def leaves(model: BaseModel) -> dict[str, Any]:
    """All values of a tree of parts by their paths (``"cache.ways"``), in order of declaration."""
    values: dict[str, Any] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            values |= {f"{name}.{path}": leaf for path, leaf in leaves(value).items()}
        else:
            values[name] = value
    return values


def fields(kind: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a tree of parts by their paths, those that are facts included."""
    by_path: dict[str, FieldInfo] = {}
    for name, field in kind.model_fields.items():
        part = part_of(field)
        if part:
            by_path |= {f"{name}.{path}": leaf for path, leaf in fields(part).items()}
        else:
            by_path[name] = field
    return by_path


def part_of(field: FieldInfo) -> type[BaseModel] | None:
    """The class of the part, or of the block's configuration, that a field holds; None for a plain value."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None

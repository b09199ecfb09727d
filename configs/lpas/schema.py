# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``lpas``, the distributed caches of a processor array and their switch.

Source of the default values: Liu et al. (docs/fidelity.md), sections 2 and 3.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.lpas.areas import area_rows, links_of
from configs.parts import AxiPort, CacheGeometry, Fact, Part, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream, counter_stream

WORD_BITS = 16
WORD_BYTES = WORD_BITS // 8
OPS = ("load", "store", "ldm", "stm", "flush")
LOAD, STORE, LDM, STM, FLUSH = range(5)
OP_BITS = 3  # of the last PE; others have one
COUNTERS = (
    ("loads", "loads that were served"),
    ("stores", "stores that were served"),
    ("hits", "grants whose line was there"),
    ("misses", "grants whose line was not there"),
    ("local", "grants to a PE of the cache's own row"),
    ("evictions", "valid lines in whose place another one was read"),
    ("write_backs", "lines written to memory without an error"),
    ("outside", "LDM and STM that have ended"),
    ("errors", "requests acknowledged with an error"),
    ("conflict_cycles", "cycles that PEs waited for others, summed over the PEs"),
    ("blocked_cycles", "cycles that PEs waited for a busy cache, summed over the PEs"),
    ("memory_cycles", "cycles in which the network interface was busy"),
)


class Array(Part):
    """The processing elements (PEs), and as many caches."""

    rows: Literal[2, 4, 8] = Field(4, description="rows of the array of PEs, and of that of caches")
    columns: Literal[2, 4, 8] = Field(4, description="its columns")

    @property
    def pes(self) -> int:
        """PEs, and caches."""
        return self.rows * self.columns

    @property
    def pe_bits(self) -> int:
        """Bits of the number of a PE, or of a cache."""
        return log2(self.pes)


class Cache(CacheGeometry):
    """One of the caches: direct-mapped."""

    ways: Fact[int] = Field(1, description="ways of a set")
    sets: PowerOfTwo = Field(32, ge=2, le=1024, description="lines of a cache")
    line_bytes: PowerOfTwo = Field(32, ge=8, le=256, description="bytes of a line")
    address_bits: int = Field(17, ge=12, le=32, description="bits of a byte address; the ports have words")


class Axi(AxiPort):
    """Lines with the number of their cache as id, single beats with the number behind the last."""

    data_bits: PowerOfTwo = Field(64, ge=32, le=512, description="width of the data")
    id_bits: int = Field(5, ge=3, le=16, description="width of an id")


class Config(BlockConfig):
    """Geometry and switch of one array."""

    block: ClassVar[str] = "lpas"
    FOLLOWS: ClassVar[Mapping[str, str]] = {"axi.address_bits": "cache.address_bits"}

    array: Array = Field(Array(), description="the array")
    cache: Cache = Field(Cache(), description="each of its caches")
    axi: Axi = Field(Axi(), description="the memory's side")
    switch: Literal["lpas", "fs", "lr2ss-a", "lr2ss-b", "lr2ss-c"] = Field(
        "lpas", description="between PEs and caches: local priority, full, line row two-stage"
    )
    areas: Literal["distance", "cyclic", "merged"] = Field(
        "distance", description="with `switch` lpas: which rows are near to a cache"
    )
    bound: Literal["none", "age", "weights"] = Field(
        "none", description="with `switch` lpas: what bounds the wait of a remote PE"
    )
    age: int = Field(16, ge=1, le=255, description="with `bound` age: cycles after which a request is urgent")
    weight: PowerOfTwo = Field(
        4, ge=1, le=16, description="with `bound` weights: grants of the local area in a round"
    )
    read_pipeline: bool = Field(
        False, description="a PE's next request is taken in the cycle after a load was served, not one later"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self._check_switch()
        bus, line = self.axi.data_bits, self.cache.line_bytes
        if 2 * bus > 8 * line:
            raise ValueError(
                f"axi.data_bits={bus} and cache.line_bytes={line}: a line must have two beats at least"
            )
        if self.tag_bits < 1:
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits}: no bit is left for a tag above array.rows="
                f"{self.array.rows} x array.columns={self.array.columns} caches of cache.sets="
                f"{self.cache.sets} lines of cache.line_bytes={line}"
            )
        if self.pes >= 1 << self.axi.id_bits:
            raise ValueError(
                f"axi.id_bits={self.axi.id_bits}: the {self.pes} caches (array.rows={self.array.rows}, "
                f"array.columns={self.array.columns}) and the outside need an id each"
            )
        return self

    def _check_switch(self) -> None:
        """Raise ValueError for what does not belong to this switch."""
        needs = (
            ("areas", "switch", "lpas"),
            ("bound", "switch", "lpas"),
            ("age", "bound", "age"),
            ("weight", "bound", "weights"),
        )
        for name, other, value in needs:
            chosen, there = getattr(self, name), getattr(self, other)
            if chosen != type(self).model_fields[name].default and there != value:
                raise ValueError(f"{name}={chosen}: needs {other}={value}, which is {there}")

    @property
    def pes(self) -> int:
        """PEs, and caches."""
        return self.array.pes

    @property
    def two_stage(self) -> bool:
        """Whether requests go over links that they share."""
        return self.switch.startswith("lr2ss")

    @property
    def tag_bits(self) -> int:
        """Bits of a tag: all above the line's index in its cache."""
        return self.cache.tag_bits - self.array.pe_bits

    @property
    def word_address_bits(self) -> int:
        """Bits of a word address."""
        return self.cache.address_bits - 1

    @property
    def slot_bits(self) -> int:
        """Bits of a word's place in its line."""
        return self.cache.offset_bits - 1

    @property
    def beats(self) -> int:
        """AXI data beats of a line."""
        return self.axi.beats(self.cache.line_bytes)

    @property
    def beat_words(self) -> int:
        """Words of a beat, and RAMs of a cache."""
        return self.axi.data_bits // WORD_BITS

    @property
    def area_pes(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The PEs [area, position] of each area of the caches of a row, nearest first; FS has one area."""
        if self.switch != "lpas":
            return ((tuple(range(self.pes)),),) * self.array.rows
        columns = self.array.columns
        return tuple(
            tuple(
                tuple(columns * pe_row + column for pe_row in rows for column in range(columns))
                for rows in area_rows(self.areas, row, self.array.rows)
            )
            for row in range(self.array.rows)
        )

    @property
    def links(self) -> tuple[tuple[int, ...], ...]:
        """The link [pe, cache] that leads a PE to a cache, of a two-stage switch."""
        return links_of(self.switch, self.array.rows, self.array.columns)

    @property
    def link_pes(self) -> tuple[tuple[int, ...], ...]:
        """The PEs of each link, in order."""
        links = self.links
        count = max(map(max, links)) + 1
        return tuple(tuple(pe for pe in range(self.pes) if link in links[pe]) for link in range(count))

    @property
    def link_groups(self) -> tuple[tuple[int, ...], ...]:
        """The PEs of each column, or row, that reaches a cache over one link, of a two-stage switch."""
        rows, columns = self.array.rows, self.array.columns
        if self.switch == "lr2ss-c":
            return tuple(tuple(range(row * columns, (row + 1) * columns)) for row in range(rows))
        return tuple(tuple(range(column, self.pes, columns)) for column in range(columns))

    def credits(self, area: int) -> int:
        """Grants of an area in a round, with ``bound`` weights."""
        return max(1, self.weight >> area)

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/lpas.md``."""
        listed = [self._requests(pe) for pe in range(self.pes)]
        res = (
            Bits("value", WORD_BITS, doc="the word, of a load or LDM without error; else 0"),
            Bits("err", 1, doc="memory answered with an error: the request was not performed"),
        )
        listed += [
            Stream(f"res{pe}", "out", res, ready=False, doc=f"acknowledges of PE {pe}, in order")
            for pe in range(self.pes)
        ]
        evt = [
            field
            for cache in range(self.pes)
            for field in (
                Bits(f"grant{cache}", 1, doc=f"cache {cache} granted"),
                Bits(f"pe{cache}", self.array.pe_bits, doc="to this PE; 0 if none"),
                Bits(f"hit{cache}", 1, doc="and the line was there"),
            )
        ]
        why = "the grants of a cycle, in the cycle after"
        listed += [
            Stream("evt", "out", tuple(evt), ready=False, observer=True, doc=why),
            counter_stream(COUNTERS),
        ]
        return {stream.name: stream for stream in listed}

    def _requests(self, pe: int) -> Stream:
        last = pe == self.pes - 1
        ops = OPS if last else OPS[:2]
        op = ", ".join(f"{number} {name}" for number, name in enumerate(ops))
        fields = (
            Bits("op", OP_BITS if last else 1, doc=op, names=ops),
            Bits("word", self.word_address_bits, doc="word address"),
            Bits("value", WORD_BITS, doc="what to store"),
        )
        return Stream(f"req{pe}", "in", fields, doc=f"requests of PE {pe}")

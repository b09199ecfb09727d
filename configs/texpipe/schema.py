# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``texpipe``, texture units that sample a pixel in each cycle behind one AXI port.

Ours, not published: the streams and the arithmetic are those of ``texunit``, the way of the pixels is not.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from configs import ports
from configs.parts import CacheGeometry, Fact, FifoGeometry, PowerOfTwo
from configs.texunit.schema import Named, Units, UnitsAxi, rasterizer_streams, watched_streams

BANKS = 8
PRIMS = 4  # primitives that a unit knows at a time
PROBES = (
    ("prim_in", "a primitive was taken"),
    ("prim_done", "it may be used: lines forgotten, if it asks for that"),
    ("quad_in", "a quad went into the stage of the level"),
    ("quad_out", "it left it with its level"),
    ("pixel_out", "the coordinate stage handed on a pixel"),
    ("beat", "the lines of a pixel were looked up"),
    ("read", "they were read"),
    ("sampled", "a pixel left the filter"),
)
MIXED_PROBES = (("mixed", "a pixel left the mixer of two levels"),)  # with a trilinear filter
COUNTERS = (
    ("quads", "quads answered"),
    ("pixels", "valid pixels sampled"),
    ("lookups", "lines looked up, each once for a pixel"),
    ("hits", "look-ups that hit"),
    ("misses", "look-ups that read memory"),
    ("evictions", "lines replaced"),
    ("errors", "lines that came with an AXI error response, the colour table's included"),
    ("tables", "colour tables read"),
    ("prim_wait_cycles", "cycles in which a primitive waited, and all behind it"),
    ("quad_wait_cycles", "cycles in which a quad could be taken and there was none"),
    ("ask_wait_cycles", "cycles in which a pixel stayed because no more lines can be asked for"),
    ("ahead_wait_cycles", "cycles a pixel waited because tags run ahead as far as they may"),
    ("memory_wait_cycles", "cycles in which the oldest pixel waited for a line"),
    ("table_wait_cycles", "cycles in which the next pixel to be read waited for its colour table"),
    ("result_wait_cycles", "cycles in which a sampled quad waited for its consumer"),
)
MIXED_COUNTERS = (("mixed", "pixels mixed from two levels"),)  # with a trilinear filter


class Bank(CacheGeometry):
    """One of the eight banks of a unit's cache.

    A tag is all of a line address but for the bits that the folded set gives back.
    """

    ways: Literal[2, 4, 8] = Field(4, description="ways of a set")
    sets: PowerOfTwo = Field(128, ge=2, le=512, description="sets of one of the eight banks")
    line_bytes: Fact[int] = Field(16, description="bytes of a line")
    address_bits: int = Field(31, ge=26, le=34, description="bits of a byte address")


class Ahead(FifoGeometry):
    """The tag FIFO."""

    depth: PowerOfTwo = Field(128, ge=4, le=256, description="pixels that tags may run ahead of data")


class Lines(FifoGeometry):
    """The data FIFO."""

    depth: PowerOfTwo = Field(64, ge=4, le=64, description="lines that a unit may have under way")


class Fifo(FifoGeometry):
    """Those between the clocks."""

    depth: PowerOfTwo = Field(16, ge=4, le=64, description="entries of each FIFO between the clocks")


class Config(Units):
    """Geometry of the texture units."""

    block: ClassVar[str] = "texpipe"
    FOLLOWS: ClassVar[Mapping[str, str]] = {
        "axi.address_bits": "cache.address_bits",
        "axi.ids": "units",
        "axi.outstanding": "lines.depth",  # each line under way has a place in the data FIFO
    }

    cache: Bank = Field(Bank(), description="each bank of a unit's cache")
    ahead: Ahead = Field(Ahead(), description="between tags and data")
    lines: Lines = Field(Lines(), description="behind memory")
    fifo: Fifo = Field(Fifo(), description="each of those between the clocks")
    tables: PowerOfTwo = Field(16, ge=1, le=16, description="colour tables that a unit holds")
    rounding: Literal["nearest", "down"] = Field(
        "nearest", description="of weights and of filtered colours: llvmpipe's rule, or truncation"
    )
    trilinear: bool = Field(False, description="with a trilinear filter, for primitives that ask for it")
    axi: UnitsAxi = Field(UnitsAxi(), description="port to memory")

    @property
    def capacity_bytes(self) -> int:
        """Bytes of a unit's cache."""
        return BANKS * self.cache.capacity_bytes

    @property
    def slot_bits(self) -> int:
        """Bits that tell a unit's colour tables apart, at least one."""
        return max(1, self.tables.bit_length() - 1)

    @property
    def probes(self) -> Named:
        """What the observers' stream ``probe`` shows, with what it means."""
        return PROBES + MIXED_PROBES * self.trilinear

    @property
    def counters(self) -> Named:
        """The performance counters, with what they count."""
        return COUNTERS + MIXED_COUNTERS * self.trilinear

    def unit_streams(self, unit: int) -> tuple[ports.Stream, ...]:
        """The streams of one unit."""
        line = self.cache.line_bits
        each = (
            ("valid", 1, "the bank is asked for a line"),
            ("hit", 1, "it has it"),
            ("way", self.cache.way_bits, "way that hit or is replaced"),
            ("evict", 1, "a valid line is replaced"),
            ("victim", line, "its line address, 0 if none"),
            ("line", line, "line address asked for"),
        )
        banks = tuple(
            ports.Field(f"{name}{bank}", width, doc=doc) for bank in range(BANKS) for name, width, doc in each
        )
        taken, what = (
            "in the order in which both are taken",
            "what the look-ups of a pixel decided, one cycle later",
        )
        return (
            *rasterizer_streams(unit, line, taken, trilinear=self.trilinear),
            *watched_streams(unit, banks, what, self.probes, self.counters),
        )

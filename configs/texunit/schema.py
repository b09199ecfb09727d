# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``texunit``, four texture units that share one AXI port.

Source of the default values: "FuryGpu's Texture Units" (furygpu.com, 2024).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from configs import ports
from configs.base import BlockConfig
from configs.parts import AxiPort, CacheGeometry, Fact, FifoGeometry, MemoryTiming, PowerOfTwo

Named = tuple[tuple[str, str], ...]  # names with what each means
FORMATS = ("RGBA8", "RGB8", "RGBA8 through a table", "RGB8 through a table")
MODES = ("wrap", "clamp", "mirror")
FORMAT_WORDS = ("rgba8", "rgb8", "rgba8-table", "rgb8-table")  # in trace files
MODE_WORDS = ("repeat", "clamp", "mirror")
MAX_LEVELS = 12  # of a texture of 2048 x 2048
PROBES = (
    ("prim_in", "a primitive was taken"),
    ("prim_done", "it is ready: cache invalidated, colour table read"),
    ("lod_in", "the LOD stage took a quad"),
    ("lod_out", "and handed it on"),
    ("pixel_out", "the coordinate stage handed on a pixel"),
    ("query_in", "the cache took a query"),
    ("query_out", "the cache answered"),
    ("filter_in", "a pixel's texels entered the filter"),
    ("filter_out", "a filtered pixel left it"),
)
COUNTERS = (
    ("quads", "quads answered"),
    ("pixels", "valid pixels sampled"),
    ("queries", "cache queries"),
    ("repeats", "queries for the line of the query before"),
    ("hits", "other queries that hit"),
    ("misses", "queries that read memory"),
    ("evictions", "lines replaced"),
    ("errors", "lines that came with an AXI error response, the colour table's included"),
    ("memory_wait_cycles", "cycles a query waited for memory"),
    ("quad_wait_cycles", "cycles the first stage could have taken a quad and there was none"),
)


class Cache(CacheGeometry):
    """The cache of a unit."""

    ways: Literal[2, 4, 8] = Field(4, description="ways of a set")
    sets: PowerOfTwo = Field(1024, ge=2, le=4096, description="sets of a unit's cache")
    line_bytes: Fact[int] = Field(16, description="bytes of a line")
    address_bits: int = Field(31, ge=26, le=34, description="bits of a byte address")


class Fifo(FifoGeometry):
    """Those between the clocks."""

    depth: PowerOfTwo = Field(16, ge=4, le=256, description="entries of each FIFO between the clocks")


class UnitsAxi(AxiPort):
    """Reads lines for all units; the id is the unit's number."""

    data_bits: Literal[32, 64, 128] = Field(128, description="width of the AXI read data")
    id_bits: Fact[int] = Field(4, description="width of the id")
    clock: Fact[str] = "tex_clk"
    writes: Fact[bool] = False


class Axi(UnitsAxi):
    """One unit may ask for several lines while it reads a colour table."""

    outstanding: Fact[int] = Field(8, description="lines that one unit may have asked for at a time")


class Units(BlockConfig):
    """Texture units behind one AXI port, of any kind; sizes are counts unless the name says bits or bytes."""

    memory: MemoryTiming = Field(MemoryTiming(latency=100), description="timing of the memory model")
    units: int = Field(4, ge=1, le=8, description="texture units behind one AXI port")
    cache: CacheGeometry
    max_side: PowerOfTwo = Field(2048, ge=16, le=2048, description="largest width and height in texels")

    @property
    def beats_per_line(self) -> int:
        """AXI data beats of a line."""
        [port] = self.axi_ports.values()
        return port.beats(self.cache.line_bytes)

    @property
    def max_log2(self) -> int:
        """Log2 of the largest side."""
        return self.max_side.bit_length() - 1

    @property
    def clocks(self) -> dict[str, int]:
        """480 and 400 MHz as published, to half periods of an even number of picoseconds."""
        return {"tex_clk": 2084, "gpu_clk": 2500}

    @property
    def all_streams(self) -> dict[str, ports.Stream]:
        """Ports of the DUT, those of unit n with n behind their names; see ``docs/<block>.md``."""
        listed = [stream for unit in range(self.units) for stream in self.unit_streams(unit)]
        return {stream.name: stream for stream in listed}

    def unit_streams(self, unit: int) -> tuple[ports.Stream, ...]:
        """The streams of one unit."""
        raise NotImplementedError


def watched_streams(
    unit: int, events: tuple[ports.Field, ...], what: str, probes: Named, counters: Named
) -> tuple[ports.Stream, ...]:
    """The observers' streams and the counters of texture unit ``unit``; ``what`` describes ``events``."""
    flags = tuple(ports.Field(name, 1, doc=doc) for name, doc in probes)
    perf = ports.counter_stream(counters)
    why = "handshakes inside the unit, for observers"
    return (
        ports.Stream(f"evt{unit}", "out", events, ready=False, clock="tex_clk", observer=True, doc=what),
        ports.Stream(f"probe{unit}", "out", flags, ready=False, clock="tex_clk", observer=True, doc=why),
        replace(perf, name=f"perf{unit}", clock="tex_clk", valid=True),
    )


def mixes(cfg: Units) -> bool:
    """Whether the units mix two levels for primitives that want it."""
    return any(field.name == "trilinear" for field in cfg.streams["prim0"].fields)


def rasterizer_streams(
    unit: int, line_bits: int, taken: str, *, trilinear: bool = False
) -> tuple[ports.Stream, ...]:
    """The rasterizer's side of texture unit ``unit``: primitives, quads, results.

    ``line_bits``: of a line address; ``taken``: when the unit takes a primitive, in words; ``trilinear``: a
    primitive says whether it wants two levels mixed.
    """
    f = ports.Field
    levels = f("trilinear", 1, doc="0 one level, 1 two levels mixed", names=("one", "two"))
    prim = (
        f("base", line_bits, doc="byte address / 16 of colour table or mips"),
        f("log2w", 4, doc="log2 of the width of level 0"),
        f("log2h", 4, doc="log2 of its height"),
        f("max_lod", 4, doc="smallest level in use", limit=MAX_LEVELS),
        f(
            "format",
            2,
            names=FORMAT_WORDS,
            doc="0 RGBA8, 1 RGB8, 2 RGBA8 through a table, 3 RGB8 through a table",
        ),
        f("mode_u", 2, doc="0 wrap, 1 clamp, 2 mirror", names=MODE_WORDS),
        f("mode_v", 2, doc="the same for rows", names=MODE_WORDS),
        f("bilinear", 1, doc="0 nearest, 1 bilinear", names=("nearest", "bilinear")),
        *((levels,) if trilinear else ()),
        f("invalidate", 1, doc="forget all cached lines first"),
    )
    uv = tuple(
        f(f"{axis}{pixel}", 32, True, doc="texture coordinate, 16 fraction bits")
        for pixel in range(4)
        for axis in "uv"
    )
    return (
        ports.Stream(
            f"prim{unit}", "in", prim, clock="gpu_clk",
            doc=f"texture and sampler of the quads that follow; {taken}",
        ),
        ports.Stream(
            f"quad{unit}", "in", (f("valid", 4, doc="pixels to sample: UL, UR, LL, LR"), *uv),
            clock="gpu_clk", doc="a quad of pixels",
        ),
        ports.Stream(
            f"res{unit}", "out",
            (
                *(f(f"texel{pixel}", 32, doc="RGBA8, 0 where not valid") for pixel in range(4)),
                f("valid", 4, doc="as in the request"),
                f("err", 1, doc="a texel or the colour table came with an AXI error"),
            ),
            clock="gpu_clk", doc="the sampled quad, in request order",
        ),
    )  # fmt: skip


class Config(Units):
    """Geometry of the texture units as published."""

    block: ClassVar[str] = "texunit"
    FOLLOWS: ClassVar[Mapping[str, str]] = {"axi.address_bits": "cache.address_bits", "axi.ids": "units"}

    cache: Cache = Field(Cache(), description="of each unit")
    fifo: Fifo = Field(Fifo(), description="each of those between the clocks")
    rounding: Literal["nearest", "down"] = Field(
        "nearest", description="of weights and of filtered colours: llvmpipe's rule, or truncation"
    )
    axi: Axi = Field(Axi(), description="port to memory")

    def unit_streams(self, unit: int) -> tuple[ports.Stream, ...]:
        """The streams of one unit."""
        f = ports.Field
        events = (
            f("line", self.cache.line_bits, doc="line asked for"),
            f("repeat", 1, doc="it is the line of the query before"),
            f("hit", 1, doc="it is in the cache"),
            f("way", self.cache.way_bits, doc="way that hit or was replaced"),
            f("evict", 1, doc="a valid line was replaced"),
            f("victim", self.cache.tag_bits, doc="its tag, 0 if none"),
            f("err", 1, doc="memory answered with an error"),
        )
        what = "one cache query, when it is answered"
        return (
            *rasterizer_streams(unit, self.cache.line_bits, "taken when no quad is in flight"),
            *watched_streams(unit, events, what, PROBES, COUNTERS),
        )

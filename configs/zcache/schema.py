# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``zcache``, a depth cache with rasterization-triggered prefetch and its depth test.

Source of the default values: Tian et al. (docs/fidelity.md); docs/zcache.md has what the source leaves open.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.depth import PIXELS, place_fields, tile_fields
from configs.parts import AxiPort, CacheGeometry, Fact, Part, PowerOfTwo
from configs.ports import Field as Bits
from configs.ports import Stream, counter_stream
from configs.zcache.counters import COUNTERS as COUNTERS
from configs.zcache.counters import OPTIONAL

GROUP = 16  # tiles that a clear marks, or forgets the bounds of, in a cycle
KINDS = ("none", "hit", "late", "miss")
NONE, HIT, LATE, MISS = range(4)
OUTCOMES = ("issued", "present", "writing", "untouched", "busy", "stale", "hopeless")
ISSUED, PRESENT, WRITING, UNTOUCHED, BUSY, STALE, HOPELESS = range(7)


class Cache(CacheGeometry):
    """A line is a tile of 4x4 pixels of 32 bits."""

    ways: PowerOfTwo = Field(4, ge=2, le=8, description="ways of a set")
    sets: PowerOfTwo = Field(128, ge=2, le=1024, description="sets of the cache")
    line_bytes: Fact[int] = Field(64, description="bytes of a line")
    address_bits: Fact[int] = Field(32, description="bits of a byte address")


class Axi(AxiPort):
    """Reads: the id is the fill's number. Writes: id 0. A beat is a row of the tile."""

    data_bits: Fact[int] = Field(128, description="width of the data")
    address_bits: Fact[int] = Field(32, description="bits of a byte address")
    id_bits: int = Field(4, ge=1, le=8, description="width of an id")


class Shading(Part):
    """What lies between the rasterizer's tile and its depth test."""

    source: Literal["fixed", "given"] = Field(
        "fixed", description="whether a tile is shaded after `cycles`, or when the port `shade` says so"
    )
    cycles: int = Field(64, ge=1, le=1024, description="with `source` fixed: cycles from intake to the test")
    tiles: int = Field(64, ge=1, le=1024, description="tiles in flight, from intake to result")


class Prefetch(Part):
    """When a tile's line is asked for ahead of its test."""

    mode: Literal["off", "queue", "ahead", "adaptive"] = Field(
        "queue",
        description="not at all; as the tile comes in; when it is `distance` tiles before the test; "
        "at a distance that adapts",
    )
    queue: PowerOfTwo = Field(8, ge=1, le=64, description="with `mode` queue: requests that wait")
    distance: int = Field(
        32, ge=1, le=1024, description="with `mode` ahead: tiles before the test; adaptive: at first"
    )
    when_busy: Literal["wait", "drop"] = Field(
        "wait", description="what a request does while all fills are under way"
    )
    when_untouched: Literal["drop", "evict"] = Field(
        "drop", description="what a request does whose set holds lines alone that nobody has used"
    )
    patience: PowerOfTwo = Field(
        32, ge=2, le=256, description="with `mode` adaptive: late tiles for which the distance grows"
    )
    weight: PowerOfTwo = Field(
        2, ge=1, le=256, description="with `mode` adaptive: late tiles that a lost line outweighs"
    )
    step: PowerOfTwo = Field(
        16, ge=2, le=64, description="with `mode` adaptive: the part of itself by which the distance changes"
    )


class Hierarchical(Part):
    """Bounds of what is stored in a tile, by which it is rejected without its line."""

    tiles: int = Field(
        0, ge=0, le=1 << 18, description="tiles of a surface, the first ones, that have bounds"
    )
    bits: int = Field(16, ge=4, le=16, description="of a depth, the top ones, that bounds have")


class Config(BlockConfig):
    """One depth cache with its test."""

    block: ClassVar[str] = "zcache"
    FOLLOWS: ClassVar[Mapping[str, str]] = {}

    cache: Cache = Field(Cache(), description="the lines")
    index: Literal["blocked", "linear", "xor"] = Field(
        "blocked",
        description="set of a tile: low bits of row and column; of its number; row and column folded",
    )
    coordinate_bits: int = Field(10, ge=3, le=10, description="bits of a tile's row or column")
    shading: Shading = Field(Shading(), description="the way to the test")
    prefetch: Prefetch = Field(Prefetch(), description="lines asked for ahead")
    ott: bool = Field(True, description="lines that nobody has used yet are kept (one-time touch)")
    fills: int = Field(8, ge=1, le=16, description="lines that may be on their way from memory")
    write_buffer: int = Field(4, ge=1, le=8, description="lines that may be on their way to memory")
    fast_clear: int = Field(
        0, ge=0, le=1 << 18, description="tiles of a surface, the first ones, that a clear only marks"
    )
    hierarchical: Hierarchical = Field(Hierarchical(), description="bounds of tiles")
    axi: Axi = Field(Axi(), description="the memory's side")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.cache.set_bits > 2 * self.coordinate_bits - 1:
            raise ValueError(
                f"cache.sets={self.cache.sets} and coordinate_bits={self.coordinate_bits}: there are "
                f"{1 << 2 * self.coordinate_bits} tiles; the sets may be half as many at most"
            )
        if self.fills > 1 << self.axi.id_bits:
            raise ValueError(
                f"fills={self.fills} and axi.id_bits={self.axi.id_bits}: each line on its way needs an id of "
                f"its own; there are {1 << self.axi.id_bits}"
            )
        if self.walks and self.prefetch.distance > self.shading.tiles:
            raise ValueError(
                f"prefetch.distance={self.prefetch.distance} and shading.tiles={self.shading.tiles} with "
                f"prefetch.mode={self.prefetch.mode}: "
                "no tile is farther from the test than there are tiles in flight"
            )
        tables = {"fast_clear": self.fast_clear, "hierarchical.tiles": self.hierarchical.tiles}
        for name, tiles in tables.items():
            if tiles & (tiles - 1) or 0 < tiles < 2 * GROUP:
                raise ValueError(f"{name}={tiles}: 0, or a power of two from {2 * GROUP} on")
            if tiles > 1 << self.tile_bits:
                raise ValueError(
                    f"{name}={tiles} and coordinate_bits={self.coordinate_bits}: there are "
                    f"{1 << self.tile_bits} tiles"
                )
        if self.marks and self.bounds and self.fast_clear != self.hierarchical.tiles:
            raise ValueError(
                f"fast_clear={self.fast_clear} and hierarchical.tiles={self.hierarchical.tiles}: a clear "
                "goes through both at once; they are equal, or one is 0"
            )
        return self

    @property
    def marks(self) -> bool:
        """Whether a clear marks tiles rather than writing them."""
        return self.fast_clear > 0

    @property
    def bounds(self) -> bool:
        """Whether tiles are rejected by bounds of what is stored."""
        return self.hierarchical.tiles > 0

    @property
    def claim_bits(self) -> int:
        """Bits of what a tile says of itself to its bounds: function, format, lowest and highest code."""
        return 3 + 2 + 2 * self.hierarchical.bits

    @property
    def walked(self) -> int:
        """Tiles of a surface, the first ones, that a clear goes through before it writes."""
        return self.fast_clear or self.hierarchical.tiles

    @property
    def tile_bits(self) -> int:
        """Bits of a tile's number, its place in memory / 64 bytes."""
        return 2 * self.coordinate_bits

    @property
    def column_bits(self) -> int:
        """Bits of a tile's column in the set index, where it is not linear."""
        return (self.cache.set_bits + 1) // 2

    @property
    def row_bits(self) -> int:
        """Bits of a tile's row in the set index, where it is not linear."""
        return self.cache.set_bits // 2

    @property
    def prefetching(self) -> bool:
        """Whether lines are asked for ahead."""
        return self.prefetch.mode != "off"

    @property
    def walks(self) -> bool:
        """Whether a pointer walks the tiles in flight, a distance before the test at most."""
        return self.prefetch.mode in ("ahead", "adaptive")

    @property
    def adapts(self) -> bool:
        """Whether that distance changes with what is seen."""
        return self.prefetch.mode == "adaptive"

    @property
    def counters(self) -> tuple[str, ...]:
        """Names of the counters that there are, in their order."""
        return tuple(name for name, _ in COUNTERS if name not in OPTIONAL or getattr(self, OPTIONAL[name]))

    @property
    def given(self) -> bool:
        """Whether the port ``shade`` says when a tile is shaded."""
        return self.shading.source == "given"

    @property
    def token_bits(self) -> int:
        """Bits of a place among the tiles in flight."""
        return max(1, (self.shading.tiles - 1).bit_length())

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/zcache.md``."""
        number, way = self.tile_bits, self.cache.way_bits
        shade = (Bits("kill", PIXELS, doc="covered pixels that the shader discards"),)
        res = (
            *place_fields(self.coordinate_bits),
            Bits("passed", PIXELS, doc="pixels that are covered, not discarded, and pass"),
            Bits(
                "err", 1, doc="memory failed: of a tile, its line; else, any write since the last such result"
            ),
        )
        evt = (
            Bits("op", 2, doc="of the tile"),
            Bits("kind", 2, doc="0 no access, 1 hit, 2 late, 3 miss"),
            Bits("way", way, doc="way of its line; 0 if there was no access, or an error"),
            Bits("first", 1, doc="the first use of a prefetched line"),
            Bits("dirty", 1, doc="a depth was stored"),
            *([Bits("rejected", 1, doc="it could not pass by its bounds")] * self.bounds),
        )
        fill = (
            Bits("fill", 1, doc="a line is asked for"),
            Bits("demand", 1, doc="by the test; else ahead"),
            Bits("number", number, doc="number of the tile"),
            Bits("way", way, doc="the way it goes to"),
            Bits("evict", 1, doc="a valid line is replaced"),
            Bits("unused", 1, doc="it was prefetched, and nobody had used it"),
            Bits("dirty", 1, doc="it is written back"),
            Bits("victim", number, doc="number of its tile, 0 if none"),
            Bits("decided", 1, doc="a request to prefetch has left the queue"),
            Bits("outcome", 3, doc=", ".join(f"{n} {name}" for n, name in enumerate(OUTCOMES))),
            Bits("request", number, doc="number of its tile"),
            Bits("full", 1, doc="a request found no place in the queue"),
            *([Bits("blank", 1, doc="a clear has marked its tile: memory is not read")] * self.marks),
        )
        listed = (
            Stream(
                "tile", "in", tile_fields(self.coordinate_bits),
                doc="tiles to test, and what stands between them",
            ),
            *([Stream("shade", "in", shade, doc="the shader's word on each tile, in order")] * self.given),
            Stream("res", "out", res, doc="one result for each tile, in order"),
            Stream(
                "evt", "out", evt, ready=False, observer=True,
                doc="what became of a tile, the cycle after its result was taken",
            ),
            Stream(
                "pre", "out", fill, ready=False, observer=True,
                doc="lines asked for and requests to prefetch decided, the cycle after",
            ),
            counter_stream((name, doc) for name, doc in COUNTERS if name in self.counters),
        )  # fmt: skip
        return {stream.name: stream for stream in listed}

# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``raster``, the tile rasterizer: vertices in, tiles of 4x4 pixels with depths out."""

from typing import ClassVar, Literal

from pydantic import Field

from configs.base import BlockConfig
from configs.depth import OPS as TILE_OPS
from configs.depth import state_fields, tile_fields
from configs.ports import Field as Bits
from configs.ports import Stream, counter_stream

OPS = ("begin", "vertex", "restart", "pass")
BEGIN, VERTEX, RESTART, PASS = range(4)
TOPOLOGIES = ("points", "lines", "line_strip", "triangles", "strip", "fan")
POINTS, LINES, LINE_STRIP, TRIANGLES, STRIP, FAN = range(6)
SUBPIXEL_BITS = 8
PLACE_BITS = 23  # of a coordinate: a sign, 14 bits of pixels, 8 of their 256 parts
COUNTERS = (
    ("vertices", "vertices taken"),
    ("primitives", "primitives assembled"),
    ("empty", "of them, those that gave no tile"),
    ("tiles", "tiles given on"),
    ("pixels", "pixels that they cover"),
    ("visited", "tiles looked at"),
    ("setup_cycles", "cycles a primitive was being set up"),
    ("tile_wait_cycles", "cycles a tile waited for the consumer"),
)


class Config(BlockConfig):
    """One rasterizer."""

    block: ClassVar[str] = "raster"

    coordinate_bits: int = Field(10, ge=3, le=10, description="bits of a tile's row or column")
    walk: Literal["rows", "serpentine"] = Field(
        "rows", description="order of a triangle's tiles: rows left to right, or to and fro; rows downwards"
    )
    emit: Literal["covered", "visited"] = Field(
        "covered",
        description="tiles given on: those with a covered pixel, or all that a triangle's bounds have",
    )
    radix: Literal[2, 4, 16] = Field(
        2, description="of the dividers: bits of a quotient in a cycle, 1, 2 or 4"
    )

    @property
    def by_rows(self) -> bool:
        """Whether each row of tiles is walked from its left end."""
        return self.walk == "rows"

    @property
    def window_bits(self) -> int:
        """Bits of a width or height in pixels, the largest included."""
        return self.coordinate_bits + 3

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/raster.md``."""
        vtx = (
            Bits("op", 2, doc=", ".join(f"{n} {name}" for n, name in enumerate(OPS)), names=OPS),
            Bits("topology", 3, doc="of begin", names=TOPOLOGIES),
            *(Bits(f.name, f.width, doc=f"of begin: {f.doc}", names=f.names) for f in state_fields()),
            Bits("command", 2, doc="of pass: what `op` of `tile` shall be", names=TILE_OPS),
            Bits(
                "x", PLACE_BITS, signed=True,
                doc="1/256 pixel; of begin, the window's width in pixels; of pass, depth1",
            ),
            Bits(
                "y", PLACE_BITS, signed=True,
                doc="1/256 pixel, downwards; of begin, its height; of pass, depth2",
            ),
            Bits("z", 32, doc="depth / 2^32; of pass, depth0"),
        )  # fmt: skip
        prim = Bits("prim", 16, doc="number of the primitive since begin, modulo 2^16")
        listed = (
            Stream("vtx", "in", vtx, doc="vertices in window coordinates, and what stands between them"),
            Stream(
                "tile", "out", (*tile_fields(self.coordinate_bits), prim), doc="tiles, and what was passed"
            ),
            counter_stream(COUNTERS),
        )
        return {stream.name: stream for stream in listed}

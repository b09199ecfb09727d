# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``renderer``: ``raster``, ``texunit`` and ``zcache`` behind one AXI4 port."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.depth import PIXELS, place_fields
from configs.parts import AxiPort, Fact, MemoryTiming, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream, counter_stream
from configs.raster.schema import Config as RasterConfig
from configs.texunit.schema import Config as TexunitConfig
from configs.zcache.schema import Config as ZcacheConfig

LATE, EARLY = "late", "early"
QUADS = 4  # of a tile: upper left, upper right, lower left, lower right
TEXUNIT, ZCACHE = range(2)  # masters of the interconnect; the highest bit of an id
COUNTERS = (
    ("tiles", "results of tiles that were taken"),
    ("quads", "words of quad that were taken"),
    ("coordinates_wait_cycles", "cycles a tile's next quad waited for its coordinates"),
    ("unit_wait_cycles", "cycles it had them, and its texture unit could not take it"),
    ("sample_wait_cycles", "cycles the oldest tile not yet shaded waited for samples"),
    ("test_wait_cycles", "cycles a shaded tile waited for the depth test; early, a tested one to be shaded"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
    ("texture_beats", "beats of 16 bytes that texture units read"),
    ("depth_beats", "those that the depth cache read"),
    ("written_beats", "those that it wrote"),
    ("address_wait_cycles", "cycles in which both offered a read address"),
)


class Axi(AxiPort):
    """Texture units read with ids 0 to 15, one each; the depth cache reads and writes with 16 and above."""

    data_bits: Fact[int] = Field(128, description="width of the data")
    address_bits: Fact[int] = Field(32, description="bits of a byte address")
    id_bits: Fact[int] = Field(5, description="width of an id")

    @property
    def inner_id_bits(self) -> int:
        """Bits of an id beside the master's number."""
        return self.id_bits - 1


class Config(BlockConfig):
    """One renderer."""

    block: ClassVar[str] = "renderer"
    FOLLOWS: ClassVar[Mapping[str, str]] = {
        "raster.coordinate_bits": "coordinate_bits",
        "zcache.coordinate_bits": "coordinate_bits",
        "texunit.axi.data_bits": "axi.data_bits",
    }

    memory: MemoryTiming = Field(MemoryTiming(latency=100), description="timing of the memory model")
    observe: Fact[bool] = Field(False, description="its parts are watched in testbenches of their own")
    coordinate_bits: int = Field(10, ge=3, le=10, description="bits of a tile's row or column")
    raster: RasterConfig = Field(RasterConfig(), description="the rasterizer")
    texunit: TexunitConfig = Field(TexunitConfig(), description="the texture units")
    zcache: ZcacheConfig = Field(ZcacheConfig(), description="the depth test and its cache")
    axi: Axi = Field(Axi(), description="the memory's side")
    test: Literal["late", "early"] = Field(
        "late", description="whether depth is tested behind the shader, or before it: what passes is shaded"
    )
    tested: PowerOfTwo = Field(
        16, ge=2, le=256, description="with `test` early: words that have been tested and wait for samples"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.zcache.given == self.early:
            source, why = (
                ("fixed", "no shader is before the test") if self.early
                else ("given", "a tile is shaded when its samples are there")
            )  # fmt: skip
            raise ValueError(
                f"zcache.shading.source={self.zcache.shading.source}: must be {source} with "
                f"test={self.test}: {why}"
            )
        if self.texunit.units not in (1, 2, QUADS):
            raise ValueError(
                f"texunit.units={self.texunit.units}: must be 1, 2 or {QUADS}, which share a tile's "
                f"{QUADS} quads evenly"
            )
        for path, bits, most in (
            ("zcache.axi.id_bits", self.zcache.axi.id_bits, self.axi.inner_id_bits),
            ("texunit.cache.address_bits", self.texunit.cache.address_bits, self.axi.address_bits),
        ):
            if bits > most:
                raise ValueError(f"{path}={bits}: the common port has {most} bits for it")
        return self

    @property
    def early(self) -> bool:
        """Whether depth is tested before the shader."""
        return self.test == EARLY

    @property
    def flight_bits(self) -> int:
        """Of a FIFO that has a place for each tile in flight in the depth cache: bits of its count."""
        return max(2, (self.zcache.shading.tiles - 1).bit_length() + 1)

    @property
    def shaded_bits(self) -> int:
        """Of the FIFO of what is to be shaded: bits of its count."""
        return log2(self.tested) + 1 if self.early else self.flight_bits

    @property
    def beside_bits(self) -> int:
        """Bits that stay beside a word that was tested early: kind, place, covered pixels and error."""
        return 1 + 2 * self.coordinate_bits + PIXELS + 1 if self.early else 0

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/renderer.md``."""
        inner = self.texunit.all_streams
        kill = Bits("kill", 8, doc="pixels whose alpha is below are discarded")
        quad = replace(inner["quad0"], name="quad", clock="clk", doc="coordinates of the next covered quad")
        pix = (
            Bits("tile", 1, doc="1: a tile; 0: a barrier, of which all else but err is 0"),
            *place_fields(self.coordinate_bits),
            Bits("prim", 16, doc="number of the primitive since begin, modulo 2^16"),
            Bits("mask", PIXELS, doc="pixels that are covered, a row of 4 after the other"),
            Bits("passed", PIXELS, doc="of them, those that are not discarded, and pass the depth test"),
            Bits("err", 1, doc="memory failed: of a depth, of a barrier's writes, or of a texel"),
            *(Bits(f"texel{n}", 32, doc=f"sample of pixel {n}, RGBA8") for n in range(PIXELS)),
        )
        counted = {
            "raster_perf": ("raster", self.raster.all_streams["perf"]),
            "zcache_perf": ("zcache", self.zcache.all_streams["perf"]),
        }
        for n in range(self.texunit.units):
            counted[f"texunit_perf{n}"] = f"texunit {n}", inner[f"perf{n}"]
        listed = (
            self.raster.all_streams["vtx"],
            Stream(
                "tex", "in", (*inner["prim0"].fields, *(() if self.early else (kill,))),
                doc="state of the quads that follow",
            ),
            replace(quad, fields=quad.fields[1:]),
            Stream("pix", "out", pix, doc="tiles, sampled and tested, and barriers, in order"),
            *(
                Stream(name, "out", stream.fields, ready=False, valid=False, doc=f"{part}: {stream.doc}")
                for name, (part, stream) in counted.items()
            ),
            counter_stream(COUNTERS, "its own counters since reset"),
        )  # fmt: skip
        return {stream.name: stream for stream in listed}

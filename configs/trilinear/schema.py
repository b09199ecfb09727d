# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``trilinear``, a texture cache for samples of two mip levels: ``texcache`` twice.

Not published; ``docs/trilinear.md`` is its specification.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.parts import AxiPort, Fact, PowerOfTwo
from configs.ports import Field as Bits
from configs.ports import Stream, counter_stream
from configs.texcache.schema import Config as TexcacheConfig

OPS = ("bilinear", "trilinear", "invalidate", "table")
BILINEAR, TRILINEAR, INVALIDATE, TABLE = range(len(OPS))
HALVES = ("even", "odd")  # of the cache, by the parity of the levels that live there
TEXELS = 4  # of a footprint
COUNTERS = (
    ("samples", "results of samples that were taken"),
    ("pairs", "of them, those of two levels"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)


class Axi(AxiPort):
    """The half of even levels reads with id 0, that of odd ones with id 1."""

    data_bits: PowerOfTwo = Field(64, ge=32, le=1024, description="width of the data")
    address_bits: int = Field(32, ge=24, le=34, description="bits of a byte address")
    id_bits: int = Field(4, ge=1, le=16, description="width of an id")
    ids: Fact[int] = 2
    writes: Fact[bool] = False


class Config(BlockConfig):
    """One cache for trilinear samples."""

    block: ClassVar[str] = "trilinear"
    FOLLOWS: ClassVar[Mapping[str, str]] = {
        "half.cache.address_bits": "axi.address_bits",
        "half.axi.data_bits": "axi.data_bits",
        "half.id_bits": "half_id_bits",
        "axi.outstanding": "half.fifo.depth",
    }

    half: TexcacheConfig = Field(
        TexcacheConfig(), description="the cache of even levels, and that of odd ones"
    )
    axi: Axi = Field(Axi(), description="the memory's side")
    half_id_bits: Fact[int] = Field(1, description="id of a half's request: order tells whose its result is")
    id_bits: int = Field(8, ge=1, le=32, description="width of the request id that a result carries back")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.half.parity:
            raise ValueError(
                f"half.banking={self.half.banking}: must be parity: a footprint takes one cycle, or the "
                "other half waits"
            )
        return self

    @property
    def last_level(self) -> int:
        """The smallest level, of one texel."""
        return self.half.levels - 1

    @property
    def beats(self) -> int:
        """AXI data beats of a line."""
        return self.half.beats_per_line

    @property
    def capacity_bytes(self) -> int:
        """Bytes of texels both halves hold."""
        return 2 * self.half.capacity_bytes

    @property
    def open_samples(self) -> int:
        """Samples under way: at least as many as a half's FIFO and the six stages around it hold."""
        return max(16, 2 * self.half.fifo.depth)

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/trilinear.md``."""
        half = self.half
        inner = half.all_streams
        place = {field.name: field for field in inner["req"].fields}
        u, v = (replace(place[axis], doc=f"{what} of the upper left texel, before wrapping") for axis, what in
                (("u", "column"), ("v", "row")))  # fmt: skip
        [base] = (field for field in inner["lut"].fields if field.name == "base")
        req = (
            Bits("op", 2, names=OPS, doc=", ".join(f"{n} {name}" for n, name in enumerate(OPS))),
            place["tex"],
            replace(place["level"], doc="mip level; of two, the finer one"),
            place["mode_u"],
            place["mode_v"],
            replace(u, name="u0", doc=f"{u.doc}, in this level"),
            replace(v, name="v0", doc=f"{v.doc}, in this level"),
            replace(u, name="u1", doc=f"{u.doc}, in the next level"),
            replace(v, name="v1", doc=f"{v.doc}, in the next level"),
            replace(base, name="line", doc="of table: line address of the level"),
            Bits("id", self.id_bits, doc="returned with the result"),
        )
        res = (
            *(Bits(f"texel{n}", 32, doc="RGBA8888, of this level") for n in range(TEXELS)),
            *(Bits(f"texel{TEXELS + n}", 32, doc="of the next level, or 0") for n in range(TEXELS)),
            Bits("err", 1, doc="a texel's line was filled with an AXI error"),
            Bits("id", self.id_bits, doc="id of the request"),
        )
        listed = [
            Stream("req", "in", req, doc="a sample, or a change of the table or of all lines"),
            Stream("res", "out", res, doc="a result for each request, in order"),
        ]
        for name in HALVES:
            listed += [
                replace(inner[of], name=f"{name}_{of}", doc=f"half of {name} levels: {inner[of].doc}")
                for of in ("evt", "perf")
            ]
        listed.append(counter_stream(COUNTERS, "its own counters since reset"))
        return {stream.name: stream for stream in listed}

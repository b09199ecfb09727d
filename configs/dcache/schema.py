# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``dcache``, the data cache of a SIMT processor.

Source of the default values: Xu et al. (docs/fidelity.md), section 2.2.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.parts import AxiPort, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream
from configs.simt import SimtCache

OPS = ("load", "store", "clean", "flush", "invalidate", "status", "policy")
LOAD, STORE, CLEAN, FLUSH, INVALIDATE, STATUS, POLICY = range(7)
LANES = 8  # of a request
WORD_BYTES = 4
COUNTERS = (
    ("loads", "loads answered, of any number of lanes"),
    ("stores", "stores answered"),
    ("hits", "words whose line was there"),
    ("misses", "words whose line was not there"),
    ("uncached", "words of the window that is not cached"),
    ("evictions", "valid lines that a fill replaced"),
    ("writes", "AXI writes that succeeded: lines written back, words written through or not cached"),
    ("errors", "words, cleans and flushes that memory failed"),
    ("memory_wait_cycles", "cycles a request waited for memory"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)


class Cache(SimtCache):
    """Data, in ways that are all read at once."""

    ways: PowerOfTwo = Field(4, ge=4, le=16, description="ways of a set")
    sets: PowerOfTwo = Field(256, ge=2, le=1024, description="sets of the cache")
    line_bytes: PowerOfTwo = Field(32, ge=8, le=1024, description="bytes of a line")
    address_bits: int = Field(32, ge=12, le=32, description="bits of a byte address")


class Axi(AxiPort):
    """Lines, or single beats, with id 0."""

    data_bits: PowerOfTwo = Field(32, ge=32, le=1024, description="width of the data")


class Config(BlockConfig):
    """One data cache. A line is read and written back by one burst."""

    block: ClassVar[str] = "dcache"
    FOLLOWS: ClassVar[Mapping[str, str]] = {"axi.address_bits": "cache.address_bits"}

    cache: Cache = Field(Cache(), description="the lines")
    axi: Axi = Field(Axi(), description="the memory's side")
    write_policy: Literal["write-back", "write-through"] = Field(
        "write-back", description="whether memory sees a store when its line is replaced, or at once"
    )
    uncached_bits: int = Field(
        0,
        ge=0,
        le=8,
        description="addresses whose highest bits, so many, are all 1 are not cached; 0: all are",
    )
    warps: PowerOfTwo = Field(8, ge=2, le=64, description="warps of a block")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        beats = self.axi.beats(self.cache.line_bytes)
        if not 2 <= beats <= 256:
            raise ValueError(
                f"cache.line_bytes={self.cache.line_bytes} and axi.data_bits={self.axi.data_bits}: a line of "
                f"{beats} beats; it must have 2 at least and 256, the longest burst, at most"
            )
        if self.cache.tag_bits < max(1, self.uncached_bits):
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits} and uncached_bits={self.uncached_bits}: the "
                f"tag above {self.cache.sets} sets of lines of {self.cache.line_bytes} bytes has "
                f"{self.cache.tag_bits} bits; it needs 1 at least, and as many as tell what is not cached"
            )
        return self

    @property
    def write_back(self) -> bool:
        """Whether lines can be dirty."""
        return self.write_policy == "write-back"

    @property
    def beats(self) -> int:
        """AXI data beats of a line."""
        return self.axi.beats(self.cache.line_bytes)

    @property
    def beat_bits(self) -> int:
        """Bits of a beat's place in its line."""
        return log2(self.beats)

    @property
    def beat_words(self) -> int:
        """Words of a beat."""
        return self.axi.strobe_bits // WORD_BYTES

    @property
    def line_words(self) -> int:
        """Words of a line."""
        return self.cache.line_bytes // WORD_BYTES

    @property
    def warp_bits(self) -> int:
        """Bits of a warp's number."""
        return log2(self.warps)

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/dcache.md``."""
        address, line = self.cache.address_bits, self.cache.line_bits
        op = Bits("op", 3, doc=", ".join(f"{n} {name}" for n, name in enumerate(OPS)), names=OPS)
        warp = Bits("warp", self.warp_bits, doc="warp, returned with the result")
        req = (
            op,
            warp,
            Bits("mask", LANES, doc="lanes that take part, of a load or store"),
            *each("addr", address, "byte address of its word; of policy, in lane 0, its number"),
            *each("data", 32, "word to store"),
            *each("strobe", WORD_BYTES, "bytes of it to store"),
        )
        res = (
            *each(
                "data",
                32,
                "word of a load without error; of status, in lane 0, the address that failed; else 0",
            ),
            Bits(
                "err",
                LANES,
                doc="lanes that memory failed; lane 0: of clean and flush too; of status, there is one",
            ),
            warp,
        )
        evt = (
            Bits("op", 3, doc="of the request"),
            Bits("hit", LANES, doc="lanes whose line was there"),
            Bits("evict", LANES, doc="lanes for which a valid line was replaced"),
            Bits(
                "write",
                LANES,
                doc="lanes for which memory was written, without an error; lane 0: clean, flush",
            ),
            *each("way", self.cache.way_bits, "way that hit or was filled; 0 if neither"),
            *each("victim", line, "address of the line that was replaced, 0 if none"),
        )
        perf = tuple(Bits(name, 32, doc=doc) for name, doc in COUNTERS)
        why = "what became of a request, the cycle after its result was taken"
        listed = (
            Stream("req", "in", req, doc="requests"),
            Stream("res", "out", res, doc="one result for each request, in order"),
            Stream("evt", "out", evt, ready=False, observer=True, doc=why),
            Stream("perf", "out", perf, ready=False, valid=False, doc="performance counters since reset"),
        )
        return {stream.name: stream for stream in listed}


def each(name: str, width: int, doc: str) -> tuple[Bits, ...]:
    """A field of each lane: the name with the lane's number behind it."""
    return tuple(Bits(f"{name}{lane}", width, doc=f"lane {lane}: {doc}") for lane in range(LANES))

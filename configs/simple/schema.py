# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``simple``, the smallest cache: direct-mapped, one load/store port, one AXI4 port."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.parts import AxiPort, CacheGeometry, Fact, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream, request_streams

OPS = ("load", "store", "flush", "invalidate")
LOAD, STORE, FLUSH, INVALIDATE = range(4)
COUNTERS = (
    ("loads", "loads answered"),
    ("stores", "stores answered"),
    ("hits", "loads and stores whose line was there"),
    ("misses", "loads and stores whose line was not"),
    ("evictions", "valid lines that a fill replaced"),
    ("writes", "AXI writes that succeeded: lines written back, or stores written through"),
    ("errors", "requests answered with an error"),
    ("memory_wait_cycles", "cycles a request waited for memory"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)


class Cache(CacheGeometry):
    """Direct-mapped."""

    ways: Fact[int] = Field(1, description="ways of a set")
    sets: PowerOfTwo = Field(64, ge=2, le=4096, description="lines of the cache")


class Config(BlockConfig):
    """Geometry and policy of one cache."""

    block: ClassVar[str] = "simple"
    FOLLOWS: ClassVar[Mapping[str, str]] = {"axi.address_bits": "cache.address_bits"}

    cache: Cache = Field(Cache(), description="the lines")
    axi: AxiPort = Field(AxiPort(), description="the memory's side")
    policy: Literal["write-back", "write-through"] = Field(
        "write-back", description="memory receives a store when its line is replaced, or at once"
    )
    word_bits: PowerOfTwo = Field(32, ge=8, le=32, description="bits of a word: what a load or store moves")
    id_bits: int = Field(8, ge=1, le=32, description="width of the request id that a result carries back")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        line = self.cache.line_bytes * 8
        if not self.word_bits <= self.axi.data_bits <= line or line < 2 * self.word_bits:
            raise ValueError(
                f"word_bits={self.word_bits}, axi.data_bits={self.axi.data_bits} and cache.line_bytes="
                f"{self.cache.line_bytes}: needed is word <= bus <= line, and two or more words in a line"
            )
        if self.cache.tag_bits < 1:
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits}: no bit is left for a tag above "
                f"cache.sets={self.cache.sets} lines of cache.line_bytes={self.cache.line_bytes}"
            )
        return self

    @property
    def write_back(self) -> bool:
        """Whether lines can be dirty."""
        return self.policy == "write-back"

    @property
    def word_bytes(self) -> int:
        """Bytes of a word."""
        return self.word_bits // 8

    @property
    def word_address_bits(self) -> int:
        """Bits of a word address: byte address / bytes of a word."""
        return self.cache.address_bits - log2(self.word_bytes)

    @property
    def slot_bits(self) -> int:
        """Bits of a word's place in its line."""
        return self.word_address_bits - self.cache.line_bits

    @property
    def beats(self) -> int:
        """AXI data beats of a line."""
        return self.axi.beats(self.cache.line_bytes)

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/simple.md``."""
        identity = Bits("id", self.id_bits, doc="any number, returned with the result")
        req = (
            Bits("op", 2, doc="0 load, 1 store, 2 flush, 3 invalidate", names=OPS),
            Bits("word", self.word_address_bits, doc="word address: byte address divided by bytes of a word"),
            Bits("value", self.word_bits, doc="what to store"),
            Bits("strobe", self.word_bytes, doc="which bytes of value to store, one bit each"),
            identity,
        )
        res = (
            Bits("value", self.word_bits, doc="the word of a load without error, else 0"),
            Bits("err", 1, doc="memory answered with an error: the request was not performed"),
            identity,
        )
        evt = (
            Bits("op", 2, doc="of the request"),
            Bits("hit", 1, doc="its line was there"),
            Bits("line", self.cache.line_bits, doc="its line address; 0 of flush and invalidate"),
            Bits("evict", 1, doc="a valid line was replaced"),
            Bits("victim", self.cache.line_bits, doc="its line address, 0 if none"),
            Bits("write", 1, doc="memory was written, without an error"),
        )
        return request_streams(req, res, evt, COUNTERS)

# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``icache``, the instruction cache of a SIMT processor.

Source of the default values: Xu et al. (docs/fidelity.md), sections 2.1.1 and 2.1.2.
"""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.parts import AxiPort, Fact, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream, request_streams
from configs.simt import SimtCache, SimtConfig

OPS = ("fetch", "base", "status", "invalidate", "policy")
FETCH, BASE, STATUS, INVALIDATE, POLICY = range(5)
SIGNS = ("none", "jump", "call", "retn")
COUNTERS = (
    ("fetches", "instructions answered"),
    ("hits", "of them, those whose line was there"),
    ("repeats", "hits in the line of the fetch before"),
    ("misses", "instructions whose line was not there"),
    ("evictions", "valid lines that a fill replaced"),
    ("errors", "instructions answered with an error"),
    ("memory_wait_cycles", "cycles a fetch waited for its line"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)


class Cache(SimtCache):
    """Instructions, in ways that are all read at once."""

    sets: PowerOfTwo = Field(4, ge=1, le=1024, description="sets of the cache")
    address_bits: int = Field(32, ge=12, le=32, description="bits of a byte address")


class Axi(AxiPort):
    """Reads a line at a time, with id 0."""

    data_bits: PowerOfTwo = Field(32, ge=32, le=1024, description="width of the read data")
    writes: Fact[bool] = False


class Config(SimtConfig):
    """One instruction cache. A line is filled by one burst, or by two from the word that missed on."""

    block: ClassVar[str] = "icache"

    cache: Cache = Field(Cache(), description="the lines")
    axi: Axi = Field(Axi(), description="the memory's side")
    blocks: PowerOfTwo = Field(4, ge=2, le=16, description="programs, each with a base address of its own")
    warps: PowerOfTwo = Field(8, ge=2, le=64, description="warps of a block")
    restart: Literal["line", "word"] = Field(
        "line", description="a fetch that misses goes on with its whole line, as published, or with its word"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.check_line()
        if self.cache.tag_bits < 1:
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits}: no bit is left for a tag above "
                f"cache.sets={self.cache.sets} sets of lines of cache.line_bytes={self.cache.line_bytes}"
            )
        return self

    @property
    def early(self) -> bool:
        """Whether requests go on while the rest of a line comes."""
        return self.restart == "word"

    @property
    def blocking(self) -> bool:
        """Whether a miss stops all until its whole line is there."""
        return not self.early

    @property
    def block_bits(self) -> int:
        """Bits of a block's number."""
        return log2(self.blocks)

    @property
    def warp_bits(self) -> int:
        """Bits of a warp's number."""
        return log2(self.warps)

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT; see ``docs/icache.md``."""
        address, line = self.cache.address_bits, self.cache.line_bits
        what = "byte address from its block's base on; op base: the new base; op policy: the policy's number"
        pc = Bits("pc", address, doc=what)
        warp = Bits("warp", self.warp_bits, doc="warp, returned with the instruction")
        sign = Bits("sign", 2, doc="kind of instruction, returned with it", names=SIGNS)
        req = (
            Bits("op", 3, doc="0 fetch, 1 base, 2 status, 3 invalidate, 4 policy", names=OPS),
            Bits("block", self.block_bits, doc="block, for fetch and base"),
            *(pc, warp, sign),
        )
        res = (
            Bits("inst", 32, doc="instruction; op status: the address that failed; else 0"),
            Bits("err", 1, doc="memory failed: no instruction; op status: an address is kept"),
            *(pc, warp, sign),
        )
        evt = (
            Bits("op", 3, doc="of the request"),
            Bits("hit", 1, doc="its line was there"),
            Bits("repeat", 1, doc="it is the line of the fetch before"),
            Bits("way", self.cache.way_bits, doc="way that hit or was filled; 0 if neither"),
            Bits("line", line, doc="its line address; 0 of all but fetches"),
            Bits("evict", 1, doc="a valid line was replaced"),
            Bits("victim", line, doc="its line address, 0 if none"),
        )
        return request_streams(req, res, evt, COUNTERS)

# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``dcache``, the data cache of a SIMT processor.

Source of the default values: Xu et al. (docs/fidelity.md), section 2.2.
"""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs.parts import AxiPort, PowerOfTwo, log2
from configs.ports import Field as Bits
from configs.ports import Stream, request_streams
from configs.simt import WORD_BYTES, SimtCache, SimtConfig

OPS = ("load", "store", "clean", "flush", "invalidate", "status", "policy")
LOAD, STORE, CLEAN, FLUSH, INVALIDATE, STATUS, POLICY = range(7)
LANES = 8  # of a request
MISS_LINE_BYTES = 128  # most of a line that is moved at once
COUNTERS = (
    ("loads", "loads answered, of any number of lanes"),
    ("stores", "stores answered"),
    ("hits", "words whose line was there"),
    ("misses", "words whose line was not there"),
    ("uncached", "words of the window that is not cached"),
    ("evictions", "valid lines that a fill replaced"),
    ("writes", "AXI writes that succeeded: lines written back, words written through or not cached"),
    ("errors", "words, cleans and flushes that memory failed"),
    ("memory_wait_cycles", "cycles a request waited for memory; with `mshrs` those with a line under way"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)
PREFETCHES = (("prefetches", "lines that were asked for ahead"),)  # a counter with ``prefetch``
#: with ``mshrs``: the first of these, in this order, for which a look-up did not go on in a cycle
STALLS = (
    ("group_wait_cycles", "cycles a look-up hit a line under way that no group could join"),
    ("victim_wait_cycles", "cycles a look-up missed, and the line in its place was under way"),
    ("entry_wait_cycles", "of the others, cycles a look-up missed, and all `mshrs` were in use"),
    (
        "write_wait_cycles",
        "of the others, cycles a look-up missed, its victim dirty, and the write buffer had no room",
    ),
    ("stage_wait_cycles", "of the others, cycles a look-up, or a request without lanes, found stage 2 taken"),
    ("warp_wait_cycles", "of the others, cycles a request stood at the door for an earlier one of its warp"),
)


class Cache(SimtCache):
    """Data, in ways that are all read at once."""

    ways: int = Field(4, ge=1, le=16, description="ways of a set, any number")
    sets: PowerOfTwo = Field(256, ge=1, le=1024, description="sets of the cache")
    line_bytes: PowerOfTwo = Field(32, ge=8, le=1024, description="bytes of a line")
    address_bits: int = Field(32, ge=12, le=32, description="bits of a byte address")


class Axi(AxiPort):
    """Lines, or single beats, with id 0; with ``mshrs`` each read has the id of its own one."""

    data_bits: PowerOfTwo = Field(32, ge=32, le=1024, description="width of the data")


class Config(SimtConfig):
    """One data cache. A line is read and written back by one burst."""

    block: ClassVar[str] = "dcache"

    cache: Cache = Field(Cache(), description="the lines")
    axi: Axi = Field(Axi(), description="the memory's side")
    write_policy: Literal["write-back", "write-through"] = Field(
        "write-back", description="memory receives a store when its line is replaced, or at once"
    )
    uncached_bits: int = Field(
        0,
        ge=0,
        le=8,
        description="addresses whose highest bits, so many, are all 1 are not cached; 0: all are",
    )
    warps: PowerOfTwo = Field(8, ge=2, le=64, description="warps of a block")
    mshrs: int = Field(
        0, ge=0, le=16, description="lines that may be under way from memory at once; 0: a miss stops all"
    )
    targets: int = Field(
        8, ge=1, le=16, description="with `mshrs`: groups of lanes that may wait for one line"
    )
    coalescing: bool = Field(
        False, description="with `mshrs`: lanes of a request that lie in one line are served at once"
    )
    prefetch: bool = Field(
        False, description="with `mshrs`: behind a request for one line that is missed the next is read ahead"
    )
    write_buffer: int = Field(
        4, ge=1, le=8, description="with `mshrs`: replaced dirty lines that may be on their way to memory"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.check_line()
        self._check_misses()
        if self.cache.tag_bits < max(1, self.uncached_bits):
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits} and uncached_bits={self.uncached_bits}: the "
                f"tag above cache.sets={self.cache.sets} sets of lines of cache.line_bytes="
                f"{self.cache.line_bytes} has "
                f"{self.cache.tag_bits} bits; it needs 1 at least, and as many as tell what is not cached"
            )
        return self

    def _check_misses(self) -> None:
        """Raise ValueError for what does not go together with misses that wait, or without them."""
        if not self.mshrs:
            for name in ("targets", "coalescing", "prefetch", "write_buffer"):
                value = getattr(self, name)
                if value != type(self).model_fields[name].default:
                    raise ValueError(f"{name}={str(value).lower()}: needs mshrs, which is 0")
            return
        if not self.write_back:
            raise ValueError(f"mshrs={self.mshrs}: needs write_policy=write-back")
        if self.uncached_bits:
            raise ValueError(f"mshrs={self.mshrs}: needs uncached_bits=0, which is {self.uncached_bits}")
        if self.cache.line_bytes > MISS_LINE_BYTES:
            raise ValueError(
                f"mshrs={self.mshrs} and cache.line_bytes={self.cache.line_bytes}: "
                f"a line moves in one cycle; it may have {MISS_LINE_BYTES} bytes at most"
            )
        lines = self.cache.sets * self.cache.ways
        geometry = f"cache.sets={self.cache.sets} and cache.ways={self.cache.ways}"
        if lines < 2:
            raise ValueError(f"mshrs={self.mshrs}, {geometry}: hits under a miss need 2 lines at least")
        if self.prefetch and lines < 4:
            raise ValueError(
                f"prefetch=true, {geometry}: {lines} lines; it needs 4, or those read ahead take the place "
                "of those in use"
            )
        if self.mshrs > 1 << self.axi.id_bits:
            raise ValueError(
                f"mshrs={self.mshrs} and axi.id_bits={self.axi.id_bits}: each line under way needs an id of "
                f"its own; there are {1 << self.axi.id_bits}"
            )

    @property
    def ahead_elsewhere(self) -> bool:
        """Whether no line is read ahead, or each goes to another set than the one before it."""
        return self.several_sets or not self.prefetch

    @property
    def nonblocking(self) -> bool:
        """Whether other warps go on while one waits for its line."""
        return self.mshrs > 0

    @property
    def blocking(self) -> bool:
        """Whether one miss stops all."""
        return not self.nonblocking

    @property
    def write_back(self) -> bool:
        """Whether lines can be dirty."""
        return self.write_policy == "write-back"

    @property
    def warp_bits(self) -> int:
        """Bits of a warp's number."""
        return log2(self.warps)

    @property
    def counters(self) -> tuple[tuple[str, str], ...]:
        """Name of each counter, and what it counts."""
        return COUNTERS + PREFETCHES * self.prefetch + STALLS * self.nonblocking

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
            *each("addr", address, "byte address of its word", "; op policy: the policy's number"),
            *each("data", 32, "word to store"),
            *each("strobe", WORD_BYTES, "which bytes of data to store, one bit each"),
        )
        data = each("data", 32, "word of a load without error, else 0", "; op status: address that failed")
        err = "lanes that memory failed; bit 0: a line of clean or flush failed; op status: an address kept"
        res = (*data, Bits("err", LANES, doc=err), warp)
        write = "lanes for which memory was written, without an error; lane 0: clean, flush"
        evt = (
            Bits("op", 3, doc="of the request"),
            Bits("hit", LANES, doc="lanes whose line was there"),
            Bits("evict", LANES, doc="lanes for which a valid line was replaced"),
            Bits("write", LANES, doc=write),
            *each("way", self.cache.way_bits, "way that hit or was filled; 0 if neither"),
            *each("victim", line, "address of the line that was replaced, 0 if none"),
        )
        return request_streams(req, res, evt, self.counters)


def each(name: str, width: int, doc: str, first: str = "") -> tuple[Bits, ...]:
    """A field of each lane: the name with the lane's number behind it; ``first`` ends the text of lane 0."""
    docs = [f"lane {lane}: {doc}{'' if lane else first}" for lane in range(LANES)]
    return tuple(Bits(f"{name}{lane}", width, doc=text) for lane, text in enumerate(docs))

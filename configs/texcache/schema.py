# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``texcache``, the four-port texture cache of a mobile GPU.

Source of the default values: Han et al., "Design of texture cache for embedded mobile graphics processing
unit", Application of Electronic Technique, 2019, sections 3.2 to 3.5.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from configs import ports
from configs.base import BlockConfig, load
from configs.parts import AxiPort, CacheGeometry, Fact, FifoGeometry, PowerOfTwo, log2
from utils.errors import UserError

TEXEL_BYTES = 4  # RGBA8888
MOST_TEXTURES = 256
MODES = ("repeat", "clamp", "mirror")  # of wrapping, in trace files
COUNTERS = (
    ("footprints", "results delivered"),
    ("footprint_hits", "footprints all of whose look-ups hit"),
    ("lookups", "tag look-ups"),
    ("hits", "look-ups that hit"),
    ("misses", "look-ups that missed"),
    ("evictions", "misses that replaced a valid line"),
    ("errors", "lines filled with an AXI error response"),
    ("conflict_cycles", "extra beats: look-ups that waited for their single-port cache"),
    ("stop_cycles", "cycles a request waited because of stop"),
    ("request_wait_cycles", "cycles a request waited for another reason"),
    ("memory_wait_cycles", "cycles the head of the tag FIFO waited for its line"),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
)


class Bank(CacheGeometry):
    """One single-port cache; its tags tell the banks apart, too, for a small level lives in one bank only."""

    ways: PowerOfTwo = Field(4, ge=1, le=16, description="ways of a set")
    sets: PowerOfTwo = Field(16, ge=1, le=1024, description="sets of one single-port cache")
    line_bytes: PowerOfTwo = Field(32, ge=16, le=256, description="bytes of a line: of 4 to 64 texels")
    address_bits: int = Field(32, ge=24, le=34, description="bits of a byte address")


class Axi(AxiPort):
    """Reads lines, all with id 0."""

    data_bits: PowerOfTwo = Field(64, ge=32, le=1024, description="width of the AXI read data")
    id_bits: Fact[int] = Field(4, description="width of the id")
    writes: Fact[bool] = False


class Fifo(FifoGeometry):
    """The tag FIFO and the data FIFO."""

    depth: PowerOfTwo = Field(32, ge=4, le=256, description="entries of the tag FIFO and of the data FIFO")


class Config(BlockConfig):
    """Geometry of one texture cache. Sizes are counts unless the name says bits or bytes."""

    block: ClassVar[str] = "texcache"
    FOLLOWS: ClassVar[Mapping[str, str]] = {
        "axi.address_bits": "cache.address_bits",
        "axi.outstanding": "fifo.depth",  # each line on its way has a place in the data FIFO
    }

    banks: PowerOfTwo = Field(4, ge=1, le=8, description="single-port caches that work side by side")
    banking: Literal["address", "parity"] = Field(
        "address",
        description="bank of a line: the address bits above its set, or the parity of its row and column in "
        "the level, with a folded set and each line of a footprint looked up once",
    )
    cache: Bank = Field(Bank(), description="each of them")
    fill_port: Literal["shared", "own"] = Field(
        "shared", description="port of a data RAM that lines are written through: that of reads, or another"
    )
    lookup: Literal["row", "texel"] = Field(
        "row", description="what one look-up serves: both texels of a footprint's row, or a single texel"
    )
    layout: Literal["row-major", "tile4x4", "morton"] = Field(
        "row-major", description="order of a level's texels in memory"
    )
    small_side: PowerOfTwo = Field(
        32, ge=1, le=4096, description="levels with a smaller side live in the last bank only (1: none do)"
    )
    max_side: PowerOfTwo = Field(1024, ge=8, le=4096, description="side of level 0 in texels")
    textures: PowerOfTwo = Field(
        64, ge=2, le=MOST_TEXTURES, description="texture ids the look-up table holds"
    )
    fifo: Fifo = Field(Fifo(), description="between tag compare and output")
    resume: Literal["drained", "space"] = Field(
        "drained", description="begin follows stop when the tag FIFO has drained, or when it has space"
    )
    held_hit: Literal["wait", "queue"] = Field(
        "wait", description="a hit that meets a result which is held waits before the tag FIFO, or in it"
    )
    axi: Axi = Field(Axi(), description="port to memory")
    id_bits: int = Field(8, ge=1, le=32, description="width of the request id that a result carries back")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        line, bus = f"cache.line_bytes={self.cache.line_bytes}", f"axi.data_bits={self.axi.data_bits}"
        if self.beats_per_line < 1:
            raise ValueError(
                f"{bus} with {line}: a line has only {self.cache.line_bytes * 8} bits; "
                "the bus must not be wider than a line"
            )
        if self.beats_per_line > 16:
            raise ValueError(
                f"{bus} with {line}: a line takes {self.beats_per_line} beats; at most 16 are allowed"
            )
        if self.cache.tag_bits < self.bank_bits + 4:
            raise ValueError(
                f"cache.address_bits={self.cache.address_bits}: too few for a tag of at least 4 bits above "
                f"cache.line_bytes={self.cache.line_bytes}, cache.sets={self.cache.sets} and "
                f"banks={self.banks}"
            )
        if 2 * log2(self.max_side) >= self.texel_bits:
            raise ValueError(
                f"max_side={self.max_side}: its levels do not fit into cache.address_bits="
                f"{self.cache.address_bits}"
            )
        if self.small_side > self.max_side:
            raise ValueError(f"small_side={self.small_side}: must not exceed max_side={self.max_side}")
        if self.parity:
            self._check_parity()
        return self

    def _check_parity(self) -> None:
        for name, value, needed in (
            ("banks", self.banks, 4),
            ("lookup", self.lookup, "row"),
            ("small_side", self.small_side, 1),
        ):
            if value != needed:
                raise ValueError(f"{name}={value}: banking=parity needs {needed}")

    @property
    def parity(self) -> bool:
        """Whether the parity of a line's row and column in its level chooses the bank.

        Then the lines of a footprint, which are neighbours, never meet in a bank: all take one beat.
        """
        return self.banking == "parity"

    @property
    def texel_bits(self) -> int:
        """Bits of a texel address (4-byte units)."""
        return self.cache.address_bits - log2(TEXEL_BYTES)

    @property
    def line_texels(self) -> int:
        """Texels of a line."""
        return self.cache.line_bytes // TEXEL_BYTES

    @property
    def place_bits(self) -> int:
        """Bits of the texel's place in its line."""
        return log2(self.line_texels)

    @property
    def bank_bits(self) -> int:
        """Bits that choose the bank: 0 with a single bank."""
        return log2(self.banks)

    @property
    def beats_per_line(self) -> int:
        """AXI data beats of a line."""
        return self.axi.beats(self.cache.line_bytes)

    @property
    def capacity_bytes(self) -> int:
        """Bytes of texels all banks hold."""
        return self.banks * self.cache.capacity_bytes

    @property
    def levels(self) -> int:
        """Mip levels from ``max_side`` down to 1 x 1."""
        return log2(self.max_side) + 1

    @property
    def level_bits(self) -> int:
        """Bits of a level number."""
        return (self.levels - 1).bit_length()

    @property
    def coordinate_bits(self) -> int:
        """Bits of a signed texel coordinate before wrapping: twice the largest side either way."""
        return log2(self.max_side) + 2

    def holding(self, textures: int) -> Self:
        """The configuration with a table for so many textures, itself if it has that or its table was chosen.

        Raises :class:`UserError` for more than any table holds.
        """
        if textures > MOST_TEXTURES:
            raise UserError(
                f"{textures} textures: a table holds at most {MOST_TEXTURES}; draw less at a time, or put "
                "several images into one"
            )
        chosen = self.textures != load(self.block, self.preset).textures
        if textures <= self.textures or chosen:
            return self
        return self.with_(textures=1 << (textures - 1).bit_length())

    @property
    def slots(self) -> int:
        """Look-ups a footprint can need: left and right of two rows."""
        return 4

    def level_side(self, level: int) -> int:
        """Side of ``level`` in texels."""
        return self.max_side >> level

    def is_small(self, level: int) -> bool:
        """Whether ``level`` lives in the last bank only."""
        return self.level_side(level) < self.small_side

    @property
    def all_streams(self) -> dict[str, ports.Stream]:
        """Ports of the DUT; see ``docs/texcache.md``."""
        f = ports.Field
        tex, level = (
            f("tex", log2(self.textures), doc="texture id"),
            f("level", self.level_bits, doc="mip level", limit=self.levels),
        )
        bank, way = max(1, self.bank_bits), max(1, self.cache.way_bits)
        events: list[ports.Field] = []
        for slot in range(self.slots):
            events += [
                f(f"valid{slot}", 1, doc="this slot was looked up in this beat"),
                f(f"hit{slot}", 1, doc="its line was present (or already asked for)"),
                f(f"bank{slot}", bank, doc="single-port cache"),
                f(f"set{slot}", self.cache.index_bits, doc="set"),
                f(f"way{slot}", way, doc="way that hit or was replaced"),
                f(f"evict{slot}", 1, doc="a valid line was replaced"),
                f(f"victim{slot}", self.cache.tag_bits, doc="its tag, 0 if none"),
            ]
        listed = (
            ports.Stream(
                "lut", "in", (tex, level, f("base", self.cache.line_bits, doc="line address of the level")),
                doc="writes one entry of the look-up table",
            ),
            ports.Stream("inv", "in", (), doc="invalidates all lines; taken when the cache is idle"),
            ports.Stream(
                "req", "in",
                (
                    f("u", self.coordinate_bits, True, doc="column of the upper left texel, before wrapping"),
                    f("v", self.coordinate_bits, True, doc="row of the upper left texel, before wrapping"),
                    f("mode_u", 2, doc="0 repeat, 1 clamp to edge, 2 mirrored repeat", names=MODES),
                    f("mode_v", 2, doc="the same for rows", names=MODES),
                    level,
                    tex,
                    f("id", self.id_bits, doc="returned with the result"),
                ),
                doc="one bilinear footprint",
            ),
            ports.Stream(
                "res", "out",
                (
                    *(f(f"texel{i}", 32, doc="RGBA8888") for i in range(4)),
                    f("err", 1, doc="a texel's line was filled with an AXI error"),
                    f("id", self.id_bits, doc="id of the request"),
                ),
                doc="the four texels, in request order",
            ),
            ports.Stream(
                "evt", "out", (*events, f("last", 1, doc="last beat of its footprint")),
                ready=False, observer=True, doc="one beat of look-ups, the cycle after it was decided",
            ),
            ports.counter_stream(COUNTERS),
        )  # fmt: skip
        return {stream.name: stream for stream in listed}

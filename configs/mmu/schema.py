# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``mmu``, the memory unit of a SIMT processor: it contains ``icache`` and ``dcache``.

Source of the default values: Xu et al. (docs/fidelity.md), sections 1 and 2.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Self

from pydantic import Field, model_validator

from configs.base import BlockConfig
from configs.dcache.schema import STALLS
from configs.dcache.schema import Config as DcacheConfig
from configs.icache.schema import Config as IcacheConfig
from configs.mmu.registers import REGISTERS
from configs.parts import AxiLitePort, AxiPort, Fact, Part, PowerOfTwo, log2
from configs.ports import Stream, counter_stream

BANKS = 8  # of the shared RAM, one for each lane
WORD_BYTES = 4
COUNTERS = (
    ("shared", "loads and stores with a word in the shared RAM"),
    ("passes", "cycles in which the shared RAM was read or written"),
    ("conflicts", "of them, those behind the first of a request"),
    ("commands", "operations that caches did for the control port"),
    ("read_wait_cycles", "cycles in which both caches offered a read address"),
)


class DataRam(Part):
    """The shared RAM: words in turn in 8 banks, in a window of the addresses."""

    capacity_bytes: PowerOfTwo = Field(16384, ge=64, le=1 << 20, description="bytes of the shared RAM")
    base: int = Field(0x8000_0000, ge=0, lt=1 << 32, description="its first address, a multiple of its bytes")

    @property
    def rows(self) -> int:
        """Words of a bank."""
        return self.capacity_bytes // (BANKS * WORD_BYTES)

    @property
    def row_bits(self) -> int:
        """Bits of a word's place in its bank."""
        return log2(self.rows)

    @property
    def window_bits(self) -> int:
        """Bits of a byte's place in the window."""
        return log2(self.capacity_bytes)


class Axi(AxiPort):
    """Of both caches: icache reads with id 0, dcache reads and writes with 1, or reads with odd ones."""

    data_bits: PowerOfTwo = Field(32, ge=32, le=1024, description="width of the data")
    address_bits: int = Field(32, ge=12, le=32, description="bits of a byte address, of both caches")
    ids: Fact[int] = 2


class Config(BlockConfig):
    """One memory unit."""

    block: ClassVar[str] = "mmu"
    FOLLOWS: ClassVar[Mapping[str, str]] = {
        **{
            f"{inner}.{path}": leader
            for inner in ("icache", "dcache")
            for path, leader in (
                ("cache.address_bits", "axi.address_bits"),
                ("axi.data_bits", "axi.data_bits"),
                ("axi.id_bits", "axi.id_bits"),
                ("warps", "warps"),
            )
        }
    }

    icache: IcacheConfig = Field(IcacheConfig(), description="the instruction cache")
    dcache: DcacheConfig = Field(DcacheConfig(), description="the data cache")
    data_ram: DataRam = Field(DataRam(), description="the shared RAM")
    axi: Axi = Field(Axi(), description="the memory's side")
    control: AxiLitePort = Field(AxiLitePort(), description="the control port")
    warps: PowerOfTwo = Field(8, ge=2, le=64, description="warps of a block")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        ram, top = self.data_ram, 1 << self.axi.address_bits
        if ram.base % ram.capacity_bytes or ram.base + ram.capacity_bytes > top:
            raise ValueError(
                f"data_ram.base={ram.base:#x}: must be a multiple of data_ram.capacity_bytes="
                f"{ram.capacity_bytes}, and its window must lie below {top:#x} (axi.address_bits="
                f"{self.axi.address_bits})"
            )
        if 2 * self.dcache.mshrs > 1 << self.axi.id_bits:
            raise ValueError(
                f"dcache.mshrs={self.dcache.mshrs} and axi.id_bits={self.axi.id_bits}: the data cache reads "
                f"with odd ids, one for each line under way; there are {1 << self.axi.id_bits - 1}"
            )
        if ram.capacity_bytes == top:
            raise ValueError(
                f"data_ram.capacity_bytes={ram.capacity_bytes}: all addresses; there must be some for memory"
            )
        return self

    @property
    def requests(self) -> int:
        """Requests from outside that a cache holds at most, those with a result among them."""
        return self.warps + 1 if self.dcache.mshrs else 4

    @property
    def request_bits(self) -> int:
        """Bits of a number of requests from outside."""
        return self.requests.bit_length()

    @property
    def all_streams(self) -> dict[str, Stream]:
        """Ports of the DUT, those of the caches with their names before; see ``docs/mmu.md``."""
        streams = {
            f"{name}_{inner.name}": replace(inner, name=f"{name}_{inner.name}", doc=f"{name}: {inner.doc}")
            for name, cfg in self.inner.items()
            for inner in cfg.all_streams.values()
        }
        return streams | {"perf": counter_stream(COUNTERS, "its own counters since reset")}

    @property
    def counters(self) -> dict[int, tuple[str, str]]:
        """Where the control port shows a counter: byte address -> stream and field."""
        stalls, shown_at = [name for name, _ in STALLS], dict[int, tuple[str, str]]()
        for register in ("icache_perf", "dcache_perf", "perf", "dcache_stall_perf"):
            stream = register.replace("stall_", "")
            names = [field.name for field in self.all_streams[stream].fields]
            shown = [name for name in names if (name in stalls) == (register != stream)]
            shown_at |= {REGISTERS[register].address + 4 * n: (stream, name) for n, name in enumerate(shown)}
        return shown_at

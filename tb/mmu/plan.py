# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``mmu``, as data; what is a cache's own is covered in its testbench."""

from configs.dcache.schema import CLEAN, FLUSH, LANES
from configs.mmu.registers import COMMANDS, REGISTERS
from configs.mmu.schema import BANKS, Config
from configs.parts import log2
from tb.common.coverage.bins import Point, address_bits, cross

#: lanes of a load or store: where they are
WHERE = ("none", "cache", "shared RAM", "both")


#: what memory may fail, by the id: its bursts, and whether the other cache has one on its way
BURSTS = ("icache read", "dcache read", "dcache write")
BESIDE = ("alone", "beside the other's")

#: what the control port refuses, beside its registers
REFUSED = "refused"


def registers(cfg: Config) -> tuple[str, ...]:
    """Accesses of the control port."""
    written = [name for name, register in REGISTERS.items() if register.write]
    there = [name for name in REGISTERS if cfg.dcache.mshrs or name != "dcache_stall_perf"]
    return cross(("write",), (*written, REFUSED)) + cross(("read",), (*there, REFUSED))


def commands(cfg: Config) -> tuple[str, ...]:
    """Commands that were done; those that memory refused a line of, where lines can be dirty."""
    writes = (CLEAN, FLUSH) if cfg.dcache.write_back else ()
    writing = [name for name, (data, _) in COMMANDS.items() if data in writes]
    return (*COMMANDS, *(f"{name}/{REFUSED}" for name in writing))


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    passes = tuple(str(count) for count in range(1, LANES + 1))
    data, single = cfg.dcache, log2(cfg.axi.strobe_bits)
    lowest = single if data.uncached_bits else data.cache.offset_bits
    return [
        Point("lanes", "where the lanes of an access are", cross(("load", "store"), WHERE)),
        Point("passes", "conflicts of each depth in the shared RAM", cross(("load", "store"), passes)),
        Point("register", "every register read and, if it can be, written; others refused", registers(cfg)),
        Point("command", "every command; those that memory refuses a line of", commands(cfg)),
        address_bits(
            cfg.axi, ar=min(lowest, cfg.icache.cache.offset_bits), aw=lowest if data.write_back else single
        ),
        Point("error", "bursts of each id that memory failed", cross(BURSTS, BESIDE)),
        Point("failed lane", "a lane that memory failed, others in the shared RAM", cross(range(LANES))),
        Point(
            "bank", "banks that served a lane beside one that failed", cross(("load", "store"), range(BANKS))
        ),
        Point("lines", "what both caches do", cross(("icache", "dcache"), ("hit", "miss", "evict"))),
    ]

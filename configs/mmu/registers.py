# SPDX-License-Identifier: Apache-2.0
"""The registers of the control port of ``mmu``, and what its commands make the caches do."""

from typing import NamedTuple

from configs.dcache import schema as dcache
from configs.icache import schema as icache


class Register(NamedTuple):
    """``words`` of 32 bits from byte ``address`` on. ``write``: it can be written, else only read."""

    address: int
    words: int
    write: bool
    doc: str


REGISTERS = {
    "base": Register(0x000, 16, True, "base address of each block"),
    "icache_policy": Register(0x040, 1, True, "policy of the instruction cache, bits 1:0"),
    "dcache_policy": Register(0x044, 1, True, "policy of the data cache, bits 1:0"),
    "command": Register(0x048, 1, True, "see the commands"),
    "icache_status": Register(
        0x050, 1, False, "fetch that failed first since it was read, bit 0: there is one"
    ),
    "dcache_status": Register(0x054, 1, False, "the same of loads and stores"),
    "state": Register(0x058, 1, False, "bit 0: something that was written is not done yet"),
    "icache_perf": Register(0x080, 16, False, "counters of the instruction cache"),
    "dcache_perf": Register(0x0C0, 16, False, "counters of the data cache"),
    "perf": Register(0x100, 16, False, "its own counters"),
    "dcache_stall_perf": Register(0x140, 16, False, "cycles in which look-ups of the data cache waited"),
}

#: what each command is made of, in order: an operation of the data cache, or None; of the other, or None
COMMANDS: dict[str, tuple[int | None, int | None]] = {
    "invalidate_icache": (None, icache.INVALIDATE),
    "clean": (dcache.CLEAN, None),
    "flush": (dcache.FLUSH, None),
    "invalidate_dcache": (dcache.INVALIDATE, None),
    "fence": (dcache.CLEAN, icache.INVALIDATE),
}

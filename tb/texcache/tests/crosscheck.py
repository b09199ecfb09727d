# SPDX-License-Identifier: Apache-2.0
"""An independent memory: the AXI RAM of cocotbext-axi in place of our own.

It writes at rising edges, which races with the design on Icarus when writes are trusted to be inertial, as
the fast clock needs; so this test runs on Verilator.
"""

import numpy as np
from cocotbext.axi import AxiRamRead, AxiReadBus
from numpy.typing import NDArray
from pyuvm import ConfigDB, uvm_active_passive_enum

from models.texcache.lut import level_lines
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence, TexcacheTest
from tb.texcache.sequences import Distribution

RAM_BYTES = 1 << 24


class CrosscheckTest(TexcacheTest):
    """The AXI agent only looks on. The other memory waits for edges of the clock."""

    foreign = True

    def build_phase(self) -> None:
        """Make the agent passive."""
        passive = uvm_active_passive_enum.UVM_PASSIVE
        ConfigDB().set(None, "uvm_test_top.env.m_axi", "is_active", passive)
        super().build_phase()


class CrosscheckSequence(TexcacheSequence):
    """All levels of textures are within a RAM."""

    test_class = CrosscheckTest

    def make_table(self) -> NDArray[np.uint32]:
        """All levels within the RAM."""
        lines = RAM_BYTES // self.cfg.cache.line_bytes
        room = np.array([lines - level_lines(self.cfg, level) for level in range(self.cfg.levels)])
        return self.rng.integers(0, room, size=(self.cfg.textures, self.cfg.levels)).astype(np.uint32)


@testcase(lambda cfg: cfg.max_side <= 1024, "levels that fit into 16 MB", simulators=("verilator",))
async def independent_memory(run: CrosscheckSequence) -> None:
    """cocotbext-axi's AxiRamRead answers instead of our responder: same results, by its own timing."""
    run.env.latency.timing = None
    dut = run.bench.dut
    await run.clocking.cycles(1)
    ram = AxiRamRead(AxiReadBus.from_prefix(dut, "m_axi"), dut.clk, dut.m_axi_rst, size=RAM_BYTES)
    words = run.env.reference.memory.read_many(np.arange(RAM_BYTES // 4))
    ram.write(0, words.astype("<u4").tobytes())
    await run.send(Distribution(textures=3, span=24).draw(run.cfg, run.rng, max(150, run.count // 5)))

# SPDX-License-Identifier: Apache-2.0
"""Drives a block's resets, and tells the rest of the testbench when they begin and end."""

from typing import Literal

from pyuvm import uvm_analysis_port, uvm_component

from tb.common.components.bench import KEY, Bench

ALL = "all"
#: the design alone; the memory's side alone, which resets the design too; both, as at power-up
Kind = Literal["design", "memory", "all"]


class ResetDriver(uvm_component):
    """Resets of all clocks at once; a block with more of them has a subclass.

    ``asserted`` and ``released`` publish which part of the design is reset, here ``all`` of it. At the first
    all that watches the design forgets, from the second on handshakes count again. Memory does not hear of a
    reset of the design and answers on; it forgets what is on its way when its side (``m_axi_rst``) is reset.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.asserted = uvm_analysis_port("asserted", self)
        self.released = uvm_analysis_port("released", self)

    def build_phase(self) -> None:
        """In reset from the start."""
        self.bench: Bench = self.cdb_get(KEY)
        self.clocking = self.bench.clocking
        self.drive(1, "all")

    async def pulse(self, cycles: int = 2, kind: Kind = "design") -> None:
        """Reset the design for some cycles. Call it while driving is allowed."""
        self.begin(kind)
        self.drive(1, kind)
        self.asserted.write(ALL)
        await self.clocking.cycles(cycles)
        self.drive(0, kind)
        self.end()
        self.released.write(ALL)

    def drive(self, level: int, kind: Kind) -> None:
        """Put a level on the resets of that kind."""
        names = [] if kind == "memory" else self.inputs()
        names += [] if kind == "design" else [f"{prefix}_rst" for prefix in self.bench.cfg.axi_ports]
        for name in names:
            getattr(self.bench.dut, name).value = level

    def inputs(self) -> list[str]:
        """The design's resets."""
        return [name.replace("clk", "rst") for name in self.bench.clockings]

    def begin(self, kind: Kind) -> None:
        """Handshakes do not count from now on."""
        for clocking in self.bench.clockings.values():
            clocking.reset(axi=kind != "design")

    def end(self) -> None:
        """They count again."""
        for clocking in self.bench.clockings.values():
            clocking.release()

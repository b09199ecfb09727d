# SPDX-License-Identifier: Apache-2.0
"""Drives a block's resets, and tells the rest of the testbench when they begin and end."""

from pyuvm import uvm_analysis_port, uvm_component

from tb.common.components.bench import KEY, Bench

ALL = "all"


class ResetDriver(uvm_component):
    """Resets of all clocks at once; a block with more of them has a subclass.

    ``asserted`` and ``released`` publish which part of the design is reset, here ``all`` of it. At the first
    all that watches the design forgets, from the second on handshakes count again.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.asserted = uvm_analysis_port("asserted", self)
        self.released = uvm_analysis_port("released", self)

    def build_phase(self) -> None:
        """In reset from the start."""
        self.bench: Bench = self.cdb_get(KEY)
        self.clocking = self.bench.clocking
        self.drive(1)

    async def pulse(self, cycles: int = 2) -> None:
        """Reset the design for some cycles. Call it while driving is allowed."""
        self.in_reset(True)
        self.drive(1)
        self.asserted.write(ALL)
        await self.clocking.cycles(cycles)
        self.drive(0)
        self.in_reset(False)
        self.released.write(ALL)

    def drive(self, level: int) -> None:
        """Put a level on every reset."""
        for name in self.bench.clockings:
            getattr(self.bench.dut, name.replace("clk", "rst")).value = level

    def in_reset(self, now: bool) -> None:
        """Whether handshakes count."""
        for clocking in self.bench.clockings.values():
            clocking.in_reset = now

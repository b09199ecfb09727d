# SPDX-License-Identifier: Apache-2.0
"""Resets of the texture units: of either side of the clock crossing, or both; and when they end."""

from typing import Literal

import cocotb
from cocotb.triggers import ClockCycles
from pyuvm import uvm_analysis_port, uvm_component, uvm_monitor

from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY, Bench
from tb.common.components.reset import ResetDriver
from tb.common.components.stream import HIGH
from tb.common.components.transactions import Observation

Side = Literal["both", "gpu", "tex"]
PATIENCE = 400  # cycles until a reset must have ended, once all lines have come


class TexunitResetDriver(ResetDriver):
    """Resets a side, and checks that the design leaves reset, and takes and gives nothing until then.

    ``addresses`` and ``lines`` tell it which lines are on their way: the design waits for them.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self._open_lines = 0
        self._power_up = True

    def _address(self, _: Observation) -> None:
        self._open_lines += 1

    def _line(self, _: Observation) -> None:
        self._open_lines -= 1

    async def pulse(self, cycles: int = 8, side: Side = "both") -> None:
        """Reset one side or both for some cycles; returns when the whole design is out of reset.

        The cycles are those of ``tex_clk``; a reset lasts longer if the GPU's side needs that: it must see an
        edge of its clock, and at power-up three.
        """
        self.in_reset(True)
        self._drive_side(side, 1)
        self.asserted.write(side)
        if side != "gpu":
            self._open_lines = 0
        edges = cocotb.start_soon(self._gpu_edges(3 if self._power_up else side != "tex"))
        self._power_up = False
        await self.clocking.cycles(cycles)
        while not edges.done():
            await self.clocking.cycles(1)
        self._drive_side(side, 0)
        await self._end_of_reset(side)
        self.in_reset(False)
        self.released.write(side)

    async def _end_of_reset(self, side: Side) -> None:
        waited = 0
        while waited < PATIENCE:
            await self.clocking.cycles(1)
            if HIGH not in (self.bench.dut.gpu_resetting.value, self.bench.dut.tex_resetting.value):
                return
            self._nothing_is_taken()
            waited = 0 if self._open_lines else waited + 1  # lines on their way end a reset's wait
        self.bench.fail(f"in reset {PATIENCE} cycles after all that the reset of {side} waits for")

    async def _gpu_edges(self, count: int) -> None:
        if count:
            await ClockCycles(self.bench.dut.gpu_clk, count)

    def _nothing_is_taken(self) -> None:
        """A word that was handed over to a side in reset would be lost."""
        dut = self.bench.dut
        if dut.gpu_resetting.value != HIGH:
            return
        for unit in range(self.bench.cfg.units):
            for name in (f"prim{unit}_ready", f"quad{unit}_ready", f"res{unit}_valid"):
                if (level := str(getattr(dut, name).value)) != "0":
                    self.bench.fail(
                        f"{name} in reset, in cycle {self.clocking.cycle}: expected 0, got {level}"
                    )

    def _drive_side(self, side: Side, level: int) -> None:
        for name in ("gpu", "tex"):
            if side in (name, "both"):
                getattr(self.bench.dut, f"{name}_rst").value = level


class ResetMonitor(uvm_monitor):
    """Publishes the first cycle after each reset of the texture units: their cycle counters begin there."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        """Wait for the end of each reset."""
        bench: Bench = self.cdb_get(KEY)
        clocking = bench.clockings["tex_clk"]
        while True:
            await bench.dut.tex_resetting.falling_edge
            self.ap.write(clocking.cycle + 1)

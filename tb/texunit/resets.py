# SPDX-License-Identifier: Apache-2.0
"""Resets of the texture units: of either side of the clock crossing, or both; and when they end."""

from typing import Literal

import cocotb
from cocotb.triggers import ClockCycles
from pyuvm import uvm_analysis_port, uvm_component, uvm_monitor

from tb.common.components.bench import KEY, Bench
from tb.common.components.reset import Kind, ResetDriver
from tb.common.components.stream import HIGH

Side = Literal["both", "gpu", "tex"]
PATIENCE = 400  # cycles until a reset must have ended


class TexunitResetDriver(ResetDriver):
    """Resets a side, and checks that the design leaves reset, and takes and gives nothing until then."""

    #: edges of the GPU's clock that a reset at power-up lasts at least: as many as the design needs
    power_up_edges = 3
    _side: Side = "both"

    async def pulse(self, cycles: int = 8, kind: Kind = "design", side: Side = "both") -> None:
        """Reset one side or both for some cycles; returns when the whole design is out of reset.

        The cycles are those of ``tex_clk``; a reset lasts longer if the GPU's side needs that: it must see an
        edge of its clock, and at power-up ``power_up_edges``.
        """
        self._side = side
        self.begin(kind)
        self.drive(1, kind)
        self.asserted.write("tex" if kind == "memory" else side)
        count = self.power_up_edges if kind == "all" else int(kind == "design" and side != "tex")
        edges = cocotb.start_soon(self._gpu_edges(count))
        await self.clocking.cycles(cycles)
        while not edges.done():
            await self.clocking.cycles(1)
        self.drive(0, kind)
        await self._end_of_reset(side)
        self.end()
        self.released.write(side)

    async def short(self, *sides: tuple[Side, int]) -> None:
        """Resets of one edge, one after another: of a side, some edges of its clock after the one before.

        Returns when the whole design is out of reset; until then nothing is offered to it.
        """
        for number, (side, after) in enumerate(sides):
            clocking = self.bench.clockings["gpu_clk" if side == "gpu" else "tex_clk"]
            await clocking.cycles(after + 1)
            if not number:
                self.begin("design")
            self._side = side
            self.drive(1, "design")
            self.asserted.write(side)
            await clocking.cycles(1)
            self.drive(0, "design")
        await self._end_of_reset(side)
        self.end()
        self.released.write(side)

    async def _end_of_reset(self, side: Side) -> None:
        for _ in range(PATIENCE):
            await self.clocking.cycles(1)
            if HIGH not in (self.bench.dut.gpu_resetting.value, self.bench.dut.tex_resetting.value):
                return
            self._nothing_is_taken()
        self.bench.fail(f"in reset {PATIENCE} cycles after the reset of {side} ended")

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

    def inputs(self) -> list[str]:
        """See :meth:`ResetDriver.inputs`: those of the side."""
        return [f"{name}_rst" for name in ("gpu", "tex") if self._side in (name, "both")]


class ResetMonitor(uvm_monitor):
    """Publishes the first cycle after each reset of the texture units: their cycle counters begin there.

    Raises Mismatch for a side that goes into reset when nobody has asked for one.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        """Wait for the end of each reset."""
        self.bench: Bench = self.cdb_get(KEY)
        for side in ("gpu", "tex"):
            cocotb.start_soon(self._watch(side))
        clocking = self.bench.clockings["tex_clk"]
        while True:
            await self.bench.dut.tex_resetting.falling_edge
            self.ap.write(clocking.cycle + 1)

    async def _watch(self, side: str) -> None:
        clocking = self.bench.clockings[f"{side}_clk"]
        while True:
            await getattr(self.bench.dut, f"{side}_resetting").rising_edge
            if not clocking.in_reset:
                self.bench.fail(f"{side}_resetting rose in cycle {clocking.cycle} without a reset")

# SPDX-License-Identifier: Apache-2.0
"""Resets of the texture units: of either side of the clock crossing, or both; and when they end."""

from functools import partial
from typing import Any, Literal

from pyuvm import uvm_analysis_port, uvm_component, uvm_monitor

from tb.common.components.bench import HIGH, KEY, Bench, look
from tb.common.components.clocking import Clocking
from tb.common.components.reset import Kind, ResetDriver
from tb.common.components.transactions import AnalysisImp

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
        last = self._gpu_edges() + count
        await self.clocking.cycles(cycles)
        while self._gpu_edges() < last:
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

    def _gpu_edges(self) -> int:
        """Rising edges of the GPU's clock so far: one in the middle of each of its cycles."""
        clocking = self.bench.clockings["gpu_clk"]
        return clocking.cycle + (clocking.clk.value == HIGH)

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

    Raises Mismatch for a side that is in reset when nobody has asked for one.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)
        self.asserted = AnalysisImp("asserted", self, self._asserted)

    def build_phase(self) -> None:
        """Look at both sides."""
        self.bench: Bench = self.cdb_get(KEY)
        self._clocking = self.bench.clockings["tex_clk"]
        self._level = look(self.bench.dut.tex_resetting)
        self._looking, self._was = False, ""
        for side in ("gpu", "tex"):
            name, clocking = f"{side}_resetting", self.bench.clockings[f"{side}_clk"]
            self.bench.engine.channel(clocking, name, "", [], partial(self._unasked, name, clocking))

    def _asserted(self, _part: str) -> None:
        if not self._looking:
            self._looking = True
            self._clocking.on_sample(self._look)

    def _look(self) -> bool:
        was, self._was = self._was, self._level()
        if was == "1" and self._was == "0":
            self.ap.write(self._clocking.cycle)
        self._looking = self._clocking.in_reset or self._was == "1"
        return self._looking

    def _unasked(self, name: str, clocking: Clocking, *_: Any) -> None:
        self.bench.fail(f"{name} in cycle {clocking.cycle} without a reset")

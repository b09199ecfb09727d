# SPDX-License-Identifier: Apache-2.0
"""The AXI4 memory of the testbench: any burst, reads and writes; timing, stalls, order, errors."""

from typing import Any

from cocotb.triggers import First
from cocotb_bus.bus import Bus
from pyuvm import uvm_component

from configs import MemoryTiming
from configs.parts import AxiPort
from tb.common.components.axi.memory_parts import Faults, ReadyLine, SparseMemory
from tb.common.components.axi.sides import Order, ReadSide, WriteSide
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.pacing import STEADY, MemoryPacing


class AxiMemory(uvm_component):
    """Answers one AXI4 master. Its ``contents`` are its own; memories of several ports may share them.

    Timing: a burst's first beat (or a write's answer) comes ``timing.latency`` cycles after its address (its
    last beat), or when the bursts before it have left; ``timing.gap`` idle cycles follow every beat;
    ``pacing`` adds to that. ``faults`` says what is answered with an error. A reset of the block
    alone is none of its business: it answers on. One of its own side (``m_axi_rst``) forgets what is on its
    way, never what has been written.
    """

    port: AxiPort  # set by whoever creates it, before its build_phase
    contents: SparseMemory  # the same, if they are not of the test's seed, or shared

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.pacing = STEADY
        self.faults = Faults()

    def build_phase(self) -> None:
        """Find the signals and rest. Contents of the test's seed, unless others have been set."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.port.clock]
        name = "memory" if self.port.prefix == "m_axi" else f"{self.port.prefix}_memory"
        if not hasattr(self, "contents"):
            self.contents = SparseMemory(bench.seed & 0xFFFFFFFF)
        common = self.contents, self.faults, self.port.strobe_bits
        self._sides: list[ReadSide | WriteSide] = []
        self._valids: list[Any] = []  # what wakes it
        if self.port.reads:
            bus = self._bus(bench.dut, "ar", "r")
            self._valids.append(bus.arvalid)
            self._sides.append(ReadSide(bus, *common, bench.component_rng(name)))
        if self.port.writes:
            bus = self._bus(bench.dut, "aw", "w", "b")
            self._valids += [bus.awvalid, bus.wvalid]
            self._sides.append(WriteSide(bus, *common, bench.component_rng(f"{name}_write")))
        self.set_timing(bench.cfg.memory)
        self._forget()

    def _bus(self, dut: Any, *names: str) -> Bus:
        signals = {
            f"{name}{signal}"
            for name in names
            for signal in ("valid", "ready", *(field.name for field in self.port.channels[name].fields))
        }
        return Bus(dut, self.port.prefix, sorted(signals), case_insensitive=False)

    @property
    def reads(self) -> ReadSide:
        """The half that reads."""
        return next(side for side in self._sides if isinstance(side, ReadSide))

    @property
    def writes(self) -> WriteSide:
        """The half that writes."""
        return next(side for side in self._sides if isinstance(side, WriteSide))

    def reset(self) -> None:
        """The block is being reset, perhaps memory with it. To be called while driving is allowed."""
        if self._clocking.axi_in_reset:
            self._forget()

    def _forget(self) -> None:
        for side in self._sides:
            side.reset()
        self.pace(self.pacing)

    def set_timing(self, timing: MemoryTiming) -> None:
        """Latency and bandwidth, of the bursts that are asked for from now on."""
        self.timing = timing
        for side in self._sides:
            side.timing = timing

    def pace(self, pacing: MemoryPacing) -> None:
        """Change what is added to the timing, from the next cycle on."""
        self.pacing = pacing
        for side in self._sides:
            side.pace(pacing)

    def mix(self, *, reorder: bool, interleave: bool = False) -> None:
        """Whether bursts of different ids overtake each other, and whether their data beats mingle."""
        for side in self._sides:
            side.reorder = reorder
            if isinstance(side, ReadSide):
                side.interleave = interleave

    def wait_for(self, order: Order) -> None:
        """Take the address of a write before its data, or after, or as they come."""
        self.writes.wait_for(order)

    def hold(self, *channels: str) -> None:
        """Take nothing on these channels (``ar``, ``aw``, ``w``), offer nothing more on them (``r``, ``b``),
        through resets, until :meth:`release`.
        """
        for channel in channels:
            gate = self._gate(channel)
            gate.held = True
            if isinstance(gate, ReadyLine):
                gate.drive(waiting=False)

    def release(self, *channels: str) -> None:
        """Go on, from the next cycle on. Like :meth:`hold` to be called while driving is allowed."""
        for channel in channels:
            self._gate(channel).held = False

    def _gate(self, channel: str) -> ReadyLine | ReadSide | WriteSide:
        if channel in ("ar", "r"):
            return self.reads.address if channel == "ar" else self.reads
        if channel == "b":
            return self.writes
        return {"aw": self.writes.address, "w": self.writes.data}[channel]

    def loaded(self, channel: str) -> bool:
        """Whether ``r`` or ``b`` has something to offer."""
        side = self.reads if channel == "r" else self.writes
        return side.loaded(self._clocking.cycle)

    @property
    def outstanding(self) -> int:
        """Bursts that have begun and not ended."""
        return sum(side.outstanding for side in self._sides)

    async def run_phase(self) -> None:
        """Sleep until an address (or data to write) comes; then drive until nothing is left to do."""
        while True:
            if all(look(valid)() != "1" for valid in self._valids):
                changes = [valid.value_change for valid in self._valids]
                await (changes[0] if len(changes) == 1 else First(*changes))
            await self._clocking.active(self._sample, self._drive)

    def _drive(self) -> None:
        for side in self._sides:
            side.drive(self._clocking.cycle)

    def _sample(self) -> bool:
        if self._clocking.axi_in_reset:
            return False
        return any(tuple(side.sample(self._clocking.cycle) for side in self._sides))

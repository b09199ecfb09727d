# SPDX-License-Identifier: Apache-2.0
"""Writes of a block: how many, which of them a reset leaves, and the bytes in memory at the end of a test."""

from typing import Any

from pyuvm import uvm_component

from models.sparse import SparseMemory as ModelMemory
from tb.common.components.axi.agent import AxiAgent
from tb.common.components.axi.sparse import SparseMemory
from tb.common.components.bench import HIGH, KEY, Bench
from tb.common.components.reset import ResetDriver
from tb.common.components.transactions import AnalysisImp


class WriteTracker(uvm_component):
    """Compares the number of AXI writes with the model's, and tells which writes a reset leaves.

    A reset of the design leaves the writes whose address memory has taken or is offered when the reset ends.
    A reset of the memory's side leaves only the writes that memory has answered.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.bursts = AnalysisImp("bursts", self, self._burst)
        self.answers = AnalysisImp("answers", self, self._answer)
        self.reset_begins = AnalysisImp("reset_begins", self, self._reset_begins)

    def build_phase(self) -> None:
        """No write yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.tries = 0  # writes of the model; the reference counts them
        self.begun = 0  # writes of the design whose address memory has taken
        self.ended = 0  # of these, answered
        self._forgotten = False  # the last reset was one of the memory's side, too

    def follow(self, axi: AxiAgent, resets: ResetDriver) -> None:
        """Connect to the port that writes and to the resets."""
        self._address_valid = getattr(self.bench.dut, f"{axi.port.prefix}_awvalid")
        axi.monitor.write_addresses.connect(self.bursts)
        axi.monitor.answers.connect(self.answers)
        resets.asserted.connect(self.reset_begins)

    def _burst(self, _write: Any) -> None:
        self.begun += 1

    def _answer(self, _write: Any) -> None:
        self.ended += 1

    def _reset_begins(self, _part: str) -> None:
        self._forgotten = self.bench.clocking.axi_in_reset

    def left(self) -> int:
        """Writes that the reset which ends now leaves, beyond the model's; both count them from now on.

        The number is negative if the model has made writes that never happen.
        """
        happening = self.begun + (self._address_valid.value == HIGH)
        writes = (self.ended if self._forgotten else happening) - self.tries
        self.tries += writes
        if self._forgotten:
            self.begun = self.tries
        return writes

    def check_phase(self) -> None:
        """Design and model have made as many writes."""
        if self.begun != self.tries:
            self.bench.fail(f"writes to memory: expected {self.tries}, got {self.begun}")


class MemoryChecker(uvm_component):
    """Compares ``contents``, which the design wrote, with ``model``: all bytes that one of them touched.

    For a test that ends with nothing under way and no reset between a write and its answer left unresolved.
    """

    contents: SparseMemory  # set by the environment when it connects, as is
    model: ModelMemory

    def build_phase(self) -> None:
        """To be able to fail."""
        self.bench: Bench = self.cdb_get(KEY)

    def check_phase(self) -> None:
        """Every byte is as the model says."""
        size = self.model.line_bytes

        def expected(address: int, count: int) -> bytes:
            lines = range(address // size, (address + count - 1) // size + 1)
            data = b"".join(self.model.line(line).tobytes() for line in lines)
            return data[address % size :][:count]

        written = (self.model.lines * size).tolist()
        if differing := self.contents.differences(expected, written):
            self.bench.fail(f"memory: {len(differing)} bytes differ, the first: {differing[0]}")

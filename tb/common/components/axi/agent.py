# SPDX-License-Identifier: Apache-2.0
"""The agent of an AXI4 port: the memory that answers it, and the monitor; passive, the monitor alone."""

from collections.abc import Iterable

from pyuvm import uvm_agent

from configs.parts import AxiPort
from tb.common.components.axi.bursts import BurstUse, whole_lines
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.axi.rules import ANY


class AxiAgent(uvm_agent):
    """``memory`` answers, unless the agent is passive: then another memory may be attached to the port.

    ``read_use`` and ``write_use``: which bursts the block promises to use.
    """

    port: AxiPort  # set by the environment, as are
    read_use: BurstUse = ANY
    write_use: BurstUse = ANY
    memory: AxiMemory

    def uses_lines(self, line_bytes: int) -> None:
        """The block reads and writes whole lines of that size. To be called before the ``build_phase``."""
        self.read_use = self.write_use = whole_lines(self.port, line_bytes)

    def build_phase(self) -> None:
        """Make the parts."""
        super().build_phase()
        self.monitor: AxiMonitor = AxiMonitor.create("monitor", self)
        self.monitor.port = self.port
        self.monitor.read_use, self.monitor.write_use = self.read_use, self.write_use
        if self.active():
            self.memory = AxiMemory.create("memory", self)
            self.memory.port = self.port

    def reset(self) -> None:
        """The block is being reset, perhaps memory with it. To be called while driving is allowed."""
        self.monitor.reset()
        if self.active():
            self.memory.reset()

    def poison(self, lines: Iterable[int], line_bytes: int) -> None:
        """From now on bursts that touch these lines (byte address / ``line_bytes``) end in errors."""
        if self.active():
            self.memory.faults.poison(lines, line_bytes)

    def heal(self) -> None:
        """No more errors."""
        if self.active():
            self.memory.faults.heal()

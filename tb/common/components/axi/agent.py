# SPDX-License-Identifier: Apache-2.0
"""The agent of an AXI4 port: the memory that answers it, and the monitor; passive, the monitor alone."""

from pyuvm import uvm_agent

from configs.parts import AxiPort
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.axi.rules import ANY
from tb.common.components.axi.use import BurstUse


class AxiAgent(uvm_agent):
    """``memory`` answers, unless the agent is passive: then another memory may be attached to the port.

    Both go on through resets of the design: what it asked for before will be answered.
    """

    port: AxiPort  # set by the environment, as are
    read_use: BurstUse = ANY
    write_use: BurstUse = ANY
    memory: AxiMemory

    def build_phase(self) -> None:
        """Make the parts."""
        super().build_phase()
        self.monitor: AxiMonitor = AxiMonitor.create("monitor", self)
        self.monitor.port = self.port
        self.monitor.read_use, self.monitor.write_use = self.read_use, self.write_use
        self.monitor.survives = True
        if self.active():
            self.memory = AxiMemory.create("memory", self)
            self.memory.port, self.memory.survives = self.port, True

    def reset(self) -> None:
        """Only a reset of the memory itself concerns it."""

# SPDX-License-Identifier: Apache-2.0
"""The agent of an AXI read port: the memory that answers it, and the monitor; passive, the monitor alone."""

from pyuvm import uvm_agent

from configs import MemoryTiming
from configs.parts import AxiPort
from tb.common.components.axi_memory import AxiReadMemory, Words
from tb.common.components.axi_monitor import AxiReadMonitor


class AxiReadAgent(uvm_agent):
    """``memory`` answers, unless the agent is passive: then another memory may be attached to the port."""

    port: AxiPort  # set by the environment, as is
    line_bytes: int
    memory: AxiReadMemory

    def build_phase(self) -> None:
        """Make the parts."""
        super().build_phase()
        self.monitor: AxiReadMonitor = AxiReadMonitor.create("monitor", self)
        self.monitor.port, self.monitor.line_bytes = self.port, self.line_bytes
        if self.active():
            self.memory = AxiReadMemory.create("memory", self)
            self.memory.prefix = self.port.prefix

    def serve(self, words: Words, timing: MemoryTiming) -> None:
        """Where the memory's contents come from, and when."""
        if self.active():
            self.memory.configure(words, self.line_bytes, self.port.data_bits, timing)

    survives = False

    def survive(self, yes: bool) -> None:
        """Go on through resets that do not concern the memory, or do not."""
        self.survives = yes
        self.monitor.survive(yes)
        if self.active():
            self.memory.survives = yes

    def reset(self) -> None:
        """Forget what is on its way, unless the reset is survived. To be called while driving is allowed."""
        if self.survives:
            return
        self.monitor.reset()
        if self.active():
            self.memory.reset()

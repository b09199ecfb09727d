# SPDX-License-Identifier: Apache-2.0
"""Ends of analysis connections: components with several inputs, and sequences that wait for a transfer."""

from cocotb.triggers import Event
from pyuvm import uvm_component, uvm_subscriber

from tb.common.components.transactions import Observation

#: ``AnalysisImp(name, parent, method)``: an export that hands what it gets to a method of its component. One
#: component may have many, as ``uvm_analysis_imp_decl`` makes them in SystemVerilog
AnalysisImp = uvm_subscriber.uvm_AnalysisImp


class TransferListener(uvm_subscriber):
    """Lets sequences wait for the next transfer of a stream; costs next to nothing while none does."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self._event = Event()
        self._latest: Observation | None = None
        self.waiting = 0  # sequences

    def write(self, tt: Observation) -> None:
        """The monitor saw a transfer."""
        if self.waiting:
            self._latest = tt
            self._event.set()
            self._event.clear()

    async def next(self) -> Observation:
        """The next transfer; returns in its cycle, when nothing may be driven any more."""
        self.waiting += 1
        try:
            await self._event.wait()
        finally:
            self.waiting -= 1
        assert self._latest is not None
        return self._latest

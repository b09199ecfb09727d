# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``raster`` beside the design."""

from pyuvm import uvm_analysis_port, uvm_component

from tb.raster.machine import RasterMachine
from tb.zcache.cycles.reference import CycleModel, CycleReference

CHANNELS = ("tile",)


class RasterReference(CycleReference):
    """Publishes each word of ``vtx`` with what the model makes of it, when it is taken: ``outcomes``."""

    channels = CHANNELS

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.outcomes = uvm_analysis_port("outcomes", self)

    def make_model(self) -> CycleModel:
        self.machine = RasterMachine(self.bench.cfg)
        self.machine.publish = self.outcomes.write
        return self.machine

    def counters(self) -> dict[str, int]:
        """What the golden model counts by words, and the machine by cycles."""
        return self.machine.counters()

# SPDX-License-Identifier: Apache-2.0
"""Puts the engine's components in the place of those that move pins from Python, by the factory."""

from pyuvm import uvm_factory

from tb.common.components.agent import StreamMonitor
from tb.common.components.axi.agent import AxiMonitor
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.stream import ReadySink, StreamDriver
from tb.common.components.transactions import TransferListener
from tb.common.engine.agents import EngineDriver, EngineListener, EngineMonitor, EngineSink
from tb.common.engine.axi import EngineAxiMonitor, EngineMemory

PARTS = {
    StreamDriver: EngineDriver,
    ReadySink: EngineSink,
    StreamMonitor: EngineMonitor,
    TransferListener: EngineListener,
    AxiMonitor: EngineAxiMonitor,
    AxiMemory: EngineMemory,
}


def override() -> None:
    """For the next environment; a test's own overrides stay."""
    for part, own in PARTS.items():
        uvm_factory().set_type_override_by_type(part, own, replace=False)

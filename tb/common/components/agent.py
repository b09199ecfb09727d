# SPDX-License-Identifier: Apache-2.0
"""The agent of a stream: sequencer and driver, or sink, and monitor; passive, the monitor alone.

All parts come from the factory. A test that wants another driver says so in its ``build_phase``, before the
environment is built, and changes nothing else::

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(StreamDriver, SlowDriver)
        super().build_phase()

(Overrides do not outlive a test: ``run_test`` begins with an empty factory.) An agent is made passive by
``ConfigDB().set(None, "uvm_test_top.env.res", "is_active", uvm_active_passive_enum.UVM_PASSIVE)``.
"""

from pyuvm import uvm_agent, uvm_analysis_port, uvm_sequencer

from configs import Stream
from tb.common.components.analysis import TransferListener
from tb.common.components.monitor import StreamMonitor
from tb.common.components.stream import ReadySink, StreamDriver


class StreamAgent(uvm_agent):
    """Active, it drives what enters the design (``driver``, by items of ``sequencer``), or takes what leaves
    it (``sink``). ``ap`` publishes the transfers.
    """

    stream: Stream  # set by the environment, as is
    flag: str = ""  # a signal to sample with each transfer
    sequencer: uvm_sequencer
    driver: StreamDriver
    sink: ReadySink

    def build_phase(self) -> None:
        """Make the parts."""
        super().build_phase()
        self.monitor: StreamMonitor = StreamMonitor.create("monitor", self)
        self.monitor.stream, self.monitor.flag = self.stream, self.flag
        self.ap: uvm_analysis_port = self.monitor.ap
        self.transfers: TransferListener = TransferListener.create("transfers", self)
        if self.drives:
            self.sequencer = uvm_sequencer.create("sequencer", self)
            self.driver = StreamDriver.create("driver", self)
            self.driver.stream = self.stream
        elif self.sinks:
            self.sink = ReadySink.create("sink", self)
            self.sink.stream, self.sink.waiting = self.stream, lambda: self.monitor.waiting

    def connect_phase(self) -> None:
        """Sequencer to driver; whoever waits for transfers listens to the monitor."""
        if self.drives:
            self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        self.ap.connect(self.transfers.analysis_export)

    @property
    def drives(self) -> bool:
        """Whether it has a sequencer and a driver."""
        return bool(self.active() and self.stream.direction == "in")

    @property
    def sinks(self) -> bool:
        """Whether it has a sink."""
        return bool(self.active() and self.stream.direction == "out" and self.stream.ready)

# SPDX-License-Identifier: Apache-2.0
"""The agent of a stream: sequencer and driver, or sink, and a monitor. The engine moves and samples the pins.

A passive agent has the monitor alone.

All parts come from the factory. A test class that needs another driver names it in ``build_phase``, before
the environment is built, and changes nothing else::

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(StreamDriver, SlowDriver)
        super().build_phase()

(Overrides do not outlive a test: ``run_test`` begins with an empty factory.) An agent is made passive by
``ConfigDB().set(None, "uvm_test_top.env.res", "is_active", uvm_active_passive_enum.UVM_PASSIVE)``.
"""

from pyuvm import uvm_agent, uvm_analysis_port, uvm_component, uvm_monitor, uvm_sequencer

from configs import Stream
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.stream import ReadySink, StreamDriver, ports
from tb.common.components.transactions import Observation, TransferListener
from tb.common.engine.engine import Kind


def text_of(word: int, unknown: int, mask: int) -> str:
    """The bits of ``mask`` of a word as a simulator shows them, the highest first."""
    width = mask.bit_length()
    text = f"{word:0{width}b}"
    if unknown:
        bits = zip(text, f"{unknown:0{width}b}", strict=True)
        text = "".join("X" if strange == "1" else bit for bit, strange in bits)
    return text


class StreamMonitor(uvm_monitor):
    """Publishes an :class:`Observation` for every handshake of a stream, some time after it and in order.

    ``flag`` names a signal to sample with each handshake. Raises AssertionError for an X on
    valid, ready or, when valid, data, and for a word that is changed or withdrawn while it waits.
    """

    stream: Stream  # set by the agent, as is
    flag: str = ""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)

    def build_phase(self) -> None:
        """Make the engine's channel."""
        bench: Bench = self.cdb_get(KEY)
        self._log, self._clocking = bench.log, bench.clockings[self.stream.clock]
        valid, ready, data = ports(self.stream)
        self._valid = look(getattr(bench.dut, valid))
        fields = [(data, True)] if data else []
        self.watched = bench.engine.channel(self._clocking, valid, ready, fields, self._hear, flag=self.flag)
        self._mask = (1 << self.stream.width) - 1

    def reset(self) -> None:
        """Forget a transfer that waits; the counts begin again."""
        if waited := self.watched.reset():
            self._log.lost(self.stream, self._clocking.cycle, waited)

    @property
    def waits(self) -> int:
        """Cycles with valid and without ready, since reset."""
        return self.watched.waits

    @property
    def offered(self) -> int:
        """Cycles with valid, since reset."""
        return self.watched.offered

    @property
    def waited(self) -> int:
        """Cycles for which what is offered has waited, as of the last sample."""
        return self.watched.waited

    @property
    def waiting(self) -> bool:
        """Whether a transfer was offered and not taken in the last cycle that was sampled."""
        return self.waited > 0

    def check_known(self) -> None:
        """Raise AssertionError unless valid is 0 or 1; after reset, when no change would wake the monitor."""
        value = self._valid()
        assert value in ("0", "1"), f"{self.stream.name}: valid is {value} after reset, in {self._where()}"

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        if kind == Kind.TRANSFER:
            self.publish(Observation(self._clocking.cycle, word, waited, flag))
            return
        if kind == Kind.BAD_DATA:
            text = text_of(word, unknown, self._mask)
            raise AssertionError(
                f"{self.stream.name}: {self.stream.name}_data is {text} while valid, in {self._where()}"
            )
        problem = {
            Kind.BAD_VALID: "valid is X",
            Kind.BAD_READY: "ready is X",
            Kind.WITHDRAWN: "valid withdrawn before ready,",
            Kind.CHANGED: "data changed while waiting for ready,",
        }[Kind(kind)]
        became = f": {self._show(unknown)} became {self._show(word)}" if kind == Kind.CHANGED else ""
        raise AssertionError(f"{self.stream.name}: {problem} in {self._where()}{became}")

    def publish(self, transfer: Observation) -> None:
        """To the log and to all that listen."""
        self._log.add(self.stream, transfer)
        self.ap.write(transfer)

    def _show(self, word: int) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.stream.unpack(word).items())

    def _where(self) -> str:
        return f"cycle {self._clocking.cycle}"


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
            self.sink.stream = self.stream

    def connect_phase(self) -> None:
        """Sequencer to driver; whoever waits for transfers listens to the monitor."""
        if self.drives:
            self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        elif self.sinks:
            self.sink.channel = self.monitor.watched.number
        self.ap.connect(self.transfers.analysis_export)
        self.transfers.wake = self.monitor.watched.wake

    @property
    def drives(self) -> bool:
        """Whether it has a sequencer and a driver."""
        return bool(self.active() and self.stream.direction == "in")

    @property
    def sinks(self) -> bool:
        """Whether it has a sink."""
        return bool(self.active() and self.stream.direction == "out" and self.stream.ready)

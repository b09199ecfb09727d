# SPDX-License-Identifier: Apache-2.0
"""The agent of a stream: sequencer and driver, or sink, and a monitor that sleeps until ``valid`` moves.

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
from tb.common.components.bench import AWAKE, KEY, Bench, look
from tb.common.components.stream import ReadySink, StreamDriver, port
from tb.common.components.transactions import Observation, TransferListener


class StreamMonitor(uvm_monitor):
    """Publishes an :class:`Observation` for every handshake of a stream; sleeps while ``valid`` is low.

    ``flag`` names a signal to sample with each handshake. Raises AssertionError for an X on
    valid, ready or, when valid, data, and for a word that is changed or withdrawn while it waits.
    """

    stream: Stream  # set by the agent, as is
    flag: str = ""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)
        self.waits = 0  # cycles with valid and without ready, since reset
        self.offered = 0  # cycles with valid, since reset
        self._waited = self._first = 0  # cycles, and the word that waits
        self._low = 0  # cycles for which valid has been low

    def build_phase(self) -> None:
        """Find the signals."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking, self._log = bench.clockings[self.stream.clock], bench.log
        self._rank = self._clocking.new_rank()
        pins = port(bench.dut, self.stream)
        self._moves = pins.valid.value_change
        self._valid = look(pins.valid)
        self._ready = look(pins.ready) if self.stream.ready else None
        self._data = look(pins.data) if self.stream.fields else None
        self._flag = look(getattr(bench.dut, self.flag)) if self.flag else None

    def reset(self) -> None:
        """Forget a transfer that waits; the counts begin again."""
        if self._waited:
            self._log.lost(self.stream, self._clocking.cycle, self._waited)
        self._waited = self.waits = self.offered = 0

    @property
    def waited(self) -> int:
        """Cycles for which what is offered has waited, as of the last sample."""
        return self._waited

    @property
    def waiting(self) -> bool:
        """Whether a transfer was offered and not taken in the last cycle that was sampled."""
        return self.waited > 0

    def check_known(self) -> None:
        """Raise AssertionError unless valid is 0 or 1; after reset, when no change would wake the monitor."""
        value = self._valid()
        assert value in ("0", "1"), f"{self.stream.name}: valid is {value} after reset, in {self._where()}"

    async def run_phase(self) -> None:
        """Sleep until valid moves, then sample until it has been low for a while."""
        while True:
            if self._valid() != "1":
                await self._moves
            await self._clocking.active(self._sample, rank=self._rank)

    def _sample(self) -> bool:
        valid = self._valid()
        if self._clocking.in_reset:
            return valid == "1"
        if valid != "1":
            assert valid == "0", f"{self.stream.name}: valid is {valid} in {self._where()}"
            assert self._waited == 0, f"{self.stream.name}: valid withdrawn before ready, in {self._where()}"
            self._low += 1
            return self._low < AWAKE
        self._low = 0
        word = self._read(self._data()) if self._data is not None else 0
        assert self._waited == 0 or word == self._first, (
            f"{self.stream.name}: data changed while waiting for ready, in {self._where()}: "
            f"{self._show(self._first)} became {self._show(word)}"
        )
        self.offered += 1
        if self._ready is not None and (ready := self._ready()) != "1":
            assert ready == "0", f"{self.stream.name}: ready is {ready} in {self._where()}"
            self._first = word
            self._waited += 1
            self.waits += 1
            return True
        flag = self._flag is not None and self._flag() == "1"
        transfer = Observation(self._clocking.cycle, word, self._waited, flag)
        self._waited = 0
        self.publish(transfer)
        return True

    def publish(self, transfer: Observation) -> None:
        """To the log and to all that listen."""
        self._log.add(self.stream, transfer)
        self.ap.write(transfer)

    def _read(self, text: str) -> int:
        try:
            return int(text, 2)
        except ValueError:
            name = f"{self.stream.name}: {self.stream.name}_data"
            raise AssertionError(f"{name} is {text} while valid, in {self._where()}") from None

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

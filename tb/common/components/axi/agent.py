# SPDX-License-Identifier: Apache-2.0
"""The agent of an AXI4 port: the memory that answers it, and the monitor; passive, the monitor alone.

The monitor is a thin layer over :mod:`tb.common.components.axi.rules`.
"""

from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb_bus.bus import Bus
from pyuvm import uvm_agent, uvm_analysis_port, uvm_component, uvm_monitor

from configs import Stream
from configs.parts import AxiPort
from tb.common.components.axi.burst_rules import Peek
from tb.common.components.axi.bursts import BurstUse, whole_lines
from tb.common.components.axi.handshake import BurstEvent, Handshake, Transfer, number
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.axi.rules import ANY, CHANNELS, AxiRules
from tb.common.components.bench import AWAKE, KEY, Bench, look
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters

#: the order of fields in the words of the transaction log, first in the lowest bits; data read is not logged
LOGGED = {
    **dict.fromkeys(("ar", "aw"), ("addr", "len", "size", "burst", "id", "lock", "cache", "prot", "qos")),
    "r": ("resp", "last", "id"),
    "w": ("data", "strb", "last"),
    "b": ("resp", "id"),
}


class ChannelWatch:
    """Samples one channel while its valid is high. ``transfers`` publishes all of them, of which ``logged``
    says the fields.
    """

    def __init__(self, monitor: "AxiMonitor", name: str, stream: Stream, bench: Bench) -> None:
        self._monitor, self._name = monitor, name
        self._log, self._clocking = bench.log, bench.clockings[stream.clock]
        self._rank = self._clocking.new_rank()
        fields = tuple(field.name for field in stream.fields)
        bus = Bus(
            bench.dut, stream.name, ["valid", "ready", *fields], bus_separator="", case_insensitive=False
        )
        self._moves = bus.valid.value_change
        self._valid, self._ready = look(bus.valid), look(bus.ready)
        self._fields = [(field, look(getattr(bus, field))) for field in fields]
        by_name = {field.name: field for field in stream.fields}
        self.logged = Stream(stream.name, stream.direction, tuple(by_name[field] for field in LOGGED[name]))
        self._highest_first = LOGGED[name][::-1]
        self._low = 0  # cycles for which valid has been low
        self.transfers = uvm_analysis_port(f"{name}_transfers", monitor)

    async def run(self) -> None:
        """Sleep until valid moves, then sample until it has been low for a while."""
        while True:
            if self._valid() != "1":
                await self._moves
            await self._clocking.active(self._sample, rank=self._rank)

    def check_known(self) -> None:
        """Raise AssertionError unless valid and ready are 0 or 1."""
        for name, pin in (("valid", self._valid), ("ready", self._ready)):
            assert (value := pin()) in ("0", "1"), (
                f"{self.logged.name}: {name} is {value} after reset, in cycle {self._clocking.cycle}"
            )

    def _sample(self) -> bool:
        valid = self._valid()
        if self._clocking.axi_in_reset:
            return valid == "1"
        self._low = self._low + 1 if valid == "0" else 0
        if self._low > 1:
            return self._low < AWAKE
        payload = {name: pin() for name, pin in self._fields} if valid == "1" else {}
        rules, cycle = self._monitor.rules, self._clocking.cycle
        transfer = rules.sample(self._name, cycle, valid, self._ready(), payload)
        if transfer is not None:
            observation = self._observation(transfer)
            self._log.add(self.logged, observation)
            self.transfers.write(observation)
            rules.take(self._name, transfer)
        return True

    def _observation(self, transfer: Transfer) -> Observation:
        text = "".join([str(transfer.payload[name]) for name in self._highest_first])
        return Observation(transfer.cycle, number(text), transfer.waited)


class AxiMonitor(uvm_monitor):
    """Publishes bursts (:class:`BurstEvent`): reads at their address (``addresses``) and at their last beat
    (``lines``; ``dropped`` if the block was reset since it asked for them, and then no address), if somebody
    wants them also beat by beat (``beats``, :class:`BeatEvent`), writes at
    their address (``write_addresses``), when address and data are complete (``writes``) and at their answer
    (``answers``). Logs every transfer.

    Raises AssertionError, naming rule and cycle, for what breaks AXI4 or the block's promises, ``read_use``
    and ``write_use``. ``peek`` (``memory.contents.read``) lets it check data read too.
    """

    port: AxiPort  # set by whoever creates it, before its build_phase, as are
    read_use: BurstUse = ANY
    write_use: BurstUse = ANY
    peek: Peek | None = None
    watch_class: Any = ChannelWatch

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.addresses = uvm_analysis_port("addresses", self)
        self.lines = uvm_analysis_port("lines", self)
        self.dropped = uvm_analysis_port("dropped", self)
        self.beats = uvm_analysis_port("beats", self)
        self.write_addresses = uvm_analysis_port("write_addresses", self)
        self.writes = uvm_analysis_port("writes", self)
        self.answers = uvm_analysis_port("answers", self)

    def build_phase(self) -> None:
        """Find the signals."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.port.clock]
        self.rules = AxiRules(self.port, self.read_use, self.write_use, self._publish, self.peek)
        self.rules.reads.from_before = self._from_before
        streams = self.port.channels
        self.watches: dict[str, Any] = {
            name: self.watch_class(self, name, streams[name], bench) for name in CHANNELS if name in streams
        }

    async def run_phase(self) -> None:
        """Watch each channel."""
        if self.beats.subscribers:
            self.rules.reads.each = self.beats.write
        for watch in self.watches.values():
            cocotb.start_soon(watch.run())

    def reset(self) -> None:
        """The block is being reset; if memory is too, open bursts are forgotten."""
        if self._clocking.axi_in_reset:
            self.rules.reset()
        self.rules.reads.block_reset()

    def _from_before(self, address: Transfer) -> bool:
        # nothing is taken in reset: what is offered in the cycle in which it ends was taken before it
        return self._clocking.in_reset or address.offered <= self._clocking.released

    def cover_reset(self, counters: Counters) -> None:
        """The bins of point "reset" that all blocks that read share. To be called before :meth:`reset`."""
        reached = {
            "address waits": self.channel("ar").waiting,
            "stale lines": self.rules.reads.stale,
            "memory too": self._clocking.axi_in_reset,
        }
        for name in (name for name, so in reached.items() if so):
            counters.hit("reset", name)

    def check_known(self) -> None:
        """After reset valid and ready are not X, when no change would wake the monitor."""
        for watch in self.watches.values():
            watch.check_known()

    def channel(self, name: str) -> Handshake:
        """A channel's waits, and whether it waits."""
        return self.rules.channels[name]

    @property
    def outstanding(self) -> int:
        """Bursts that have not ended."""
        return self.rules.outstanding

    @property
    def ended(self) -> int:
        """Bursts that have ended since the test began."""
        return self.rules.reads.ended + self.rules.writes.ended

    @property
    def most_open(self) -> int:
        """Most bursts of an id outstanding at a time, of either direction."""
        return max(self.rules.reads.most_per_id, self.rules.writes.most_per_id)

    def _publish(self, name: str, event: BurstEvent) -> None:
        port: Any = getattr(self, name)
        port.write(event)


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

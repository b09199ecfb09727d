# SPDX-License-Identifier: Apache-2.0
"""The monitor of an AXI4 port: a thin layer over :mod:`tb.common.components.axi.rules`.

The engine samples the channels; what it has recorded goes through the rules, some time after it and in order.
"""

from typing import Any

from pyuvm import uvm_analysis_port, uvm_component, uvm_monitor

from configs import Stream
from configs.parts import AxiPort
from tb.common.components.agent import text_of
from tb.common.components.axi.burst_rules import Peek
from tb.common.components.axi.bursts import BurstUse
from tb.common.components.axi.handshake import BurstEvent, Handshake, OnOffer, Payload, Transfer, is_known
from tb.common.components.axi.rules import ANY, CHANNELS, AxiRules
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import Counters
from tb.common.engine.engine import Kind, Watched

TELLING = ("r", "aw", "w", "b")  # channels whose offers the rules want to know, taken or not

#: the order of fields in the words of the transaction log, first in the lowest bits; data read is not logged
LOGGED = {
    **dict.fromkeys(("ar", "aw"), ("addr", "len", "size", "burst", "id", "lock", "cache", "prot", "qos")),
    "r": ("resp", "last", "id"),
    "w": ("data", "strb", "last"),
    "b": ("resp", "id"),
}


class ChannelHandshake(Handshake):
    """A channel that the engine samples. Where it tells of offers, ``waiting`` is as of the last record."""

    def __init__(self, stream: Stream, on_offer: OnOffer | None, watched: Watched, telling: bool) -> None:
        self.watched, self.telling = watched, telling
        super().__init__(stream, ("data",), on_offer)
        self._widths = {field.name: field.width for field in stream.fields}

    def reset(self) -> None:
        """See :class:`Handshake`."""
        super().reset()
        self.watched.reset()

    def offer(self, cycle: int, payload: Payload) -> None:
        """Something is offered."""
        self._offer = payload
        if self._on_offer is not None:
            self._on_offer(cycle, payload)

    def taken(self) -> None:
        """What was offered is taken."""
        self._offer = None

    def complain(self, kind: int, cycle: int, payload: Payload, before: Payload) -> None:
        """Raise AssertionError about a record that breaks a rule, as :meth:`Handshake.sample` does.

        ``before``: what was offered first, if it was changed.
        """
        if kind == Kind.WITHDRAWN:
            self.fail(cycle, "valid withdrawn before ready")
        if kind in (Kind.BAD_VALID, Kind.BAD_READY):
            self.fail(cycle, f"{'valid' if kind == Kind.BAD_VALID else 'ready'} is X")
        if kind == Kind.BAD_DATA:
            name = next(name for name in self._strict if not is_known(payload[name]))
            self.fail(cycle, f"{name} is {payload[name]} while valid")
        changed = [
            f"{name} {self._text(name, value)} became {self._text(name, payload[name])}"
            for name, value in before.items()
            if value != payload[name]
        ]
        self.fail(cycle, f"data changed while waiting for ready ({', '.join(changed)})")

    def _text(self, name: str, value: str | int) -> str:
        width = self._widths[name]
        return value if isinstance(value, str) else f"{value:0{width}b}"

    waits = property(lambda self: self.watched.waits, lambda self, value: None)

    @property
    def waited(self) -> int:
        """See :class:`Handshake`."""
        return self.watched.waited

    @property
    def waiting(self) -> bool:
        """See :class:`Handshake`."""
        return self._offer is not None if self.telling else self.watched.waiting


class ChannelWatch:
    """Hands the records of a channel to the rules, the log and all that listen to ``transfers``."""

    def __init__(self, monitor: "AxiMonitor", name: str, stream: Stream, bench: Bench) -> None:
        self._monitor, self._name, self._log = monitor, name, bench.log
        self._clocking = bench.clockings[stream.clock]
        widths = {field.name: field.width for field in stream.fields}
        names = [*LOGGED[name], *(field for field in widths if field not in LOGGED[name])]
        self._fields, at = [], 0
        for field in names:
            self._fields.append((field, at, (1 << widths[field]) - 1))
            at += widths[field]
        by_name = {field.name: field for field in stream.fields}
        self.logged = Stream(stream.name, stream.direction, tuple(by_name[field] for field in LOGGED[name]))
        self._logged = (1 << sum(widths[field] for field in LOGGED[name])) - 1
        self.watched = bench.engine.channel(
            self._clocking, f"{stream.name}valid", f"{stream.name}ready",
            [(f"{stream.name}{field}", field != "data") for field in names], self._hear,
            axi=True, offers=name in TELLING,
        )  # fmt: skip
        self.transfers = uvm_analysis_port(f"{name}_transfers", monitor)

    def _payload(self, word: int, unknown: int) -> Payload:
        if unknown:
            return {
                name: text_of(word >> at & mask, unknown >> at & mask, mask)
                for name, at, mask in self._fields
            }
        return {name: word >> at & mask for name, at, mask in self._fields}

    def _hear(self, kind: int, waited: int, flag: bool, word: int, unknown: int) -> None:
        cycle, handshake = self._clocking.cycle, self._monitor.handshakes[self._name]
        payload = self._payload(word, 0 if kind == Kind.CHANGED else unknown)
        if kind == Kind.TRANSFER:
            if not waited and handshake.telling:
                handshake.offer(cycle, payload)
            handshake.taken()
            observation = Observation(cycle, word & self._logged, waited)
            self._log.add(self.logged, observation)
            self.transfers.write(observation)
            self._monitor.rules.take(self._name, Transfer(cycle, waited, payload))
        elif kind == Kind.OFFER:
            handshake.offer(cycle, payload)
        else:
            handshake.complain(kind, cycle, payload, self._payload(unknown, 0))


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
        """Make the engine's channels."""
        bench: Bench = self.cdb_get(KEY)
        self._clocking = bench.clockings[self.port.clock]
        self.rules = AxiRules(self.port, self.read_use, self.write_use, self._publish, self.peek)
        self.rules.reads.from_before = self._from_before
        streams = self.port.channels
        self.watches = {
            name: ChannelWatch(self, name, streams[name], bench) for name in CHANNELS if name in streams
        }
        self.handshakes: dict[str, ChannelHandshake] = {}
        for name, watch in self.watches.items():
            on_offer = self.rules.channels[name]._on_offer
            made = ChannelHandshake(streams[name], on_offer, watch.watched, name in TELLING)
            self.rules.channels[name] = self.handshakes[name] = made

    def start_of_simulation_phase(self) -> None:
        """All that listens is connected."""
        if self.beats.subscribers:
            self.rules.reads.each = self.beats.write

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

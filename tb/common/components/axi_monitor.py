# SPDX-License-Identifier: Apache-2.0
"""Watches an AXI4 read master: addresses, lines, and the rules of the protocol, whatever memory answers."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cocotb_bus.bus import Bus
from pyuvm import uvm_analysis_port, uvm_component, uvm_subscriber

from configs import Stream
from configs.parts import AxiPort
from tb.common.components.monitor import StreamMonitor
from tb.common.components.transactions import Observation

PAGE = 4096  # no burst crosses it
INCR = 1
# fields of AR that say the same in every burst, with their widths: no exclusive access; normal memory, not
# cacheable, bufferable; unprivileged, secure data; no quality of service
PLAIN = {"lock": (1, 0), "cache": (4, 0b0011), "prot": (3, 0), "qos": (4, 0)}
ADDRESS = ("addr", "len", "size", "burst", "id", *PLAIN)
ANSWER = ("resp", "last", "id")  # the data are compared in what the design makes of them


def choose(channel: Stream, names: Sequence[str]) -> Stream:
    """A channel with these fields alone."""
    fields = {field.name: field for field in channel.fields}
    return replace(channel, fields=tuple(fields[name] for name in names))


class ChannelMonitor(StreamMonitor):
    """A monitor for a channel whose fields are signals of their own, e.g. ``m_axi_araddr``."""

    def _find(self, dut: Any) -> Bus:
        names = ["valid", "ready", *(field.name for field in self.stream.fields)]
        return Bus(dut, self.stream.name, names, bus_separator="", case_insensitive=False)

    def _read(self) -> int:
        fields = self.stream.fields
        return self.stream.pack(
            {field.name: self._known(getattr(self._port, field.name)) for field in fields}
        )


class Tap(uvm_subscriber):
    """Hands what an analysis port publishes to a function."""

    def __init__(self, name: str, parent: uvm_component, function: Any) -> None:
        self.write = function
        super().__init__(name, parent)


class AxiReadMonitor(uvm_component):
    """Publishes each burst's byte address (``addresses``) and each line's end (``lines``; word: the
    first beat that failed, from 1, or 0).

    Raises AssertionError, naming rule and cycle, for: X or change of a waiting address, wrong length, size,
    burst type, attributes or id (below ``ids``), an address that is not a line's, more lines of an id
    outstanding than ``limit``, and, of the memory, beats nobody asked for or a misplaced last beat.
    """

    port: AxiPort  # set by the agent, as are
    line_bytes: int

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.addresses = uvm_analysis_port("addresses", self)
        self.lines = uvm_analysis_port("lines", self)

    def reset(self) -> None:
        """Forget open bursts."""
        self._forget()
        self.ar.reset()
        self.r.reset()

    def _forget(self) -> None:
        self._open: list[deque[Observation]] = [deque() for _ in range(self.ids)]
        self._beat, self._error = 0, 0

    @property
    def outstanding(self) -> int:
        """Lines asked for of which the last beat has not come."""
        return sum(map(len, self._open))

    def survive(self, yes: bool) -> None:
        """Watch on through resets that do not concern the memory, or do not."""
        self.ar.survives = self.r.survives = yes

    def build_phase(self) -> None:
        """One monitor per channel."""
        port = self.port
        self.limit, self.ids = port.outstanding, port.ids
        self.beats = port.beats(self.line_bytes)
        self.size = port.strobe_bits.bit_length() - 1
        self.ar_stream, self.r_stream = (
            choose(port.channels["ar"], ADDRESS), choose(port.channels["r"], ANSWER)
        )  # fmt: skip
        self.ar: ChannelMonitor = ChannelMonitor.create("ar", self)
        self.r: ChannelMonitor = ChannelMonitor.create("r", self)
        self.ar.stream, self.r.stream = self.ar_stream, self.r_stream
        self.most_open = self.ended = 0
        self._forget()
        self._taps = [Tap("ar_tap", self, self._address), Tap("r_tap", self, self._data)]

    def connect_phase(self) -> None:
        """Both channels end here."""
        for channel, tap in zip((self.ar, self.r), self._taps, strict=True):
            channel.ap.connect(tap.analysis_export)

    def check_known(self) -> None:
        """See :meth:`StreamMonitor.check_known`."""
        self.ar.check_known()

    def _address(self, seen: Observation) -> None:
        got = self.ar_stream.unpack(seen.word)
        address = got.pop("addr")
        where = f"AXI read of {address:#x} in cycle {seen.cycle}"
        plain = {name: value for name, (_, value) in PLAIN.items()}
        want = {"len": self.beats - 1, "size": self.size, "burst": INCR, **plain}
        want["id"] = min(got["id"], self.ids - 1)
        assert got == want, f"{where}: expected {want}, got {got}"
        assert address % self.line_bytes == 0, (
            f"{where}: not the address of a line of {self.line_bytes} bytes"
        )
        assert address % PAGE + self.line_bytes <= PAGE, f"{where}: the burst crosses a 4 KiB page"
        mine = self._open[got["id"]]
        mine.append(seen)
        self.most_open = max(self.most_open, len(mine))
        assert len(mine) <= self.limit, f"{where}: {len(mine)} lines outstanding, limit {self.limit}"
        self.addresses.write(seen._replace(word=address))

    def _data(self, seen: Observation) -> None:
        got = self.r_stream.unpack(seen.word)
        where = f"AXI read data in cycle {seen.cycle}"
        assert got["id"] < self.ids and self._open[got["id"]], f"{where}: nothing was asked for"
        self._beat += 1
        if got["resp"] >> 1 and not self._error:
            self._error = self._beat
        assert got["last"] == (self._beat == self.beats), f"{where}: last={got['last']} in beat {self._beat}"
        if got["last"]:
            self._open[got["id"]].popleft()
            self.ended += 1
            self.lines.write(seen._replace(word=self._error))
            self._beat = self._error = 0

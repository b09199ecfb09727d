# SPDX-License-Identifier: Apache-2.0
"""The pins of a block's ports, read in every cycle, as text, so that an X is seen."""

from typing import Any

from configs import Stream
from configs.parts import AxiPort
from tb.common.components.bench import look


class ChannelPins:
    """The signals of a stream, or of an AXI channel.

    ``valid``, ``ready`` and ``reset``: names of pins, empty if there is none; the reset is that in which
    nothing counts on the channel.
    """

    def __init__(self, dut: Any, stream: Stream, axi: AxiPort | None = None) -> None:
        self.stream, self.axi = stream, axi is not None
        self.incoming = stream.direction == "in"
        self.reset = f"{axi.prefix}_rst" if axi else stream.clock.replace("clk", "rst")
        separator = "" if axi else "_"
        self.valid = f"{stream.name}{separator}valid" if stream.valid else ""
        self.ready = f"{stream.name}{separator}ready" if stream.ready else ""
        names = (
            [f"{stream.name}_data"] if not axi else [f"{stream.name}{field.name}" for field in stream.fields]
        )
        self._data = [look(getattr(dut, name)) for name in reversed(names)]

    @property
    def driven(self) -> str:
        """Which of valid and ready the testbench drives; empty if none."""
        return self.valid if self.incoming else self.ready

    @property
    def answered(self) -> str:
        """Which of valid and ready the design drives; empty if none."""
        return self.ready if self.incoming else self.valid

    def text(self) -> str:
        """The data, first field in the lowest bits."""
        if len(self._data) == 1:
            return self._data[0]()
        return "".join([read() for read in self._data])


def channels(dut: Any, cfg: Any) -> list[ChannelPins]:
    """Those of all streams and AXI ports of a configuration."""
    channels = [ChannelPins(dut, stream) for stream in cfg.streams.values()]
    for port in cfg.axi_ports.values():
        channels += [ChannelPins(dut, stream, port) for stream in port.channels.values()]
    return channels

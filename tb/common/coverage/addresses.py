# SPDX-License-Identifier: Apache-2.0
"""Bits of the addresses at AXI ports, each 0 and 1: bins follow from the ports of a configuration."""

from configs.parts import AxiPort
from tb.common.coverage.bins import Counters, Point, cross

POINT = "address bit"


def address_bits(port: AxiPort, *, ar: int | None = None, aw: int | None = None) -> Point:
    """The coverpoint of the addresses of ``port``: for each channel its bits from ``ar``, ``aw`` on, those
    below which are always 0. A channel that is not there has none.
    """
    lowest = {f"{port.prefix}_{name}": low for name, low in (("ar", ar), ("aw", aw)) if low is not None}
    bins = [cross((name,), range(low, port.address_bits), (0, 1)) for name, low in lowest.items()]
    return Point(POINT, "each bit of the addresses that memory gets", tuple(sum(bins, ())))


class AddressBits:
    """Counts addresses into the bins of :func:`address_bits`, if the plan of ``counters`` has them."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._bits: dict[str, dict[int, None]] = {}
        for name in counters.plan[POINT].bins if POINT in counters.plan else ():
            channel, bit, _ = name.split("/")
            self._bits.setdefault(channel, {})[int(bit)] = None

    def sample(self, channel: str, address: int) -> None:
        """An address that memory took from ``channel``, ``m_axi_ar``, say."""
        for bit in self._bits.get(channel, ()):
            self._counters.hit(POINT, f"{channel}/{bit}/{address >> bit & 1}")

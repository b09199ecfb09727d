# SPDX-License-Identifier: Apache-2.0
"""Coverpoints of many blocks: bits of the addresses at AXI ports; requests, their order and their waits."""

from configs.parts import AxiPort
from tb.common.coverage.bins import Counters, Point, bucket_names, cross

POINT = "address bit"
WAITS = (0, 1, 4)
PARTS = 32  # of a longer burst: its beats are counted in so many equal parts


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


def part(beat: int, beats: int) -> int:
    """The bin of a beat of a burst of ``beats``."""
    return beat * min(beats, PARTS) // beats


def flow_points(beats: int, *, writes: bool = True) -> list[Point]:
    """Waiting at the ports of a block that reads memory, bursts of ``beats`` that fail, resets.

    ``writes``: it writes memory as well.
    """
    waits, channels = bucket_names(WAITS), ("read", "write") if writes else ("read",)
    met = ("idle", "a request", *(f"a {channel}" for channel in channels))
    return [
        Point("error beat", "the first beat of a read that failed", cross(range(min(beats, PARTS)))),
        Point("request wait", "cycles a request waited", waits),
        Point("result wait", "cycles a result waited for the consumer", waits),
        Point("address wait", "cycles an address waited for the memory", cross(channels, waits)),
        Point("reset", "what it met", met),
    ]


def order_points(ops: tuple[str, ...], pairs: tuple[str, ...]) -> list[Point]:
    """A request and the one before it; ``pairs`` are the kinds that name a place."""
    return [
        Point("pair", "a request and the one after it, on the same word", cross(pairs, pairs)),
        Point("after", "what follows each kind of request", cross(ops, ops)),
    ]

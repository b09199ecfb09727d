# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: bins are data, sampling is counting.

A block's plan is a list of :class:`Point`, made from its configuration; many blocks share the coverpoints of
address bits, requests, their order and their waits. A test counts into the bins; the counts are saved per
run, and merged and judged outside the simulator by ``coverage_data``.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.parts import AxiPort


@dataclass(frozen=True)
class Point:
    """A coverpoint: its bins by name and the reason for it."""

    name: str
    why: str
    bins: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.bins or len(set(self.bins)) != len(self.bins):
            raise ValueError(f"coverpoint {self.name}: bins must be there, with different names")


def cross(*parts: Sequence[Any]) -> tuple[str, ...]:
    """Names of the bins of a cross, last part fastest: ``a/x a/y b/x b/y``."""
    names = [""]
    for part in parts:
        names = [f"{name}/{value}" if name else str(value) for name in names for value in part]
    return tuple(names)


class Counters:
    """Counts per bin of a plan."""

    def __init__(self, plan: Sequence[Point]) -> None:
        self.plan = {point.name: point for point in plan}
        self._index = {point.name: {bin_: i for i, bin_ in enumerate(point.bins)} for point in plan}
        self._counts = {point.name: np.zeros(len(point.bins), np.int64) for point in plan}

    def hit(self, point: str, bin_: str, times: int = 1) -> None:
        """Count one bin. Raises ValueError for a bin that the plan lacks: the design did what it must not."""
        try:
            self._counts[point][self._index[point][bin_]] += times
        except KeyError:
            raise ValueError(f"coverpoint {point}: {bin_} is not a bin") from None

    def hit_many(self, point: str, indices: NDArray[Any]) -> None:
        """Count bins by index, shape [n]. Raises ValueError for an index that is not in the plan."""
        counts = np.bincount(indices.astype(np.int64), minlength=len(self._counts[point]))
        if len(counts) > len(self._counts[point]):
            raise ValueError(f"coverpoint {point}: index {len(counts) - 1} is not a bin")
        self._counts[point] += counts

    def of(self, point: str) -> NDArray[np.int64]:
        """The counts [bins] of a point, to be changed in place."""
        return self._counts[point]

    def counts(self) -> dict[str, dict[str, int]]:
        """Point -> bin -> count, of bins that were hit."""
        return {
            name: {bin_: int(n) for bin_, n in zip(point.bins, self._counts[name], strict=True) if n}
            for name, point in self.plan.items()
        }


def bucket(values: NDArray[Any], limits: Sequence[int]) -> NDArray[np.int64]:
    """Index of the bucket of each value: 0 up to and including limits[0], and so on; the last is open."""
    return np.searchsorted(np.asarray(limits), values, side="left")


def bucket_name(value: int, limits: Sequence[int]) -> str:
    """The name of the bucket of one value."""
    return bucket_names(limits)[bisect_left(limits, value)]


def bucket_names(limits: Sequence[int]) -> tuple[str, ...]:
    """Names of the buckets: ``0 1 2-4 5+`` for limits 0, 1, 4."""
    names, low = [], 0
    for limit in limits:
        names.append(str(limit) if limit == low else f"{low}-{limit}")
        low = limit + 1
    return (*names, f"{low}+")


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
        self._counts = counters.of(POINT) if POINT in counters.plan else np.zeros(0, np.int64)
        self._bins: dict[
            str, tuple[NDArray[np.int64], NDArray[np.uint64]]
        ] = {}  # where a 0 counts, and the bit
        places: dict[str, list[tuple[int, int]]] = {}
        for place, name in enumerate(counters.plan[POINT].bins if POINT in counters.plan else ()):
            channel, bit, value = name.split("/")
            if value == "0":
                places.setdefault(channel, []).append((place, int(bit)))
        for channel, pairs in places.items():
            first, bits = zip(*pairs, strict=True)
            self._bins[channel] = np.array(first, np.int64), np.array(bits, np.uint64)

    def sample(self, channel: str, address: int) -> None:
        """An address that memory took from ``channel``, ``m_axi_ar``, say."""
        if channel in self._bins:
            first, bits = self._bins[channel]
            self._counts[first + (np.uint64(address) >> bits & np.uint64(1)).astype(np.int64)] += 1


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

# SPDX-License-Identifier: Apache-2.0
"""Coverpoints of any block that answers requests."""

from tb.common.coverage.bins import Point, bucket_names, cross

WAITS = (0, 1, 4)
PARTS = 32  # of a longer burst: its beats are counted in so many equal parts


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

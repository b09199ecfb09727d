# SPDX-License-Identifier: Apache-2.0
"""Coverpoints of any block that answers requests."""

from tb.common.coverage.bins import Point, bucket_names, cross

WAITS = (0, 1, 4)


def flow_points(beats: int) -> list[Point]:
    """Waiting at the ports of a block that reads and writes memory, bursts of ``beats`` that fail, resets."""
    waits = bucket_names(WAITS)
    return [
        Point("error beat", "the first beat of a read that failed", cross(range(beats))),
        Point("request wait", "cycles a request waited", waits),
        Point("result wait", "cycles a result waited for the consumer", waits),
        Point("address wait", "cycles an address waited for the memory", cross(("read", "write"), waits)),
        Point("reset", "what it met", ("idle", "a request", "a read", "a write")),
    ]


def order_points(ops: tuple[str, ...], pairs: tuple[str, ...]) -> list[Point]:
    """A request and the one before it; ``pairs`` are the kinds that name a place."""
    return [
        Point("pair", "a request and the one after it, on the same word", cross(pairs, pairs)),
        Point("after", "what follows each kind of request", cross(ops, ops)),
    ]

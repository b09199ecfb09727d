# SPDX-License-Identifier: Apache-2.0
"""What meets at a block's ports: for each pair of events, whether they fell into one cycle, or one came in
the cycle before the other.

Events follow from the streams and AXI channels of a configuration, and so do the bins:

============== ==================================================================
``req``        a transfer
``req waits``  a cycle in which one is offered and not taken
``res error``  a transfer that tells of an error (field ``err``, or ``resp`` from 2 on)
``reset``      the first cycle of a reset, in which nothing counts any more
``release``    the cycle in which it ends, the first one that counts again
============== ==================================================================

``a = b`` is a cycle with both, ``a > b`` one with ``b`` after one with ``a``. Events of different clocks have
no cycle in common and make no pair.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from configs import Stream

Counts = dict[str, int]
"""Cycles by bin, every bin of the block."""

RESET, RELEASE = "reset", "release"
FAILED = 2  # AXI responses from here on are errors


@dataclass(frozen=True)
class Event:
    """An event by its name, and the cycles, of its clock, in which it was."""

    name: str
    stream: str
    cycles: NDArray[np.int64]


def eventful(streams: Iterable[Stream]) -> list[Stream]:
    """The streams that make events: all but those for observers."""
    return [stream for stream in streams if stream.valid and not stream.observer]


def names(stream: Stream) -> list[str]:
    """The events of a stream."""
    fails = {"err", "resp"} & {field.name for field in stream.fields}
    return [stream.name, *[f"{stream.name} waits"] * stream.ready, *[f"{stream.name} error"] * bool(fails)]


def failing(stream: Stream, words: Sequence[int]) -> NDArray[np.bool_]:
    """Which of ``words`` tell of an error."""
    fields = {field.name for field in stream.fields}
    name, least = ("err", 1) if "err" in fields else ("resp", FAILED)
    if name not in fields:
        return np.zeros(len(words), bool)
    low, mask = stream.offset(name), (1 << stream.field(name).width) - 1
    return np.array([word >> low & mask >= least for word in words], bool)


def _common(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Cycles [n, m] with a row of ``first`` [n, cycles] and one of ``second`` [m, cycles] both set."""
    packed, others = (np.packbits(rows, axis=1) for rows in (first, second))
    return np.array([np.bitwise_count(row & others).sum(axis=1, dtype=np.int64) for row in packed])


def count(events: Sequence[Event], resets: Sequence[int], releases: Sequence[int]) -> Counts:
    """All bins of the events of one clock."""
    last = max((int(event.cycles.max()) for event in events if len(event.cycles)), default=0)
    length = max([last, *resets, *releases]) + 2
    rows = np.zeros((len(events) + 2, length), bool)
    for row, cycles in enumerate([*(event.cycles for event in events), resets, releases]):
        rows[row, np.asarray(cycles, np.int64)] = True
    together, following = _common(rows, rows), _common(rows[:, :-1], rows[:, 1:])
    counts = {}
    for (i, first), (j, second) in combinations(enumerate(events), 2):
        if first.stream != second.stream:
            counts[f"{first.name} = {second.name}"] = int(together[i, j])
        counts[f"{first.name} > {second.name}"] = int(following[i, j])
        counts[f"{second.name} > {first.name}"] = int(following[j, i])
    reset, release = len(events), len(events) + 1
    for i, event in enumerate(events):
        counts[f"{event.name} > {event.name}"] = int(following[i, i])
        counts[f"{event.name} > {RESET}"] = int(following[i, reset])
        counts[f"{RELEASE} = {event.name}"] = int(together[release, i])
        counts[f"{RELEASE} > {event.name}"] = int(following[release, i])
    return counts

# SPDX-License-Identifier: Apache-2.0
"""Compares arrays of records, the model's with the RTL's, and says in words what differs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

PAGE = 4096  # bytes of memory that a replay keeps as a whole


@dataclass(frozen=True)
class Mismatch:
    """One field that differs: in ``count`` rows, the first of them ``row``; ``text`` is for people."""

    field: str
    row: int
    count: int
    text: str


def compare_records(
    expected: NDArray[Any], got: NDArray[Any], describe: Callable[[int], str]
) -> list[Mismatch]:
    """What differs between two structured arrays [n] of one type, first row first, at most ten fields.

    ``describe`` names a row ("access 3"). The earliest row is where to look; what follows may only be a
    consequence of it.
    """
    if len(expected) != len(got):
        raise ValueError(f"{len(expected)} records expected, {len(got)} to compare with them")
    mismatches = []
    for name in expected.dtype.names or ():
        unequal = expected[name] != got[name]
        rows = np.flatnonzero(unequal.any(axis=tuple(range(1, unequal.ndim))))
        if len(rows):
            mismatches.append(_mismatch(name, rows, expected[name], got[name], describe))
    return sorted(mismatches, key=lambda item: item.row)[:10]


def _mismatch(
    name: str,
    rows: NDArray[np.int64],
    expected: NDArray[Any],
    got: NDArray[Any],
    describe: Callable[[int], str],
) -> Mismatch:
    row = int(rows[0])
    others = f" (differs in {len(rows)} of {len(got)})" if len(rows) > 1 else ""
    text = f"{describe(row)}: {name} is {_shown(got[row])}, expected {_shown(expected[row])}{others}"
    return Mismatch(name, row, len(rows), text)


def _shown(value: Any) -> str:
    values = [f"{int(item):#x}" if int(item) > 0xFFFF else str(int(item)) for item in np.ravel(value)]
    return values[0] if np.ndim(value) == 0 else "[" + " ".join(values) + "]"


def compare_sequences(what: str, expected: NDArray[Any], got: NDArray[Any]) -> list[Mismatch]:
    """What differs between two integer sequences that may be of unequal length; at most one Mismatch."""
    common = min(len(expected), len(got))
    rows = np.flatnonzero(expected[:common] != got[:common])
    if len(rows):
        row = int(rows[0])
        text = f"{what} {row} is {int(got[row]):#x}, expected {int(expected[row]):#x}"
        return [Mismatch(what, row, len(rows), f"{text} (differs in {len(rows)} of {common})")]
    if len(expected) != len(got):
        text = f"{what}: {len(got)} of them, expected {len(expected)}"
        return [Mismatch(what, common, abs(len(expected) - len(got)), text)]
    return []


def compare_counters(expected: dict[str, int], got: dict[str, int]) -> list[Mismatch]:
    """Counters that both sides keep and that differ."""
    return [
        Mismatch(name, 0, 1, f"counter {name} is {got[name]}, expected {value}")
        for name, value in expected.items()
        if name in got and got[name] != value & 0xFFFFFFFF
    ]


def match_by_key(requested: NDArray[Any], answered: NDArray[Any]) -> NDArray[np.int64]:
    """For a block that keeps the order of results for each key alone: where the result of each request is.

    ``asked``, ``answered`` [n]: keys (integers, or records of them) in the order of requests and of results.
    The k-th request of a key belongs to the k-th result of it: request i was answered by row ``order[i]``.
    Raises ValueError for keys that were answered more or less often than asked.
    """
    by_request, by_result = np.argsort(requested, kind="stable"), np.argsort(answered, kind="stable")
    if len(requested) != len(answered) or (requested[by_request] != answered[by_result]).any():
        keys = np.unique(np.concatenate([requested, answered]))
        times = [(int((requested == key).sum()), int((answered == key).sum())) for key in keys]
        key, (requests, results) = next((k, t) for k, t in zip(keys, times, strict=True) if t[0] != t[1])
        raise ValueError(f"key {key}: {results} results for {requests} requests")
    order = np.empty(len(requested), np.int64)
    order[by_request] = by_result
    return order


class Contents(Protocol):
    """A replay's memory: see :class:`tb.common.replay.machine.Replay`."""

    def written(self) -> NDArray[np.uint64]:
        """Byte addresses of the pages that were written to."""

    def read_many(self, word_addresses: ArrayLike) -> NDArray[np.uint32]:
        """Words at word addresses, in their shape."""


def compare_memory(
    expected: Callable[[int], NDArray[np.uint8]], written: Iterable[int], line_bytes: int, rtl: Contents
) -> list[Mismatch]:
    """What differs, byte by byte, between the model's memory and what the RTL left; at most one Mismatch.

    ``expected`` gives the bytes [line_bytes] of a line, ``written`` the lines that the model wrote. Compared
    are those, and all lines of the pages that the RTL wrote.
    """
    lines = {int(line) for line in written}
    for page in rtl.written().tolist():
        lines |= set(range(page // line_bytes, (page + PAGE) // line_bytes))
    if not lines:
        return []
    ordered = np.array(sorted(lines), np.int64)
    words = line_bytes // 4
    got = rtl.read_many(ordered[:, None] * words + np.arange(words)).astype("<u4").view(np.uint8)
    wanted = np.stack([expected(line) for line in ordered.tolist()])
    wrong = np.argwhere(wanted != got)
    if not len(wrong):
        return []
    row, byte = wrong[0]
    address = int(ordered[row]) * line_bytes + int(byte)
    others = f" ({len(wrong)} bytes differ)" if len(wrong) > 1 else ""
    values = f"{got[row, byte]:#04x}, expected {wanted[row, byte]:#04x}"
    text = f"memory at byte address {address:#x} is {values}{others}"
    return [Mismatch("memory", address, len(wrong), text)]

# SPDX-License-Identifier: Apache-2.0
"""Compares arrays of records, the model's with the RTL's, and says in words what differs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Mismatch:
    """One field that differs: in ``count`` rows, the first of them ``row``; ``text`` is for people."""

    field: str
    row: int
    count: int
    text: str


def compare_records(
    expected: NDArray[Any], got: NDArray[Any], describe: Callable[[int], str], limit: int = 10
) -> list[Mismatch]:
    """What differs between two structured arrays [n] of one type, first row first, at most ``limit`` fields.

    ``describe`` names a row ("access 3"). The earliest row is where to look; what follows may only be a
    consequence of it.
    """
    if len(expected) != len(got):
        raise ValueError(f"{len(expected)} records expected, {len(got)} to compare with them")
    found = []
    for name in expected.dtype.names or ():
        unequal = expected[name] != got[name]
        rows = np.flatnonzero(unequal.any(axis=tuple(range(1, unequal.ndim))))
        if len(rows):
            found.append(_mismatch(name, rows, expected[name], got[name], describe))
    return sorted(found, key=lambda item: item.row)[:limit]


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

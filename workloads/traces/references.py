# SPDX-License-Identifier: Apache-2.0
"""Traces that other programs write: Dinero's din, and what Valgrind's lackey says with ``--trace-mem=yes``.

A file is known by its first line that is neither empty, nor a comment, nor one of Valgrind's own.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.errors import shortened
from configs.files import is_file

READ, WRITE, FETCH = range(3)  # din's labels
WORD_BYTES = 4  # a din reference has no size: it means the word at its address
MOST_BYTES = 4096  # of a lackey one
_DIN = re.compile(r"(\d+)\s+(?:0x)?([0-9a-f]{1,15})(?:\s.*)?", re.IGNORECASE)
_LACKEY = re.compile(r"([ILSM])\s+(?:0x)?([0-9a-f]{1,15}),(\d{1,4})", re.IGNORECASE)
_LABELS = {"I": (FETCH,), "L": (READ,), "S": (WRITE,), "M": (READ, WRITE)}
_NOISE = ("#", "==", "--")  # comments; what Valgrind says


class References(NamedTuple):
    """n references in order: ``label`` [n] READ, WRITE or FETCH, byte ``address`` [n] and ``size`` [n]."""

    label: NDArray[np.int64]
    address: NDArray[np.int64]
    size: NDArray[np.int64]

    def of(self, *labels: int) -> "References":
        """Those with one of the labels."""
        chosen = np.isin(self.label, labels)
        return References(self.label[chosen], self.address[chosen], self.size[chosen])


def holds_references(path: Path) -> bool:
    """Whether a file is to be read as one of these: its first line that says something is one of theirs, or
    its name is not that of a trace file of our own.
    """
    if not is_file(path) or path.suffix == ".npz":
        return False
    first = next(_said(path), (0, ""))[1]
    return path.suffix != ".csv" or bool(_DIN.fullmatch(first) or _LACKEY.fullmatch(first))


def _said(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    with path.open(errors="replace") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if text and not text.startswith(_NOISE):
                yield number, text


def read_references(path: Path) -> References:
    """The references of a file. Raises :class:`UserError` with the line and what it must be."""
    rows: list[tuple[int, int, int]] = []
    parse = None
    for number, text in _said(path):
        try:
            parse = parse or _format(text)
            rows += parse(text)
        except ValueError as error:
            raise UserError(f"{path}:{number}: {error}") from None
    return References(*np.array(rows, np.int64).reshape(-1, 3).T)


def _format(text: str) -> Callable[[str], list[tuple[int, int, int]]]:
    """Of a file that begins with this line."""
    for pattern, parse in ((_DIN, _din), (_LACKEY, _lackey)):
        if pattern.fullmatch(text):
            return parse
    raise ValueError(
        f"{shortened(text)!r} is no reference of din ('label hexaddress') or lackey ('I  hexaddress,size'); "
        "names of files in the project's own form end in .csv or .npz (docs/traces.md)"
    )


def _din(text: str) -> list[tuple[int, int, int]]:
    found = _DIN.fullmatch(text)
    if not found:
        raise ValueError(f"{shortened(text)!r} is no din reference: write 'label hexaddress'")
    label = int(found[1])
    if label > FETCH:
        raise ValueError(f"label {found[1]}: must be 0 (read), 1 (write) or 2 (fetch); leave other lines out")
    return [(label, int(found[2], 16) & -WORD_BYTES, WORD_BYTES)]


def _lackey(text: str) -> list[tuple[int, int, int]]:
    found = _LACKEY.fullmatch(text)
    if not found:
        raise ValueError(
            f"{shortened(text)!r} is no lackey reference: write 'I  hexaddress,size' (or L, S, M)"
        )
    size = int(found[3])
    if not 1 <= size <= MOST_BYTES:
        raise ValueError(f"size {size}: must be 1 to {MOST_BYTES} bytes")
    return [(label, int(found[2], 16), size) for label in _LABELS[found[1].upper()]]


def words(
    references: References, bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The aligned words that references touch, in order: to which reference each belongs [m], the lowest
    ``bits`` of its byte address [m], and the bytes of it that are meant [m], bit 0 the lowest.
    """
    first = references.address // WORD_BYTES
    count = (references.address + references.size - 1) // WORD_BYTES - first + 1
    owner = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    address = (first[owner] + nth) * WORD_BYTES
    begin = np.maximum(references.address[owner] - address, 0)
    end = np.minimum((references.address + references.size)[owner] - address, WORD_BYTES)
    return owner, address & (1 << bits) - 1, (1 << end) - (1 << begin)

# SPDX-License-Identifier: Apache-2.0
"""Memory that can be written, as kernels see it: :mod:`models.memory` below, written lines above.

They lie in a hash table with linear probing (Fibonacci hashing): memory of any size costs what was written.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import copy, kernel
from models.memory import Contents, Memory, read_word

EMPTY = -1


class Written(NamedTuple):
    """Lines that were written: address or EMPTY, bytes [slots, line_bytes]. ``used``: [1], how many."""

    lines: NDArray[np.int64]
    data: NDArray[np.uint8]
    used: NDArray[np.int64]


@kernel
def slot_of(written: Written, line: int) -> int:
    """The slot that holds ``line``, or the empty one where it belongs."""
    mask = len(written.lines) - 1
    hashed = np.uint64(line) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(hashed >> np.uint64(32)) & mask
    while written.lines[slot] != line and written.lines[slot] != EMPTY:
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def read_line(contents: Contents, written: Written, line: int, data: NDArray[np.uint8]) -> None:
    """Copies the bytes of ``line`` into ``data`` [line_bytes]."""
    slot = slot_of(written, line)
    if written.lines[slot] == line:
        copy(data, written.data[slot])
        return
    size = len(data)
    for word in range(size // 4):
        value = read_word(contents, line * (size // 4) + word)
        for byte in range(4):
            data[4 * word + byte] = (value >> np.uint32(8 * byte)) & np.uint32(255)


@kernel
def read_over(contents: Contents, written: Written, word_address: int) -> Any:
    """The word at ``word_address``, written or not."""
    line_words = written.data.shape[1] // 4
    slot = slot_of(written, word_address // line_words)
    if written.lines[slot] != word_address // line_words:
        return read_word(contents, word_address)
    first, value = word_address % line_words * 4, np.uint32(0)
    for byte in range(4):
        value |= np.uint32(written.data[slot, first + byte]) << np.uint32(8 * byte)
    return value


@kernel
def write_line(written: Written, line: int, data: NDArray[np.uint8]) -> None:
    """Writes the whole of ``line``. There must be room: see :meth:`SparseMemory.reserve`."""
    slot = slot_of(written, line)
    written.used[0] += written.lines[slot] == EMPTY
    written.lines[slot] = line
    copy(written.data[slot], data)


class SparseMemory:
    """``memory`` with lines of ``line_bytes`` (a power of two, 4 at least) written over it."""

    def __init__(self, memory: Memory, line_bytes: int) -> None:
        self.below, self.line_bytes = memory, line_bytes
        self.written = self._table(1 << 10)

    def _table(self, slots: int) -> Written:
        lines, data = np.full(slots, EMPTY, np.int64), np.zeros((slots, self.line_bytes), np.uint8)
        return Written(lines, data, np.zeros(1, np.int64))

    def reserve(self, lines: int) -> None:
        """Make room for ``lines`` more."""
        needed = 2 * (int(self.written.used[0]) + lines)
        if needed > len(self.written.lines):
            former, self.written = self.written, self._table(1 << needed.bit_length())
            for slot in np.nonzero(former.lines != EMPTY)[0]:
                write_line(self.written, int(former.lines[slot]), former.data[slot])

    def line(self, line: int) -> NDArray[np.uint8]:
        """The bytes [line_bytes] of a line."""
        data = np.empty(self.line_bytes, np.uint8)
        read_line(self.below.contents, self.written, line, data)
        return data

    @property
    def lines(self) -> NDArray[np.int64]:
        """Addresses of the lines that were written, sorted."""
        return np.sort(self.written.lines[self.written.lines != EMPTY])

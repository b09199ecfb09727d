# SPDX-License-Identifier: Apache-2.0
"""Sparse bytes, and what differs between two of them."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.memory import WORD_BYTES, Memory

BLOCK = 64  # bytes that are made at a time


class Difference(NamedTuple):
    """A byte that is not as expected."""

    address: int
    expected: int
    got: int

    def __str__(self) -> str:
        return f"byte {self.address:#x}: expected {self.expected:#04x}, got {self.got:#04x}"


class SparseMemory:
    """Bytes. What was never written is what :class:`models.memory.Memory` says of the same seed and image: a
    pure function of (seed, address), or ``image`` (words of 32 bits) from byte address ``base`` on.

    Several ports may share one. Blocks of :data:`BLOCK` bytes exist from the first access on.
    """

    def __init__(self, seed: int = 1, base: int = 0, image: NDArray[np.uint32] | None = None) -> None:
        self._initial = Memory(seed, base, image)
        self._blocks: dict[int, bytearray] = {}

    def read(self, address: int, count: int) -> bytes:
        """``count`` bytes from byte address ``address`` on."""
        index, offset = divmod(address, BLOCK)
        data = self._block(index)[offset : offset + count]
        while len(data) < count:
            index += 1
            data = data + self._block(index)[: count - len(data)]
        return bytes(data)

    def write(self, address: int, data: bytes, strobes: int = -1) -> None:
        """Write the bytes of ``data`` whose bit in ``strobes`` is set."""
        for position, value in enumerate(data, address):
            if strobes & 1:
                self._block(position // BLOCK)[position % BLOCK] = value
            strobes >>= 1

    @property
    def touched(self) -> list[int]:
        """Byte addresses of the blocks that were read or written, in order."""
        return [index * BLOCK for index in sorted(self._blocks)]

    def differences(
        self, expected: Callable[[int, int], bytes], also: Iterable[int] = ()
    ) -> list[Difference]:
        """All bytes that differ from ``expected(address, count)``, in order of address.

        Compared are the blocks that were touched here, and those of the byte addresses ``also``.
        """
        numbers = {address // BLOCK for address in (*self.touched, *also)}
        different = []
        for index in sorted(numbers):
            start = index * BLOCK
            pair = expected(start, BLOCK), self.read(start, BLOCK)
            if pair[0] != pair[1]:
                bytewise = enumerate(zip(*pair, strict=True), start)
                different += [Difference(at, want, got) for at, (want, got) in bytewise if want != got]
        return different

    def _block(self, index: int) -> bytearray:
        block = self._blocks.get(index)
        if block is None:
            words = self._initial.line(index, BLOCK // WORD_BYTES)
            block = self._blocks[index] = bytearray(words.astype("<u4").tobytes())
        return block

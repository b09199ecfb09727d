# SPDX-License-Identifier: Apache-2.0
"""Contents of memory: a pure function of (seed, word address), so that any amount of memory costs nothing.

The hash, all in wrapping unsigned 32-bit arithmetic (C's ``uint32_t``; the constants are Ellis' low-bias pair
found with Wellons' hash prospector, the seed is spread by the golden ratio)::

    x = word_address ^ (seed * 0x9E3779B1);
    x ^= x >> 16;  x *= 0x7FEB352D;
    x ^= x >> 15;  x *= 0x846CA68B;
    x ^= x >> 16;

A word address is a byte address divided by 4. An image (a texture memory, say) can lie over the hash. Lines
can be poisoned: the memory answers a fill of such a line with an error response, the data being as usual.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs import UserError
from models.kernels import kernel

WORD_BYTES = 4
_MASK = 0xFFFFFFFF


def word(seed: int, word_address: int) -> int:
    """The word of hashed memory at ``word_address``: plain integers, the twin of :func:`hash_word`."""
    x = (word_address ^ (seed * 0x9E3779B1)) & _MASK
    x = ((x ^ x >> 16) * 0x7FEB352D) & _MASK
    x = ((x ^ x >> 15) * 0x846CA68B) & _MASK
    return x ^ x >> 16


@kernel
def hash_word(seed: np.uint32, word_address: int) -> np.uint32:
    """The same as :func:`word`, compiled."""
    x = np.uint32(word_address) ^ np.uint32(seed * np.uint32(0x9E3779B1))
    x = np.uint32((x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D))
    x = np.uint32((x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B))
    return np.uint32(x ^ (x >> np.uint32(16)))


class Contents(NamedTuple):
    """A memory as the kernels see it: ``image`` from word address ``start``, ``poisoned`` lines sorted."""

    seed: np.uint32
    start: int
    image: NDArray[np.uint32]
    poisoned: NDArray[np.int64]


@kernel
def read_word(contents: Contents, word_address: int) -> Any:
    """The word at ``word_address``: from the image where it reaches, hashed elsewhere."""
    index = word_address - contents.start
    if 0 <= index < len(contents.image):
        return contents.image[index]
    return hash_word(contents.seed, word_address)


@kernel
def is_poisoned(contents: Contents, line: int) -> bool:
    """Whether a fill of line address ``line`` ends in an error response (binary search)."""
    if len(contents.poisoned) == 0:
        return False
    low, high = 0, len(contents.poisoned)
    while low < high:
        middle = (low + high) // 2
        if contents.poisoned[middle] < line:
            low = middle + 1
        else:
            high = middle
    return low < len(contents.poisoned) and contents.poisoned[low] == line


@kernel
def _read_words(contents: Contents, addresses: NDArray[np.int64], words: NDArray[np.uint32]) -> None:
    for i in range(len(addresses)):
        words[i] = read_word(contents, addresses[i])


class Memory:
    """Words of 32 bits: ``image`` from byte address ``base``, ``word(seed, address)`` everywhere else.

    ``poisoned`` lists line addresses (byte address / bytes of a line, the unit of the cache that reads).
    Raises :class:`UserError` for a misaligned base. The image is not copied: do not change it in use.
    """

    def __init__(
        self,
        seed: int = 1,
        base: int = 0,
        image: NDArray[np.uint32] | None = None,
        poisoned: Iterable[int] = (),
    ) -> None:
        if base < 0 or base % WORD_BYTES:
            raise UserError(
                f"memory image at byte address {base}: must be a multiple of {WORD_BYTES}, not negative"
            )
        self.seed = seed & _MASK
        self.base = base
        self.image = np.ascontiguousarray(image if image is not None else [], dtype=np.uint32).reshape(-1)
        self._poisoned: frozenset[int] = frozenset()
        self.contents = self._contents()
        self.poison(poisoned)

    @property
    def poisoned(self) -> frozenset[int]:
        """Line addresses whose fills end in an error response."""
        return self._poisoned

    def poison(self, lines: Iterable[int]) -> None:
        """Adds lines; what a cache has filled before keeps its state."""
        self._poisoned |= frozenset(int(line) for line in lines)
        self.contents = self._contents()

    def heal(self, lines: Iterable[int] | None = None) -> None:
        """Takes lines away again, all of them when none are named."""
        self._poisoned -= self._poisoned if lines is None else frozenset(int(line) for line in lines)
        self.contents = self._contents()

    def read(self, word_address: int) -> int:
        """One word."""
        return int(self.read_many([word_address])[0])

    def read_many(self, word_addresses: ArrayLike) -> NDArray[np.uint32]:
        """Words at an array of word addresses, in its shape."""
        addresses = np.asarray(word_addresses, dtype=np.int64)
        words = np.empty(addresses.size, np.uint32)
        _read_words(self.contents, addresses.reshape(-1), words)
        return words.reshape(addresses.shape)

    def line(self, line_address: int, line_words: int) -> NDArray[np.uint32]:
        """The ``line_words`` words of one line."""
        return self.read_many(line_address * line_words + np.arange(line_words))

    def _contents(self) -> Contents:
        poisoned = np.array(sorted(self._poisoned), dtype=np.int64)
        return Contents(np.uint32(self.seed), self.base // WORD_BYTES, self.image, poisoned)

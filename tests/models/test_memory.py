# SPDX-License-Identifier: Apache-2.0
"""Memory contents: the hash and its twins, images, poisoned lines; written lines as kernels see them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import UserError
from models.memory import Memory, hash_word, word
from models.sparse import SparseMemory, write_line
from tests.models.strategies import COMPILED

WORDS = st.integers(0, 2**32 - 1)


def numpy_hash(seed: int, addresses: np.ndarray) -> np.ndarray:
    """The documented C arithmetic in numpy's wrapping uint32."""
    x = addresses.astype(np.uint32) ^ np.array([seed], np.uint32) * np.uint32(0x9E3779B1)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    return x ^ (x >> np.uint32(16))


@COMPILED
@given(WORDS, st.lists(WORDS, min_size=1, max_size=20))
def test_three_writings_of_the_hash_agree(seed: int, addresses: list[int]) -> None:
    expected = numpy_hash(seed, np.array(addresses)).tolist()
    assert [word(seed, address) for address in addresses] == expected
    assert [int(hash_word(np.uint32(seed), address)) for address in addresses] == expected
    assert Memory(seed).read_many(addresses).tolist() == expected


def test_image_lies_over_the_hash() -> None:
    image = np.array([[10, 11], [12, 13]], np.uint32)
    memory = Memory(seed=3, base=64, image=image)
    around = memory.read_many(np.arange(14, 22))
    assert around.tolist() == [word(3, 14), word(3, 15), 10, 11, 12, 13, word(3, 20), word(3, 21)]
    assert memory.read(17) == 11
    assert memory.line(2, 8).tolist() == [10, 11, 12, 13] + [word(3, address) for address in range(20, 24)]


def test_read_many_keeps_shape() -> None:
    assert Memory().read_many([[0, 1, 2], [3, 4, 5]]).shape == (2, 3)


def test_poisoned_lines_come_and_go() -> None:
    memory = Memory(poisoned=[5, 9])
    memory.poison([1])
    assert memory.poisoned == {1, 5, 9}
    assert memory.contents.poisoned.tolist() == [1, 5, 9]
    memory.heal([5])
    assert memory.poisoned == {1, 9}
    memory.heal()
    assert memory.poisoned == frozenset()


@pytest.mark.parametrize("base", [-4, 2])
def test_refuses_misaligned_image(base: int) -> None:
    with pytest.raises(UserError, match=f"byte address {base}.*multiple of 4"):
        Memory(base=base)


def test_memory_grows_and_keeps_what_was_written() -> None:
    memory, below = SparseMemory(Memory(5), 16), Memory(5)
    for line in range(0, 6000, 2):
        memory.reserve(1)
        write_line(memory.written, line, np.full(16, line % 251, np.uint8))
    assert memory.lines.tolist() == list(range(0, 6000, 2))
    for line in range(6000):
        expected = below.line(line, 4).view(np.uint8) if line % 2 else np.full(16, line % 251)
        assert memory.line(line).tolist() == expected.tolist()

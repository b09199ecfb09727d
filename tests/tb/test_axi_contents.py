# SPDX-License-Identifier: Apache-2.0
"""The testbench's memory without a simulator: contents, and the bytes of a burst."""

import numpy as np
import pytest

from models.memory import Memory
from tb.common.components.axi.bursts import FIXED, INCR, WRAP, Burst
from tb.common.components.axi.sparse import BLOCK, Difference, SparseMemory

SEED = 7


def model(address: int, count: int) -> bytes:
    return Memory(SEED).line(address // BLOCK, BLOCK // 4).tobytes()[:count]


def test_what_was_never_written_is_the_models() -> None:
    memory = SparseMemory(SEED)
    assert memory.read(0x1234_5678_0000, BLOCK) == model(0x1234_5678_0000, BLOCK)
    assert (
        memory.read(3, 2 * BLOCK)
        == (model(0, BLOCK) + model(BLOCK, BLOCK) + model(2 * BLOCK, BLOCK))[3 : 3 + 2 * BLOCK]
    )


def test_an_image_lies_over_it_and_two_memories_share_nothing() -> None:
    image = np.arange(100, dtype=np.uint32)
    memory, other = SparseMemory(SEED, 0x40, image), SparseMemory(SEED, 0x40, image)
    assert memory.read(0x40, 400) == image.tobytes()
    memory.write(0x40, b"\xff" * 4)
    assert other.read(0x40, 400) == image.tobytes()
    assert image[0] == 0


def test_strobes_choose_bytes() -> None:
    memory = SparseMemory(SEED)
    before = memory.read(BLOCK - 4, 8)
    memory.write(BLOCK - 4, bytes(range(1, 9)), 0b1001_0110)
    expected = [value if 0b1001_0110 >> i & 1 else before[i] for i, value in enumerate(range(1, 9))]
    assert list(memory.read(BLOCK - 4, 8)) == expected


def test_every_byte_that_differs_is_told() -> None:
    memory = SparseMemory(SEED)
    assert memory.differences(model, also=[0, 5 * BLOCK]) == []
    address = 3 * BLOCK + 5
    value = memory.read(address, 1)[0]
    memory.write(address, bytes([value ^ 1]))
    memory.write(9 * BLOCK, bytes([model(9 * BLOCK, 1)[0] ^ 0x80]))
    assert memory.differences(model) == [
        Difference(address, value, value ^ 1),
        Difference(9 * BLOCK, model(9 * BLOCK, 1)[0], model(9 * BLOCK, 1)[0] ^ 0x80),
    ]


def test_what_the_model_alone_has_written_is_told_too() -> None:
    def written(address: int, count: int) -> bytes:
        return bytes(count) if address == 2 * BLOCK else model(address, count)

    assert SparseMemory(SEED).differences(written) == []
    differences = SparseMemory(SEED).differences(written, also=[2 * BLOCK + 1])
    assert {different.address // BLOCK for different in differences} == {2}
    assert len(differences) > BLOCK // 2


@pytest.mark.parametrize(
    ("burst", "beats"),
    [
        (Burst(0x1003, 3, 2, INCR), [(0x1003, 0x1004), (0x1004, 0x1008), (0x1008, 0x100C)]),
        (Burst(0x1002, 2, 1, FIXED), [(0x1002, 0x1004), (0x1002, 0x1004)]),
        (Burst(0x1003, 2, 1, FIXED), [(0x1003, 0x1004), (0x1003, 0x1004)]),
        (Burst(0x1008, 4, 2, WRAP), [(0x1008, 0x100C), (0x100C, 0x1010), (0x1000, 0x1004), (0x1004, 0x1008)]),
    ],
)
def test_the_bytes_of_each_beat(burst: Burst, beats: list[tuple[int, int]]) -> None:
    assert [burst.beat(number) for number in range(burst.beats)] == beats
    masks = [sum(1 << at % 8 for at in range(*beat)) for beat in beats]
    assert [burst.lanes(number, 8) for number in range(burst.beats)] == masks

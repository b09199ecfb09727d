# SPDX-License-Identifier: Apache-2.0
"""The engine's memory holds the same bytes as the model's, without a simulator."""

import numpy as np

from models.memory import Memory
from tb.common.components.axi.memory import Contents
from tb.common.components.axi.sparse import SparseMemory


def test_contents_are_those_of_the_testbench() -> None:
    rng = np.random.default_rng(5)
    ours, theirs = Contents(7), SparseMemory(7)
    for _ in range(300):
        address, count = int(rng.integers(1 << 14)), int(rng.integers(1, 140))
        if rng.random() < 0.5:
            data, strobes = rng.bytes(count), int(rng.integers(1 << 60)) if count < 60 else -1
            ours.write(address, data, strobes)
            theirs.write(address, data, strobes)
        else:
            assert ours.read(address, count) == theirs.read(address, count)
    assert ours.touched == theirs.touched
    assert not ours.differences(theirs.read)
    ours.write(64, bytes([theirs.read(64, 1)[0] ^ 1]))
    assert [difference.address for difference in ours.differences(theirs.read)] == [64]


def test_untouched_bytes_are_hashed() -> None:
    words = Memory(9).line(0, 16)
    assert Contents(9).read(0, 64) == words.astype("<u4").tobytes()

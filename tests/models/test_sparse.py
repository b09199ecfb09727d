# SPDX-License-Identifier: Apache-2.0
"""Memory that can be written, as kernels see it."""

import numpy as np

from models.memory import Memory
from models.sparse import SparseMemory, write_line


def test_memory_grows_and_keeps_what_was_written() -> None:
    memory, below = SparseMemory(Memory(5), 16), Memory(5)
    for line in range(0, 6000, 2):
        memory.reserve(1)
        write_line(memory.written, line, np.full(16, line % 251, np.uint8))
    assert memory.lines.tolist() == list(range(0, 6000, 2))
    for line in range(6000):
        expected = below.line(line, 4).view(np.uint8) if line % 2 else np.full(16, line % 251)
        assert memory.line(line).tolist() == expected.tolist()

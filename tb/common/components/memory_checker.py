# SPDX-License-Identifier: Apache-2.0
"""Compares memory, byte by byte at the end of a test, with what the model wrote."""

from pyuvm import uvm_component

from models.sparse import SparseMemory as ModelMemory
from tb.common.components.axi.contents import SparseMemory
from tb.common.components.bench import KEY, Bench


class MemoryChecker(uvm_component):
    """Holds ``contents``, what the design wrote, against ``model``: all that one of them touched.

    For a test that ends with nothing under way and no reset between a write and its answer left unresolved.
    """

    contents: SparseMemory  # set by the environment when it connects, as is
    model: ModelMemory

    def build_phase(self) -> None:
        """To be able to fail."""
        self.bench: Bench = self.cdb_get(KEY)

    def check_phase(self) -> None:
        """Every byte is as the model says."""
        size = self.model.line_bytes

        def expected(address: int, count: int) -> bytes:
            lines = range(address // size, (address + count - 1) // size + 1)
            data = b"".join(self.model.line(line).tobytes() for line in lines)
            return data[address % size :][:count]

        written = (self.model.lines * size).tolist()
        if differing := self.contents.differences(expected, written):
            self.bench.fail(f"memory: {len(differing)} bytes differ, the first: {differing[0]}")

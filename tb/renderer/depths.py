# SPDX-License-Identifier: Apache-2.0
"""What the depth test of ``renderer`` answers and memory may hold, tile after tile, whatever the cycle."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.depth import BASE, CLEAR, PIXELS, TILE
from configs.zcache.schema import Config
from models.memory import Memory
from models.sparse import SparseMemory, write_line
from tb.zcache.items import LINE_BYTES, Surface
from tb.zcache.oracle import MASKS, tested


class Tested(NamedTuple):
    """``passed``: pixels, a bit each; ``failed``: memory answered for the line with an error."""

    passed: int
    failed: bool


class Depths:
    """Depths as they are stored (``memory``), and what memory holds perhaps until they have been written.

    Between two barriers a line that is written may have any of the values that it had since the first of
    them: it has been evicted at some time, several times, or not yet. A barrier ends with all
    of them written.
    """

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg = cfg
        self.memory = SparseMemory(memory, LINE_BYTES)
        self.poisoned: frozenset[int] = frozenset()  # lines that can be neither read nor written
        self.refused: frozenset[int] = frozenset()  # lines that cannot be written; not to be drawn on twice
        self.surface = Surface()
        self._since: list[dict[int, list[bytes]]] = [
            {}
        ]  # by barrier: what lines have been, the first before it
        self.perhaps: dict[int, set[bytes]] = {}  # what lines may be since a reset, until memory is looked at

    def reset(self) -> None:
        """The cache has forgotten all; what memory holds is to be adopted before the next tile."""
        for lines in self._since:
            for line, versions in lines.items():
                self.perhaps.setdefault(line, set()).update(versions)
        self.surface, self._since = Surface(), [{}]

    def word(self, op: int, fields: Mapping[str, int], live: int) -> Tested:
        """A word in its turn: ``fields`` as of ``tile``; ``live``: pixels that are covered, not discarded."""
        if op == TILE:
            return self._test(fields, live)
        denied = self.refused | self.poisoned
        failed = False
        for line, versions in self._since[-1].items():
            if line in denied:  # written for the first time by this barrier, and refused
                failed = True
                self._write(line, versions[0])
        if op == BASE:
            self.surface = Surface.of(self.cfg, {"depth": [fields[f"depth{place}"] for place in range(3)]})
        elif op == CLEAR:
            for number in range(self.surface.tiles):
                line = self.surface.address(number) // LINE_BYTES
                self._store(line, np.full(PIXELS, fields["depth0"], np.uint32), taken=line not in denied)
                failed |= line in denied
        self._since.append({})
        return Tested(0, failed)

    def _test(self, fields: Mapping[str, int], live: int) -> Tested:
        if not fields["test"]:
            return Tested(live, False)
        line = self.surface.address(self.surface.number(self.cfg, fields["x"], fields["y"])) // LINE_BYTES
        if line in self.poisoned:
            return Tested(0, live != 0)
        words = self.memory.line(line).view(np.uint32).copy()
        passed, mask = tested(fields, live, words), np.uint32(MASKS[fields["format"]])
        if passed and fields["write"]:
            for pixel in range(PIXELS):
                if passed >> pixel & 1:
                    words[pixel] = words[pixel] & ~mask | np.uint32(fields[f"depth{pixel}"]) & mask
            self._store(line, words)
        return Tested(passed, False)

    def _store(self, line: int, words: NDArray[np.uint32], *, taken: bool = True) -> None:
        versions = self._since[-1].setdefault(line, [self.memory.line(line).tobytes()])
        versions.append(words.tobytes())
        if taken:
            self._write(line, versions[-1])

    def _write(self, line: int, data: bytes) -> None:
        self.memory.reserve(1)
        write_line(self.memory.written, line, np.frombuffer(data, np.uint8))

    def barrier_done(self) -> None:
        """The oldest barrier has its result: what was stored before it is written."""
        del self._since[0]

    def may_be(self, line: int) -> set[bytes]:
        """What memory may be given of a line; empty if nothing was stored to it."""
        versions = {version for lines in self._since for version in lines.get(line, ())}
        return versions | self.perhaps.get(line, set())

    @property
    def unsettled(self) -> set[int]:
        """Lines that may not have been written yet."""
        return {line for lines in self._since for line in lines}

    def adopt(self, held: Callable[[int], bytes]) -> int | None:
        """After a reset nothing is being written any more: what memory holds, ``held(line)``, is stored.

        Returns a line that holds what was never stored to it, None if there is none.
        """
        for line, versions in self.perhaps.items():
            if held(line) not in versions:
                return line
            self._write(line, held(line))
        self.perhaps.clear()
        return None

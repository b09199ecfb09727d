# SPDX-License-Identifier: Apache-2.0
"""Which address a status of a ``dcache`` under misses may tell where several accesses failed before it: that
of the first in time, of those that no operation between them holds apart.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES, LOAD, STATUS, STORE, Config
from models.dcache.records import REFUSED


class Failures:
    """Follows requests in order. ``told``: of each status since reset, byte addresses of lines, none of which
    it tells if there is none.
    """

    def __init__(self, cfg: Config) -> None:
        self._bits = cfg.cache.offset_bits
        self.reset()

    def reset(self) -> None:
        """Nothing has failed."""
        self.told: list[set[int]] = []
        self._forget()

    def _forget(self) -> None:
        self._first: set[int] = set()
        self._kept = False  # an operation came behind them: what fails later is later

    def follow(self, requests: NDArray[Any], results: NDArray[Any]) -> None:
        """REQUEST array [n] with the model's RESULT array [n]."""
        refused = (results["burst"] & REFUSED).any(axis=1) | (results["ahead"] & REFUSED > 0)
        operations = ~np.isin(requests["op"], (LOAD, STORE))
        for row in np.flatnonzero(operations | refused | (results["err"] > 0)):
            self._follow(requests[row], results[row])

    def _follow(self, request: Any, result: Any) -> None:
        if request["op"] == STATUS:
            self.told.append(self._first)
            self._forget()
        elif request["op"] in (LOAD, STORE):
            if not self._kept:
                self._first |= {line << self._bits for line in self._of_access(request, result)}
        else:
            if result["refused"] and not self._first:
                self._first = {int(result["refused"] - 1) << self._bits}
            self._kept = bool(self._first)

    def _of_access(self, request: Any, result: Any) -> set[int]:
        lanes = [lane for lane in range(LANES) if result["err"] >> lane & 1]
        lines = {int(request[f"addr{lane}"]) >> self._bits for lane in lanes}
        lines |= {int(result["victim"][lane]) for lane in range(LANES) if result["burst"][lane] & REFUSED}
        return lines | ({int(result["ahead_victim"])} if result["ahead"] & REFUSED else set())

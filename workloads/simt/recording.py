# SPDX-License-Identifier: Apache-2.0
"""A run's trace on disk while it grows, so that its length does not matter to memory."""

from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workloads.simt.machine import Trace
from workloads.simt.state import ACCESS, FETCH


class Recording:
    """Pieces of a run, one behind the other."""

    def __init__(self, base: NDArray[np.int64]) -> None:
        self.base = base
        self._files = [(TemporaryFile(), kind) for kind in (FETCH, ACCESS)]  # noqa: SIM115  gone with it

    def add(self, part: Trace) -> None:
        """The next piece."""
        for (file, _), records in zip(self._files, (part.fetches, part.accesses), strict=True):
            file.write(records.tobytes())

    def trace(self) -> Trace:
        """All of it, mapped from disk."""
        fetches, accesses = (_mapped(file, kind) for file, kind in self._files)
        return Trace(self.base, fetches, accesses)


def _mapped(file: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    file.flush()
    if not file.tell():
        return np.zeros(0, kind)
    return np.memmap(file, kind, mode="r")

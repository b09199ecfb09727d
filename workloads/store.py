# SPDX-License-Identifier: Apache-2.0
"""A store on disk for what takes long to make: ``build/workloads/<name>-<key>.npz``, of an
installed package below ``~/.cache/cacheforge``.

A key (:mod:`utils.keys`) is made of everything that decides the content, the source files that make it
included; so nothing in the store is ever out of date, and it can be deleted at any time. Files are written
atomically, unreadable ones are made again; beyond :data:`LIMIT` bytes those that were not used for longest
are removed.
"""

import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from utils.files import atomic_path
from utils.keys import kept

FOLDER = kept("workloads")
LIMIT = 1 << 30
DAMAGED = (OSError, ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error)
Arrays = Mapping[str, NDArray[Any]]


def cached(
    name: str, key: str, make: Callable[[], Arrays], folder: Path | None = None
) -> dict[str, NDArray[Any]]:
    """The arrays that ``make`` returns, from the store if they are there. Read-only trees are tolerated."""
    path = (folder or FOLDER) / f"{name}-{key}.npz"
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        os.utime(path)
        return arrays
    except DAMAGED:
        pass
    made = dict(make())
    try:
        with atomic_path(path) as temporary:
            np.savez(temporary, **made)  # type: ignore[arg-type]
        _trim(path)
    except OSError:
        pass
    return made


def _trim(newest: Path) -> None:
    """Removes the entries beside ``newest`` that were not used for longest, until all fit into LIMIT."""
    entries = []
    for path in newest.parent.glob("*.npz"):
        if path != newest and not path.name.startswith("."):
            try:
                entries.append((path.stat().st_mtime_ns, path.stat().st_size, path))
            except FileNotFoundError:
                continue  # another process was faster
    room = LIMIT - newest.stat().st_size
    for _, size, path in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            path.unlink(missing_ok=True)

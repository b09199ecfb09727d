# SPDX-License-Identifier: Apache-2.0
"""Keys of what is kept from one run to the next: hashes over all that decides it."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[1]
#: whether this is ``cacheforge.utils``, as setup.py installs it, not a checkout's ``utils``
INSTALLED = __package__ != "utils"


def kept(name: str) -> Path:
    """The folder ``name`` of what can be made again: in ``build``, or where the user's caches are."""
    if not INSTALLED:
        return ROOT / "build" / name
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        home = Path(tempfile.gettempdir())
    return home / "cacheforge" / name


class Array(Protocol):
    """What a key needs of a numpy array."""

    dtype: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions."""

    def tobytes(self) -> bytes:
        """Its contents in C order."""


def digest(parts: Iterable[str | bytes | Path | Array]) -> str:
    """16 hex digits over ``parts``; files count with their name, arrays with type and shape."""
    total = hashlib.blake2b(digest_size=8)
    for part in parts:
        if isinstance(part, Path):
            head, data = f"file {part.name}", part.read_bytes()
        elif isinstance(part, str):
            head, data = "text", part.encode()
        elif isinstance(part, bytes):
            head, data = "bytes", part
        else:
            head, data = f"array {part.dtype.descr} {part.shape}", part.tobytes()
        total.update(f"{head} {len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()

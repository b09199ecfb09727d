# SPDX-License-Identifier: Apache-2.0
"""Files that are either complete or not there, and files that show whether somebody changed them."""

import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def atomic_path(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; on success it replaces ``path``, on any error it is removed.

    The temporary name keeps the suffix, so that writers which choose a format by it (numpy, Pillow) work.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp is private by default; results are ordinary files
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def write_atomic(path: Path | str, content: bytes | str) -> None:
    """Write ``content`` to ``path``: readers see the old file or the whole new one, never a part."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def write_if_changed(path: Path, content: str) -> bool:
    """Write ``content`` unless the file holds it already (so that build tools see no false change)."""
    if path.is_file() and path.read_text() == content:
        return False
    write_atomic(path, content)
    return True


CHECKSUM = "checksum"


def write_checked(path: Path, value: dict[str, Any]) -> None:
    """Write ``value`` as JSON with a checksum over all of it, which :func:`read_checked` demands."""
    value = {name: part for name, part in value.items() if name != CHECKSUM}
    write_atomic(path, json.dumps({**value, CHECKSUM: _checksum(value)}, indent=1) + "\n")


def read_checked(path: Path) -> dict[str, Any]:
    """What :func:`write_checked` wrote. Raises ValueError for a file that is cut or was changed since."""
    value = json.loads(path.read_bytes())
    if not isinstance(value, dict) or value.pop(CHECKSUM, None) != _checksum(value):
        raise ValueError("its checksum differs")
    return value


def _checksum(value: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def seal(path: Path) -> None:
    """Note the checksum of a file that is complete, in ``<path>.sha256``."""
    write_atomic(path.with_name(f"{path.name}.sha256"), _sha256(path))


def is_sealed(path: Path) -> bool:
    """Whether a file is there as :func:`seal` found it."""
    note = path.with_name(f"{path.name}.sha256")
    return path.is_file() and note.is_file() and note.read_bytes() == _sha256(path).encode()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_file(path: Path | str) -> bool:
    """Whether there is a file of that name; no name is too strange to ask."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for names that no file can have


def is_folder(path: Path | str) -> bool:
    """Whether there is a folder of that name; no name is too strange to ask."""
    return os.path.isdir(path)  # noqa: PTH112


@contextmanager
def locked(folder: Path, waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of ``folder`` (a file beside it); ``waits`` is called if somebody else has it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f".{folder.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield

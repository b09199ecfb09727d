# SPDX-License-Identifier: Apache-2.0
"""Trace files as they lie on disk, plain or packed by gzip or xz; never more of one than the limits here."""

import gzip
import io
import itertools
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from configs import UserError
from utils.errors import shortened

MOST_BYTES = 2 << 30  # of a file, unpacked
MOST_LINE = 1 << 16  # characters of a line
MOST_ROWS = 10_000_000  # accesses, or references, of a text file
PACKED = (".gz", ".xz")
_MAGIC: dict[bytes, Any] = {b"\x1f\x8b": gzip.GzipFile, b"\xfd7zXZ\0": lzma.LZMAFile}

#: what is raised for a packed file, or an archive of numpy's, that is none, or no longer whole
DAMAGE = (
    OSError, ValueError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip


def plain_name(path: Path) -> Path:
    """``path`` without ``.gz`` or ``.xz``: its suffix is that of the format, its stem the trace's name."""
    return path.with_suffix("") if path.suffix in PACKED else path


def too_large(path: Path, size: int | None = None) -> UserError:
    """The refusal of a file of ``size`` bytes, more than :data:`MOST_BYTES`."""
    more = f"{size:,} bytes" if size else f"more than {MOST_BYTES:,} bytes"
    return UserError(f"{path}: unpacks to {more}; a trace file may have {MOST_BYTES:,}: cut it")


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Yield a trace file as a stream of its unpacked bytes.

    Raises :class:`UserError` for what cannot be read and for damage, also when the stream is read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(6)
        unpack = next((way for magic, way in _MAGIC.items() if start.startswith(magic)), None)
        if path.suffix in PACKED and not unpack:
            raise UserError(f"{path}: is not packed, though its name ends in {path.suffix}")
        with unpack(path) if unpack else path.open("rb") as stream:
            yield stream
    except DAMAGE as error:
        reason = error.strerror if isinstance(error, OSError) else None
        problem = f"cannot be read: {reason}" if reason else f"is damaged ({shortened(str(error))})"
        raise UserError(f"{path}: {problem}") from None


def seekable(path: Path) -> IO[bytes]:
    """A trace file in which any place can be read: itself, or its unpacked bytes in memory.

    Raises :class:`UserError`, also for more than :data:`MOST_BYTES`.
    """
    with unpacked(path) as stream:
        if isinstance(stream, io.BufferedReader):
            return path.open("rb")
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise too_large(path)
    return io.BytesIO(data)


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line, its end included. Bytes that are no UTF-8 come as surrogates.

    Raises :class:`UserError` naming the line, for a file that cannot be read or is beyond the limits.
    """
    left = MOST_BYTES
    with unpacked(path) as stream:
        text = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape")
        for number in itertools.count(1):
            line = text.readline(MOST_LINE + 1)
            if not line:
                return
            left -= len(line)
            if len(line) > MOST_LINE:
                raise UserError(f"{path}:{number}: a line of more than {MOST_LINE} characters")
            if left < 0:
                raise too_large(path)
            yield number, line


def check_rows(path: Path, line: int, count: int) -> None:
    """Raises :class:`UserError` for more accesses than :data:`MOST_ROWS`."""
    if count > MOST_ROWS:
        raise UserError(f"{path}:{line}: more than {MOST_ROWS:,} accesses: cut the file, e.g. with head")

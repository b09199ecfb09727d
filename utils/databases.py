# SPDX-License-Identifier: Apache-2.0
"""SQLite files that are whole, and what is said where one cannot be used."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from utils import errors
from utils.errors import UserError

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
ROOM = f"nothing that is stored is lost; {errors.ROOM}"
_ADVICE = {
    sqlite3.SQLITE_FULL: ROOM,
    sqlite3.SQLITE_IOERR: ROOM,
    sqlite3.SQLITE_BUSY: "another process uses it: try again when that has ended",
    sqlite3.SQLITE_LOCKED: "another process uses it: try again when that has ended",
}


def is_damaged(path: Path) -> bool:
    """Whether a file is there and is no whole database. Other errors are raised as they are."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except sqlite3.DatabaseError as error:
        if _code(error) in DAMAGED:
            return True
        raise


def set_aside(path: Path) -> Path:
    """Rename a damaged database, so that a new one takes its place; where it is now."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    for ending in ("-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def open_cache(path: Path) -> sqlite3.Connection:
    """The database of a cache; a damaged one is made again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_damaged(path):
        path.unlink()
    return sqlite3.connect(path)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Within it, an error of SQLite is a :class:`UserError` that says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        advice = _ADVICE.get(_code(error), "nothing was removed; name another folder, or mend the file")
        raise UserError(f"{path}: {error}; {advice}") from None


def _code(error: sqlite3.DatabaseError) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF

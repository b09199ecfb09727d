# SPDX-License-Identifier: Apache-2.0
"""What memory had before the last writes of a ``dcache``, so that they can be undone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.memory import Contents
from models.sparse import EMPTY, Written, read_line


class Journal(NamedTuple):
    """Writes in order: ``lines`` [rows] that they changed (EMPTY: memory refused), ``former`` [rows, bytes]
    what was there. ``used`` [1]: rows in use. Without any nothing is kept.
    """

    lines: NDArray[np.int64]
    former: NDArray[np.uint8]
    used: NDArray[np.int64]


@kernel
def keep(journal: Journal, contents: Contents, written: Written, line: int) -> None:
    """The next write goes to ``line``, or nowhere if that is EMPTY. There must be a row."""
    row = journal.used[0]
    journal.lines[row] = line
    if line != EMPTY:
        read_line(contents, written, line, journal.former[row])
    journal.used[0] += 1


def new_journal(rows: int, line_bytes: int) -> Journal:
    """One without writes."""
    return Journal(np.zeros(rows, np.int64), np.zeros((rows, line_bytes), np.uint8), np.zeros(1, np.int64))


def with_room(journal: Journal, rows: int) -> Journal:
    """The same, with rows for so many more writes."""
    count = int(journal.used[0])
    if count + rows <= len(journal.lines):
        return journal
    return _copied(journal, slice(count), 2 * (count + rows))


def dropped(journal: Journal, writes: int) -> Journal:
    """The same without its first writes."""
    return _copied(journal, slice(writes, int(journal.used[0])), len(journal.lines))


def _copied(journal: Journal, rows: slice, room: int) -> Journal:
    larger = new_journal(room, journal.former.shape[1])
    lines = journal.lines[rows]
    larger.lines[: len(lines)], larger.former[: len(lines)] = lines, journal.former[rows]
    larger.used[0] = len(lines)
    return larger

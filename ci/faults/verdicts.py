# SPDX-License-Identifier: Apache-2.0
"""The verdict on each fault, in SQLite: a judgement is not repeated while design and judges are the same."""

from dataclasses import dataclass
from pathlib import Path

from utils.databases import open_cache

KILLED, EQUIVALENT, SURVIVED = "killed", "equivalent", "survived"
UNDECIDED = "undecided"  # no test detects it, and no proof says in time whether it changes anything
SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT, fault TEXT, verdict TEXT, judge TEXT, message TEXT, PRIMARY KEY (key, fault)
)
"""


@dataclass(frozen=True)
class Verdict:
    """``by`` is the test or proof that detects the fault, ``message`` its first line."""

    verdict: str
    by: str = ""
    message: str = ""


class Verdicts:
    """Verdicts in the file ``path`` under ``key``, a hash of the design and of all judges.

    Verdicts of another key are removed.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._db, self._key = open_cache(path), key
        with self._db:
            self._db.execute(SCHEMA)
            self._db.execute("DELETE FROM verdicts WHERE key != ?", (key,))
        rows = self._db.execute("SELECT fault, verdict, judge, message FROM verdicts")
        self.of = {fault: Verdict(*rest) for fault, *rest in rows}

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def put(self, fault: str, verdict: Verdict) -> None:
        """Write one verdict at once."""
        self.of[fault] = verdict
        with self._db:
            self._db.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)",
                (self._key, fault, verdict.verdict, verdict.by, verdict.message),
            )

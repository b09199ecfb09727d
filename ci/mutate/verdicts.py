# SPDX-License-Identifier: Apache-2.0
"""What came of each mutant, in SQLite: a judgement that was made is not made again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ci.mutate.mutants import Mutant
from utils.databases import open_cache

KILLED, EQUIVALENT, SURVIVED = "killed", "equivalent", "survived"
UNDECIDED = "undecided"  # no test notices it, and whether it changes anything was not decided
MISSED = "missed"  # by the regression; a replay noticed it
OPEN = (SURVIVED, UNDECIDED)  # for the judge after this one
REPLAY, PROOF, TEST = "replay", "proof", "test"
SCHEMA = """
CREATE TABLE IF NOT EXISTS judged (
    key TEXT, seed INTEGER, mutant INTEGER, stage TEXT, verdict TEXT, judge TEXT, message TEXT,
    PRIMARY KEY (key, seed, mutant)
)
"""


@dataclass(frozen=True)
class Verdict:
    """``stage`` is the last judgement that was made; ``by`` is what killed the mutant, with its message."""

    verdict: str
    stage: str
    by: str = ""
    message: str = ""


class Verdicts:
    """Verdicts in the file ``path`` under ``key``, which stands for the design and all that judges it.

    Those of another key are void; those of another seed stay. ``order`` is that of the judges.
    """

    def __init__(self, path: Path, key: str, seed: int, order: Sequence[str] = (REPLAY, PROOF, TEST)) -> None:
        self._db, self._key, self._seed, self.order = open_cache(path), key, seed, order
        with self._db:
            self._db.execute(SCHEMA)
            self._db.execute("DELETE FROM judged WHERE key != ?", (key,))
        rows = self._db.execute(
            "SELECT mutant, verdict, stage, judge, message FROM judged WHERE seed = ?", (seed,)
        )
        self.known = {number: Verdict(*rest) for number, *rest in rows}

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def still_open(self, number: int, stage: str) -> Verdict:
        """What becomes of a mutant that ``stage`` did not settle: undecided stays undecided."""
        before = self.known.get(number)
        return Verdict(UNDECIDED if before and before.verdict == UNDECIDED else SURVIVED, stage)

    def put(self, number: int, verdict: Verdict) -> None:
        """Keep a verdict, at once."""
        self.known[number] = verdict
        with self._db:
            self._db.execute(
                "INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self._key, self._seed, number, verdict.stage, verdict.verdict, verdict.by, verdict.message),
            )

    def due(self, mutants: Iterable[Mutant], stage: str) -> list[Mutant]:
        """Those that ``stage`` has to judge: what survived the one before it."""
        at = self.order.index(stage)
        before = self.order[at - 1] if at else None
        return [one for one in mutants if self._survived(one.id) == before]

    def _survived(self, number: int) -> str | None:
        """The last stage a mutant survived; None if it was not judged; empty if it is settled."""
        verdict = self.known.get(number)
        if verdict is None:
            return None
        return verdict.stage if verdict.verdict in OPEN else ""

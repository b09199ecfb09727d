# SPDX-License-Identifier: Apache-2.0
"""Coverage of many runs: merge, waivers, verdict. Needs no simulator.

A database maps a run's name to its counts. Merging is a union by run, so it is associative and commutative,
and merging a run twice changes nothing.
"""

import fnmatch
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configs import UserError
from tb.common.coverage.bins import Point
from utils import toml
from utils.errors import shown
from utils.files import write_atomic

Counts = dict[str, dict[str, int]]
Database = dict[str, Counts]


def merge(*databases: Database) -> Database:
    """The union. Should two databases hold different counts of one run, each bin's larger one stays."""
    result: Database = {}
    for database in databases:
        for run, counts in database.items():
            merged = result.setdefault(run, {})
            for point, bins in counts.items():
                old = merged.get(point, {})
                merged[point] = {
                    bin_: max(old.get(bin_, 0), bins.get(bin_, 0)) for bin_ in sorted({*old, *bins})
                }
    return result


def total(database: Database) -> Counts:
    """Sum over all runs."""
    result: Counts = {}
    for counts in database.values():
        for point, bins in counts.items():
            sums = result.setdefault(point, {})
            for bin_, count in bins.items():
                sums[bin_] = sums.get(bin_, 0) + count
    return result


def save(database: Database, path: Path) -> None:
    """Write as JSON."""
    write_atomic(path, json.dumps(database, indent=1, sort_keys=True))


def load(paths: Iterable[Path]) -> Database:
    """Read and merge. Raises :class:`UserError` for a file that is no database."""
    databases = []
    for path in paths:
        try:
            databases.append(json.loads(path.read_text()))
        except (OSError, json.JSONDecodeError) as error:
            raise UserError(f"{path}: no coverage database: {error}") from None
    return merge(*databases)


@dataclass(frozen=True)
class Waiver:
    """Bins that need not be hit: patterns of point and bin with ``*``, and the reason."""

    point: str
    bins: str
    reason: str

    def covers(self, point: str, bin_: str) -> bool:
        """Whether the waiver is about this bin."""
        return fnmatch.fnmatchcase(point, self.point) and fnmatch.fnmatchcase(bin_, self.bins)


WAIVED = ("functional", "code", "coincidence")  # tables of waivers.toml


def is_text(value: Any) -> bool:
    """Whether it is a text that says something."""
    return isinstance(value, str) and bool(value.strip())


def waivers(path: Path) -> list[Waiver]:
    """The ``[[functional]]`` tables of a TOML file. Raises :class:`UserError` for one without a reason."""
    entries = toml.tables(path, WAIVED)["functional"]
    for entry in entries:
        if set(entry) != {"point", "bins", "reason"} or not all(map(is_text, entry.values())):
            raise UserError(f"{path}: waiver {shown(entry)}: needs point, bins and a reason, a text each")
    return [Waiver(**entry) for entry in entries]


@dataclass
class Verdict:
    """How far a plan is covered; bins as ``point: bin``."""

    covered: int = 0
    holes: list[str] = field(default_factory=list)
    waived: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)  # waived, but hit

    @property
    def percent(self) -> float:
        """Of the bins that are not waived."""
        bins = self.covered + len(self.holes)
        return 100 * self.covered / bins if bins else 100.0


def judge(plan: Sequence[Point], counts: Counts, waived: Sequence[Waiver] = ()) -> Verdict:
    """Holds ``counts`` against the plan."""
    verdict = Verdict()
    for point in plan:
        hit = counts.get(point.name, {})
        for bin_ in point.bins:
            name = f"{point.name}: {bin_}"
            excused = any(waiver.covers(point.name, bin_) for waiver in waived)
            if hit.get(bin_):
                verdict.covered += not excused
                if excused:
                    verdict.stale.append(name)
            else:
                (verdict.waived if excused else verdict.holes).append(name)
    return verdict

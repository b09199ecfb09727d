# SPDX-License-Identifier: Apache-2.0
"""Score, what killed the mutants, and survivors: on the terminal, and as ``mutants.json``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from ci.mutate.mutants import Mutant
from ci.mutate.verdicts import EQUIVALENT, KILLED, SURVIVED, Verdict

Told = Sequence[tuple[Mutant, Verdict]]


@dataclass(frozen=True)
class Score:
    """Counts of mutants. ``baseline`` of those killed were noticed by exact figures of the baseline alone."""

    killed: int
    survived: int
    equivalent: int
    baseline: int

    @property
    def percent(self) -> float:
        """Of the mutants that are not proved equivalent; those nobody could decide count as survivors."""
        return 100 * self.killed / max(1, self.killed + self.survived)

    @property
    def percent_of_all(self) -> float:
        """With equivalent mutants counted as survivors, too."""
        return 100 * self.killed / max(1, self.killed + self.survived + self.equivalent)

    @property
    def percent_without_baseline(self) -> float:
        """With mutants that only change cycles or hits counted as survivors."""
        return 100 * (self.killed - self.baseline) / max(1, self.killed + self.survived)


def score(told: Told) -> Score:
    """Counts of the verdicts."""
    verdicts = Counter(verdict.verdict for _, verdict in told)
    baseline = sum(verdict.by == "baseline" for _, verdict in told)
    return Score(verdicts[KILLED], verdicts[SURVIVED], verdicts[EQUIVALENT], baseline)


def tables(told: Told) -> list[Table]:
    """Verdicts by file, and kills by what noticed."""
    files = Table("file", title="mutants", title_justify="left")
    for name in (KILLED, SURVIVED, EQUIVALENT):
        files.add_column(name, justify="right")
    for file in dict.fromkeys(mutant.file for mutant, _ in told):
        here = Counter(verdict.verdict for mutant, verdict in told if mutant.file == file)
        files.add_row(file, *(str(here[name] or "") for name in (KILLED, SURVIVED, EQUIVALENT)))
    by = Table("killed by", title_justify="left")
    by.add_column("mutants", justify="right")
    for name, count in Counter(verdict.by for _, verdict in told if verdict.verdict == KILLED).most_common():
        by.add_row(name, str(count))
    return [files, by]


def show(console: Console, told: Told, one: bool) -> None:
    """Tables, survivors, and the score; if ``one`` mutant was asked for, what came of it."""
    for table in [] if one else tables(told):
        console.print(table)
    for mutant, verdict in told:
        if one or verdict.verdict == SURVIVED:
            console.print(f"{verdict.verdict}: {mutant}", markup=False, soft_wrap=True)
        if one and verdict.by:
            console.print(f"  by {verdict.by}: {verdict.message}", markup=False, soft_wrap=True)
    if not one:
        found = score(told)
        console.print(
            f"score {found.percent:.1f} %: {found.killed} killed, {found.survived} survived, "
            f"{found.equivalent} proved equivalent ({found.percent_of_all:.1f} % with those as survivors, "
            f"{found.percent_without_baseline:.1f} % without the baseline)",
            soft_wrap=True,
        )


def record(told: Told, about: Mapping[str, Any]) -> dict[str, Any]:
    """All of it, for ``mutants.json``."""
    found = score(told)
    return {
        **about,
        **asdict(found),
        "percent": found.percent,
        "percent_of_all": found.percent_of_all,
        "percent_without_baseline": found.percent_without_baseline,
        "mutants": [{**asdict(mutant), **asdict(verdict)} for mutant, verdict in told],
    }

# SPDX-License-Identifier: Apache-2.0
"""Score, what killed the mutants, and survivors: on the terminal, and as ``mutants.json``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from ci.mutate.mutants import Mutant
from ci.mutate.verdicts import EQUIVALENT, KILLED, MISSED, SURVIVED, UNDECIDED, Verdict
from utils.console import Console

Told = Sequence[tuple[Mutant, Verdict]]
VERDICTS = (KILLED, SURVIVED, MISSED, UNDECIDED, EQUIVALENT)


@dataclass(frozen=True)
class Score:
    """Counts of mutants, each in one of the first five.

    ``missed`` by the regression, a replay notices them (if the regression judges alone). ``undecided``: no
    test notices them, and no proof said in time whether there is anything to notice; they count as neither.
    ``baseline`` of those killed were noticed by exact figures of the baseline alone.
    """

    killed: int
    survived: int
    missed: int
    undecided: int
    equivalent: int
    baseline: int

    @property
    def counted(self) -> int:
        """Those that could be noticed, as far as is known."""
        return self.killed + self.survived + self.missed

    @property
    def percent(self) -> float:
        """Killed, of the mutants that are counted."""
        return 100 * self.killed / max(1, self.counted)

    @property
    def percent_with_replays(self) -> float:
        """With what only replays notice."""
        return 100 * (self.killed + self.missed) / max(1, self.counted)

    @property
    def percent_of_all(self) -> float:
        """With equivalent and undecided mutants counted as survivors, too."""
        return 100 * self.killed / max(1, self.counted + self.undecided + self.equivalent)

    @property
    def percent_without_baseline(self) -> float:
        """With mutants that only change cycles or hits counted as survivors."""
        return 100 * (self.killed - self.baseline) / max(1, self.counted)


def score(told: Told) -> Score:
    """Counts of the verdicts."""
    verdicts = Counter(verdict.verdict for _, verdict in told)
    baseline = sum(verdict.by == "baseline" for _, verdict in told)
    return Score(
        verdicts[KILLED], verdicts[SURVIVED], verdicts[MISSED], verdicts[UNDECIDED], verdicts[EQUIVALENT],
        baseline,
    )  # fmt: skip


def kinds(mutants: Sequence[Mutant]) -> str:
    """How many there are of each kind of change."""
    counts = Counter(mutant.kind for mutant in mutants).most_common()
    return f"{len(mutants)} mutants: {', '.join(f'{count} {kind}' for kind, count in counts)}"


def tables(told: Told) -> list[Table]:
    """Verdicts by file and by kind of change, and kills by what noticed."""
    found = {verdict.verdict for _, verdict in told} | {KILLED, SURVIVED, UNDECIDED, EQUIVALENT}
    columns = [name for name in VERDICTS if name in found]
    result = []
    for what in ("file", "kind"):
        table = Table(what, title="mutants", title_justify="left")
        for name in columns:
            table.add_column(name, justify="right")
        for value in dict.fromkeys(getattr(mutant, what) for mutant, _ in told):
            here = Counter(verdict.verdict for mutant, verdict in told if getattr(mutant, what) == value)
            table.add_row(value, *(str(here[name] or "") for name in columns))
        result.append(table)
    by = Table("killed by", title_justify="left")
    by.add_column("mutants", justify="right")
    for name, count in Counter(verdict.by for _, verdict in told if verdict.verdict == KILLED).most_common():
        by.add_row(name, str(count))
    return [*result, by]


def show(console: Console, told: Told, one: bool, *, alone: bool, of: int) -> None:
    """Tables, survivors, and the score; if ``one`` mutant was asked for, what came of it.

    ``alone``: the regression judged each; ``of``: how many mutants there are.
    """
    for table in [] if one else tables(told):
        console.print(table)
    for mutant, verdict in told:
        if one or verdict.verdict in (SURVIVED, MISSED, UNDECIDED):
            console.print(f"{verdict.verdict}: {mutant}", soft_wrap=True)
        if verdict.by and (one or verdict.verdict == MISSED):
            console.print(f"  by {verdict.by}: {verdict.message}", soft_wrap=True)
    if not one:
        found = score(told)
        judge, missed = "with replays", ""
        if alone:
            judge = f"of the regression, {found.percent_with_replays:.1f} % with replays"
            missed = f"{found.missed} noticed by replays alone, "
        console.print(
            f"score {found.percent:.1f} % {judge}: {len(told)} of {of} mutants judged, "
            f"{found.killed} killed, {found.survived} survived, {missed}{found.undecided} undecided, "
            f"{found.equivalent} proved equivalent ({found.percent_of_all:.1f} % with the last two as "
            f"survivors, {found.percent_without_baseline:.1f} % without the baseline)",
            soft_wrap=True,
        )
        if not alone:
            console.print("What the regression itself kills: REPLAYS=0, with N=120 for a sample.")


def record(told: Told, about: Mapping[str, Any], *, alone: bool) -> dict[str, Any]:
    """All of it, for ``mutants.json``; ``percent`` is that of the regression if it judged ``alone``."""
    found = score(told)
    return {
        **about,
        **asdict(found),
        "percent": found.percent if alone else None,
        "percent_with_replays": found.percent_with_replays,
        "percent_of_all": found.percent_of_all,
        "percent_without_baseline": found.percent_without_baseline,
        "mutants": [{**asdict(mutant), **asdict(verdict)} for mutant, verdict in told],
    }

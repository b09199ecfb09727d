# SPDX-License-Identifier: Apache-2.0
"""The verdicts on the terminal: counts by file and kind, survivors, the score."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from ci.faults.catalogue import Fault
from ci.faults.mutants import Mutant
from ci.faults.verdicts import EQUIVALENT, KILLED, SURVIVED, UNDECIDED, Verdict
from utils.console import Console

Judged = Sequence[tuple[Fault | Mutant, Verdict]]
VERDICTS = (KILLED, SURVIVED, UNDECIDED, EQUIVALENT)


@dataclass(frozen=True)
class Score:
    """Counts of faults, each in one of the first four; ``figures`` of ``killed`` by exact figures."""

    killed: int
    survived: int
    undecided: int
    equivalent: int
    figures: int

    @property
    def percent(self) -> float:
        """Killed, of killed and survived."""
        return 100 * self.killed / max(1, self.killed + self.survived)

    @property
    def percent_of_all(self) -> float:
        """Killed, of all."""
        return 100 * self.killed / max(1, self.killed + self.survived + self.undecided + self.equivalent)


def score(judged: Judged) -> Score:
    """Counts of the verdicts."""
    verdicts = Counter(verdict.verdict for _, verdict in judged)
    figures = sum(verdict.by == "baseline" for _, verdict in judged)
    killed, survived, undecided, equivalent = (verdicts[name] for name in VERDICTS)
    return Score(killed, survived, undecided, equivalent, figures)


def kinds(faults: Sequence[Fault | Mutant]) -> str:
    """The number of faults of each kind."""
    counts = Counter(fault.kind for fault in faults).most_common()
    return f"{len(faults)} faults: {', '.join(f'{count} {kind}' for kind, count in counts)}"


def tables(judged: Judged) -> list[Table]:
    """Verdicts by file and by kind of fault, and kills by the test or proof."""
    result = []
    for title in ("file", "kind"):
        table = Table(title, title="faults", title_justify="left")
        for name in VERDICTS:
            table.add_column(name, justify="right")
        for value in dict.fromkeys(getattr(fault, title) for fault, _ in judged):
            here = Counter(verdict.verdict for fault, verdict in judged if getattr(fault, title) == value)
            table.add_row(value, *(str(here[name] or "") for name in VERDICTS))
        result.append(table)
    by = Table("killed by", title_justify="left")
    by.add_column("faults", justify="right")
    killed = Counter(verdict.by for _, verdict in judged if verdict.verdict == KILLED)
    for name, count in killed.most_common():
        by.add_row(name, str(count))
    return [*result, by]


def show(console: Console, judged: Judged, *, of: int) -> None:
    """Print tables, survivors and the score; ``of``: how many faults there are."""
    for table in tables(judged):
        console.print(table)
    for fault, verdict in judged:
        if verdict.verdict in (SURVIVED, UNDECIDED):
            console.print(f"{verdict.verdict}: {fault}", soft_wrap=True)
            if verdict.message:
                console.print(f"  {verdict.by}: {verdict.message}", soft_wrap=True)
    total = score(judged)
    console.print(
        f"score {total.percent:.1f} %: {len(judged)} of {of} faults judged, {total.killed} killed "
        f"({total.figures} by exact figures alone), {total.survived} survived, {total.undecided} undecided, "
        f"{total.equivalent} change nothing ({total.percent_of_all:.1f} % of all)",
        soft_wrap=True,
    )

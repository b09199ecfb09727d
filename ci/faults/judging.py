# SPDX-License-Identifier: Apache-2.0
"""Runs a configuration's whole regression on faults that name no test, and proofs on its survivors."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import rtl
from ci.faults import equivalent, regression
from ci.faults.catalogue import Fault
from ci.faults.mutants import Mutant, combine
from ci.faults.verdicts import KILLED, SURVIVED, Verdict, Verdicts
from configs import BlockConfig
from rtl import crossings
from tb.common.running import builds
from utils.progress import Bars

CROSSINGS = "clock crossings"
Due = TypeVar("Due")
Judged = TypeVar("Judged")


@dataclass
class Judging:
    """Faults of one configuration: ``inside`` one design by their numbers, ``apart`` in designs of their own.

    ``texts`` are the files without a fault. ``hasty``: a change of exact figures settles a fault, even if a
    later test would detect it.
    """

    cfg: BlockConfig
    texts: Mapping[str, str]
    inside: Mapping[int, Mutant]
    apart: Mapping[int, Fault]
    folder: Path
    verdicts: Verdicts
    jobs: int
    bars: Bars
    hasty: bool = False
    stop: Event = field(default_factory=Event)

    def test(self, numbers: Sequence[int]) -> None:
        """Run the regression on each fault without a verdict.

        Raises RuntimeError if the design without a fault does not pass.
        """
        if not (due := self._due(numbers)):
            return
        task = self.bars.add_task("regression (compiling first)", total=len(due))
        rtl.write_files(
            self.folder / "design", combine(self.texts, list(self.inside.values()), self.cfg.top())
        )
        design = regression.build(self.cfg, self.folder / "design")
        if not design.figures:
            self.bars.console.print(
                f"{self.cfg.name} has no baseline: a fault that only changes cycles or hits is not detected"
            )
        by, message = regression.judge(design, 0, self.folder / "runs")
        if by:
            raise RuntimeError(f"the design without a fault fails {by}: {message}")
        self.bars.update(task, description="regression")

        def put_some(_: Sequence[int], killed: dict[int, tuple[str, str]]) -> int:
            for number, (by, message) in killed.items():
                self.verdicts.put(str(number), Verdict(KILLED, by, message))
            return len(killed)

        def put(number: int, verdict: Verdict) -> int:
            self.verdicts.put(str(number), verdict)
            return 1

        for wave in design.waves:
            left = [number for number in self._due(numbers) if number in self.inside]
            parts = [left[at : at + regression.AT_ONCE] for at in range(0, len(left), regression.AT_ONCE)]
            together = partial(
                regression.judge_together, design, root=self.folder / "runs", stop=self.stop, tests=wave,
                hasty=self.hasty,
            )  # fmt: skip
            self._each(parts, together, put_some, task)
        self._each(self._due(numbers), partial(self._alone, design), put, task)

    def prove(self, numbers: Sequence[int]) -> None:
        """Look for a proof that a surviving mutant changes nothing."""
        due = [n for n in numbers if self.verdicts.of[str(n)] == Verdict(SURVIVED) and n in self.inside]
        if not due:
            return
        task = self.bars.add_task("proofs of equivalence (reading first)", total=len(due))
        design = equivalent.elaborate(self.texts, self.cfg.top(), self.folder / "elaborated")
        self.bars.update(task, description="proofs of equivalence")

        def put(number: int, verdict: str) -> int:
            self.verdicts.put(str(number), Verdict(verdict, "proof"))
            return 1

        def judge(number: int) -> str:
            return equivalent.judge(design, self.inside[number])

        self._each(due, judge, put, task)

    def _due(self, numbers: Sequence[int]) -> list[int]:
        return [number for number in numbers if str(number) not in self.verdicts.of]

    def _alone(self, design: regression.Regression, number: int) -> Verdict:
        """The verdict from power-up on: earlier tests overwrite its state in the shared simulation."""
        runs = self.folder / "runs"
        if fault := self.apart.get(number):
            folder = fault.write(self.folder / "alone")
            if crossings.check_files(self.cfg, builds.sources_of(folder, self.cfg.top())):
                return Verdict(KILLED, CROSSINGS)
            design, number, runs = regression.build(self.cfg, folder), 0, runs / fault.name
        by, message = regression.judge(design, number, runs, self.stop, hasty=self.hasty)
        return Verdict(KILLED if by else SURVIVED, by, message)

    def _each(
        self, due: Sequence[Due], judge: Callable[[Due], Judged], put: Callable[[Due, Judged], int], task: Any
    ) -> None:
        """Judge all that is due and keep each result at once; ``put`` returns how many faults it settles."""
        with ThreadPoolExecutor(self.jobs) as pool:
            waiting = {pool.submit(judge, each): each for each in due}
            try:
                for done in as_completed(waiting):
                    self.bars.advance(task, put(waiting[done], done.result()))
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise

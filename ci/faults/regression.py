# SPDX-License-Identifier: Apache-2.0
"""The regression of a configuration as a judge: pyuvm test by test, then the baseline."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from configs import BlockConfig
from tb.common.components import testcase
from tb.common.coverage import coincidences
from tb.common.running import baseline, builds, regression, runner

SIMULATOR = "verilator"
SECONDS = 300  # a simulation that takes longer, twice, has noticed something
AT_ONCE = 16  # mutants in one simulation of the tests that judge first: starting one takes most of the time
ENDLESS = 10  # a test that takes so many times the cycles of the longest of them does not end
CYCLES = 4_000  # of the longest, at least
WAVE = 20_000  # cycles of the tests that several mutants go through in one simulation
COUNT = 200  # transactions of a volume test, of configurations that the regression does not run


@dataclass(frozen=True)
class Regression:
    """A build of the design that holds all mutants, and what is run on it."""

    made: builds.Build
    parts: tuple[list[testcase.TestCase], ...]  # one simulation each
    seed: int
    count: int
    figures: dict[str, baseline.Figures]

    @property
    def endless(self) -> int:
        """Cycles after which a test of those that judge first is taken to go on for ever."""
        return self.endless_of(self.parts[0])

    def endless_of(self, cases: Sequence[testcase.TestCase]) -> int:
        """The same of ``cases``."""
        return ENDLESS * max([CYCLES, *(self.cycles(case) or 0 for case in cases)])

    def cycles(self, case: testcase.TestCase) -> int | None:
        """Those that a test takes, by the baseline; None if that does not know it."""
        figures = self.figures.get(self.name_of(case))
        return figures["cycles"] if figures else None

    def name_of(self, case: testcase.TestCase) -> str:
        """Under which the baseline knows a test."""
        return baseline.name_of(self.made.cfg.name, case.name, self.seed, self.count)

    @property
    def waves(self) -> list[list[testcase.TestCase]]:
        """All tests in the order in which several mutants go through them: those that judge first, then the
        shortest, as many in one simulation as take ``WAVE`` cycles together.
        """
        waves, total = [list(self.parts[0])], WAVE
        rest = [case for part in self.parts[1:] for case in part]
        for case in sorted(rest, key=lambda case: self.cycles(case) or WAVE):
            total += self.cycles(case) or WAVE
            if total > WAVE:
                waves.append([])
                total = self.cycles(case) or WAVE
            waves[-1].append(case)
        return waves


class StoppedError(RuntimeError):
    """The command was interrupted: nothing is known of the mutant."""


def traffic(cfg: BlockConfig) -> tuple[int, int]:
    """Seed and count of the configuration's first run in the regression, for which there is a baseline."""
    for run in regression.runs(cfg.block):
        if (run.config, run.simulator) == (cfg.name, SIMULATOR):
            return run.seed, run.count
    return 1, COUNT


def build(cfg: BlockConfig, folder: Path) -> Regression:
    """Compile ``folder``. Raises :class:`configs.UserError` for what Verilator rejects."""
    made = builds.build(cfg, SIMULATOR, rtl_dir=folder)
    cases, first = testcase.choose(cfg.block, [], cfg, SIMULATOR), regression.mutation(cfg.block).first
    parts = [case for case in cases if case.name in first], [case for case in cases if case.name not in first]
    seed, count = traffic(cfg)
    expected = baseline.load(cfg.block)
    names = {baseline.name_of(cfg.name, case.name, seed, count) for case in cases}
    figures = {name: expected[name] for name in names & set(expected)}
    return Regression(made, tuple(filter(None, parts)), seed, count, figures)


def judge_together(
    compiled: Regression,
    numbers: Sequence[int],
    root: Path,
    stop: Event | None = None,
    tests: Sequence[testcase.TestCase] | None = None,
    hasty: bool = False,
) -> dict[int, tuple[str, str]]:
    """Faults by number that ``tests`` detect, with the test and its message, all in one simulation.

    Without ``tests`` those run that judge first. ``hasty``: a change of figures counts, too.

    The design itself comes last. If it fails there, or a mutant ends the simulation, nothing is known.
    A mutant with which a test goes on for ``endless`` cycles is noticed by that; the others are begun again.
    Raises :class:`StoppedError` soon after ``stop`` is set.
    """
    every = [*numbers, 0]
    tests = compiled.parts[0] if tests is None else tests
    cases = [replace(test, mutant=number) for test in tests for number in every]
    folder = root / f"mutants-{numbers[0]}"
    try:
        done = runner.run(
            compiled.made, cases, seed=compiled.seed, count=compiled.count, folder=folder, seconds=SECONDS,
            progress=_Watch(every, stop, compiled.endless_of(tests)), once=True,
        )  # fmt: skip
        whole = (folder / "results.xml").is_file()
    except _EndlessError as error:
        others = [number for number in numbers if number != error.number]
        rest = judge_together(compiled, others, root, stop, tests, hasty) if others and error.number else {}
        noticed = f"test {error.test}", f"goes on for {compiled.endless_of(tests)} cycles"
        return {**rest, error.number: noticed} if error.number else {}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    detected: dict[int, tuple[str, str]] = {}
    for case, outcome in zip(cases, done.outcomes, strict=True):
        if outcome.verdict == "failed" and case.mutant is not None:
            detected.setdefault(case.mutant, _noticed(case.name, outcome))
    for case in cases:
        if hasty and case.mutant is not None and case.mutant not in detected and case.label in done.kept:
            got = regression.figures(compiled.made.cfg.block).of(done.kept[case.label]["summary"])
            if changes := baseline.compare(compiled.figures, [(compiled.name_of(case), got)]):
                detected[case.mutant] = "baseline", changes[0]
    return detected if whole and 0 not in detected else {}


class _EndlessError(Exception):
    """A test does not end with mutant ``number``."""

    def __init__(self, number: int, test: str) -> None:
        self.number, self.test = number, test


class _Watch:
    """Looks at a simulation of several mutants now and then. Raises what ends it."""

    def __init__(self, every: Sequence[int], stop: Event | None, endless: int) -> None:
        self.every, self.stop, self.endless = every, stop, endless
        self.since = (0, 0)  # tests that had ended, and the cycle in which that was first seen

    def __call__(self, report: dict[str, Any]) -> None:
        _look(self.stop, report)
        ended, cycle = report["ended"], report.get("cycle", 0)
        if len(ended) != self.since[0]:
            self.since = len(ended), cycle
        elif cycle - self.since[1] > self.endless:
            test = report["test"]
            raise _EndlessError(next(n for n in self.every if f"{test}@{n}" not in ended), test)


def _look(stop: Event | None, _: dict[str, Any]) -> None:
    if stop and stop.is_set():
        raise StoppedError


def _noticed(test: str, outcome: runner.Outcome) -> tuple[str, str]:
    words = (outcome.message or outcome.error).strip().splitlines()
    return f"test {test}", words[0] if words else ""


def judge(
    compiled: Regression, number: int, root: Path, stop: Event | None = None, hasty: bool = False
) -> tuple[str, str]:
    """The first test that notices mutant ``number``, and its message; empty if none does. 0 is the design.

    ``baseline`` is the one that notices a change of nothing but cycles or hits, ``coincidence`` what cannot
    meet at the ports. ``hasty``: a change of figures after the first tests ends it, whatever later ones would
    notice. Raises :class:`StoppedError` soon after ``stop`` is set.
    """
    folder = root / f"mutant-{number}"

    def run(part: list[testcase.TestCase]) -> runner.RunResult:
        return runner.run(
            compiled.made, part, seed=compiled.seed, count=compiled.count, folder=folder, seconds=SECONDS,
            plusargs=[f"+mutant={number}"], stop_at_failure=True, progress=partial(_look, stop),
        )  # fmt: skip

    cfg = compiled.made.cfg
    changes: list[str] = []
    kept: list[Any] = []
    for part in compiled.parts:
        done = run(part)
        if not (folder / "results.xml").is_file():
            done = run(part)  # the mutant may have ended the simulator, or the machine
        shutil.rmtree(folder, ignore_errors=True)
        for outcome in done.outcomes:
            if outcome.verdict == "failed":
                return _noticed(outcome.test, outcome)
        figures = baseline.figures(cfg.block, cfg.name, compiled.seed, compiled.count, done.kept)
        changes += baseline.compare(compiled.figures, figures.items())
        if hasty and changes:
            break
        kept += done.kept.values()
    if wrong := coincidences.met([(cfg, kept)])[1].wrong:
        return "coincidence", wrong[0]
    return ("baseline", changes[0]) if changes else ("", "")

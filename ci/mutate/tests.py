# SPDX-License-Identifier: Apache-2.0
"""The third judgement: the configuration's run of the regression, pyuvm test by test, and its baseline."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from configs import BlockConfig
from tb.common.components import testcase
from tb.common.coverage import coincidences
from tb.common.running import baseline, builds, regression, runner

SIMULATOR = "verilator"
SECONDS = 300  # a simulation that takes longer, twice, has noticed something
COUNT = 200  # transactions of a volume test, of configurations that the regression does not run


@dataclass(frozen=True)
class Regression:
    """A build of the design that holds all mutants, and what is run on it."""

    made: builds.Build
    parts: tuple[list[testcase.TestCase], ...]  # one simulation each
    seed: int
    count: int
    figures: dict[str, baseline.Figures]


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
    parts = [one for one in cases if one.name in first], [one for one in cases if one.name not in first]
    seed, count = traffic(cfg)
    known = baseline.load(cfg.block)
    names = {baseline.name_of(cfg.name, case.name, seed, count) for case in cases}
    figures = {name: known[name] for name in names & set(known)}
    return Regression(made, tuple(filter(None, parts)), seed, count, figures)


def judge(
    known: Regression, number: int, root: Path, stop: Event | None = None, hasty: bool = False
) -> tuple[str, str]:
    """The first test that notices mutant ``number``, and its message; empty if none does. 0 is the design.

    ``baseline`` is the one that notices a change of nothing but cycles or hits, ``coincidence`` what cannot
    meet at the ports. ``hasty``: a change of figures after the first tests ends it, whatever later ones would
    notice. Raises :class:`StoppedError` soon after ``stop`` is set.
    """
    folder = root / f"mutant-{number}"

    def look(_: dict[str, Any]) -> None:
        if stop and stop.is_set():
            raise StoppedError

    def run(part: list[testcase.TestCase]) -> runner.RunResult:
        return runner.run(
            known.made, part, seed=known.seed, count=known.count, folder=folder, seconds=SECONDS,
            plusargs=[f"+mutant={number}"], stop_at_failure=True, progress=look,
        )  # fmt: skip

    cfg = known.made.cfg
    changes: list[str] = []
    kept: list[Any] = []
    for part in known.parts:
        done = run(part)
        if not (folder / "results.xml").is_file():
            done = run(part)  # the mutant may have ended the simulator, or the machine
        shutil.rmtree(folder, ignore_errors=True)
        for outcome in done.outcomes:
            if outcome.verdict == "failed":
                words = (outcome.message or outcome.error).strip().splitlines()
                return f"test {outcome.test}", words[0] if words else ""
        figures = baseline.figures(cfg.block, cfg.name, known.seed, known.count, done.kept)
        changes += baseline.compare(known.figures, figures.items())
        if hasty and changes:
            break
        kept += done.kept.values()
    if wrong := coincidences.met(cfg.block, kept)[1].wrong:
        return "coincidence", wrong[0]
    return ("baseline", changes[0]) if changes else ("", "")

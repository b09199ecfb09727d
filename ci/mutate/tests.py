# SPDX-License-Identifier: Apache-2.0
"""The third judgement: the configuration's run of the regression, pyuvm test by test, and its baseline."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from ci.nightly import baseline
from configs import BlockConfig
from tb.common import builds, regression, runner, testcase

SIMULATOR = "verilator"
SECONDS = 600  # a simulation that takes longer has noticed something
COUNT = 200  # transactions of a volume test, of configurations that the regression does not run


@dataclass(frozen=True)
class Regression:
    """A build of the design that holds all mutants, and what is run on it."""

    made: builds.Build
    parts: tuple[list[testcase.TestCase], ...]  # one simulation each
    seed: int
    count: int
    figures: dict[str, baseline.Figures]


def build(cfg: BlockConfig, folder: Path) -> Regression:
    """Compile ``folder``. Raises :class:`configs.UserError` for what Verilator rejects."""
    made = builds.build(cfg, SIMULATOR, rtl_dir=folder)
    cases, first = testcase.choose(cfg.block, [], cfg, SIMULATOR), regression.mutation(cfg.block).first
    parts = [one for one in cases if one.name in first], [one for one in cases if one.name not in first]
    runs = [
        run for run in regression.runs(cfg.block)
        if run.config == cfg.name and run.simulator == SIMULATOR and not run.coverage
    ]  # fmt: skip
    seed, count = (runs[0].seed, runs[0].count) if runs else (1, COUNT)
    return Regression(made, tuple(filter(None, parts)), seed, count, baseline.load(cfg.block))


def judge(known: Regression, number: int, root: Path) -> tuple[str, str]:
    """The first test that notices mutant ``number``, and its message; empty if none does. 0 is the design.

    ``baseline`` is the one that notices a change of nothing but cycles or hits.
    """
    folder = root / f"mutant-{number}"
    changes: list[str] = []
    for part in known.parts:
        done = runner.run(
            known.made, part, seed=known.seed, count=known.count, folder=folder, seconds=SECONDS,
            plusargs=[f"+mutant={number}"], stop_at_failure=True,
        )  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)
        for outcome in done.outcomes:
            if outcome.verdict == "failed":
                words = (outcome.message or outcome.error).strip().splitlines()
                return f"test {outcome.test}", words[0] if words else ""
        figures = baseline.figures(known.made.cfg.name, known.seed, known.count, done.kept)
        changes += baseline.compare(known.figures, figures.items())
    return ("baseline", changes[0]) if changes else ("", "")

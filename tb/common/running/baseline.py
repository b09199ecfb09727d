# SPDX-License-Identifier: Apache-2.0
"""Exact figures of fixed seeds, kept in the repository: neither worse nor better goes unnoticed.

``tb/<block>/baseline.json``: a line for each test; in it configuration, seed and count -> accesses, cycles,
and the figures that the block's ``regression.toml`` names. Both simulators must give the same. ``make sim``
compares with the file, as regression and campaigns do; ``make baseline`` changes it on purpose, ``make sim
FIGURES=keep`` the runs that it has made.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from configs import UserError
from tb.common.running import builds, regression, runner
from utils.files import write_atomic

Figures = dict[str, int]
ON_PURPOSE = (
    "exact figures differ; if that is meant: make sim FIGURES=keep for these tests, make baseline for all, "
    "or FIGURES=any for a design of your own"
)


def name_of(config: str, test: str, seed: int, count: int) -> str:
    """The key of a run's figures; the simulator is not in it."""
    return f"{config}/{test}/{seed}/{count}"


def figures(
    block: str, config: str, seed: int, count: int, kept: Mapping[str, Mapping[str, Any]]
) -> dict[str, Figures]:
    """Of the tests of a run that passed, ``kept`` as in :class:`tb.common.running.runner.RunResult`."""
    return {
        name_of(config, test, seed, count): regression.figures(block).of(record["summary"])
        for test, record in kept.items()
    }


def path_of(block: str) -> Path:
    """A block's file."""
    return builds.ROOT / "tb" / block / "baseline.json"


def load(block: str) -> dict[str, Figures]:
    """The figures in the repository by :func:`name_of`. Raises :class:`UserError` for a damaged file."""
    path = path_of(block)
    if not path.is_file():
        return {}
    try:
        tests: dict[str, dict[str, Figures]] = json.loads(path.read_text())
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error}); get it back from git or run make baseline") from None
    return {run.replace("/", f"/{test}/", 1): row for test in tests for run, row in tests[test].items()}


def compare(expected: Mapping[str, Figures], got: Iterable[tuple[str, Mapping[str, int]]]) -> list[str]:
    """What changed, in words. Runs that the baseline does not know are not compared."""
    changes = []
    for name, figures in got:
        wanted = expected.get(name, {})
        for what, value in wanted.items():
            if figures[what] != value:
                changes.append(f"{name}: {what} {value:,} -> {figures[what]:,}")
    return sorted(set(changes))


def judge(
    block: str, config: str, seed: int, count: int, run: runner.RunResult
) -> tuple[list[runner.Outcome], int]:
    """The outcomes of a run held against the baseline, and how many were: a test that passed and took other
    cycles, say, fails.
    """
    expected, compared, outcomes = load(block), 0, []
    got = figures(block, config, seed, count, run.kept)
    for outcome in run.outcomes:
        name = name_of(config, outcome.test, seed, count)
        if outcome.verdict == "passed" and name in expected:
            compared += 1
            if changes := compare(expected, [(name, got[name])]):
                message = "\n".join((*changes, ON_PURPOSE))
                outcome = replace(outcome, verdict="failed", error="Figures", message=message)
        outcomes.append(outcome)
    return outcomes, compared


def cycles(block: str, config: str, seed: int, count: int, tests: Iterable[str]) -> dict[str, int]:
    """The cycles of those of ``tests`` whose figures are known."""
    known = load(block)
    names = {test: name_of(config, test, seed, count) for test in tests}
    return {test: known[name]["cycles"] for test, name in names.items() if name in known}


def count_of(block: str, config: str, seed: int) -> int | None:
    """Transactions of a volume test in the block's regression; None if it lacks ``config`` with ``seed``."""
    counts = [run.count for run in regression.runs(block) if (run.config, run.seed) == (config, seed)]
    return counts[0] if counts else None


def write(block: str, figures: Mapping[str, Figures]) -> Path:
    """Make ``figures`` the baseline of ``block``."""
    path = path_of(block)
    write_atomic(path, text(figures))
    return path


def check_kept(block: str, config: str, seed: int, count: int, *, own: bool) -> None:
    """Raises :class:`UserError` if a run is none of the regression's, or of its user's ``own`` Verilog."""
    if own:
        raise UserError("FIGURES=keep: not those of other Verilog (RTL_DIR), nor of chosen options (STEER)")
    listed = {(run.config, run.seed, run.count) for run in regression.runs(block)}
    if (config, seed, count) not in listed:
        wanted, *runs = (
            "CONFIG={} SEED={} N={}".format(*run) for run in ((config, seed, count), *sorted(listed))
        )
        raise UserError(f"FIGURES=keep: no run {wanted} in tb/{block}/regression.toml: {', '.join(runs)}")


def keep(block: str, config: str, seed: int, count: int, results: Sequence[runner.RunResult]) -> list[str]:
    """Put the figures of runs that passed, of one simulator or both, into the file; the other lines stay.

    Returns what changed, in words. Raises :class:`UserError` if simulators differ.
    """
    first, *others = (figures(block, config, seed, count, result.kept) for result in results)
    for other in others:
        if differ := compare(first, ((name, row) for name, row in other.items() if name in first)):
            lines = "\n".join(differ)
            raise UserError(f"FIGURES=keep: from {results[0].simulator} to {results[1].simulator}:\n{lines}")
        first = first | other
    before = load(block)
    changes = [f"{name}: new" for name in sorted(first.keys() - before)] + compare(before, first.items())
    write(block, before | first)
    return changes


def text(figures: Mapping[str, Figures]) -> str:
    """The file's contents: a line for each test, so that a diff shows which ones changed."""
    tests: dict[str, dict[str, Figures]] = {}
    for name in sorted(figures):
        config, test, run = name.split("/", 2)
        tests.setdefault(test, {})[f"{config}/{run}"] = figures[name]
    lines = [f"{json.dumps(test)}: {json.dumps(runs)}" for test, runs in sorted(tests.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"

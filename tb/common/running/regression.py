# SPDX-License-Identifier: Apache-2.0
"""The regression of a block: the runs that ``tb/<block>/regression.toml`` lists, each once per session."""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import configs
from tb.common.components import testcase
from tb.common.coverage import data as coverage_data
from tb.common.running import builds, runner
from utils import toml
from utils.files import read_checked, write_checked

DONE = "regression.json"
RESULTS = builds.BUILD / "regression"


@dataclass(frozen=True)
class RegressionRun:
    """All tests of a block that apply to ``config``, or ``tests`` of them, on a simulator, with a seed.

    ``nightly``: left to ``make nightly``; ``make test FULL=1`` has its short part alone.
    """

    block: str
    config: str
    simulator: str
    seed: int
    count: int
    coverage: bool = False
    nightly: bool = False
    tests: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The run's folder."""
        return f"{self.config}-{self.simulator}-{self.seed}" + "-short" * bool(self.tests)

    @property
    def traffic(self) -> tuple[str, int, int]:
        """What decides the transactions; runs that agree in it differ in the simulator alone."""
        return self.config, self.seed, self.count


def runs(block: str) -> list[RegressionRun]:
    """The runs of ``block``, in the order of its file."""
    return [RegressionRun(block, **entry) for entry in _file(block)["run"]]


@dataclass(frozen=True)
class Mutation:
    """The preset whose mutants are judged where none is named, and the tests that judge before all others."""

    config: str
    first: tuple[str, ...]


def mutation(block: str) -> Mutation:
    """What the file of ``block`` says about mutants. Raises :class:`configs.UserError` if nothing."""
    if (entry := _file(block).get("mutation")) is None:
        raise configs.UserError(
            f"block {block} has no mutants: tb/{block}/regression.toml names none to judge"
        )
    return Mutation(entry["config"], tuple(entry["first"]))


@dataclass(frozen=True)
class Figures:
    """What a block's tests count beside accesses and cycles; ``shares``: name -> the part, the whole."""

    counted: tuple[str, ...]
    shares: dict[str, tuple[str, str]]

    @property
    def names(self) -> tuple[str, ...]:
        """All figures of a test that are exact."""
        return "checked", *self.counted, "cycles"

    def of(self, summary: Mapping[str, Any]) -> dict[str, int]:
        """The exact figures of a test, of what its summary says."""
        return {name: int(summary[name]) for name in self.names}

    def shares_of(self, figures: Mapping[str, int]) -> dict[str, float]:
        """The shares that ``figures`` give; none where there was nothing to have a share of."""
        return {
            name: figures[part] / figures[whole]
            for name, (part, whole) in self.shares.items()
            if figures.get(whole)
        }


def alone(block: str) -> tuple[str, ...]:
    """Tests that must do the same without those before them."""
    return tuple(_file(block).get("alone", {}).get("tests", ()))


@cache
def figures(block: str) -> Figures:
    """What the file of ``block`` says about figures; nothing if its tests count nothing."""
    entry = _file(block).get("figures", {})
    shares = {name: (part, whole) for name, (part, whole) in entry.get("shares", {}).items()}
    return Figures(tuple(entry.get("counted", ())), shares)


def _file(block: str) -> dict[str, Any]:
    return toml.read(Path(builds.ROOT) / "tb" / block / "regression.toml")


def result(run: RegressionRun, session: str, root: Path = RESULTS) -> runner.RunResult:
    """Do the run, unless that was done in this ``session``; processes that want the same one wait."""
    folder = root / run.block / run.name
    with builds.locked(folder):
        done = folder / DONE
        with suppress(OSError, ValueError):  # it is not there, or damaged
            if (kept := read_checked(done))["session"] == session:
                outcomes = [runner.Outcome(**outcome) for outcome in kept["outcomes"]]
                return runner.RunResult(folder, run.simulator, outcomes, kept["kept"])
        shutil.rmtree(folder, ignore_errors=True)
        cfg = configs.load(run.block, run.config)
        made = builds.build(cfg, run.simulator, coverage=run.coverage)
        tests = testcase.choose(run.block, list(run.tests), cfg, run.simulator)
        result = runner.run(made, tests, seed=run.seed, count=run.count, folder=folder)
        state = {"session": session, "outcomes": list(map(asdict, result.outcomes)), "kept": result.kept}
        write_checked(done, state)
        return result


def functional(run: RegressionRun, result: runner.RunResult) -> coverage_data.Database:
    """The functional coverage of a run, test by test."""
    return {f"{run.name}/{test}": kept["coverage"] for test, kept in result.kept.items()}

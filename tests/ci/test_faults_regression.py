# SPDX-License-Identifier: Apache-2.0
"""The regression judges several faults in one simulation, and one alone."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import configs
import rtl
from ci.faults import __main__ as command
from ci.faults import equivalent, regression
from ci.faults.mutants import find
from ci.faults.verdicts import EQUIVALENT, KILLED, SURVIVED, UNDECIDED
from tb.common.components import testcase
from tb.common.running import baseline, builds, runner
from tb.common.running import regression as runs

FIGURES = runs.figures("texcache").names


def simulation(monkeypatch: pytest.MonkeyPatch, run: Any) -> regression.Regression:
    """What is told to :func:`regression.judge`; ``run`` stands for the simulator."""
    cfg: Any = configs.load("texcache", "tiny")
    made = builds.Build(cfg, "verilator", Path(), (), coverage=False, waves=False)
    monkeypatch.setattr(runner, "run", run)
    return regression.Regression(made, ([],), 1, 10, {})


def test_a_simulator_that_left_nothing_is_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    verdicts = [("failed", False), ("passed", True)]

    def run(*_: Any, folder: Path, **__: Any) -> runner.RunResult:
        verdict, whole = verdicts.pop(0)
        folder.mkdir(exist_ok=True)
        if whole:
            (folder / "results.xml").touch()
        outcome = runner.Outcome("smoke", verdict, 0, "", "the simulator left no results", "")
        return runner.RunResult(folder, "verilator", [outcome])

    compiled = simulation(monkeypatch, run)
    assert regression.judge(compiled, 1, tmp_path) == ("", "")
    verdicts = [("failed", False), ("failed", False)]
    assert regression.judge(compiled, 1, tmp_path) == ("test smoke", "the simulator left no results")


def test_ctrl_c_ends_simulations_and_decides_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run(*_: Any, progress: Any, **__: Any) -> runner.RunResult:
        progress({})
        raise AssertionError("goes on")

    stop = Event()
    stop.set()
    with pytest.raises(regression.StoppedError):
        regression.judge(simulation(monkeypatch, run), 1, tmp_path, stop)


def outcomes(cases: Sequence[Any], failed: set[str], folder: Path) -> runner.RunResult:
    """What a run of ``cases`` leaves in which those of ``failed`` fail."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.xml").touch()
    verdicts = [(case.label, "failed" if case.label in failed else "passed") for case in cases]
    return runner.RunResult(
        folder,
        "verilator",
        [runner.Outcome(*verdict, 0, "Mismatch", "texel 3\nrepeat", "") for verdict in verdicts],
    )


def together(monkeypatch: pytest.MonkeyPatch, run: Any) -> regression.Regression:
    """As ``simulation``, with two tests that judge first."""
    compiled = simulation(monkeypatch, run)
    cases = testcase.choose("texcache", ["smoke", "reset_idle"], compiled.made.cfg, "verilator")
    return replace(compiled, parts=(cases, []))


def test_several_mutants_in_one_simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failed = {"smoke@5", "reset_idle@5", "reset_idle@7"}

    def run(_: Any, cases: Sequence[Any], *, folder: Path, **__: Any) -> runner.RunResult:
        assert {case.mutant for case in cases} == {5, 6, 7, 0}
        return outcomes(cases, failed, folder)

    compiled = together(monkeypatch, run)
    detected = regression.judge_together(compiled, [5, 6, 7], tmp_path)
    assert detected == {5: ("test smoke", "texel 3"), 7: ("test reset_idle", "texel 3")}
    failed.add("reset_idle@0")  # the design itself, after them: nothing is known
    assert regression.judge_together(compiled, [5, 6, 7], tmp_path) == {}


def test_other_cycles_are_noticed_in_one_simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cycles = {"smoke@6": 901, "smoke@0": 900}

    def run(_: Any, cases: Sequence[Any], *, folder: Path, **__: Any) -> runner.RunResult:
        results = outcomes(cases, {"smoke@5"}, folder)
        for label, n in cycles.items():
            results.kept[label] = {"summary": dict.fromkeys(FIGURES, 900) | {"cycles": n}}
        return results

    compiled = together(monkeypatch, run)
    name = baseline.name_of("tiny", "smoke", compiled.seed, compiled.count)
    compiled = replace(compiled, figures={name: {"cycles": 900}})
    judge = partial(regression.judge_together, compiled, [5, 6, 7], tmp_path, tests=compiled.parts[0][:1])
    fails, changes = {5: ("test smoke", "texel 3")}, {6: ("baseline", f"{name}: cycles 900 -> 901")}
    assert judge() == fails
    assert judge(hasty=True) == fails | changes
    cycles["smoke@0"] = 899
    assert judge(hasty=True) == {}


def test_mutants_go_through_short_tests_first(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = together(monkeypatch, None)
    names = ["smoke", "reset_idle", "quiet", "every_line"]
    cases = {case.name: case for case in testcase.choose("texcache", names, compiled.made.cfg, "verilator")}
    parts = [cases["smoke"]], [cases[name] for name in names[1:]]
    cycles = {
        "smoke": regression.WAVE - 10,
        "reset_idle": 9,
        "quiet": 2,
    }  # who is not known takes a whole wave
    figures = {
        baseline.name_of("tiny", name, compiled.seed, compiled.count): {"cycles": n}
        for name, n in cycles.items()
    }
    waves = replace(compiled, parts=parts, figures=figures).waves
    order = [[case.name for case in wave] for wave in waves]
    assert order == [["smoke"], ["quiet", "reset_idle"], ["every_line"]]


def test_a_test_that_goes_on_for_ever_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs: list[set[int]] = []

    def run(_: Any, cases: Sequence[Any], *, folder: Path, progress: Any, **__: Any) -> runner.RunResult:
        runs.append({case.mutant for case in cases})
        ended = {"smoke@5": "passed"}
        for cycle in (1, compiled.endless) if 6 in runs[-1] else ():
            progress({"test": "smoke", "cycle": cycle, "ended": ended})
        if 6 in runs[-1]:
            progress({"test": "smoke", "cycle": compiled.endless + 2, "ended": ended})
        return outcomes(cases, {"smoke@7"}, folder)

    compiled = together(monkeypatch, run)
    longest = {baseline.name_of("tiny", "smoke", compiled.seed, compiled.count): {"cycles": 9000}}
    for figures, endless in (({}, 40_000), (longest, 90_000)):
        compiled = replace(compiled, figures=figures)
        runs.clear()
        detected = regression.judge_together(compiled, [5, 6, 7], tmp_path)
        assert runs == [{5, 6, 7, 0}, {5, 7, 0}]
        assert detected == {6: ("test smoke", f"goes on for {endless} cycles"), 7: ("test smoke", "texel 3")}


def test_the_regression_judges_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An undecided fault counts neither as killed nor as survived."""
    monkeypatch.setattr(command, "ROOT", tmp_path)
    wanted = numbers_of("simple", 6)
    first, alone, figures, equal, late, left = wanted
    monkeypatch.setattr(regression, "build", lambda *_: regression.Regression(None, ([],), 1, 1, {"a": None}))  # type: ignore
    monkeypatch.setattr(regression.Regression, "waves", [[]])
    monkeypatch.setattr(regression, "judge_together", lambda *_, **__: {first: ("test smoke", "wrong")})
    by = {alone: ("test resets", "wrong"), figures: ("baseline", "cycles")}
    judged: list[int] = []

    def judge(_: Any, number: int, *__: Any, **___: Any) -> tuple[str, str]:
        judged.append(number)
        return by.get(number, ("", ""))

    monkeypatch.setattr(regression, "judge", judge)
    proofs = {equal: EQUIVALENT, late: UNDECIDED}
    monkeypatch.setattr(equivalent, "elaborate", lambda *_: None)
    monkeypatch.setattr(equivalent, "judge", lambda _, mutant, **__: proofs.get(mutant.id, SURVIVED))
    assert command.main(["simple", "--generated", "6", "--jobs", "1"]) == 1
    assert judged == [0, *sorted(set(wanted) - {first})]
    [path] = tmp_path.rglob("generated.json")
    kept = json.loads(path.read_text())
    assert {mutant["id"]: mutant["verdict"] for mutant in kept["mutants"]} == {
        first: KILLED, alone: KILLED, figures: KILLED, equal: EQUIVALENT, late: UNDECIDED, left: SURVIVED,
    }  # fmt: skip
    assert (kept["percent"], kept["figures"]) == (75, 1)
    assert "score 75.0 %: 6 of" in capsys.readouterr().out


def numbers_of(block: str, count: int) -> list[int]:
    """The mutants that seed 1 draws."""
    arguments = command.parser().parse_args([block, "--generated", str(count)])
    files = rtl.generate(configs.load(block, "tiny"))
    return [mutant.id for mutant in command.drawn(find(files), arguments)]

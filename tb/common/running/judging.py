# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a run though each of its tests passed: exact figures that differ from the baseline, ways
between clocks that are not safe, coincidences at the ports that cannot be. Each is a failed test more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from configs import cli
from rtl import crossings, domains
from tb.common.coverage import coincidences
from tb.common.running import baseline, builds
from tb.common.running.runner import Outcome, RunResult


@dataclass(frozen=True)
class Judged:
    """A run with its failures, and the number of tests whose figures were compared."""

    result: RunResult
    compared: int


def judge(made: builds.Build, found: RunResult, seed: int, count: int, *, exact: bool = True) -> Judged:
    """Look at the run as a whole; ``exact``: at its figures, too."""
    cfg, compared = made.cfg, 0
    result = impossible(cfg, unsafe_crossings(cfg, found, made.sources))
    if exact:
        outcomes, compared = baseline.judge(cfg.block, cfg.name, seed, count, result)
        result = replace(result, outcomes=outcomes)
    return Judged(result, compared)


def unsafe_crossings(cfg: Any, found: RunResult, sources: Sequence[Path]) -> RunResult:
    """``found`` with a failure more if signals go from clock to clock in unsafe ways.

    Simulators show no metastability, so no test would notice. A netlist, in which the synchronizers are
    modules no more, is not looked at.
    """
    named = any(domains.SYNCHRONIZER in path.read_text(errors="replace") for path in sources)
    unsafe = crossings.check_files(cfg, sources) if len(cfg.clocks) > 1 and named else []
    if not unsafe:
        return found
    repro = cli.make_command("lint", cfg, RTL_DIR=sources[0].parent)
    return _failed(found, "clock crossings", "Crossings", "\n".join(unsafe), repro)


def impossible(cfg: Any, found: RunResult) -> RunResult:
    """``found`` with a failure more if at the ports met what the block says cannot meet."""
    counts, verdict = coincidences.met([(cfg, found.kept.values())])
    if not verdict.wrong:
        return found
    lines = [f"{name}, in {counts[name]} cycles" for name in verdict.wrong]
    message = "\n".join((f"at the ports met what cannot, see tb/{cfg.block}/waivers.toml:", *lines))
    return _failed(found, "coincidences at the ports", "Coincidence", message, found.outcomes[0].repro)


def _failed(found: RunResult, name: str, error: str, message: str, repro: str) -> RunResult:
    outcome = Outcome(name, "failed", 0.0, error, message, repro)
    return replace(found, outcomes=[*found.outcomes, outcome])

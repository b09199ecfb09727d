# SPDX-License-Identifier: Apache-2.0
"""The second judgement: all pyuvm tests of the block on the design with one mutant switched on."""

import shutil
from pathlib import Path
from typing import Any

from tb.common import builds, runner, testcase

SIMULATOR = "verilator"
SECONDS = 600  # a simulation that hangs has noticed something


def build(cfg: Any, folder: Path) -> builds.Build:
    """The testbench on the design that holds all mutants, compiled once."""
    return builds.build(cfg, SIMULATOR, rtl_dir=folder)


def judge(made: builds.Build, number: int, *, seed: int, count: int, root: Path) -> tuple[str, str]:
    """The first test that fails with mutant ``number``, and its message; empty if all pass."""
    cfg = made.cfg
    tests = testcase.choose(cfg.block, [], cfg, SIMULATOR)
    folder = root / f"mutant-{number}"
    done = runner.run(
        made, tests, seed=seed, count=count, folder=folder, seconds=SECONDS,
        plusargs=[f"+mutant={number}"], stop_at_failure=True,
    )  # fmt: skip
    shutil.rmtree(folder, ignore_errors=True)
    for outcome in done.outcomes:
        if outcome.verdict == "failed":
            return outcome.test, outcome.message.splitlines()[0] if outcome.message else outcome.error
    return "", ""

# SPDX-License-Identifier: Apache-2.0
"""Runs jobs in a worker's process, on whatever machine that is, and returns all that is kept of them."""

import errno
import os
import shutil
import socket
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import configs
from ci.nightly import catalogue
from ci.nightly.catalogue import Job
from configs import BlockConfig
from tb.common.components import testcase
from tb.common.running import builds, judging, regression, runner
from tb.common.running.buckets import bucket
from utils.keys import digest

KEPT_FOLDERS = builds.BUILD / "nightly" / "runs"


@dataclass(frozen=True)
class Result:
    """What a job did. ``figures``: exact ones by name; ``coverage``: counts of bins by coverpoint; ``code``:
    Verilator's data, compressed.
    """

    job: Job
    verdict: str
    seconds: float
    error: str = ""
    message: str = ""
    repro: str = ""
    worker: str = ""
    config_hash: str = ""
    figures: dict[str, int] = field(default_factory=dict)
    coverage: dict[str, dict[str, int]] = field(default_factory=dict)
    code: bytes = b""

    @property
    def bucket(self) -> str:
        """What failures of the same kind have in common; empty for a pass."""
        return bucket(self.job.block, self.error, self.message) if self.verdict != "passed" else ""


FULL = (errno.ENOSPC, errno.EDQUOT)


def check_room(text: str) -> None:
    """Raises OSError if ``text``, of a failure, says that a disk is full: that is no verdict on a test."""
    for number in FULL:
        if os.strerror(number) in text:
            raise OSError(number, f"{os.strerror(number)} on {socket.gethostname()}", str(builds.BUILD))


class OtherSourcesError(RuntimeError):
    """A worker's checkout is not the one that asked: its results would be another project's."""


def run(jobs: Sequence[Job], sources: str) -> list[Result]:
    """Build if need be and run jobs that differ in the test alone, in one simulation; a result for each,
    and for each failure of the simulation as a whole (:mod:`tb.common.running.judging`).

    ``sources``: the key that its block must have here. Its folder stays if one failed. Code coverage is that
    of the simulation and comes with the first result. Raises :class:`OtherSourcesError`, and OSError where a
    disk is full.
    """
    first = jobs[0]
    if catalogue.sources_keys([first.block])[first.block] != sources:
        raise OtherSourcesError(f"worker {socket.gethostname()} has other sources in {builds.ROOT}")
    assert {replace(job, test="") for job in jobs} == {replace(first, test="")}, "jobs of one simulation"
    cfg = configs.load(first.block, first.config)
    folder = KEPT_FOLDERS / digest([job.key for job in jobs])
    with builds.locked(folder):  # another campaign, or a worker that was given up, may be at the same jobs
        return _run(jobs, cfg, folder)


def _run(jobs: Sequence[Job], cfg: BlockConfig, folder: Path) -> list[Result]:
    """In ``folder``, which is nobody else's."""
    first, worker, began = jobs[0], socket.gethostname(), time.monotonic()
    try:
        made = builds.build(cfg, first.simulator, coverage=first.coverage)
        tests = testcase.choose(first.block, [job.test for job in jobs], cfg, first.simulator)
        done = runner.run(
            made, tests, seed=first.seed, count=first.count, folder=folder, steer=dict(first.steer)
        )
    except (configs.UserError, RuntimeError) as error:
        check_room(str(error))
        seconds = time.monotonic() - began
        return [
            Result(job, "failed", seconds, type(error).__name__, str(error), worker=worker) for job in jobs
        ]
    for outcome in done.outcomes:
        check_room(outcome.message)
    done = judging.judge(made, done)
    code = zlib.compress(done.code_coverage.read_bytes()) if done.code_coverage.is_file() else b""
    results: list[Result] = []
    whole = [replace(first, test=f"{outcome.test}, {first.test}") for outcome in done.outcomes[len(jobs) :]]
    for job, outcome in zip([*jobs, *whole], done.outcomes, strict=True):
        kept: dict[str, Any] = done.kept.get(job.test, {})
        figures = regression.figures(job.block).of(kept["summary"]) if kept else {}
        results.append(Result(
            job, outcome.verdict, outcome.seconds, outcome.error, outcome.message, outcome.repro, worker,
            cfg.hash, figures, kept.get("coverage", {}), b"" if results else code,
        ))  # fmt: skip
    if done.passed:
        shutil.rmtree(folder, ignore_errors=True)
    return results


def with_waves(job: Job) -> Path | None:
    """Run a failing job again with waveforms; the file, or None if there is none."""
    cfg = configs.load(job.block, job.config)
    made = builds.build(cfg, job.simulator, waves=True)
    folder = KEPT_FOLDERS / f"{digest([job.key])}-waves"
    tests = testcase.choose(job.block, [job.test], cfg, job.simulator)
    with builds.locked(folder):
        done = runner.run(made, tests, seed=job.seed, count=job.count, folder=folder, steer=dict(job.steer))
    return done.waves if done.waves.is_file() else None

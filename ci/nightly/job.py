# SPDX-License-Identifier: Apache-2.0
"""Runs one job in a worker's process, on whatever machine that is, and returns all that is kept of it."""

import shutil
import socket
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import configs
from ci.nightly.buckets import bucket
from ci.nightly.catalogue import Job, sources_key
from tb.common import builds, runner, testcase
from workloads.store import digest

FIGURES = ("checked", "lookups", "hits", "cycles")
KEPT_FOLDERS = builds.BUILD / "nightly" / "runs"


@dataclass(frozen=True)
class Result:
    """What a job did. ``coverage``: counts of bins by coverpoint; ``code``: Verilator's data, compressed."""

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


class OtherSourcesError(RuntimeError):
    """A worker's checkout is not the one that asked: its results would be another project's."""


def run(job: Job, sources: str) -> Result:
    """Build if need be, run, and clean up unless it failed. Raises :class:`OtherSourcesError`."""
    worker = f"{socket.gethostname()}"
    if sources_key() != sources:
        raise OtherSourcesError(
            f"worker {worker} has other sources in {builds.ROOT} ({sources_key()}, not {sources}): "
            "bring it to the same revision"
        )
    began = time.monotonic()
    cfg = configs.load(job.block, job.config)
    folder = KEPT_FOLDERS / digest([job.key])
    try:
        made = builds.build(cfg, job.simulator, coverage=job.coverage)
        tests = testcase.choose(job.block, [job.test], cfg, job.simulator)
        done = runner.run(made, tests, seed=job.seed, count=job.count, folder=folder, steer=dict(job.steer))
    except (configs.UserError, RuntimeError) as error:
        seconds = time.monotonic() - began
        return Result(job, "failed", seconds, type(error).__name__, str(error), worker=worker)
    [outcome] = done.outcomes
    summary: dict[str, Any] = done.kept.get(job.test, {}).get("summary", {})
    code = zlib.compress(done.code_coverage.read_bytes()) if done.code_coverage.is_file() else b""
    if outcome.verdict == "passed":
        shutil.rmtree(folder, ignore_errors=True)
    return Result(
        job, outcome.verdict, time.monotonic() - began, outcome.error, outcome.message, outcome.repro, worker,
        cfg.hash, {name: int(summary.get(name, 0)) for name in FIGURES},
        done.kept.get(job.test, {}).get("coverage", {}), code,
    )  # fmt: skip


def with_waves(job: Job) -> Path | None:
    """Run a failing job again with waveforms; the file, or None if there is none."""
    cfg = configs.load(job.block, job.config)
    made = builds.build(cfg, job.simulator, waves=True)
    folder = KEPT_FOLDERS / f"{digest([job.key])}-waves"
    tests = testcase.choose(job.block, [job.test], cfg, job.simulator)
    runner.run(made, tests, seed=job.seed, count=job.count, folder=folder, steer=dict(job.steer))
    waves = folder / "waves.fst"
    return waves if waves.is_file() else None

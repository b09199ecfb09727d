# SPDX-License-Identifier: Apache-2.0
"""Campaigns on a cluster as its users start it: `dask scheduler` and `dask worker` as processes."""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from distributed import Client

from ci.nightly.catalogue import Job
from ci.nightly.cluster import cluster, run_all
from ci.nightly.job import Result
from ci.nightly.remote import submit
from configs import UserError
from tb.common.running.builds import ROOT
from tests.waiting import PATIENCE, until

DASK = Path(sys.executable).with_name("dask")
JOBS = [Job("texcache", "tiny", "icarus", "smoke", seed, 1) for seed in range(1, 9)]


@contextmanager
def process(folder: Path, *words: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """``dask WORDS`` in ``folder``, which is not the checkout, with an environment that does not name it."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    with (folder / f"{words[0]}.log").open("ab") as log:
        started = subprocess.Popen(
            [DASK, *words], cwd=folder, env=env, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield started
    finally:
        kill(started)


def kill(started: "subprocess.Popen[bytes]") -> None:
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


class Machines:
    """A scheduler and two workers, which are up."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self._folder, self._held = folder, held
        folder.mkdir(exist_ok=True)
        path = folder / "scheduler.json"
        self.scheduler = held.enter_context(
            process(folder, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(path))
        )
        # it is there before it is written
        until(lambda: path.is_file() and path.read_text().endswith("}"), "the scheduler comes up")
        self.address: str = json.loads(path.read_text())["address"]
        self.workers = [self.worker(), self.worker()]
        with Client(self.address, timeout=PATIENCE) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)

    def worker(self, **variables: str) -> "subprocess.Popen[bytes]":
        words = ("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
        return self._held.enter_context(process(self._folder, *words, **variables))


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    with ExitStack() as held:
        yield Machines(tmp_path, held)


@pytest.mark.slow
def test_a_campaign_outlives_a_worker_and_a_scheduler(machines: Machines, tmp_path: Path) -> None:
    results: list[Result] = []

    def take(result: Result) -> None:
        results.append(result)
        if len(results) == 2:
            kill(machines.workers[0])
        if len(results) == 5:
            kill(machines.scheduler)

    gone = "the Dask scheduler is gone; what was done is stored"
    with cluster(machines.address, 1) as client, pytest.raises(UserError, match=gone):
        run_all(client, JOBS, take)
    assert 5 <= len(results) < len(JOBS)
    done = {result.job for result in results}
    with ExitStack() as held:
        again = Machines(tmp_path / "again", held)
        with cluster(again.address, 1) as client:
            run_all(client, [job for job in JOBS if job not in done], results.append)
    assert [result.job for result in sorted(results, key=lambda result: result.job.seed)] == JOBS
    assert {(result.verdict, result.message) for result in results} == {("passed", "")}


def test_a_worker_outside_a_checkout_is_named(machines: Machines, tmp_path: Path) -> None:
    """Here: asked for a module that its checkout has not."""
    module = tmp_path / "nowhere_else.py"
    module.write_text("def one():\n    return 1\n")
    with cluster(machines.address, 1) as client, pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        function = importlib.import_module("nowhere_else").one
        with pytest.raises(RuntimeError, match=r"not of a checkout that is set up .*nowhere_else"):
            submit(client, function).result()


ROOMS = ("ci", "configs", "formal", "models", "report", "rtl", "tb", "utils", "workloads")


@pytest.mark.slow
def test_a_worker_with_other_sources_is_refused(machines: Machines, tmp_path: Path) -> None:
    """Its jobs go to the others; without others none is begun."""
    other = tmp_path / "other"
    for room in ROOMS:
        shutil.copytree(ROOT / room, other / room, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "tb" / "common" / "running" / "runner.py").open("a") as file:
        file.write("# a comment\n")
    machines.worker(PYTHONPATH=str(other))
    results, said = list[Result](), list[str]()
    with cluster(machines.address, 1) as client:
        client.wait_for_workers(3, timeout=PATIENCE)
        run_all(client, JOBS, results.append, say=said.append)
        assert sorted(result.job.seed for result in results) == [job.seed for job in JOBS]
        assert {(result.verdict, result.message) for result in results} == {("passed", "")}
        [line] = said
        assert line.startswith("refused: worker tcp://") and str(other) in line
        for worker in machines.workers:
            kill(worker)
        until(lambda: len(client.scheduler_info()["workers"]) == 1, "two workers are gone")
        with pytest.raises(UserError, match="no worker has the sources of this checkout"):
            run_all(client, JOBS, results.append)
    assert len(results) == len(JOBS)

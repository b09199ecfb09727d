# SPDX-License-Identifier: Apache-2.0
"""What a group of processes may use: seconds of CPU, not of the clock."""

import os
import subprocess
import sys
import time

import pytest

from utils import processes
from utils.processes import Limit, group

CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


def seconds_until_passed(work: str, limit: float, patience: float) -> float | None:
    """Until a child's child that does ``work`` has used its limit; None if it has not within ``patience``."""
    with group([sys.executable, "-c", CHILD, work]) as process:
        started, bound = time.monotonic(), Limit(process, limit)
        while time.monotonic() - started < patience:
            if bound.passed():
                return time.monotonic() - started
            time.sleep(0.05)
    return None


def test_what_computes_is_stopped_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LOOK", 0.1)
    assert seconds_until_passed("while True: pass", 0.5, 60.0) is not None


def test_what_waits_has_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LOOK", 0.1)
    monkeypatch.setattr(processes, "IDLE", 4)
    took = seconds_until_passed("import time; time.sleep(60)", 1.0, 30.0)
    assert took is not None and took >= 4.0
    assert seconds_until_passed("import time; time.sleep(60)", 1.0, 2.0) is None


def test_what_a_command_started_ends_with_it() -> None:
    """SIGTERM ends a command as Ctrl-C does, and what it has started in a session of its own ends with it."""
    child = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    command = (
        "import sys; from utils import cli, processes\n"
        "def main(argv):\n"
        f"    with processes.group([sys.executable, '-c', {child!r}]) as process: process.wait()\n"
        "cli.run(main)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        started = int(process.stdout.readline())
        process.terminate()
        assert process.wait(60) == 130
        assert process.stderr.read() == "interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(started, 0)

# SPDX-License-Identifier: Apache-2.0
"""Programs that start others: all of them end together; and folders that one program has for itself."""

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from utils.errors import UserError

IDLE = 10  # times a limit of CPU seconds that may pass on the clock: what waits for ever is stopped, too
IN_USE = ".in-use"  # the lock file of a build folder; 'make clean' looks at it, too
LOOK = 1.0  # seconds between looks


@contextmanager
def group(command: Sequence[str], **options: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """``command`` in a session of its own, with ``options`` as of :class:`subprocess.Popen`.

    When the block is left, all that it started and that still runs is killed: after Ctrl-C no compiler,
    simulator or solver goes on.
    """
    process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def sole(path: Path, what: str) -> Iterator[None]:
    """Be the only process that does ``what`` in the folder of the lock file ``path``.

    Raises :class:`UserError` that names the other one if there is one, be it on another machine.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UserError(
                f"{what} is running in {path.parent}: {file.read() or 'another process'}; wait until it "
                "has ended, or name another folder"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


def use_build(folder: Path) -> None:
    """Keep ``make clean`` from emptying ``folder`` until this process ends; wait if it is at it.

    Where nothing can be written, nothing can be removed either.
    """
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
        handle = os.open(folder / IN_USE, os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.flock(handle, fcntl.LOCK_SH)


class Limit:
    """Seconds of CPU that a ``process`` of :func:`group` and all that it starts may use.

    Of CPU and not of the clock, so that a machine that is busy with other things stops nothing.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        self.session, self.seconds = process.pid, seconds
        self.started = self.looked = time.monotonic()

    def passed(self) -> bool:
        """Whether it has used them up."""
        now = time.monotonic()
        if now - self.looked < LOOK:
            return False
        self.looked = now
        return now - self.started > IDLE * self.seconds or _cpu_seconds(self.session) > self.seconds


def _cpu_seconds(session: int) -> float:
    """What the processes of a session, and their children that have ended, have used so far."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = path.read_text().rpartition(")")[2].split()  # from the third field of proc(5) on
            if int(fields[3]) == session:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")

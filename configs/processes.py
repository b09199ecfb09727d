# SPDX-License-Identifier: Apache-2.0
"""Programs that start others: all of them end together."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


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

# SPDX-License-Identifier: Apache-2.0
"""Waiting for other processes, on a machine that may be busy with other tests."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 300.0  # seconds, for what takes a few on a machine that does nothing else


def until(there: Callable[[], Any], what: str, seconds: float = PATIENCE) -> None:
    """Wait until ``there()`` is true. Raises AssertionError with ``what`` once ``seconds`` are over."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.05)

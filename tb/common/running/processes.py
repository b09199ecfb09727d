# SPDX-License-Identifier: Apache-2.0
"""Pools of processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def processes(jobs: int) -> ProcessPoolExecutor:
    """A pool of ``jobs`` new processes: a fork of a process with threads may hang."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))

# SPDX-License-Identifier: Apache-2.0
"""Speed of programs on the SIMT machine: alone, and with both caches' models."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from bench.benchmark import Benchmark, Way
from workloads.simt.caches import Caches, configured
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare


def repeated(cfg: Any, program: str, times: int) -> tuple[int, float]:
    """Instructions and CPU seconds of several runs; with the models of an icache and of ``cfg``, if given."""
    count, seconds = 0, 0.0
    for _ in range(times):
        job = prepare(PROGRAMS[program])
        machine = Machine(job.memory, job.launch)
        caches = cfg and Caches(configured("icache"), cfg, machine.state.base, job.image.code_bytes)
        started = time.process_time()
        for part in machine.chunks():
            if caches:
                caches.run(part)
        seconds += time.process_time() - started
        count += part.first + len(part.fetches)
    return count, seconds


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`; as many runs as have ``count`` instructions."""
    instructions = {repeated(caches, pattern, 1)[0] for caches in (None, cfg)}.pop()  # compiles
    times = -(-count // instructions)
    yield {
        name: Way(partial(repeated, caches, pattern, times), times * instructions)
        for name, caches in {"machine": None, "machine and caches": cfg}.items()
    }

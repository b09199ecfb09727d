# SPDX-License-Identifier: Apache-2.0
"""Speed of programs on the SIMT machine, alone and with the golden models of both caches behind it."""

import time
from functools import partial

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent
from configs.dcache.schema import Config
from workloads.simt.caches import Caches, configured
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare

WAYS = {"machine": False, "machine and caches": True}


def run(cfg: Config, program: str, count: int, with_caches: bool) -> tuple[int, float]:
    """Run after run until there are ``count`` instructions: how many there were, and their CPU seconds."""
    instructions, seconds = 0, 0.0
    while instructions < count:
        job = prepare(PROGRAMS[program])
        machine = Machine(job.memory, job.launch)
        caches = Caches(configured("icache"), cfg, machine.state.base, job.image.code_bytes)
        started = time.process_time()
        for part in machine.chunks():
            instructions += len(part.fetches)
            if with_caches:
                caches.run(part)
        seconds += time.process_time() - started
        assert not with_caches or caches.icache.counters["fetches"] == len(part.fetches) + part.first
    return instructions, seconds


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Instructions per second of the program ``pattern``; see :class:`bench.benchmark.Measure`."""
    say("compiling")
    work = {what: run(cfg, pattern, 1, on)[0] for what, on in WAYS.items()}

    def way(what: str, on: bool) -> float:
        work[what], seconds = run(cfg, pattern, count, on)
        return seconds

    taken = fastest({what: partial(way, what, on) for what, on in WAYS.items()}, rounds, say)
    assert len(set(work.values())) == 1, work
    return rows([(what, work[what], taken[what], "") for what in WAYS])


BENCHMARK = Benchmark(
    "programs", "instructions", preset="paper", patterns=("matmul", "sort", "loop", "unrolled"),
    count=300_000, measure=measure,
)  # fmt: skip

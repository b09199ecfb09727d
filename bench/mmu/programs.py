# SPDX-License-Identifier: Apache-2.0
"""Speed of programs on the golden models of both caches, and of the same programs through the RTL."""

import time
from functools import partial

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent
from configs.mmu.schema import Config
from tb.mmu.machine import MachineRun
from tb.mmu.outcome import predicted
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare

MODELS, RTL = "machine and models", "through the RTL"


def run(cfg: Config, program: str, count: int, through_rtl: bool) -> tuple[int, float]:
    """Run after run until there are ``count`` instructions: how many there were, and their CPU seconds."""
    instructions, seconds = 0, 0.0
    while instructions < count:
        job = prepare(PROGRAMS[program])
        before = job.memory.copy()
        started = time.process_time()
        trace = Machine(job.memory, job.launch).run()
        if not through_rtl:
            predicted(cfg, before, trace)
            seconds += time.process_time() - started
        else:
            on_rtl = MachineRun(cfg, Machine(before, job.launch), trace)
            started = time.process_time()
            assert on_rtl.run().instructions == len(trace.fetches)
            seconds += time.process_time() - started
        instructions += len(trace.fetches)
    return instructions, seconds


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Instructions per second of the program ``pattern``; see :class:`bench.benchmark.Measure`."""
    say("building")
    ways = {MODELS: False, RTL: True}
    work = {what: run(cfg, pattern, 1, on)[0] for what, on in ways.items()}

    def way(what: str, on: bool) -> float:
        work[what], seconds = run(cfg, pattern, count, on)
        return seconds

    taken = fastest({what: partial(way, what, on) for what, on in ways.items()}, rounds, say)
    assert len(set(work.values())) == 1, work
    return rows([(what, work[what], taken[what], "") for what in ways])


BENCHMARK = Benchmark(
    "programs", "instructions", preset="paper", patterns=("matmul", "sort"), count=30_000, measure=measure,
)  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Speed of programs on the golden models of both caches, and of the same programs through the RTL."""

import time
from functools import partial
from typing import NamedTuple

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent
from configs.mmu.schema import Config
from tb.mmu.machine import MachineRun
from tb.mmu.outcome import wide
from workloads.simt.caches import Caches
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare


class Ran(NamedTuple):
    """Runs of a program: instructions, hits of both caches in the last of them, CPU seconds."""

    instructions: int
    hits: tuple[int, int]
    seconds: float


def on_models(cfg: Config, program: str) -> Ran:
    """A run on the golden models alone."""
    job, wider = prepare(PROGRAMS[program]), wide(cfg)
    machine = Machine(job.memory, job.launch)
    caches = Caches(wider.icache, wider.dcache, machine.state.base, job.image.code_bytes)
    started = time.process_time()
    for part in machine.chunks():
        caches.run(part)
    seconds = time.process_time() - started
    hits = caches.icache.counters["hits"], caches.dcache.counters["hits"]
    return Ran(part.first + len(part.fetches), hits, seconds)


def on_rtl(cfg: Config, program: str) -> Ran:
    """A run through the RTL; the one on the ideal machine before it is not measured."""
    job = prepare(PROGRAMS[program])
    before = job.memory.copy()
    through = MachineRun(cfg, Machine(before, job.launch), Machine(job.memory, job.launch).run())
    started = time.process_time()
    outcome = through.run()
    seconds = time.process_time() - started
    icache, dcache = (outcome.counters[f"{name}_perf"]["hits"] for name in ("icache", "dcache"))
    return Ran(outcome.instructions, (icache, dcache), seconds)


WAYS = {"machine and models": on_models, "through the RTL": on_rtl}


def run(cfg: Config, program: str, count: int, way: str) -> Ran:
    """Run after run until there are ``count`` instructions."""
    ran = Ran(0, (0, 0), 0.0)
    while ran.instructions < count:
        more = WAYS[way](cfg, program)
        ran = Ran(ran.instructions + more.instructions, more.hits, ran.seconds + more.seconds)
    return ran


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Instructions per second of the program ``pattern``; see :class:`bench.benchmark.Measure`."""
    say("building")
    runs = {way: run(cfg, pattern, 1, way) for way in WAYS}

    def again(way: str) -> float:
        runs[way] = run(cfg, pattern, count, way)
        return runs[way].seconds

    taken = fastest({way: partial(again, way) for way in WAYS}, rounds, say)
    assert len({ran[:2] for ran in runs.values()}) == 1, runs
    return rows([(way, runs[way].instructions, taken[way], "") for way in WAYS])


BENCHMARK = Benchmark(
    "programs", "instructions", preset="paper", patterns=("matmul", "sort"), count=30_000, measure=measure,
)  # fmt: skip

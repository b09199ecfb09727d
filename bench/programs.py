# SPDX-License-Identifier: Apache-2.0
"""Speed of programs on the SIMT machine: alone, with both caches' models, through the RTL."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from bench.benchmark import Benchmark
from bench.timing import Way
from tb.mmu.machine import MachineRun
from tb.mmu.outcome import wide
from workloads.simt.caches import Caches, configured
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare

#: instructions and hits of both caches, if there are any, and CPU seconds
Ran = tuple[int, tuple[int, ...], float]


def on_models(cfgs: tuple[Any, Any] | None, program: str) -> Ran:
    """A run on the machine, with the golden models of both caches, if their configurations are given."""
    job = prepare(PROGRAMS[program])
    machine = Machine(job.memory, job.launch)
    caches = Caches(*cfgs, machine.state.base, job.image.code_bytes) if cfgs else None
    started = time.process_time()
    for part in machine.chunks():
        if caches:
            caches.run(part)
    seconds = time.process_time() - started
    hits = (caches.icache.counters["hits"], caches.dcache.counters["hits"]) if caches else ()
    return part.first + len(part.fetches), hits, seconds


def on_rtl(cfg: Any, program: str) -> Ran:
    """A run through the RTL; the one on the ideal machine before it is not measured."""
    job = prepare(PROGRAMS[program])
    before = job.memory.copy()
    through = MachineRun(cfg, Machine(before, job.launch), Machine(job.memory, job.launch).run())
    started = time.process_time()
    outcome = through.run()
    seconds = time.process_time() - started
    hits = tuple(outcome.counters[f"{name}_perf"]["hits"] for name in ("icache", "dcache"))
    return outcome.instructions, hits, seconds


def repeated(run: Callable[[str], Ran], program: str, times: int) -> tuple[tuple[int, ...], float]:
    """Several runs: instructions and hits of the last one, and the seconds of all."""
    runs = [run(program) for _ in range(times)]
    return (runs[-1][0], *runs[-1][1]), sum(seconds for _, _, seconds in runs)


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`; as many runs as have ``count`` instructions."""
    if benchmark.block == "mmu":
        caches = wide(cfg).icache, wide(cfg).dcache
        runs = {"machine and models": partial(on_models, caches), "through the RTL": partial(on_rtl, cfg)}
    else:
        caches = configured("icache"), cfg
        runs = {"machine": partial(on_models, None), "machine and caches": partial(on_models, caches)}
    listed = {}
    for name, run in runs.items():
        instructions, hits, _ = run(pattern)  # compiles
        times = -(-count // instructions)
        expected = instructions, *hits
        listed[name] = Way(partial(repeated, run, pattern, times), times * instructions, expected=expected)
    yield listed

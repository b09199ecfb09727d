# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, primitives and quads in order, a quiet unit."""

import cocotb

from configs import MemoryTiming
from tb.common.components.pacing import ALWAYS, PATIENT, PATIENT_MEMORY, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import Distribution, primitive, quads_at

SMALL = Distribution(log2=(2, 6), lods=(-2, 1))
COLOUR_TABLE = 3000  # cycles in which one is loaded, whatever the clocks


@testcase(silent=True)
async def quiet(run: TexunitSequence) -> None:
    """Without primitives nothing happens."""
    await run.clocking.cycles(run.cfg.cache.sets + 200)
    offered = {name: agent.monitor.offered for name, agent in run.env.agents.items()}
    shown = {name: cycles for name, cycles in offered.items() if cycles and not name.startswith("perf")}
    run.expect("cycles with valid, but for counters, which are always shown", {}, shown)


@testcase()
async def results_held(run: TexunitSequence) -> None:
    """A consumer that holds results: as many quads are taken as the result FIFO has places, then none."""
    prim = SMALL.prim(run.cfg, run.rng)
    run.hold()
    await run.begin(prim)
    sending = cocotb.start_soon(run.send(SMALL.quads(run.rng, prim, 3 * run.cfg.fifo.depth)))
    await run.clocking.cycles(150 * run.cfg.fifo.depth)
    if not run.env.flights[0].quads_in_flight:  # a colour table is on its way
        await run.clocking.cycles(COLOUR_TABLE + 150 * run.cfg.fifo.depth)
    run.expect("quads taken", run.cfg.fifo.depth, run.env.flights[0].quads_in_flight)
    run.pace(ALWAYS)
    await sending
    run.pace(Pacing(2, 30))
    await run.on_all_units(SMALL, 120)
    run.pace(ALWAYS)


@testcase()
async def waiting(run: TexunitSequence) -> None:
    """Counted are cycles without a quad for the first stage, and those that wait for a line; no others."""
    await run.begin(primitive(log2w=6, log2h=6, max_lod=0, invalidate=1))
    await run.settle()
    run.expect("counted while idle", {"quad_wait_cycles": run.CYCLES}, await run.waits())
    near = run.env.memory.timing
    run.env.memory.set_timing(MemoryTiming(latency=4 * run.CYCLES))
    quads = quads_at([(0.5, 0.5)] * 3 * run.cfg.fifo.depth)
    sending = cocotb.start_soon(run.send(quads))
    while not run.env.bursts:
        await run.clocking.cycles(1)
    await run.clocking.cycles(2 * run.CYCLES)
    run.expect("counted while a line comes", {"memory_wait_cycles": run.CYCLES}, await run.waits())
    run.env.memory.set_timing(near)
    run.hold()
    await run.clocking.cycles(150 * run.cfg.fifo.depth)
    run.expect("counted while results wait", {"quad_wait_cycles": run.CYCLES}, await run.waits())
    run.pace(ALWAYS)
    await sending


@testcase()
async def request_gaps(run: TexunitSequence) -> None:
    """Quads now and then: each meets an idle unit or a busy one."""
    for pause in (1, 8, 60):
        prim = SMALL.prim(run.cfg, run.rng)
        await run.begin(prim)
        await run.send(SMALL.quads(run.rng, prim, 40), 0, Pacing(2, pause))


@testcase()
async def memory_stalls(run: TexunitSequence) -> None:
    """Addresses that wait, data with pauses, random latency, answers of several units out of order."""
    stalls = (
        MemoryPacing(address=Pacing(1, 9)),
        MemoryPacing(beat=Pacing(1, 5)),
        MemoryPacing(jitter=200),
        MemoryPacing(100, Pacing(2, 4), Pacing(3, 2)),
    )
    for turn, pacing in enumerate(stalls):
        run.env.pace_memory(pacing)
        run.env.memory.mix(reorder=turn % 2 == 0)
        await run.on_all_units(Distribution(log2=(3, 9), walk=0.5), 80, each=20)
    await run.settle()


@testcase()
async def patient(run: TexunitSequence) -> None:
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""
    run.pace(PATIENT)
    run.env.pace_memory(PATIENT_MEMORY)
    await run.on_all_units(Distribution(log2=(3, 9), walk=0.5), 80, each=20)


@testcase()
async def primitive_after_primitive(run: TexunitSequence) -> None:
    """Primitives flush the unit: none is taken while quads are in flight, no quad before it is set up."""
    for kind in (0, 2, 1, 3, 3, 0):
        await run.begin(primitive(base=1000 * kind, log2w=3, log2h=4, format=kind, bilinear=1))
    tasks = []
    for n in range(12):
        prim = primitive(base=2000 + 64 * n, log2w=4, log2h=4, format=n % 4, bilinear=n % 2)
        tasks.append(cocotb.start_soon(run.begin(prim)))
        tasks.append(cocotb.start_soon(run.send(quads_at([(0.1 * n, 0.3)], 0.06))))
        await run.clocking.cycles(int(run.rng.integers(1, 200)))
    for task in tasks:
        await task


@testcase()
async def maximum_rate(run: TexunitSequence) -> None:
    """One line again and again: quads as fast as the unit can, five cycles a bilinear pixel."""
    await run.begin(primitive(base=64, log2w=4, log2h=4, format=2, bilinear=1, max_lod=0))
    await run.settle()
    await run.send(quads_at([(0.07, 0.07)] * 4, 0.01))
    await run.settle()
    began = run.clocking.cycle
    count = 60
    await run.send(quads_at([(0.07, 0.07)] * count, 0.01))
    await run.settle()
    per_quad = (run.clocking.cycle - began) / count
    run.expect("at most 23 cycles for a quad of four bilinear pixels", True, per_quad < 23)

# SPDX-License-Identifier: Apache-2.0
"""Invalidation, the look-up table, reset; alone and in the middle of traffic."""

import cocotb
import numpy as np

from tb.common.components.acting import held_resets
from tb.common.components.pacing import MemoryPacing, Pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.sequences import Distribution, random_table
from tb.texcache.shapes import Shapes

LOCAL = Distribution(textures=3, span=24)


@testcase(silent=True)
async def quiet(run: TexcacheSequence) -> None:
    """Without requests nothing happens: no result, no look-up, no read, no stop."""
    await run.clocking.cycles(500)
    offered = {name: agent.monitor.offered for name, agent in run.env.agents.items() if name != "lut"}
    run.expect("cycles with valid", dict.fromkeys(offered, 0), offered)
    run.expect("counters", {0}, set(run.env.performance.counters().values()))
    run.expect("busy", 0, int(run.bench.dut.busy.value))


@testcase()
async def invalidate(run: TexcacheSequence) -> None:
    """Invalidation of an idle cache: all lines are fetched again, into way 0 first."""
    footprints = LOCAL.draw(run.cfg, run.rng, 60)
    for times in (1, 2, 1):
        await run.send(footprints)
        await run.settle()
        for _ in range(times):
            await run.invalidate()
    await run.send(footprints)


@testcase()
async def invalidate_busy(run: TexcacheSequence) -> None:
    """Invalidation in traffic waits until the pipeline is empty; requests wait behind it."""
    sending = cocotb.start_soon(
        run.send(LOCAL.draw(run.cfg, run.rng, max(150, run.count // 4)), Pacing(6, 2))
    )
    for _ in range(8):
        await run.clocking.cycles(int(run.rng.integers(1, 60)))
        run.pace(Pacing(2, float(run.rng.integers(1, 6))))
        await run.invalidate()
    await sending


@testcase()
async def invalidate_stopped(run: TexcacheSequence) -> None:
    """Stopped, a request and an invalidation wait together: each cycle is one of stop until begin."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    for _ in range(3):
        await run.invalidate()
        run.hold()
        sending = cocotb.start_soon(run.send([shapes.footprints[0]] * 3 * run.cfg.fifo.depth))
        while not run.env.stops.stopped or run.env.bursts:
            await run.clocking.cycles(1)
        await run.clocking.cycles(20)  # all moves up, which may make space for a few more
        run.expect("stopped for good", True, run.env.stops.stopped)
        invalidation = cocotb.start_soon(run.invalidate())
        await run.clocking.cycles(5)
        cycles = int(run.rng.integers(10, 40))
        before = run.env.performance.counters()
        await run.clocking.cycles(cycles)
        after = run.env.performance.counters()
        waited = [after[name] - before[name] for name in ("stop_cycles", "request_wait_cycles")]
        run.expect("cycles that a request waited for begin, and for others", [cycles, 0], waited)
        run.pace(Pacing())
        await sending
        await invalidation
        await run.settle()


async def used_next(run: TexcacheSequence) -> None:
    """A write, and in the next cycle a request that needs it, on the idle cache."""
    for _ in range(10):
        level = int(run.rng.integers(run.cfg.levels))
        base = int(random_table(run.cfg, run.rng)[0].min())
        await run.clocking.cycles(2)
        writing = cocotb.start_soon(run.play("lut", LutItem(run.cfg, 0, level, base)))
        await run.send([(0, level, 0, 0, 0, 0)], Pacing(1, 1, longest=1))
        await writing


@testcase()
async def table_in_traffic(run: TexcacheSequence) -> None:
    """Entries change again and again while requests use them: each sees the table of the cycle before."""
    levels = tuple(range(min(3, run.cfg.levels)))
    traffic = Distribution(textures=2, levels=levels, span=16).draw(
        run.cfg, run.rng, max(200, run.count // 3)
    )
    sending = cocotb.start_soon(run.send(traffic, Pacing(4, 1)))
    writes = 300
    tex, level = run.rng.integers(2, size=writes), run.rng.choice(levels, writes)
    base = [random_table(run.cfg, run.rng)[entry] for entry in zip(tex, level, strict=True)]
    await run.play("lut", LutItem(run.cfg, tex, level, base, Pacing(2, 4).gaps(run.rng, writes)))
    await sending
    await run.settle()
    await used_next(run)


@testcase()
async def reset_idle(run: TexcacheSequence) -> None:
    """Reset of an idle cache: all lines are gone, the look-up table stays."""
    footprints = LOCAL.draw(run.cfg, run.rng, 60)
    for cycles in (1, 5):
        await run.send(footprints)
        await run.settle()
        await run.reset(cycles)
    await run.send(footprints)


@testcase()
async def reset_in_traffic(run: TexcacheSequence) -> None:
    """Reset at random moments of dense traffic, with lines on their way, which memory goes on delivering."""
    run.env.pace_memory(MemoryPacing(jitter=20, address=Pacing(3, 2)))
    sending = cocotb.start_soon(run.send(Distribution().draw(run.cfg, run.rng, max(300, run.count // 2))))
    for _ in range(12):
        await run.clocking.cycles(int(run.rng.integers(3, 120)))
        run.pace(Pacing(4, float(run.rng.integers(1, 12))))
        await run.reset(int(run.rng.integers(1, 4)))
    await sending


@testcase()
async def reset_again(run: TexcacheSequence) -> None:
    """Reset again and again, with lines of several resets on their way, waiting addresses and errors."""
    lines = run.table.reshape(-1).astype(np.int64)
    run.env.poison([int(line) for line in lines[run.rng.random(len(lines)) < 0.5]])
    run.env.pace_memory(MemoryPacing(jitter=100, address=Pacing(2, 6), beat=Pacing(3, 2)))
    for _ in range(6):
        sending = cocotb.start_soon(run.send(Distribution().draw(run.cfg, run.rng, 40)))
        for _ in range(6):
            await run.clocking.cycles(int(run.rng.integers(1, 50)))
            await run.reset(int(run.rng.integers(1, 4)))
        await sending
        await run.send(Distribution().draw(run.cfg, run.rng, 10))
        await run.settle()


@testcase()
async def reset_of_memory(run: TexcacheSequence) -> None:
    """The memory's side is reset, alone or with the cache: both forget what memory was asked for."""
    run.env.pace_memory(MemoryPacing(jitter=20, address=Pacing(3, 3)))
    kinds: tuple[Kind, ...] = ("memory", "all", "design", "memory", "design", "all")
    for kind in 2 * kinds:
        sending = cocotb.start_soon(run.send(Distribution().draw(run.cfg, run.rng, 15)))
        await run.clocking.cycles(int(run.rng.integers(3, 80)))
        await run.reset(int(run.rng.integers(1, 4)), kind)
        await sending
        await run.send(Distribution().draw(run.cfg, run.rng, 5))
    await run.settle()


@testcase()
async def resets_while_held(run: TexcacheSequence) -> None:
    """Short resets of any kind while results, requests or channels of memory are held."""
    run.env.latency.steady, run.env.latency.timing = False, None

    async def send() -> None:
        await run.send(LOCAL.draw(run.cfg, run.rng, int(run.rng.integers(1, 8))))

    await held_resets(run, max(60, run.count // 10), 80, send)


@testcase()
async def reset_stopped(run: TexcacheSequence) -> None:
    """Reset between stop and begin: afterwards requests are taken again at once."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    run.hold()
    count = 3 * run.cfg.fifo.depth
    sending = cocotb.start_soon(run.send(np.repeat(shapes.footprints[:1], count)))
    while not run.env.stops.stopped:
        await run.clocking.cycles(1)
    await run.clocking.cycles(5)
    await run.reset(2)
    run.expect("busy after reset", 0, int(run.bench.dut.busy.value))
    run.pace(Pacing())
    await sending

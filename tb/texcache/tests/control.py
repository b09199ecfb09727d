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


@testcase()
class Quiet(TexcacheSequence):
    """Without requests nothing happens: no result, no look-up, no read, no stop."""

    silent = True

    async def traffic(self) -> None:
        """Wait, then look at the counters."""
        await self.clocking.cycles(500)
        offered = {name: agent.monitor.offered for name, agent in self.env.agents.items() if name != "lut"}
        self.expect("cycles with valid", dict.fromkeys(offered, 0), offered)
        self.expect("counters", {0}, set(self.env.performance.counters().values()))
        self.expect("busy", 0, int(self.bench.dut.busy.value))


@testcase()
class Invalidate(TexcacheSequence):
    """Invalidation of an idle cache: all lines are fetched again, into way 0 first."""

    async def traffic(self) -> None:
        """Twice in a row, too."""
        footprints = LOCAL.draw(self.cfg, self.rng, 60)
        for times in (1, 2, 1):
            await self.send(footprints)
            await self.settle()
            for _ in range(times):
                await self.invalidate()
        await self.send(footprints)


@testcase()
class InvalidateBusy(TexcacheSequence):
    """Invalidation in traffic waits until the pipeline is empty; requests wait behind it."""

    async def traffic(self) -> None:
        """At random moments, with results held back now and then."""
        sending = cocotb.start_soon(
            self.send(LOCAL.draw(self.cfg, self.rng, max(150, self.count // 4)), Pacing(6, 2))
        )
        for _ in range(8):
            await self.clocking.cycles(int(self.rng.integers(1, 60)))
            self.pace(Pacing(2, float(self.rng.integers(1, 6))))
            await self.invalidate()
        await sending


@testcase()
class InvalidateStopped(TexcacheSequence):
    """Stopped, a request and an invalidation wait together: each cycle is one of stop until begin."""

    async def traffic(self) -> None:
        """Hold results until the tag FIFO is full, invalidate, look at the counters, go on."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        for _ in range(3):
            await self.invalidate()
            self.hold()
            sending = cocotb.start_soon(self.send([shapes.footprints[0]] * 3 * self.cfg.fifo.depth))
            while not self.env.stops.stopped or self.env.bursts:
                await self.clocking.cycles(1)
            await self.clocking.cycles(20)  # all moves up, which may make space for a few more
            self.expect("stopped for good", True, self.env.stops.stopped)
            invalidation = cocotb.start_soon(self.invalidate())
            await self.clocking.cycles(5)
            cycles = int(self.rng.integers(10, 40))
            before = self.env.performance.counters()
            await self.clocking.cycles(cycles)
            after = self.env.performance.counters()
            waited = [after[name] - before[name] for name in ("stop_cycles", "request_wait_cycles")]
            self.expect("cycles that a request waited for begin, and for others", [cycles, 0], waited)
            self.pace(Pacing())
            await sending
            await invalidation
            await self.settle()


@testcase()
class TableInTraffic(TexcacheSequence):
    """Entries change again and again while requests use them: each sees the table of the cycle before."""

    async def traffic(self) -> None:
        """Few textures and levels, so that writes and uses meet."""
        levels = tuple(range(min(3, self.cfg.levels)))
        traffic = Distribution(textures=2, levels=levels, span=16).draw(
            self.cfg, self.rng, max(200, self.count // 3)
        )
        sending = cocotb.start_soon(self.send(traffic, Pacing(4, 1)))
        writes = 300
        tex, level = self.rng.integers(2, size=writes), self.rng.choice(levels, writes)
        base = [random_table(self.cfg, self.rng)[entry] for entry in zip(tex, level, strict=True)]
        await self.play("lut", LutItem(self.cfg, tex, level, base, Pacing(2, 4).gaps(self.rng, writes)))
        await sending
        await self.settle()
        await self.used_next()

    async def used_next(self) -> None:
        """A write, and in the next cycle a request that needs it, on the idle cache."""
        for _ in range(10):
            level = int(self.rng.integers(self.cfg.levels))
            base = int(random_table(self.cfg, self.rng)[0].min())
            await self.clocking.cycles(2)
            writing = cocotb.start_soon(self.play("lut", LutItem(self.cfg, 0, level, base)))
            await self.send([(0, level, 0, 0, 0, 0)], Pacing(1, 1, longest=1))
            await writing


@testcase()
class ResetIdle(TexcacheSequence):
    """Reset of an idle cache: all lines are gone, the look-up table stays."""

    async def traffic(self) -> None:
        """The same footprints before and after."""
        footprints = LOCAL.draw(self.cfg, self.rng, 60)
        for cycles in (1, 5):
            await self.send(footprints)
            await self.settle()
            await self.reset(cycles)
        await self.send(footprints)


@testcase()
class ResetInTraffic(TexcacheSequence):
    """Reset at random moments of dense traffic, with lines on their way, which memory goes on delivering."""

    async def traffic(self) -> None:
        """What was accepted and not answered is lost, all else is served."""
        self.env.pace_memory(MemoryPacing(jitter=20, address=Pacing(3, 2)))
        sending = cocotb.start_soon(
            self.send(Distribution().draw(self.cfg, self.rng, max(300, self.count // 2)))
        )
        for _ in range(12):
            await self.clocking.cycles(int(self.rng.integers(3, 120)))
            self.pace(Pacing(4, float(self.rng.integers(1, 12))))
            await self.reset(int(self.rng.integers(1, 4)))
        await sending


@testcase()
class ResetAgain(TexcacheSequence):
    """Reset again and again, with lines of several resets on their way, waiting addresses and errors."""

    async def traffic(self) -> None:
        """What comes late belongs to nobody; what was asked for anew is right."""
        lines = self.table.reshape(-1).astype(np.int64)
        self.env.poison([int(line) for line in lines[self.rng.random(len(lines)) < 0.5]])
        self.env.pace_memory(MemoryPacing(jitter=100, address=Pacing(2, 6), beat=Pacing(3, 2)))
        for _ in range(6):
            sending = cocotb.start_soon(self.send(Distribution().draw(self.cfg, self.rng, 40)))
            for _ in range(6):
                await self.clocking.cycles(int(self.rng.integers(1, 50)))
                await self.reset(int(self.rng.integers(1, 4)))
            await sending
            await self.send(Distribution().draw(self.cfg, self.rng, 10))
            await self.settle()


@testcase()
class ResetOfMemory(TexcacheSequence):
    """The memory's side is reset, alone or with the cache: both forget what memory was asked for."""

    async def traffic(self) -> None:
        """After a reset of the cache alone, too, with lines from before it."""
        self.env.pace_memory(MemoryPacing(jitter=20, address=Pacing(3, 3)))
        kinds: tuple[Kind, ...] = ("memory", "all", "design", "memory", "design", "all")
        for kind in 2 * kinds:
            sending = cocotb.start_soon(self.send(Distribution().draw(self.cfg, self.rng, 15)))
            await self.clocking.cycles(int(self.rng.integers(3, 80)))
            await self.reset(int(self.rng.integers(1, 4)), kind)
            await sending
            await self.send(Distribution().draw(self.cfg, self.rng, 5))
        await self.settle()


@testcase()
class ResetsWhileHeld(TexcacheSequence):
    """Short resets of any kind while results, requests or channels of memory are held."""

    async def traffic(self) -> None:
        """Some footprints each time."""
        self.env.latency.steady, self.env.latency.timing = False, None
        await held_resets(self, max(60, self.count // 10), 80, self.some)

    async def some(self) -> None:
        """A few, many of which share lines."""
        await self.send(LOCAL.draw(self.cfg, self.rng, int(self.rng.integers(1, 8))))


@testcase()
class ResetStopped(TexcacheSequence):
    """Reset between stop and begin: afterwards requests are taken again at once."""

    async def traffic(self) -> None:
        """Hold results until the tag FIFO is full, reset, go on."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        self.hold()
        count = 3 * self.cfg.fifo.depth
        sending = cocotb.start_soon(self.send(np.repeat(shapes.footprints[:1], count)))
        while not self.env.stops.stopped:
            await self.clocking.cycles(1)
        await self.clocking.cycles(5)
        await self.reset(2)
        self.expect("busy after reset", 0, int(self.bench.dut.busy.value))
        self.pace(Pacing())
        await sending

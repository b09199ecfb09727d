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


@testcase()
class Quiet(TexunitSequence):
    """Without primitives nothing happens."""

    silent = True

    async def body(self) -> None:
        """Wait, then look at what the monitors saw."""
        await self.clocking.cycles(self.cfg.cache.sets + 200)
        offered = {name: agent.monitor.offered for name, agent in self.env.agents.items()}
        shown = {name: cycles for name, cycles in offered.items() if cycles and not name.startswith("perf")}
        self.expect("cycles with valid, but for counters, which are always shown", {}, shown)


@testcase()
class ResultsHeld(TexunitSequence):
    """A consumer that holds results: as many quads are taken as the result FIFO has places, then none."""

    async def body(self) -> None:
        """Held for long, then released; then at random."""
        prim = SMALL.prim(self.cfg, self.rng)
        self.hold()
        await self.begin(prim)
        sending = cocotb.start_soon(self.send(SMALL.quads(self.rng, prim, 3 * self.cfg.fifo.depth)))
        await self.clocking.cycles(150 * self.cfg.fifo.depth)
        if not self.env.orders[0].quads_in_flight:  # a colour table is on its way
            await self.clocking.cycles(COLOUR_TABLE + 150 * self.cfg.fifo.depth)
        self.expect("quads taken", self.cfg.fifo.depth, self.env.orders[0].quads_in_flight)
        self.pace(ALWAYS)
        await sending
        self.pace(Pacing(2, 30))
        await self.on_all_units(SMALL, 120)
        self.pace(ALWAYS)


@testcase()
class Waiting(TexunitSequence):
    """Counted are cycles without a quad for the first stage, and those that wait for a line; no others."""

    async def body(self) -> None:
        """Nothing to do; a line from afar while more quads wait than there is room for; results held."""
        await self.begin(primitive(log2w=6, log2h=6, max_lod=0, invalidate=1))
        await self.settle()
        self.expect("counted while idle", {"quad_wait_cycles": self.CYCLES}, await self.waits())
        near = self.env.memory.timing
        self.env.memory.set_timing(MemoryTiming(latency=4 * self.CYCLES))
        quads = quads_at([(0.5, 0.5)] * 3 * self.cfg.fifo.depth)
        sending = cocotb.start_soon(self.send(quads))
        while not self.env.bursts:
            await self.clocking.cycles(1)
        await self.clocking.cycles(2 * self.CYCLES)
        self.expect("counted while a line comes", {"memory_wait_cycles": self.CYCLES}, await self.waits())
        self.env.memory.set_timing(near)
        self.hold()
        await self.clocking.cycles(150 * self.cfg.fifo.depth)
        self.expect("counted while results wait", {"quad_wait_cycles": self.CYCLES}, await self.waits())
        self.pace(ALWAYS)
        await sending


@testcase()
class RequestGaps(TexunitSequence):
    """Quads now and then: each meets an idle unit or a busy one."""

    async def body(self) -> None:
        """Pauses of all lengths."""
        for pause in (1, 8, 60):
            prim = SMALL.prim(self.cfg, self.rng)
            await self.begin(prim)
            await self.send(SMALL.quads(self.rng, prim, 40), 0, Pacing(2, pause))


@testcase()
class MemoryStalls(TexunitSequence):
    """Addresses that wait, data with pauses, random latency, answers of several units out of order."""

    async def body(self) -> None:
        """One after the other, then together."""
        stalls = (
            MemoryPacing(address=Pacing(1, 9)),
            MemoryPacing(beat=Pacing(1, 5)),
            MemoryPacing(jitter=200),
            MemoryPacing(100, Pacing(2, 4), Pacing(3, 2)),
        )
        for turn, pacing in enumerate(stalls):
            self.env.pace_memory(pacing)
            self.env.memory.mix(reorder=turn % 2 == 0)
            await self.on_all_units(Distribution(log2=(3, 9), walk=0.5), 80, each=20)
        await self.settle()


@testcase()
class Patient(TexunitSequence):
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""

    async def body(self) -> None:
        """All units."""
        self.pace(PATIENT)
        self.env.pace_memory(PATIENT_MEMORY)
        await self.on_all_units(Distribution(log2=(3, 9), walk=0.5), 80, each=20)


@testcase()
class PrimitiveAfterPrimitive(TexunitSequence):
    """Primitives flush the unit: none is taken while quads are in flight, no quad before it is set up."""

    async def body(self) -> None:
        """Primitives without quads, and both offered at once."""
        for kind in (0, 2, 1, 3, 3, 0):
            await self.begin(primitive(base=1000 * kind, log2w=3, log2h=4, format=kind, bilinear=1))
        tasks = []
        for n in range(12):
            prim = primitive(base=2000 + 64 * n, log2w=4, log2h=4, format=n % 4, bilinear=n % 2)
            tasks.append(cocotb.start_soon(self.begin(prim)))
            tasks.append(cocotb.start_soon(self.send(quads_at([(0.1 * n, 0.3)], 0.06))))
            await self.clocking.cycles(int(self.rng.integers(1, 200)))
        for task in tasks:
            await task


@testcase()
class MaximumRate(TexunitSequence):
    """One line again and again: quads as fast as the unit can, five cycles a bilinear pixel."""

    async def body(self) -> None:
        """Inside one tile, in a one-byte format."""
        await self.begin(primitive(base=64, log2w=4, log2h=4, format=2, bilinear=1, max_lod=0))
        await self.settle()
        await self.send(quads_at([(0.07, 0.07)] * 4, 0.01))
        await self.settle()
        began = self.clocking.cycle
        count = 60
        await self.send(quads_at([(0.07, 0.07)] * count, 0.01))
        await self.settle()
        per_quad = (self.clocking.cycle - began) / count
        self.expect("at most 23 cycles for a quad of four bilinear pixels", True, per_quad < 23)

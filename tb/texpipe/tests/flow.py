# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, primitives in flight, a quiet unit, waiting that is counted."""

import cocotb
import numpy as np

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.texpipe.base import TexpipeSequence
from tb.texunit.items import Distribution, primitive, quads_at
from tb.texunit.tests import flow

SMALL = Distribution(log2=(2, 6), lods=(-2, 1))


@testcase()
class Quiet(TexpipeSequence, flow.Quiet):
    """Without primitives nothing happens."""


@testcase()
class RequestGaps(TexpipeSequence, flow.RequestGaps):
    """Quads now and then: each meets an idle unit or a busy one."""


@testcase()
class MemoryStalls(TexpipeSequence, flow.MemoryStalls):
    """Addresses that wait, data with pauses, random latency, answers of several units out of order."""


@testcase()
class Patient(TexpipeSequence, flow.Patient):
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""


@testcase()
class ResultsHeld(TexpipeSequence):
    """A consumer that holds results fills the unit to the brim; then all comes out, in order."""

    async def body(self) -> None:
        """Quads of one pixel, of four, and empty ones; the most that can be in a unit when all hit."""
        for valid in (1, 15, 0):
            await self.begin(self.prim())
            await self.lines([0])
            await self.settle()
            self.hold()
            most = 8 * (self.cfg.ahead.depth + 4 * self.cfg.fifo.depth + 64)
            sending = cocotb.start_soon(self.send(self.quads([0] * most, valid)))
            await self.clocking.cycles(4 * most // 8 + 400)
            held = self.env.flights[0].quads_in_flight
            await self.clocking.cycles(400)
            self.expect("quads taken while held", held, self.env.flights[0].quads_in_flight)
            self.expect("quads that fit", True, 2 * self.cfg.fifo.depth < held < most)
            self.pace(ALWAYS)
            await sending
            await self.settle()


@testcase()
class PrimitivesInFlight(TexpipeSequence):
    """Primitives do not wait for quads of those before them, but for the fifth: and none is mistaken."""

    async def body(self) -> None:
        """While the first quad waits for memory, quads of others are looked up; each has another texture."""
        self.env.memory.set_timing(MemoryTiming(latency=400))
        for turn in range(3):
            prims = [
                primitive(
                    base=1000 * n + 37 * turn,
                    log2w=3 + n % 4,
                    log2h=5 - n % 3,
                    format=n % 2,
                    mode_u=n % 3,
                    mode_v=(n + turn) % 3,
                    bilinear=n % 2,
                    max_lod=n % 3,
                )
                for n in range(2 * PRIMS)
            ]
            before = len(self.responses)
            for prim in prims:
                await self.begin(prim)
                await self.send(quads_at([(0.3, 0.4)], 0.07))
            if not turn:
                self.expect("quads answered before all primitives were taken", before, len(self.responses))
            await self.settle()
        for _ in range(60):  # one quad each, or none
            await self.begin(SMALL.prim(self.cfg, self.rng, invalidate=0))
            if self.rng.random() < 0.7:
                await self.send(quads_at([tuple(self.rng.random(2))], 0.02))


@testcase()
class PrimitiveAndQuadAtOnce(TexpipeSequence):
    """Both offered at once: the primitive goes first, and the quad is of it."""

    async def body(self) -> None:
        """At random distances."""
        for n in range(40):
            prim = primitive(base=2000 + 64 * n, log2w=4, log2h=4, format=n % 4, bilinear=n % 2)
            task = cocotb.start_soon(self.begin(prim))
            await self.send(quads_at([(0.1 * n, 0.3)], 0.06))
            await task
            await self.clocking.cycles(int(self.rng.integers(1, 30)))


@testcase()
class Waiting(TexpipeSequence):
    """Each counter of cycles counts its own cause, and no other one does meanwhile."""

    CYCLES = 100

    async def body(self) -> None:
        """Nothing to do; a line from afar; tags far ahead; a primitive that waits; results held."""
        cycles = {"quad_wait_cycles": self.CYCLES}
        await self.begin(self.prim())
        await self.settle()
        self.expect("counted while idle", cycles, await self.waits())
        self.env.memory.set_timing(MemoryTiming(latency=1200))
        await self.lines([0])
        await self.clocking.cycles(100)
        cycles |= {"memory_wait_cycles": self.CYCLES}
        self.expect("counted while a line comes", cycles, await self.waits())
        waiting = cocotb.start_soon(self.begin(self.prim(invalidate=1)))
        await self.clocking.cycles(60)
        cycles = {"memory_wait_cycles": self.CYCLES, "prim_wait_cycles": self.CYCLES}
        self.expect("counted while a primitive waits", cycles, await self.waits())
        await waiting
        await self.settle()
        room = self.cfg.ahead.depth + 2
        sending = cocotb.start_soon(self.send(self.quads([0] * (room + 40))))
        await self.clocking.cycles(room + 150)
        cycles = {"memory_wait_cycles": self.CYCLES, "ahead_wait_cycles": self.CYCLES}
        self.expect("counted while tags are ahead", cycles, await self.waits())
        await sending
        await self.settle()
        self.env.memory.set_timing(MemoryTiming(latency=1))
        self.hold()
        sending = cocotb.start_soon(self.send(self.quads([0] * (room + 6 * self.cfg.fifo.depth + 200))))
        await self.clocking.cycles(700)
        counted = await self.waits()
        self.expect("counted while results wait", self.CYCLES, counted.get("result_wait_cycles"))
        self.expect("counted as waiting for memory", 0, counted.get("memory_wait_cycles", 0))
        self.pace(ALWAYS)
        await sending
        await self.settle()

    async def waits(self) -> dict[str, int]:
        """By how much the first unit's counters of cycles grow, those that do."""
        before = self.env.performance[0].counters()
        await self.clocking.cycles(self.CYCLES)
        grown = {name: value - before[name] for name, value in self.env.performance[0].counters().items()}
        return {name: value for name, value in grown.items() if value}


@testcase(lambda cfg: cfg.fifo.depth >= 16, "FIFOs that reach across the clocks")
class StageRates(TexpipeSequence):
    """Each stage takes something new in each cycle: levels of quads, pixels, look-ups, reads."""

    async def body(self) -> None:
        """Quads of one pixel from a GPU that offers one in each of its cycles; then full quads, all hits."""
        await self.begin(self.prim(bilinear=1))
        await self.send(self.quads([0, 5], 15))
        await self.settle()
        gpu, tex = self.cfg.clocks["gpu_clk"], self.cfg.clocks["tex_clk"]
        for valid, per_quad in ((1, gpu / tex), (15, 4.0), (3, 2.0), (0, gpu / tex)):
            count = 120
            flight = self.env.flights[0]
            first = {name: len(cycles) for name, cycles in flight.handed.items()}
            await self.send(self.quads([0] * count, valid))
            await self.settle()
            for name, pixels in (("quad_out", 1), ("pixel_out", None), ("beat", None), ("read", None)):
                each = max(1, bin(valid).count("1")) if pixels is None else pixels
                cycles = np.array(flight.handed[name][first.get(name, 0) :])
                self.expect(f"handshakes {name} of quads {valid:04b}", count * each, len(cycles))
                middle = cycles[20 * each : -20 * each]
                rate = float(middle[-1] - middle[0]) / (len(middle) - 1)
                self.expect(
                    f"{name} of quads {valid:04b} every {per_quad / each:.2f} cycles, not {rate:.3f}",
                    True, rate < per_quad / each + 0.02,
                )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, primitives in flight, how far tags run ahead, a quiet unit."""

import cocotb
import numpy as np

from configs import MemoryTiming
from configs.texpipe.schema import PRIMS
from tb.common.components.pacing import ALWAYS
from tb.common.components.testcase import testcase
from tb.texpipe.base import LEVELS, PLACES, TexpipeSequence
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
class NumberInUse(TexpipeSequence):
    """A primitive does not get the number of one that 16 quads before the cache still need."""

    async def body(self) -> None:
        """The look-up stands still behind a line; each of the numbers is the one in use, once."""
        for turn in range(PRIMS):
            await self.settle()
            self.env.memory.hold("r")
            await self.begin(self.prim())
            room = self.cfg.ahead.depth + 2  # all that the look-up and what is behind it hold
            await self.send(self.quads([4000 + 8 * turn] * room))
            await self.clocking.cycles(room + 100)
            await self.begin(primitive(base=900 + turn, log2w=4, log2h=3, format=1, bilinear=1))
            await self.send(quads_at([tuple(self.rng.random(2)) for _ in range(16)], valid=1))
            for n in range(PRIMS):  # the last one would have the number of the one with quads
                await self.begin(primitive(base=77 * n, log2w=2 + n, log2h=5, format=n % 2))
            await self.clocking.cycles(100)
            self.in_setup(1)
            self.env.memory.release("r")
            await self.send(quads_at([(0.1, 0.7)], 0.05))
            await self.begin(SMALL.prim(self.cfg, self.rng, invalidate=0))  # the next turn has another number


@testcase()
class AloneBehindQuads(TexpipeSequence):
    """A primitive that must be alone waits for all quads before it: each bit of their number counts."""

    async def body(self) -> None:
        """Quads that wait behind results, up to as many as fit; if there is room for more, behind a line."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        await self.begin(self.prim())
        await self.lines([0])
        for inside in (1, 2, 4, 8, 16, 32, 57):
            await self.settle()
            self.hold()
            await self.alone([0] * (self.cfg.fifo.depth + inside))
            self.pace(ALWAYS)
            await self.lines([0])
        for inside in (64, 128):
            if inside <= self.cfg.ahead.depth:
                await self.settle()
                self.env.memory.hold("r")
                await self.alone([8] * inside)
                self.env.memory.release("r")
                await self.lines([0])

    async def alone(self, lines: list[int]) -> None:
        """Pixels in these lines, and a primitive that invalidates: it waits."""
        await self.lines(lines)
        await self.begin(self.prim(invalidate=1))
        await self.clocking.cycles(len(lines) + 150)
        self.in_setup(1)


@testcase(lambda cfg: cfg.ahead.depth >= 256, "room for 256 quads behind a line")
class UnitFullOfQuads(TexpipeSequence):
    """With 256 quads in the unit a primitive waits that must not come while there is one."""

    async def body(self) -> None:
        """One that invalidates behind a line that does not come; a table in place of theirs, results held."""
        for turn, bases in enumerate(([], [500 + 64 * number for number in range(self.cfg.tables)])):
            theirs, *others = [self.prim(format=2, base=base) for base in bases] or [self.prim()]
            for prim in (theirs, *others, theirs):  # now the turn is that of their slot
                await self.begin(prim)
            await self.settle()
            if turn:
                self.hold()
            else:
                self.env.memory.hold("r")
            left = turn * (self.cfg.fifo.depth + PLACES)  # the unit already
            single, whole = ([4000 + 8 * turn] * count for count in (236 + left, 20))
            await self.send(self.quads(single))
            await self.send(self.quads(whole, valid=15))  # some of these wait before the look-up
            for prim in others[-1:]:  # it is there, and their slot is not the last used any more
                await self.begin(prim)
            await self.begin(self.prim(format=2, base=9000) if turn else self.prim(invalidate=1))
            await self.clocking.cycles(400)
            self.in_setup(1)
            self.env.memory.release("r")
            self.pace(ALWAYS)
            await self.lines([4000 + 8 * turn, 3])


@testcase()
class AheadWhileHeld(TexpipeSequence):
    """Results are held: tags run ahead behind a hit that cannot be read, as behind a pixel that misses."""

    async def body(self) -> None:
        """Hits alone: how many are read; then misses behind one hit more, then one in that hit's place."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        await self.begin(self.prim())
        await self.lines([0])
        read, _ = await self.held([0] * (self.cfg.fifo.depth * 3 + 100))
        hits = [0] * read
        self.expect("read, asked for behind a hit", (read, 3), await self.held([*hits, 0, 101, 202, 303]))
        self.expect("behind a miss", (read, 3), await self.held([*hits, 404, 0, 505, 606]))

    async def held(self, lines: list[int]) -> tuple[int, int]:
        """Take no results of pixels in these lines: how many are read, and lines asked for, meanwhile."""
        await self.settle()
        flight, reads = self.env.flights[0], self.env.reads
        before = len(flight.handed["read"]), reads.compared
        self.hold()
        sending = cocotb.start_soon(self.lines(lines))
        await self.clocking.cycles(2 * len(lines) + 200)
        found = len(flight.handed["read"]) - before[0], reads.compared - before[1]
        self.pace(ALWAYS)
        await sending
        await self.settle()
        return found


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


@testcase()
class QueuedRates(TexpipeSequence):
    """Quads that have queued up behind a line go on in cycles that follow one another, empty ones too."""

    async def body(self) -> None:
        """Whole quads fill the stages up to the cache; then so many that no more is taken."""
        await self.begin(self.prim())
        for turn, valid in enumerate((1, 0)):
            await self.settle()
            self.env.memory.hold("r")
            await self.send(self.quads([8 * turn] * (self.most_pixels // 4), valid=15))
            await self.send(self.quads([8 * turn] * (1 + LEVELS), valid))
            await self.clocking.cycles(self.cfg.ahead.depth + 100)
            self.env.memory.release("r")
            await self.settle()
            for name in ("quad_out", "pixel_out", "beat", "read"):
                apart = np.diff(self.env.flights[0].handed[name][-LEVELS:]).tolist()
                self.expect(f"cycles between {name} of quads {valid:04b}", [1] * (LEVELS - 1), apart)


@testcase()
class ReadWhileHeld(TexpipeSequence):
    """While results are held exactly those pixels are read that have a place behind the cache."""

    async def body(self) -> None:
        """Twice, with pointers of FIFOs one further; then behind a reset with pixels in these places."""
        self.env.memory.set_timing(MemoryTiming(latency=1))
        await self.begin(self.prim())
        await self.lines([0])
        await self.held()
        await self.lines([0])
        await self.held()
        self.hold()
        await self.lines([0] * (self.cfg.fifo.depth + 4))
        await self.clocking.cycles(100)
        await self.reset()
        self.pace(ALWAYS)
        await self.begin(self.prim())
        await self.lines([0])
        await self.held()

    async def held(self) -> None:
        """Take no results of hits, of which there are more than are read; an even number of them."""
        await self.settle()
        before, count = len(self.env.flights[0].handed["read"]), self.cfg.fifo.depth + PLACES + 20
        self.hold()
        sending = cocotb.start_soon(self.lines([0] * count))
        await self.clocking.cycles(2 * count + 200)
        read = len(self.env.flights[0].handed["read"]) - before
        self.expect("pixels read while results are held", self.cfg.fifo.depth + 1 + PLACES, read)
        self.pace(ALWAYS)
        await sending
        await self.settle()

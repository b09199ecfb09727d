# SPDX-License-Identifier: Apache-2.0
"""Back-pressure on every channel, stop and begin, slow and irregular memory."""

from typing import Any

import cocotb
import numpy as np

from models.texcache.address import geometry, line_of
from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS, PATIENT, PATIENT_MEMORY, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.texcache import plan
from tb.texcache.base import TexcacheSequence
from tb.texcache.items import LutItem
from tb.texcache.sequences import Distribution
from tb.texcache.shapes import Shapes

LOCAL = Distribution(textures=3, span=24)
SLOW = Pacing(run=2, pause=4)


@testcase()
class ResultBackPressure(TexcacheSequence):
    """The consumer takes results now and then: hits and misses wait, nothing is lost."""

    async def traffic(self) -> None:
        """Several ways of being slow."""
        for pacing in (Pacing(1, 1), SLOW, Pacing(10, 40), Pacing(1, 9)):
            self.pace(pacing)
            await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 8)))


@testcase()
class CountersInTime(TexcacheSequence):
    """A counter shows an event two cycles after it, in each cycle of many."""

    async def traffic(self) -> None:
        """Of a result that waits."""
        self.hold()
        await self.send(LOCAL.draw(self.cfg, self.rng, 1))
        await in_time(self)
        self.pace(ALWAYS)


@testcase()
class RequestGaps(TexcacheSequence):
    """Requests with pauses between them."""

    async def traffic(self) -> None:
        """From dense to sparse."""
        for pacing in (Pacing(4, 1), SLOW, Pacing(1, 12)):
            await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 10)), pacing)


@testcase()
class DependentRequests(TexcacheSequence):
    """Each request depends on the answer before it, which it waits for: nothing overlaps."""

    async def traffic(self) -> None:
        """The last texel seen at the pins says where the next footprint lies."""
        texel = int(self.rng.integers(1 << 32))
        for _ in range(max(20, self.count // 40)):
            level = texel % self.cfg.levels
            u, v = (texel >> shift & self.cfg.max_side - 1 for shift in (4, 18))
            before = self.env.stops.in_flight
            await self.send([(texel >> 30, level, 0, 0, u, v)])
            self.expect("requests in flight", (0, 1), (before, self.env.stops.in_flight))
            answer = await self.transfer("res")
            response = await self.response()
            texel = self.cfg.streams["res"].unpack(answer.word)["texel3"]
            self.expect("texel", int(response.prediction.results["texel"][-1][3]), texel)


@testcase()
class AddressStalls(TexcacheSequence):
    """The memory is slow to take addresses."""

    async def traffic(self) -> None:
        """Misses mostly."""
        for pacing in (Pacing(1, 1), SLOW, Pacing(1, 12)):
            self.env.pace_memory(MemoryPacing(address=pacing))
            await self.send(Distribution().draw(self.cfg, self.rng, max(40, self.count // 10)))
            await self.settle()


@testcase()
class MemoryStalls(TexcacheSequence):
    """Random latency and pauses between data beats."""

    async def traffic(self) -> None:
        """Latency alone, pauses alone, both."""
        for pacing in (MemoryPacing(jitter=60), MemoryPacing(beat=SLOW), MemoryPacing(200, SLOW, SLOW)):
            self.env.pace_memory(pacing)
            await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 10)))
            await self.settle()


@testcase()
class Patient(TexcacheSequence):
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""

    async def traffic(self) -> None:
        """Hits and misses."""
        self.pace(PATIENT)
        self.env.pace_memory(PATIENT_MEMORY)
        await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 10)))


@testcase()
class AllChannels(TexcacheSequence):
    """Everything stalls at random at once."""

    async def traffic(self) -> None:
        """New distributions every now and then."""
        for _ in range(6):
            paces = [
                Pacing(float(self.rng.integers(1, 12)), float(self.rng.integers(1, 8))) for _ in range(4)
            ]
            self.pace(paces[0])
            self.env.pace_memory(MemoryPacing(int(self.rng.integers(80)), paces[1], paces[2]))
            await self.send(LOCAL.draw(self.cfg, self.rng, max(40, self.count // 10)), paces[3])


@testcase()
class StopBegin(TexcacheSequence):
    """A full tag FIFO stops the requests; begin follows when all that waited has been served."""

    async def traffic(self) -> None:
        """Results held back behind a miss, per number of beats; then memory that lets wait."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        possible = plan.beats(self.cfg)
        for beats in [number for number in possible if number <= 2] or possible[:1]:
            await self.invalidate()
            await self.stop_by_results(shapes.of_beats(beats), beats)
        self.env.pace_memory(MemoryPacing(jitter=20 * self.cfg.fifo.depth))
        await self.invalidate()
        await self.send(Distribution().draw(self.cfg, self.rng, 6 * self.cfg.fifo.depth))

    async def stop_by_results(self, footprint: object, beats: int) -> None:
        """Fill the tag FIFO while no result is taken, look, let go."""
        self.hold()
        before, depth = len(self.env.stops.pauses), self.cfg.fifo.depth
        sending = cocotb.start_soon(self.send([footprint] * (2 * depth + 20)))
        while len(self.env.stops.pauses) == before or self.env.stops.in_flight < depth // beats:
            await self.clocking.cycles(1)
        await self.clocking.cycles(30)
        waiting = self.env.stops.in_flight * beats
        self.expect(f"{waiting} beats wait in FIFO and pipeline", True, depth <= waiting <= depth + 5 * beats)
        self.expect("stop without begin", True, self.env.stops.stopped)
        self.pace(ALWAYS)
        while self.env.stops.stopped:
            await self.clocking.cycles(1)
        await sending
        await self.settle()


@testcase()
class MissBehindFullFifo(TexcacheSequence):
    """A beat without a place in the tag FIFO changes no tag until it has one, whoever took the last one."""

    async def traffic(self) -> None:
        """Results are held behind hits that fill the FIFO, a few more or less; then a miss of each bank."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        hit = shapes.of_beats(plan.beats(self.cfg)[0])
        for bank in range(self.cfg.banks):
            missed = self.missed(shapes, hit, bank)
            for more in range(-2, 6):
                await self.invalidate()
                await self.answer(hit)
                self.hold()
                asked = [hit] * (self.cfg.fifo.depth + more) + [missed] + [hit] * 2
                sending = cocotb.start_soon(self.send(asked))
                await self.clocking.cycles(4 * len(asked) + 40)
                self.pace(ALWAYS)
                await sending
                await self.settle()

    def missed(self, shapes: Shapes, hit: Any, bank: int) -> Any:
        """A footprint with a line in ``bank`` that misses behind ``hit``."""
        while True:
            found = self.rng.choice(shapes.footprints)
            _, result = shapes.replay([hit, found])
            if (result["valid"] & ~result["hit"] & (result["bank"] == bank)).any():
                return found


@testcase()
class DataFifoFull(TexcacheSequence):
    """As many lines on their way as the data FIFO has places, and no more."""

    async def traffic(self) -> None:
        """Nothing but misses, and memory far away."""
        self.env.pace_memory(MemoryPacing(jitter=30 * self.cfg.fifo.depth))
        shapes = Shapes(self.cfg, self.table, self.rng, Distribution(textures=8))
        await self.send(shapes.missing_most(4 * self.cfg.fifo.depth))
        await self.settle()
        self.expect("most lines outstanding", self.cfg.fifo.depth, self.env.axi["m_axi"].monitor.most_open)


@testcase()
class WaitBehindHeldResult(TexcacheSequence):
    """The FIFO's head waits for its line while a held result has stopped what is before it: that counts."""

    async def traffic(self) -> None:
        """A miss whose result is held, beats that hit behind it, a miss that memory does not answer."""
        beats = plan.beats(self.cfg)[0]
        behind, ahead, last = self.three(beats)
        self.env.latency.timing = None
        for hits in range(4):
            await self.invalidate()
            await self.answer(behind)
            self.hold()
            await self.send([ahead, *[behind] * hits])
            while not self.env.agents["res"].monitor.waiting:
                await self.clocking.cycles(1)
            await self.clocking.cycles(20)
            self.env.memory.hold("r")
            await self.send([last])
            await self.clocking.cycles(20)
            before = self.env.performance.counters()["memory_wait_cycles"]
            await self.clocking.cycles(20)
            waited = self.env.performance.counters()["memory_wait_cycles"] - before
            # the first of those behind the result is in the read stage, the next in the fill stage
            want = 20 if hits * beats <= 2 else 0
            self.expect(f"cycles that the head waited, {hits} hits before it", want, waited)
            self.pace(ALWAYS)
            await self.clocking.cycles(5 * beats * hits + 20)
            self.env.memory.release("r")
            await self.settle()

    def three(self, beats: int) -> tuple[Any, Any, Any]:
        """Footprints of so many beats: the first hits behind the second; this and the last miss at once."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        rows = shapes.rows(lambda _, results: results["beats"] == beats)
        while True:
            first, second, last = shapes.footprints[self.rng.choice(rows, 3)]
            _, missed, hit, after = shapes.replay([first, second, first, last])
            if (hit["hit"] == hit["valid"]).all() and not missed["hit"][0] and not after["hit"][0]:
                return first, second, last


@testcase()
class FillsBesideReads(TexcacheSequence):
    """Lines that have come while a result was held are written beside the reads of those before them."""

    async def traffic(self) -> None:
        """Each footprint needs one line, all of them of one bank, then of two by turns."""
        cfg = self.cfg
        beats = plan.beats(cfg)[0] if cfg.lookup == "texel" or cfg.parity else 2
        count = min(cfg.fifo.depth, 32) // beats + 1
        levels = [level for level in range(cfg.levels) if not cfg.is_small(level)]
        entries = [(tex, level) for level in levels for tex in range(cfg.textures)][:count]
        for turns in (1, 2)[: cfg.banks]:
            await self.settle()
            await self.invalidate()
            tex, level = np.array(entries).T
            await self.play("lut", LutItem(cfg, tex, level, [self.line(n % turns) for n in range(count)]))
            self.hold()
            await self.send([(*entry, 1, 1, -9, -9) for entry in entries])
            await self.clocking.cycles(20)
            while self.env.bursts:
                await self.clocking.cycles(1)
            await self.clocking.cycles(20)
            self.pace(ALWAYS)
            await self.settle()
            offered = [result.cycle - result.waited for result in self.matched("res")[-count:]]
            # what was in the read stage had been written before; a single port is written between two reads
            want = beats + (turns == 1 and cfg.fill_port == "shared")
            self.expect("cycles between results", [want] * (count - 2), np.diff(offered).tolist()[1:])

    def line(self, bank: int) -> int:
        """Any line of a bank."""
        cfg, rng = self.cfg, self.rng
        tag = int(rng.integers(1 << (cfg.cache.tag_bits - cfg.bank_bits - 1)))
        tag = tag << 1 if cfg.parity else tag * cfg.banks + bank
        return line_of(geometry(cfg), bank, int(rng.integers(cfg.cache.sets)), tag)


@testcase(needs=lambda cfg: cfg.resume == "drained", why="begin when all has drained")
class BeginWaitsForAddresses(TexcacheSequence):
    """All has drained but a footprint whose addresses memory does not take: begin waits for it."""

    async def traffic(self) -> None:
        """Hits behind a miss fill the tag FIFO, then come misses: one of them waits when the FIFO is full."""
        shapes, depth = Shapes(self.cfg, self.table, self.rng), self.cfg.fifo.depth
        hit, misses = shapes.of_beats(plan.beats(self.cfg)[0]), shapes.missing_most(8)
        self.env.latency.timing = None
        for extra in range(10):
            await self.invalidate()
            await self.answer(hit)
            self.hold()
            hits = depth // plan.beats(self.cfg)[0] - 2 + extra
            sending = cocotb.start_soon(self.send([misses[0], *[hit] * hits, *misses[1:]]))
            await self.clocking.cycles(20)
            self.env.memory.hold("ar")
            await self.clocking.cycles(6 * depth)
            self.pace(ALWAYS)
            await self.clocking.cycles(6 * depth)
            self.env.memory.release("ar")
            await sending
            await self.settle()

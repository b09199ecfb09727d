# SPDX-License-Identifier: Apache-2.0
"""The cycle counts that the paper states, each as a directed test; other configurations by the same rule."""

import numpy as np

from configs.texcache.schema import Config
from models.texcache import fifo_latency, hit_latency
from models.texcache.timing import fill_cycles
from tb.common.components.pacing import Pacing
from tb.common.components.testcase import testcase
from tb.texcache import plan
from tb.texcache.base import TexcacheSequence
from tb.texcache.shapes import Shapes

#: published cycles by number of beats (rows in different caches: 1, in the same: 2)
HIT, FIFO, MISS = {1: 2, 2: 3}, {1: 6, 2: 7}, {1: 35, 2: 36}
LINES = 1, 2, 4  # of a footprint that takes one beat whatever it needs


def published(cfg: Config) -> bool:
    """Whether ``cfg`` is the machine of the paper, for which the numbers themselves are asserted too."""
    return cfg.name == "paper"


class LatencySequence(TexcacheSequence):
    """Finds footprints by their number of beats."""

    async def traffic(self) -> None:
        """One measurement per number of beats."""
        self.shapes = Shapes(self.cfg, self.table, self.rng)
        for beats in plan.beats(self.cfg):
            await self.measure(beats)

    async def measure(self, beats: int) -> None:
        """What is measured."""
        raise NotImplementedError

    def check(self, what: str, beats: int, rule: int, paper: dict[int, int], got: int) -> None:
        """Hold a latency against the rule, and against the paper where it gives a number."""
        self.expect(f"{what}, {beats} beats: cycles", rule, got)
        if published(self.cfg) and beats in paper:
            self.expect(f"{what}, {beats} beats: cycles in the paper", paper[beats], got)


@testcase()
class HitLatency(LatencySequence):
    """A hit takes 2 cycles with the rows in different caches, 3 in the same."""

    async def measure(self, beats: int) -> None:
        """Once to fetch, once to measure."""
        footprint = self.shapes.of_beats(beats)
        await self.answer(footprint)
        self.check("hit", beats, hit_latency(beats), HIT, await self.latency(footprint))


@testcase(lambda cfg: cfg.small_side > 2 and cfg.banks > 1, "small levels and several banks")
class SmallLevelLatency(TexcacheSequence):
    """A hit in a small level takes one cycle more than one beat: both rows are in the last cache."""

    async def traffic(self) -> None:
        """Every small level."""
        for level in (level for level in range(self.cfg.levels) if self.cfg.is_small(level)):
            footprint = (0, level, 0, 0, 0, 0)
            await self.answer(footprint)
            done = await self.answer(footprint)
            beats = int(done.prediction.results["beats"][-1])
            self.expect(f"level {level}: at least two beats", True, beats >= 2)
            self.expect(f"level {level}: cycles", hit_latency(beats), int(done.latency[-1]))


@testcase()
class FifoLatency(LatencySequence):
    """With its lines there, a footprint behind a miss takes 6 or 7 cycles through the FIFOs."""

    async def measure(self, beats: int) -> None:
        """A hit follows a miss ever closer to the end of the miss's wait."""
        ahead, behind = self.shapes.hit_behind_miss(beats)
        await self.invalidate()
        alone = await self.latency(ahead)
        for distance in range(alone - 9, alone - 1):
            await self.invalidate()
            await self.answer(behind)
            await self.send([ahead])
            await self.clocking.cycles(distance - 1)
            await self.send([behind])
            await self.settle()
            got = int(self.completed[-1].latency[-1])
            want = max(alone + beats - distance, fifo_latency(beats))  # one read per beat after the miss's
            self.check(
                f"{distance} cycles behind a miss",
                beats,
                want,
                FIFO if want == fifo_latency(beats) else {},
                got,
            )


@testcase()
class MissLatency(LatencySequence):
    """One missing line on an idle cache takes 35 or 36 cycles; the FIFO's head waits exactly for memory."""

    async def measure(self, beats: int) -> None:
        """Fetch all lines of the footprint but one, then measure it."""
        before, footprint = self.shapes.missing_one(beats)
        await self.invalidate()
        for neighbour in before:
            await self.answer(neighbour)
        waited = self.env.performance.counters()["memory_wait_cycles"]
        got = await self.latency(footprint)
        self.check("miss", beats, fifo_latency(beats) + fill_cycles(self.cfg), MISS, got)
        waited = self.env.performance.counters()["memory_wait_cycles"] - waited
        # what the miss takes longer than a hit through the FIFOs is all spent there
        self.expect("cycles that the FIFO's head waited for memory", fill_cycles(self.cfg), waited)


@testcase()
class TagCheck(LatencySequence):
    """The tag check alone takes as many cycles as the footprint has beats: 1 or 2."""

    async def measure(self, beats: int) -> None:
        """The events of an idle cache's hit: one per beat, from the second cycle after the request."""
        footprint = self.shapes.of_beats(beats)
        await self.answer(footprint)
        done = await self.answer(footprint)
        events = self.matched("evt")[-beats:]
        cycles = [transfer.cycle - int(done.requested[-1]) for transfer in events]
        self.expect(f"cycles of {beats} beats after the request", [2 + beat for beat in range(beats)], cycles)


@testcase()
class MaximumRate(TexcacheSequence):
    """Back to back, hits take one cycle per beat: one footprint per cycle when all are of one beat."""

    async def traffic(self) -> None:
        """Warm up, then as fast as it goes, per number of beats (or of lines in a single one) and mixed."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        chosen = [shapes.of_beats(beats) for beats in plan.beats(self.cfg)]
        if self.cfg.parity:
            chosen = [shapes.of_lines(count) for count in LINES]
        fitting = shapes.together(chosen)
        mixed = [fitting[i] for i in self.rng.integers(len(fitting), size=200)]
        alone = [([footprint], [footprint] * 100) for footprint in chosen]
        for fetched, footprints in [*alone, (fitting, mixed)]:
            await self.invalidate()
            for footprint in fetched:
                await self.answer(footprint)
            await self.send(footprints)
            await self.settle()
            self.check_rate(len(footprints))

    def check_rate(self, count: int) -> None:
        """From the first request to the last result there is no idle cycle."""
        requested = np.concatenate([done.requested for done in self.completed])[-count:]
        offered = np.concatenate([done.offered for done in self.completed])[-count:]
        beats = np.concatenate([done.prediction.results["beats"] for done in self.completed])[-count:]
        self.expect(
            "cycles from first request to last result", 1 + int(beats.sum()), int(offered[-1] - requested[0])
        )


@testcase()
class HitAtEachDistance(LatencySequence):
    """A hit behind a miss, and others each number of cycles later: none overtakes, whatever is in the way."""

    async def measure(self, beats: int) -> None:
        """Until long after the miss has been answered."""
        hit, misses = self.shapes.of_beats(beats), list(self.shapes.missing_most(60))
        for distance in range(fill_cycles(self.cfg) + 16):
            await self.answer(hit)
            await self.send([misses[distance % len(misses)], hit])
            await self.clocking.cycles(distance)
            await self.send([hit] * 6, Pacing(1, 3))
            await self.settle()
            if distance % len(misses) == len(misses) - 1:
                await self.invalidate()

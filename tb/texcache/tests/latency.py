# SPDX-License-Identifier: Apache-2.0
"""The cycle counts that the paper states, each as a directed test; other configurations by the same rule."""

import numpy as np

from configs.texcache.schema import Config
from models.texcache import timing
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

    own_method = "measure"

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
async def hit_latency(run: LatencySequence, beats: int) -> None:
    """A hit takes 2 cycles with the rows in different caches, 3 in the same."""
    footprint = run.shapes.of_beats(beats)
    await run.answer(footprint)
    run.check("hit", beats, timing.hit_latency(run.cfg, beats), HIT, await run.latency(footprint))


@testcase(lambda cfg: cfg.small_side > 2 and cfg.banks > 1, "small levels and several banks")
async def small_level_latency(run: TexcacheSequence) -> None:
    """A hit in a small level takes one cycle more than one beat: both rows are in the last cache."""
    for level in (level for level in range(run.cfg.levels) if run.cfg.is_small(level)):
        footprint = (0, level, 0, 0, 0, 0)
        await run.answer(footprint)
        done = await run.answer(footprint)
        beats = int(done.prediction.results["beats"][-1])
        run.expect(f"level {level}: at least two beats", True, beats >= 2)
        run.expect(f"level {level}: cycles", timing.hit_latency(run.cfg, beats), int(done.latency[-1]))


@testcase()
async def fifo_latency(run: LatencySequence, beats: int) -> None:
    """With its lines there, a footprint behind a miss takes 6 or 7 cycles through the FIFOs."""
    least = timing.fifo_latency(run.cfg, beats)
    ahead, behind = run.shapes.hit_behind_miss(beats)
    await run.invalidate()
    alone = await run.latency(ahead)
    straight = alone - timing.compare_cycles(run.cfg)
    for distance in range(alone - 9, straight):  # ever closer to the end of the miss's wait
        await run.invalidate()
        await run.answer(behind)
        await run.send([ahead])
        await run.clocking.cycles(distance - 1)
        await run.send([behind])
        await run.settle()
        got = int(run.completed[-1].latency[-1])
        want = max(alone + beats - distance, least)  # one read per beat after the miss's
        run.check(f"{distance} cycles behind a miss", beats, want, FIFO if want == least else {}, got)


@testcase()
async def miss_latency(run: LatencySequence, beats: int) -> None:
    """One missing line on an idle cache takes 35 or 36 cycles; the FIFO's head waits exactly for memory."""
    before, footprint = run.shapes.missing_one(beats)
    await run.invalidate()
    for neighbour in before:
        await run.answer(neighbour)
    waited = run.env.performance.counters()["memory_wait_cycles"]
    got = await run.latency(footprint)
    run.check("miss", beats, timing.fifo_latency(run.cfg, beats) + fill_cycles(run.cfg), MISS, got)
    waited = run.env.performance.counters()["memory_wait_cycles"] - waited
    # what the miss takes longer than a hit through the FIFOs is all spent there
    run.expect("cycles that the FIFO's head waited for memory", fill_cycles(run.cfg), waited)


@testcase()
async def tag_check(run: LatencySequence, beats: int) -> None:
    """The tag check alone takes as many cycles as the footprint has beats: 1 or 2."""
    footprint = run.shapes.of_beats(beats)
    await run.answer(footprint)
    done = await run.answer(footprint)
    events = run.matched("evt")[-beats:]
    cycles = [transfer.cycle - int(done.requested[-1]) for transfer in events]
    run.expect(f"cycles of {beats} beats after the request", [2 + beat for beat in range(beats)], cycles)


def check_rate(run: TexcacheSequence, count: int) -> None:
    """From the first request to the last result there is no idle cycle."""
    requested = np.concatenate([done.requested for done in run.completed])[-count:]
    offered = np.concatenate([done.offered for done in run.completed])[-count:]
    beats = np.concatenate([done.prediction.results["beats"] for done in run.completed])[-count:]
    run.expect(
        "cycles from first request to last result",
        timing.hit_latency(run.cfg, int(beats.sum())),
        int(offered[-1] - requested[0]),
    )


@testcase()
async def maximum_rate(run: TexcacheSequence) -> None:
    """Back to back, hits take one cycle per beat: one footprint per cycle when all are of one beat."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    chosen = [shapes.of_beats(beats) for beats in plan.beats(run.cfg)]
    if run.cfg.parity:
        chosen = [shapes.of_lines(count) for count in LINES]
    fitting = shapes.together(chosen)
    mixed = [fitting[i] for i in run.rng.integers(len(fitting), size=200)]
    alone = [([footprint], [footprint] * 100) for footprint in chosen]
    for fetched, footprints in [*alone, (fitting, mixed)]:
        await run.invalidate()
        for footprint in fetched:
            await run.answer(footprint)
        await run.send(footprints)
        await run.settle()
        check_rate(run, len(footprints))


@testcase()
async def hit_at_each_distance(run: LatencySequence, beats: int) -> None:
    """A hit behind a miss, and others each number of cycles later: none overtakes, whatever is in the way."""
    hit, misses = run.shapes.of_beats(beats), list(run.shapes.missing_most(60))
    for distance in range(fill_cycles(run.cfg) + 16):
        await run.answer(hit)
        await run.send([misses[distance % len(misses)], hit])
        await run.clocking.cycles(distance)
        await run.send([hit] * 6, Pacing(1, 3))
        await run.settle()
        if distance % len(misses) == len(misses) - 1:
            await run.invalidate()

# SPDX-License-Identifier: Apache-2.0
"""Resets of one cycle in each cycle of something: nothing of it is left, and what comes behind is right."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import cocotb

from configs import MemoryTiming
from models.texcache.address import geometry, line_of
from tb.common.components.acting import actors
from tb.common.components.pacing import ALWAYS
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.trilinear.base import TrilinearSequence, invalidate, sample, write

KINDS: tuple[Kind, ...] = ("memory", "all", "design")  # what a reset of memory leaves shows at the next one
LATENCY = 6  # of memory
PLACES = ((0, 1), (0, 1), (1, 0))  # bank and set of the line of each texture: the first two share a set
SETTLED = 4  # cycles


@testcase(lambda cfg: cfg.half.textures >= len(PLACES), "three textures")
class ResetAtEveryCycle(TrilinearSequence):
    """A reset of any kind in each cycle of samples that miss, hit and fail, results or addresses held too."""

    async def body(self) -> None:
        """Each time the same samples follow in the opposite order, which begins with the other half."""
        self.env.scoreboard.steady = False
        self.env.memory.set_timing(MemoryTiming(latency=LATENCY))
        self.ends = {actor.name: actor for actor in actors(self.env)}
        await self._place_lines()
        finer, coarser = self.smallest
        pairs = [sample(finer, (0, 0), (0, 0), tex) for tex in range(len(PLACES))]
        self.samples = [
            sample(finer, (0, 0)), pairs[1], pairs[2], pairs[0], pairs[1], sample(coarser, (0, 0)),
        ]  # fmt: skip
        end = 16 + LATENCY + 2 * len(PLACES) * self.cfg.beats  # by then all are answered
        for cycles, kind in product(range(1, 10, 2), KINDS):
            await self._reset_in(self.samples[:2], cycles, kind, "m_axi_ar")
        for cycles, kind in product(range(1, end, 7), KINDS):
            await self._reset_in(self.samples, cycles, kind, "res")
        for cycles in range(1, end):
            await self._reset_in(self.samples, cycles, "design")
            if cycles % 3 == 0:
                await self._reset_in(self.samples, cycles, KINDS[cycles % 2])

    async def _place_lines(self) -> None:
        geo = geometry(self.cfg.half)
        for turn, level in enumerate(self.smallest):
            tags = (2 * (len(PLACES) * turn + tex + 1) for tex in range(len(PLACES)))
            lines = [line_of(geo, *place, tag) for place, tag in zip(PLACES, tags, strict=True)]
            await self.send([write(tex, level, line) for tex, line in enumerate(lines)])
            await self.settle()
            self.env.poison(lines[-1:])

    async def _reset_in(self, requests: Sequence[Any], cycles: int, kind: Kind, held: str = "") -> None:
        """A reset so many cycles after ``requests`` begin, with the port's end ``held``; nothing counts then.

        Behind it go those that it has lost on their way in, and all samples in the opposite order.
        """
        offering, others = self.ends["req"], [self.ends[held]] if held else []
        for end in others:
            end.hold()
        sending = cocotb.start_soon(self.send(requests))
        await self.clocking.cycles(cycles)
        offering.hold()
        await self.reset(1, kind)
        await self.clocking.cycles(SETTLED)
        self.expect("counters behind a reset", {}, self._counted())
        offering.go()
        await self.clocking.cycles(SETTLED)
        for end in others:
            end.go()
        await sending
        await self.send([*self.samples[::-1], invalidate()])
        await self.settle()

    def _counted(self) -> dict[str, int]:
        """Counters that are not 0."""
        return {
            f"{checker.unit}{name}": value
            for checker in (self.env.performance, *self.env.halves.values())
            for name, value in checker.counters().items()
            if value
        }


@testcase()
async def invalidate_then_reset(run: TrilinearSequence) -> None:
    """A reset in each cycle of an invalidation whose answer is held: the next one is done, and answered."""
    both = [sample(level, (level, 0), (0, level)) for level in (0, 1)]
    for cycles, kind in product(range(1, 6), KINDS):
        run.hold()
        await run.send([invalidate()])
        await run.clocking.cycles(cycles)
        await run.reset(1, kind)
        run.pace(ALWAYS)
        await run.results(invalidate(), *both)

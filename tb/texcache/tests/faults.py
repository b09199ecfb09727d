# SPDX-License-Identifier: Apache-2.0
"""Error responses of the memory: which results they mark, and for how long."""

from typing import Any

import numpy as np

from tb.common.components.testcase import testcase
from tb.texcache import plan
from tb.texcache.base import TexcacheSequence
from tb.texcache.sequences import Distribution
from tb.texcache.shapes import Shapes, lines_of


@testcase()
class ErrorEachBeat(TexcacheSequence):
    """An error in any beat of a line, or in all, marks every result that uses the line."""

    async def traffic(self) -> None:
        """The lines of one footprint fail; it is sent again while they are in the cache."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        for beat in range(self.cfg.beats_per_line + 1):
            footprint = shapes.footprints[beat]
            self.env.memory.faults.beat = beat
            self.env.poison(lines_of(shapes.results[beat]))
            await self.invalidate()
            for _ in range(2):
                await self.answer(footprint)
                self.expect("err", 1, int(self.completed[-1].prediction.results["err"][-1]))
            self.env.heal()
        footprint = shapes.of_beats(plan.beats(self.cfg)[0])
        self.env.poison(lines_of(shapes.replay([footprint])))
        await self.invalidate()
        await self.answer(footprint)
        await self.send([footprint] * 4)  # results with errors in a row


@testcase()
class ErrorPerSlot(TexcacheSequence):
    """One line of several fails: the footprint is marked, a neighbour without the line is not."""

    async def traffic(self) -> None:
        """Footprints of four look-ups, one line failing after the other."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        row = shapes.rows(lambda _, results: results["valid"].all(axis=1) & (results["beats"] >= 1))[0]
        for slot in range(4):
            self.env.poison([int(shapes.results[row]["line"][slot])])
            await self.invalidate()
            await self.send(np.repeat(shapes.footprints[[row, row + 1, row]], 2))
            await self.settle()
            self.env.heal()


@testcase()
class ErrorInEachBank(TexcacheSequence):
    """The line that a bank gave last has an error; a footprint that does not look that bank up has none."""

    async def traffic(self) -> None:
        """For each way of dividing a footprint into beats: after failing lines of all banks, and behind."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        for row in shapes.partitions().values():
            footprint = shapes.footprints[row]
            failing = self.failing(shapes, row)
            await self.invalidate()
            await self.send([footprint])
            await self.settle()
            self.env.poison(lines_of(shapes.replay(failing)))
            for bad in failing:
                await self.send([bad])
                await self.settle()
                await self.send([footprint, bad, footprint])
                await self.settle()
            self.env.heal()

    def failing(self, shapes: Shapes, row: int) -> list[Any]:
        """One footprint for each bank; they share no line with that of ``row`` and fit in beside it."""
        mine, chosen = set(lines_of(shapes.results[row])), [shapes.footprints[row]]
        for bank in range(self.cfg.banks):
            for other in shapes.rows(lambda _, results: (results["bank"] == bank).any(axis=1))[:200]:  # noqa: B023
                apart = not mine & set(lines_of(shapes.results[other]))
                if apart and len(shapes.together([*chosen, shapes.footprints[other]])) > len(chosen):
                    chosen.append(shapes.footprints[other])
                    break
        return chosen[1:]


@testcase()
class ErrorEnds(TexcacheSequence):
    """A marked line stays marked until it is invalidated or replaced; fetched again it is clean."""

    async def traffic(self) -> None:
        """Fail, heal the memory: still marked; then invalidate, or replace by other traffic."""
        shapes = Shapes(self.cfg, self.table, self.rng)
        row, others = shapes.evicted()
        footprint = shapes.footprints[row]
        for way_out in ("invalidate", "replace"):
            await self.invalidate()
            self.env.poison(lines_of(shapes.results[row]))
            await self.mark(footprint, 1)
            self.env.heal()
            await self.mark(footprint, 1)
            if way_out == "invalidate":
                await self.invalidate()
            else:
                await self.send(others)
                await self.settle()
            await self.mark(footprint, 0)

    async def mark(self, footprint: Any, want: int) -> None:
        """Send one and look at its err bit."""
        done = await self.answer(footprint)
        self.expect("err", want, int(done.prediction.results["err"][-1]))


@testcase()
class RandomErrors(TexcacheSequence):
    """Many failing lines in random traffic."""

    async def traffic(self) -> None:
        """Every sixth line that the traffic uses."""
        footprints = Distribution(textures=3, span=32).draw(self.cfg, self.rng, max(200, self.count // 2))
        lines = lines_of(Shapes(self.cfg, self.table, self.rng).replay(footprints))
        self.env.poison(self.rng.choice(lines, max(1, len(lines) // 6), replace=False).tolist())
        await self.send(footprints)
        await self.settle()

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
async def error_each_beat(run: TexcacheSequence) -> None:
    """An error in any beat of a line, or in all, marks every result that uses the line."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    for beat in range(run.cfg.beats_per_line + 1):
        footprint = shapes.footprints[beat]
        run.env.memory.faults.beat = beat
        run.env.poison(lines_of(shapes.results[beat]))
        await run.invalidate()
        for _ in range(2):
            await run.answer(footprint)
            run.expect("err", 1, int(run.completed[-1].prediction.results["err"][-1]))
        run.env.heal()
    footprint = shapes.of_beats(plan.beats(run.cfg)[0])
    run.env.poison(lines_of(shapes.replay([footprint])))
    await run.invalidate()
    await run.answer(footprint)
    await run.send([footprint] * 4)  # results with errors in a row


@testcase()
async def error_per_slot(run: TexcacheSequence) -> None:
    """One line of several fails: the footprint is marked, a neighbour without the line is not."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    row = shapes.rows(lambda _, results: results["valid"].all(axis=1) & (results["beats"] >= 1))[0]
    for slot in range(4):
        run.env.poison([int(shapes.results[row]["line"][slot])])
        await run.invalidate()
        await run.send(np.repeat(shapes.footprints[[row, row + 1, row]], 2))
        await run.settle()
        run.env.heal()


def lines_that_fail(run: TexcacheSequence, shapes: Shapes, row: int) -> list[Any]:
    """One footprint for each bank; they share no line with that of ``row`` and fit in beside it."""
    mine, chosen = set(lines_of(shapes.results[row])), [shapes.footprints[row]]
    for bank in range(run.cfg.banks):
        for other in shapes.rows(lambda _, results: (results["bank"] == bank).any(axis=1))[:200]:  # noqa: B023
            apart = not mine & set(lines_of(shapes.results[other]))
            if apart and len(shapes.together([*chosen, shapes.footprints[other]])) > len(chosen):
                chosen.append(shapes.footprints[other])
                break
    return chosen[1:]


@testcase()
async def error_in_each_bank(run: TexcacheSequence) -> None:
    """The line that a bank gave last has an error; a footprint that does not look that bank up has none."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    for row in shapes.partitions().values():
        footprint = shapes.footprints[row]
        failing = lines_that_fail(run, shapes, row)
        await run.invalidate()
        await run.send([footprint])
        await run.settle()
        run.env.poison(lines_of(shapes.replay(failing)))
        for bad in failing:
            await run.send([bad])
            await run.settle()
            await run.send([footprint, bad, footprint])
            await run.settle()
        run.env.heal()


async def mark(run: TexcacheSequence, footprint: Any, want: int) -> None:
    """Send one and look at its err bit."""
    done = await run.answer(footprint)
    run.expect("err", want, int(done.prediction.results["err"][-1]))


@testcase()
async def error_ends(run: TexcacheSequence) -> None:
    """A marked line stays marked until it is invalidated or replaced; fetched again it is clean."""
    shapes = Shapes(run.cfg, run.table, run.rng)
    row, others = shapes.evicted()
    footprint = shapes.footprints[row]
    for way_out in ("invalidate", "replace"):
        await run.invalidate()
        run.env.poison(lines_of(shapes.results[row]))
        await mark(run, footprint, 1)
        run.env.heal()
        await mark(run, footprint, 1)
        if way_out == "invalidate":
            await run.invalidate()
        else:
            await run.send(others)
            await run.settle()
        await mark(run, footprint, 0)


@testcase()
async def random_errors(run: TexcacheSequence) -> None:
    """Many failing lines in random traffic."""
    footprints = Distribution(textures=3, span=32).draw(run.cfg, run.rng, max(200, run.count // 2))
    lines = lines_of(Shapes(run.cfg, run.table, run.rng).replay(footprints))
    run.env.poison(run.rng.choice(lines, max(1, len(lines) // 6), replace=False).tolist())
    await run.send(footprints)
    await run.settle()

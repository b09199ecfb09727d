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


async def _place_lines(run: TrilinearSequence) -> None:
    geo = geometry(run.cfg.half)
    for turn, level in enumerate(run.smallest):
        tags = (2 * (len(PLACES) * turn + tex + 1) for tex in range(len(PLACES)))
        lines = [line_of(geo, *place, tag) for place, tag in zip(PLACES, tags, strict=True)]
        await run.send([write(tex, level, line) for tex, line in enumerate(lines)])
        await run.settle()
        run.env.poison(lines[-1:])


async def _reset_in(
    run: TrilinearSequence, requests: Sequence[Any], cycles: int, kind: Kind, held: str = ""
) -> None:
    """A reset so many cycles after ``requests`` begin, with the port's end ``held``; nothing counts then.

    Behind it go those that it has lost on their way in, and all samples in the opposite order.
    """
    offering, others = run.ends["req"], [run.ends[held]] if held else []
    for end in others:
        end.hold()
    sending = cocotb.start_soon(run.send(requests))
    await run.clocking.cycles(cycles)
    offering.hold()
    await run.reset(1, kind)
    await run.clocking.cycles(SETTLED)
    run.expect("counters behind a reset", {}, _counted(run))
    offering.go()
    await run.clocking.cycles(SETTLED)
    for end in others:
        end.go()
    await sending
    await run.send([*run.samples[::-1], invalidate()])
    await run.settle()


def _counted(run: TrilinearSequence) -> dict[str, int]:
    """Counters that are not 0."""
    return {
        f"{checker.unit}{name}": value
        for checker in (run.env.performance, *run.env.halves.values())
        for name, value in checker.counters().items()
        if value
    }


@testcase(lambda cfg: cfg.half.textures >= len(PLACES), "three textures")
async def reset_at_every_cycle(run: TrilinearSequence) -> None:
    """A reset of any kind in each cycle of samples that miss, hit and fail, results or addresses held too."""
    run.env.scoreboard.steady = False
    run.env.memory.set_timing(MemoryTiming(latency=LATENCY))
    run.ends = {actor.name: actor for actor in actors(run.env)}
    await _place_lines(run)
    finer, coarser = run.smallest
    pairs = [sample(finer, (0, 0), (0, 0), tex) for tex in range(len(PLACES))]
    run.samples = [
        sample(finer, (0, 0)), pairs[1], pairs[2], pairs[0], pairs[1], sample(coarser, (0, 0)),
    ]  # fmt: skip
    end = 16 + LATENCY + 2 * len(PLACES) * run.cfg.beats  # by then all are answered
    for cycles, kind in product(range(1, 10, 2), KINDS):
        await _reset_in(run, run.samples[:2], cycles, kind, "m_axi_ar")
    for cycles, kind in product(range(1, end, 7), KINDS):
        await _reset_in(run, run.samples, cycles, kind, "res")
    for cycles in range(1, end):
        await _reset_in(run, run.samples, cycles, "design")
        if cycles % 3 == 0:
            await _reset_in(run, run.samples, cycles, KINDS[cycles % 2])


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

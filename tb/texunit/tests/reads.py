# SPDX-License-Identifier: Apache-2.0
"""Several units at the one port to memory: who is served when, and whose data comes."""

import cocotb

from tb.common.components.pacing import MemoryPacing, Pacing, random_pacing
from tb.common.components.testcase import testcase
from tb.texunit.base import TexunitSequence
from tb.texunit.items import Distribution, primitive

SPREAD = Distribution(log2=(4, 9), lods=(-1, 2), walk=0.3)


async def some(run: TexunitSequence, unit: int, kind: int) -> None:
    """A primitive and a few quads."""
    prim = primitive(base=int(run.rng.integers(1 << 20)), log2w=7, log2h=7, format=kind, invalidate=1)
    for _ in range(2):
        await run.begin(prim, unit)
        await run.send(SPREAD.quads(run.rng, prim, 3), unit)


@testcase(lambda cfg: cfg.units > 1, "several units")
async def first_come_first_served(run: TexunitSequence) -> None:
    """Units that ask while another one's colour table is read, or while memory takes no address."""
    for turn in range(3 * run.cfg.units):
        if turn >= run.cfg.units:
            run.env.pace_memory(MemoryPacing(address=Pacing(2, 3 + turn)))
        tasks = []
        for unit in run.rng.permutation(run.cfg.units):
            kind = 2 + turn % 2 if unit == turn % run.cfg.units else int(run.rng.integers(4))
            tasks.append(cocotb.start_soon(some(run, int(unit), kind)))
            await run.clocking.cycles(int(run.rng.integers(1, 80)))
        for task in tasks:
            await task
    run.env.pace_memory(MemoryPacing())


@testcase(lambda cfg: cfg.units > 1, "several units")
async def interleaved(run: TexunitSequence) -> None:
    """Beats of several units' lines mingle: each goes to the unit of its id."""
    run.env.memory.mix(reorder=True, interleave=True)
    for turn in range(4):
        run.env.pace_memory(MemoryPacing(jitter=40 * turn, beat=random_pacing(run.rng)))
        await run.on_all_units(SPREAD, 60, each=10)
    await run.settle()

# SPDX-License-Identifier: Apache-2.0
"""Unrelated clocks of other ratios, drifting clocks, and resets of one side or both."""

import cocotb

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.texunit.base import ClocksSequence, TexunitSequence
from tb.texunit.items import Distribution
from tb.texunit.resets import Side

LOCAL = Distribution(log2=(2, 6), lods=(-2, 2))


async def paused_traffic(run: TexunitSequence) -> None:
    """Random traffic on all units, with pauses on both sides."""
    run.pace(Pacing(5, 3))
    await run.on_all_units(LOCAL, max(120, run.count // 6), each=30)
    run.pace(ALWAYS)
    await run.settle()


@testcase()
async def reset_each_side(run: TexunitSequence) -> None:
    """Reset of both sides, of the GPU's, of the texture units'; idle, in traffic, twice in a row."""
    sides: tuple[Side, ...] = ("both", "gpu", "tex")
    run.env.pace_memory(MemoryPacing(jitter=60))
    for turn in range(4):
        for side in sides:
            prim = LOCAL.prim(run.cfg, run.rng)
            await run.begin(prim)
            sending = cocotb.start_soon(run.send(LOCAL.quads(run.rng, prim, 30)))
            await run.clocking.cycles(int(run.rng.integers(1, 1500 if turn % 2 else 200)))
            await run.reset(int(run.rng.integers(1, 12)), side=side)
            if turn == 2:
                await run.reset(1, side=sides[run.rng.integers(3)])
            await run.begin(prim)
            await sending
            await run.settle()
            if turn == 0:
                await run.reset(1, side=side)


@testcase()
async def reset_again(run: TexunitSequence) -> None:
    """Resets of any side in short order, with lines of several on their way, waiting addresses and errors."""
    kinds: tuple[Kind, ...] = ("design", "design", "memory", "design", "all")
    sides: tuple[Side, ...] = ("both", "gpu", "tex")
    units = range(run.cfg.units)
    run.env.memory.mix(reorder=True)
    for turn in range(4):
        run.env.pace_memory(MemoryPacing(jitter=200, address=Pacing(2, 12), beat=Pacing(3, 3)))
        prims = [LOCAL.prim(run.cfg, run.rng) for _ in units]
        prims[turn % run.cfg.units]["format"] = 2 + turn % 2
        run.env.poison(run.near(prims[0]))
        for kind in kinds:
            tasks = [cocotb.start_soon(run.begin(prim, unit)) for unit, prim in enumerate(prims)]
            await run.clocking.cycles(int(run.rng.integers(20, 300)))
            await run.reset(int(run.rng.integers(1, 12)), kind, sides[run.rng.integers(3)])
            for task in tasks:
                await task
        run.env.pace_memory(MemoryPacing())
        for unit, prim in enumerate(prims):
            await run.begin(prim, unit)
            await run.send(LOCAL.quads(run.rng, prim, 10), unit)
        await run.settle()
        run.env.heal()


@testcase(clocks="gpu faster", gpu_half=386)
async def gpu_faster(run: ClocksSequence) -> None:
    """The GPU's clock is 2.7 times as fast."""
    await paused_traffic(run)


@testcase(clocks="gpu much slower", gpu_half=7310)
async def gpu_much_slower(run: ClocksSequence) -> None:
    """The GPU's clock is seven times slower."""
    await paused_traffic(run)


@testcase(clocks="drifting", gpu_half=1060, spread=0.2)
async def drifting(run: ClocksSequence) -> None:
    """Both clocks wander by a fifth, so that their edges meet in every order."""
    await paused_traffic(run)


@testcase(clocks="drifting", gpu_half=1500, spread=0.3)
async def reset_while_drifting(run: ClocksSequence) -> None:
    """Reset of both sides or one while the clocks drift."""
    await reset_each_side(run)

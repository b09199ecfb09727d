# SPDX-License-Identifier: Apache-2.0
"""Random scenes: a few, at all paces of all channels, with errors and resets, and in volume."""

import numpy as np

from configs.depth import FLUSH
from tb.common.components.pacing import MemoryPacing, Pacing
from tb.common.components.request_tests import FLOW, VOLUME, register, share
from tb.common.components.testcase import testcase
from tb.raster.items import Distribution as Shapes
from tb.raster.items import passed
from tb.renderer.base import RendererSequence
from tb.renderer.items import Distribution
from tb.renderer.knobs import KNOBS

SMALL = Distribution(Shapes(window=24, size=10, passes=0))


@testcase()
async def smoke(run: RendererSequence) -> None:
    """A few hundred random words: does it live?"""
    run.distribution = SMALL
    await run.send_records(run.draw(min(run.count, 200)))


register(__name__, RendererSequence, *FLOW, distribution=SMALL)


@testcase()
async def random_scenes(run: RendererSequence) -> None:
    """One distribution after the other, at full rate."""
    for distribution in KNOBS["distribution"].values():
        run.distribution = distribution
        await run.send_records(run.draw(max(40, run.count // 8)))
        await run.settle()


@testcase()
async def shader_paces(run: RendererSequence) -> None:
    """Coordinates come at once, in bursts, or long after the tile."""
    run.distribution = SMALL
    for pacing in (Pacing(4, 2), Pacing(1, 6), Pacing(1, 40), Pacing(8, 60)):
        run.shading = pacing
        await share(run)


@testcase()
async def memory_orders(run: RendererSequence) -> None:
    """Lines come in any order, beats of several mingle: each finds who asked for it."""
    run.distribution = SMALL
    for interleave in (False, True):
        run.env.memory.mix(reorder=True, interleave=interleave)
        for pacing in (MemoryPacing(40), MemoryPacing(9, beat=Pacing(2, 2)), MemoryPacing(3)):
            run.env.pace_memory(pacing)
            await share(run)


@testcase()
async def errors_of_each(run: RendererSequence) -> None:
    """Memory fails for texels alone, for depths alone, for both: each tile that needs them says so."""
    run.distribution = SMALL
    await share(run)
    words = run.draw(max(60, run.count // 4))
    known = run.lines(words)
    depths, texels = known[known >= 1 << 25], known[known < 1 << 25]
    for lines in (texels, depths, known):
        run.env.poison(lines[run.rng.random(len(lines)) < 0.5].tolist())
        await run.send_records(words)
        await run.settle()
        run.env.heal()
        await run.send_records(words)
        await run.settle()


@testcase()
async def refused_writes(run: RendererSequence) -> None:
    """Memory takes no write of some lines: the barrier that has them written says so, the next one does not."""
    run.distribution = SMALL
    for _ in range(4):
        words = run.draw(8)
        words = words[words["command"] != 1]
        await run.settle()
        await run.send_records(words[:1])
        surface = run.env.reference.depths.surface
        first = surface.base // 64
        await run.settle()
        run.env.refuse(range(first, first + 4))
        found = await run.words([passed(2, 0, 0, int(run.rng.integers(1 << 32))), passed(FLUSH)])
        failed = [word.tested.failed for word in found if word.tested is not None]
        run.expect("errors of clear and flush", [surface.tiles > 0, False], failed)
        run.env.heal()
        await run.send_records(np.array([passed(FLUSH)], words.dtype))


register(__name__, RendererSequence, *VOLUME)

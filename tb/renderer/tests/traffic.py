# SPDX-License-Identifier: Apache-2.0
"""Random scenes: a few, at all paces of all channels, with errors and resets, and in volume."""

import numpy as np
from numpy.typing import NDArray

from configs.depth import BASE, CLEAR, FLUSH
from tb.common.components.aiming import PoolAiming, coincidences
from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.request_tests import (
    FLOW,
    RESETS,
    VOLUME,
    counters_in_time,
    memory_orders,
    quiet,
    register,
    shader_paces,
    share,
)
from tb.common.components.testcase import testcase
from tb.raster.items import Distribution as Shapes
from tb.raster.items import passed
from tb.renderer.base import KINDS, RendererSequence
from tb.renderer.items import HALF, Distribution, square
from tb.renderer.knobs import KNOBS
from tb.texunit.items import Distribution as Textures
from tb.zcache.items import LINE_BYTES

SMALL = Distribution(Shapes(window=24, size=10, passes=0))
RARELY = {"test_wait_cycles", "address_wait_cycles"}
PACED = tuple(body for body in FLOW if body is not counters_in_time)


@testcase()
async def smoke(run: RendererSequence) -> None:
    """A few hundred random words: does it live?"""
    run.distribution = SMALL
    await run.send_records(run.draw(min(run.count, 200)))


register(__name__, RendererSequence, *PACED, *RESETS, distribution=SMALL)


class Steep(RendererSequence):
    """One pixel of a quad is as far from the others as can be, along one axis."""

    distribution = SMALL

    def coordinates(self, count: int) -> NDArray[np.int32]:
        uv = self.rng.integers(-(1 << 31), 1 << 31, (count, 1, 2)).astype(np.int32).repeat(4, axis=1)
        pixel, axis = self.rng.integers(1, 3, count), self.rng.integers(2, size=count)
        uv[np.arange(count), pixel, axis] ^= np.int32(-(1 << 31))
        return uv


@testcase()
async def steep_quads(run: Steep) -> None:
    """One pixel of a quad as far from the others as can be, along one axis: the smallest level is sampled."""
    await run.send_records(run.draw(min(run.count, 200)))


register(__name__, RendererSequence, quiet, silent=True)


@testcase()
async def counters_count_in_time(run: RendererSequence) -> None:
    """A counter shows an event two cycles after it, in each cycle of many."""
    run.hold()
    await run.send([passed(FLUSH)])
    await in_time(run, "pix", run.env.performance["perf"])
    run.pace(ALWAYS)


@testcase()
async def counters_begin_anew(run: RendererSequence) -> None:
    """A reset of each kind clears all its own counters; all have counted before, but perhaps the rarest."""
    run.pace(Pacing(1, 6))
    run.env.pace_memory(MemoryPacing(address=Pacing(1, 12)))
    performance = run.env.performance["perf"]
    for kind in KINDS:
        run.resting = True
        sending = run.begin(run.send([passed(BASE, 8, 64, HALF), *square(12, 7), passed(FLUSH)]))
        while not performance.counters()["coordinates_wait_cycles"]:
            await run.clocking.cycles(1)
        run.resting = False
        await sending
        await run.settle()
        still = {name for name, count in performance.counters().items() if not count}
        run.expect(f"counters that have not counted before a reset ({kind})", set(), still - RARELY)
        await run.reset(2, kind)
        await run.clocking.cycles(4)
        shown = performance.counters()
        run.expect(f"counters after a reset ({kind})", dict.fromkeys(shown, 0), shown)
    run.pace(ALWAYS)


@testcase()
async def random_scenes(run: RendererSequence) -> None:
    """One distribution after the other, at full rate."""
    for distribution in KNOBS["distribution"].values():
        run.distribution = distribution
        await run.send_records(run.draw(max(40, run.count // 8)))
        await run.settle()


register(__name__, RendererSequence, shader_paces, memory_orders, distribution=SMALL)


@testcase()
async def data_follow_addresses(run: RendererSequence) -> None:
    """The data of a write are offered in the cycle after its address, though memory takes neither."""
    address, data = (run.env.axi["m_axi"].monitor.channel(name) for name in ("aw", "w"))
    run.env.memory.hold("aw", "w")
    sending = run.begin(run.send([passed(BASE, 4, 4, HALF), passed(CLEAR, z=5)]))
    while not data.waiting:
        await run.clocking.cycles(1)
    run.expect("cycles that the address was offered before its data", 1, address.waited - data.waited)
    run.env.memory.release("aw", "w")
    await sending
    await run.settle()


@testcase()
async def errors_of_each(run: RendererSequence) -> None:
    """Memory fails for texels, for some of them, for depths, for both: each tile that needs them says so."""
    run.distribution = SMALL
    await share(run)
    words = run.draw(max(60, run.count // 4))
    every = np.unique(run.lines(words))
    upper = every >= HALF // LINE_BYTES
    some = every[~upper][run.rng.random(int((~upper).sum())) < 0.5]
    for lines in (every[~upper], some, every[upper], every):
        run.env.poison(lines.tolist())
        await run.send_records(words)
        await run.settle()
        run.env.heal()
        await run.send_records(words)
        await run.settle()


@testcase(needs=lambda cfg: not cfg.early, why="samples of tiles whose line fails")
async def errors_of_both(run: RendererSequence) -> None:
    """Memory fails for the lines of all tiles and for their texels: each says so, and nothing passes."""
    run.distribution = Distribution(textures=Textures(log2=(0, 2)), each=64.0, kept=1.0)
    state, base = run.state(), HALF + (1 << 20)
    run.sample_with(state)
    await run.send([passed(BASE, 8, 64, base)])
    await run.settle()
    run.env.poison(run.lines_of(state) + [base // LINE_BYTES + tile for tile in range(64)])
    tiles = [word for word in await run.words(square(16, 7)) if word.is_tile]
    failed = {(word.failed, word.tested is not None and word.tested.failed) for word in tiles}
    run.expect("errors of texels and of the line", {(True, True)}, failed)
    run.env.heal()
    tiles = [word for word in await run.words(square(16, 7)) if word.is_tile]
    run.expect("errors when memory is well", {False}, {word.failed for word in tiles})


@testcase()
async def errors_of_some(run: RendererSequence) -> None:
    """Memory fails for a quarter of a texture: of a tile's quads some fail, the first or the last."""
    run.distribution = Distribution(textures=Textures(log2=(4, 4), formats=(0,)), each=64.0, kept=1.0)
    for _ in range(3):
        state = run.distribution.state(run.cfg, run.rng)
        run.sample_with(state)
        lines = np.array(run.lines_of(state)[:16])
        run.env.poison(lines[run.rng.random(16) < 0.25].tolist())
        await run.send([passed(BASE, 8, 64, HALF), *square(16, 7)])
        await run.settle()
        run.env.heal()


@testcase()
async def refused_writes(run: RendererSequence) -> None:
    """Memory takes no write of some lines: the barrier that writes them says so, the next one does not."""
    run.distribution = SMALL
    for _ in range(4):
        await run.send_records(run.draw(1))
        await run.settle()
        surface = run.env.reference.depths.surface
        first = surface.base // LINE_BYTES
        run.env.refuse(range(first, first + 4))
        answers = await run.words([passed(CLEAR, z=int(run.rng.integers(1 << 32))), passed(FLUSH)])
        failed = [word.tested.failed for word in answers if word.tested is not None]
        run.expect("errors of clear and flush", [surface.tiles > 0, False], failed)
        run.env.heal()


register(__name__, RendererSequence, *VOLUME)


class RendererAiming(PoolAiming, RendererSequence):
    """Scenes of small triangles."""

    distribution = Distribution(
        Shapes(window=32, size=10, passes=0, each=10), passes=0.08, tiles=2, each=3, stored=0.8
    )

    async def requests(self) -> None:
        """A few words, in the order in which they were drawn."""
        first = int(self.rng.integers(len(self.pool) - 8))
        await self.send_records(np.concatenate([self.pool[:2], self.pool[first : first + 8]]))


register(__name__, RendererAiming, coincidences)

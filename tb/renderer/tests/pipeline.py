# SPDX-License-Identifier: Apache-2.0
"""What lies between the parts: surfaces, barriers, states within a tile, coordinates early and late."""

from configs.depth import ALWAYS, BASE, CLEAR, D32, FLUSH, LESS
from configs.raster.schema import TRIANGLES
from tb.common.components.testcase import testcase
from tb.raster.items import Distribution as Shapes
from tb.raster.items import begin, passed, vertices
from tb.renderer.base import RendererSequence
from tb.renderer.items import HALF, Distribution
from tb.texunit.items import Distribution as Textures

PIXEL = 256  # units of a coordinate
BARRIERS = (FLUSH, CLEAR, BASE)


def square(side: int, z: int, **state: int) -> list[object]:
    """Two triangles that cover a window of ``side`` pixels, stored unless ``state`` says otherwise."""
    low, high = -PIXEL, side * PIXEL
    corners = [(low, low, z), (high, low, z), (high, high, z), (low, low, z), (high, high, z), (low, high, z)]
    how = {"test": 1, "write": 1, "func": ALWAYS, "format": D32, **state}
    return [begin(TRIANGLES, side, side, **how), *vertices(corners)]


@testcase()
async def surface_of_reset(run: RendererSequence) -> None:
    """After reset there is a surface of one tile at address 0."""
    run.distribution = Distribution(kept=1.0)
    found = await run.words([*square(4, 5), passed(FLUSH), *square(4, 4, func=LESS)])
    depths = [word.tested.passed for word in found if word.is_tile and word.tested is not None]
    run.expect("all pass twice", (0xFFFF, 0xFFFF), (depths[0] | depths[1], depths[2] | depths[3]))
    await run.send([passed(FLUSH)])
    await run.settle()
    run.expect("depths at 0", b"\4\0\0\0" * 16, run.env.memory.contents.read(0, 64))


@testcase()
async def barriers_in_a_row(run: RendererSequence) -> None:
    """Each kind of barrier behind each other, and beside tiles; nothing is drawn in between."""
    surface = passed(BASE, 4, 3, HALF)
    for one in BARRIERS:
        for two in BARRIERS:
            words = [
                surface if kind == BASE else passed(kind, z=int(run.rng.integers(1 << 32)))
                for kind in (one, two)
            ]
            await run.send([*words, *square(8, int(run.rng.integers(1 << 32))), *words])


@testcase()
async def states_within_a_tile(run: RendererSequence) -> None:
    """Each quad has another state, or most: samples and what is discarded are those of its own."""
    run.distribution = Distribution(textures=Textures(log2=(0, 3)), each=1.0, kept=0.3)
    await run.send([passed(BASE, 4, 16, HALF)])
    for _ in range(3):
        await run.send(square(16, int(run.rng.integers(1 << 32))))
        await run.settle()


@testcase()
async def coordinates_early(run: RendererSequence) -> None:
    """Coordinates are offered before there is a tile: they are not taken before it comes."""
    for _ in range(4):
        await run.settle()
        run.env.agents["vtx"].driver.held = run.resting = True
        taken = run.env.reference.taken
        sending = run.begin(run.send([passed(BASE, 4, 16, HALF + (1 << 16)), *square(8, 3)]))
        await run.give_state(run.state())
        giving = run.begin(run.give(run.coordinates(2)))
        await run.clocking.cycles(60)
        run.expect("coordinates taken", taken, run.env.reference.taken)
        run.env.agents["vtx"].driver.held = False
        await giving
        run.resting = False
        await sending


@testcase()
async def coordinates_late(run: RendererSequence) -> None:
    """No coordinates come for long: tiles wait, of all that may be in flight; then all at once."""
    run.distribution = Distribution(Shapes(window=32, size=16, passes=0), stored=1.0)
    for pause in (100, 400):
        for name in ("tex", "quad"):
            run.env.agents[name].driver.held = True
        sending = run.begin(run.send_records(run.draw(60)))
        await run.clocking.cycles(pause)
        for name in ("tex", "quad"):
            run.env.agents[name].driver.held = False
        await sending
        await run.settle()


@testcase(needs=lambda cfg: cfg.early, why="a depth test before the shader")
async def hidden_quads(run: RendererSequence) -> None:
    """Behind what is near all quads are hidden, or some of a tile: their coordinates are dropped."""
    await run.send([passed(BASE, 8, 64, HALF)])
    for side in (18, 6, 30):
        await run.send([passed(CLEAR, z=(1 << 32) - 1), *square(side, 5)])
        found = await run.words(square(32, 1 << 31, func=LESS))
        hidden = {(one.fields["x"], one.fields["y"], quad) for one in found for quad in one.hidden}
        run.expect("quads of which nothing is seen", (side // 2) ** 2, len(hidden))
        parts = [one for one in found if 0 < len(one.hidden) < len(one.covered)]
        run.expect("some of a tile are seen", True, bool(parts))

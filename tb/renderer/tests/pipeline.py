# SPDX-License-Identifier: Apache-2.0
"""What lies between the parts: surfaces, barriers, states within a tile, coordinates early and late."""

from itertools import product
from typing import Any

from configs.depth import BASE, CLEAR, FLUSH, LESS, SIDE
from configs.raster.schema import POINTS
from configs.renderer.schema import QUADS, TEXUNIT
from tb.common.components.bench import look
from tb.common.components.counters import LATE
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.raster.items import SUBPIXEL, begin, passed, vertices
from tb.raster.items import Distribution as Shapes
from tb.renderer.base import KINDS, RendererSequence
from tb.renderer.items import HALF, STORED, Distribution, cover, square
from tb.texunit.items import Distribution as Textures

BARRIERS = (FLUSH, CLEAR, BASE)
SURFACE = passed(BASE, 4, 16, HALF)
STILL = 37  # cycles
NUMBERS = 4100  # primitives behind one begin
TABLE = 64  # beats of the colour table of RGBA8


@testcase()
async def surface_of_reset(run: RendererSequence) -> None:
    """After reset there is a surface of one tile at address 0."""
    run.distribution = Distribution(kept=1.0)
    words = await run.words([*square(4, 5), passed(FLUSH), *square(4, 4, func=LESS)])
    depths = [word.tested.passed for word in words if word.is_tile and word.tested is not None]
    run.expect("all pass twice", (0xFFFF, 0xFFFF), (depths[0] | depths[1], depths[2] | depths[3]))
    await run.send([passed(FLUSH)])
    await run.settle()
    run.expect("depths at 0", b"\4\0\0\0" * 16, run.env.memory.contents.read(0, 64))


async def beside_tiles(run: RendererSequence, *kinds: int) -> None:
    """Send barriers of these kinds, some tiles, and the same barriers."""
    surface = passed(BASE, 4, 3, HALF)
    words = [surface if kind == BASE else passed(kind, z=int(run.rng.integers(1 << 32))) for kind in kinds]
    await run.send([*words, *square(8, int(run.rng.integers(1 << 32))), *words])


@testcase()
async def barriers_in_a_row(run: RendererSequence) -> None:
    """Each kind of barrier behind each other, and beside tiles; nothing is drawn in between."""
    for first, second in product(BARRIERS, BARRIERS):
        await beside_tiles(run, first, second)


@testcase()
async def barriers_wait(run: RendererSequence) -> None:
    """Barriers wait at ``pix``, others and tiles behind them; and when a reset of one cycle comes."""
    run.pace(Pacing(1, 40))
    for number, barrier in enumerate(BARRIERS):
        await beside_tiles(run, barrier, BARRIERS[number - 1])
    await run.settle()
    cache = run.cfg.zcache.cache
    for kind in KINDS:
        run.hold()
        sending = run.begin(run.send([passed(FLUSH)] * 3))
        await run.clocking.cycles(100 + 3 * cache.sets * cache.ways)  # a barrier looks at each line
        await run.reset(1, kind)
        run.pace(ALWAYS)
        await sending
        await run.settle()


@testcase()
async def far_tiles(run: RendererSequence) -> None:
    """Points in a tile at each bit of its row and column, and in the last tile of the largest surface."""
    columns = 1 << run.cfg.coordinate_bits
    tiles = [(1 << bit, 0) for bit in range(run.cfg.coordinate_bits)]
    tiles += [(y, x) for x, y in tiles] + [(columns - 1, columns - 1)]
    pixel = SIDE * SUBPIXEL
    points = vertices([(x * pixel, y * pixel, number) for number, (x, y) in enumerate(tiles, 5)])
    window = begin(POINTS, SIDE * columns, SIDE * columns, **STORED)
    words = await run.words([passed(BASE, columns, 1, HALF), window, *points])
    places = [(word.fields["x"], word.fields["y"]) for word in words if word.is_tile]
    run.expect("tiles", tiles, places)


@testcase()
async def numbers_of_primitives(run: RendererSequence) -> None:
    """Of thousands of points behind one begin those are seen whose number has one bit, with that number."""
    outside = -2 * SUBPIXEL
    points = vertices([(outside if number & number - 1 else 0, 0, number) for number in range(NUMBERS)])
    words = await run.words([SURFACE, begin(POINTS, SIDE, SIDE, **STORED), *points])
    numbers = [word.fields["prim"] for word in words if word.is_tile]
    run.expect("primitives", [0, *(1 << bit for bit in range(NUMBERS.bit_length()))], numbers)


@testcase()
async def states_within_a_tile(run: RendererSequence) -> None:
    """Each quad has another state, or most: samples and what is discarded are those of its own."""
    run.distribution = Distribution(textures=Textures(log2=(0, 3)), each=1.0, kept=0.3)
    await run.send([passed(BASE, 4, 16, HALF)])
    for _ in range(3):
        await run.send(square(16, int(run.rng.integers(1 << 32))))
        await run.settle()


@testcase(needs=lambda cfg: not cfg.early, why="pixels that are discarded")
async def alpha_at_the_edge(run: RendererSequence) -> None:
    """A pixel whose alpha is the least that is kept is kept; with one more it is discarded."""
    run.distribution = Distribution(textures=Textures(log2=(0, 0), formats=(0,)), kept=1.0)
    await run.send([passed(BASE, 8, 64, HALF)])
    for _ in range(3):
        alpha = 0
        while not 0 < alpha < 255:  # of all samples: the texture is one texel
            state = run.distribution.state(run.cfg, run.rng)
            alpha = run.env.reference.memory.read(4 * int(state["base"])) >> 24
        run.sample_with(state)
        for state["kill"], discarded in ((alpha, 0), (alpha + 1, 0xFFFF)):
            await run.give_state(state)
            words = [word for word in await run.words(square(8, 3)) if word.is_tile]
            expected = [word.fields["mask"] & discarded for word in words]
            run.expect("pixels discarded", expected, [word.discarded for word in words])


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
        words = await run.words(square(32, 1 << 31, func=LESS))
        hidden = {(word.fields["x"], word.fields["y"], quad) for word in words for quad in word.hidden}
        run.expect("quads of which nothing is seen", (side // 2) ** 2, len(hidden))
        parts = [word for word in words if 0 < len(word.hidden) < len(word.covered)]
        run.expect("some of a tile are seen", True, bool(parts))


class Stating(RendererSequence):
    """Gives states of its own."""

    def _texture(self, *, tabled: bool) -> Any:
        """A STATE record of a large texture, of which no cache has a line yet."""
        textures = Textures(log2=(6, 6), formats=(2,) if tabled else (0,))
        self.distribution = Distribution(textures=textures, kept=1.0)
        return self.distribution.state(self.cfg, self.rng)

    def _texel(self) -> Any:
        """A STATE record of a texture of one texel, which no cache has yet."""
        self.distribution = Distribution(textures=Textures(log2=(0, 0), formats=(0,)), kept=1.0)
        state = self.distribution.state(self.cfg, self.rng)
        state["invalidate"] = 0
        return state

    def _bad_texel(self) -> Any:
        """The same, and memory fails for it; no filter, as each query asks memory again. All is at rest."""
        state = self._texel()
        state["bilinear"] = 0
        self.env.poison(self.lines_of(state))
        return state


class Counting(Stating):
    """Looks at the counters of waits while all stands still."""

    async def _counted(self, what: str, names: set[str], after: int = 2500) -> None:
        """When all has stood still for ``after`` cycles, ``names`` count each cycle, no other does."""
        await self.clocking.cycles(after)
        before = self._waits()
        await self.clocking.cycles(STILL)
        steps = {name: value - before[name] for name, value in self._waits().items()}
        expected = {name: STILL * (name in names) for name in steps}
        self.expect(f"cycles counted while {what} are held", expected, steps)

    def _waits(self) -> dict[str, int]:
        shown = self.env.performance["perf"].counters()
        return {name: value for name, value in shown.items() if name.endswith("_wait_cycles")}


async def _each_quad_of_a_tile(run: Counting) -> None:
    """Texels are held once more: it is each of a tile's quads that waits, its last one, too."""
    for windows in ((), ((2, 2),), ((4, 2),), ((2, 2), (4, 2))):  # with one quad, two, three in all
        run.resting = True
        shapes = [word for width, height in (*windows, (8, 4)) for word in cover(width, height, 7)]
        sending = run.begin(run.send([passed(BASE, 8, 64, HALF), *shapes]))
        await run.clocking.cycles(2500)
        run.env.memory.hold("r")
        await run.give_state(run._texture(tabled=False))
        giving = run.begin(run.give(run.coordinates(8)))
        await run._counted("texels", {"sample_wait_cycles", "unit_wait_cycles"}, after=600)
        run.env.memory.release("r")
        await giving
        run.resting = False
        await sending
        await run.settle()


@testcase()
async def waits_are_counted(run: Counting) -> None:
    """All stands still for who is held: each counter of waits counts each cycle, or none."""
    early = run.cfg.early
    behind = {"test_wait_cycles"} if early else set()  # results of the depth test wait for what is held
    run.resting = True
    run.env.pace_memory(MemoryPacing())
    sending = run.begin(run.send([passed(BASE, 8, 64, HALF), *square(32, 7)]))
    await run._counted("coordinates", {"coordinates_wait_cycles", "sample_wait_cycles"} | behind)
    run.env.memory.hold("r")
    await run.give_state(run._texture(tabled=False))
    giving = run.begin(run.give(run.coordinates(150)))
    fit = early and run.cfg.texunit.units > 1  # into the units: all quads of what has been tested
    full = set() if fit else {"unit_wait_cycles"}
    await run._counted("texels", {"sample_wait_cycles"} | full | behind)
    run.hold()
    run.env.memory.release("r")
    await run._counted("pix", {"result_wait_cycles", "test_wait_cycles"} | full, after=4000)
    run.pace(ALWAYS)
    await giving
    run.resting = False
    await sending
    await run.settle()
    if run.cfg.texunit.units == 1 and run.cfg.texunit.fifo.depth <= 4:  # else too many find room
        await _each_quad_of_a_tile(run)
    if run.cfg.zcache.prefetch.mode == "off":  # nothing is asked for before there are samples
        return
    run.resting = True
    run.env.memory.hold("ar")
    sending = run.begin(run.send([passed(BASE, 8, 64, HALF), *square(8, 7)]))
    await run.give_state(run._texture(tabled=True))
    waits = set() if early else {"coordinates_wait_cycles", "sample_wait_cycles"}
    await run._counted("addresses", waits | {"address_wait_cycles"})
    run.env.memory.release("ar")
    run.resting = False
    await sending


@testcase()
async def part_of_a_tile_waits(run: Counting) -> None:
    """Some of a tile's quads have their coordinates and samples: that the others wait is counted as well."""
    run.env.pace_memory(MemoryPacing())
    for given in (1, 2, 3):
        await run.settle()
        run.resting = True
        sending = run.begin(run.send([passed(BASE, 4, 16, HALF), *cover(4, 4, 7)]))
        await run.clocking.cycles(600)
        await run.give_state(run._texture(tabled=False))
        await run.give(run.coordinates(given))
        what = f"coordinates of {4 - given} quads of a tile"
        await run._counted(what, {"coordinates_wait_cycles", "sample_wait_cycles"}, after=1500)
        run.resting = False
        await sending


@testcase(
    needs=lambda cfg: not cfg.early and cfg.zcache.prefetch.mode != "off", why="lines that are prefetched"
)
async def shaded_tile_waits(run: Counting) -> None:
    """A tile that has its samples waits for its line: that is counted while no word leaves the depth test."""
    run.sample_with(run._texel())
    run.env.pace_memory(MemoryPacing())
    await run.send([passed(BASE, 4, 16, HALF), *cover(4, 4, 7)])
    for turn in (1, 2):
        await run.settle()
        run.env.memory.hold("r")
        surface = passed(BASE, 4, 16, HALF + (turn << 16))
        sending = run.begin(run.send([surface, *cover(4, 4, 7)]))
        await run._counted("lines of depth", {"test_wait_cycles"})
        run.env.memory.release("r")
        await sending


@testcase(
    needs=lambda cfg: not cfg.early and cfg.zcache.prefetch.mode != "off", why="lines that are prefetched"
)
async def barriers_behind_discarded(run: Stating) -> None:
    """A barrier waits for lines that are still read, though the tiles they are for were discarded whole."""
    state = run._texel()
    while run.env.reference.memory.read(4 * int(state["base"])) >> 24 == 255:  # it is always kept
        state = run._texel()
    run.sample_with(state)
    await run.send([passed(BASE, 4, 16, HALF), *cover(4, 4, 7)])
    for number, kind in enumerate(BARRIERS, 1):
        await run.settle()
        state["kill"] = 255
        await run.give_state(state)
        run.env.memory.hold("r")
        surface = passed(BASE, 4, 16, HALF + (number << 16))
        last = surface if kind == BASE else passed(kind, z=number)
        sending = run.begin(run.send([surface, *cover(4, 4, 7), last]))
        await run.clocking.cycles(2500)
        run.expect("words that wait at a barrier", 1, run.env.reference.in_flight)
        run.env.memory.release("r")
        await sending
        await run.settle()
        state["kill"] = 0
        await run.give_state(state)
        await run.send(cover(4, 4, 5, func=LESS))


@testcase(needs=lambda cfg: cfg.early, why="a depth test before the shader")
async def hidden_tiles_wait(run: Counting) -> None:
    """Hidden tiles wait for coordinates, as many as have a place; a quad is dropped in each cycle."""
    places, quads = run.cfg.tested, run.env.agents["quad"].monitor
    run.sample_with(run._texel())
    await run.send([passed(BASE, 8, 64, HALF), *cover(32, 32, 5)])
    await run.settle()
    before = run.env.port_counts.tiles
    run.resting = True
    sending = run.begin(run.send(cover(32, 32, 1 << 31, func=LESS)))
    await run._counted("coordinates", {"coordinates_wait_cycles", "test_wait_cycles"})
    run.expect("tiles that have left", places, run.env.port_counts.tiles - before)
    run.env.memory.hold("r")
    await run.give_state(run._texture(tabled=True))
    taken, waited = run.env.reference.taken, quads.waits
    giving = run.begin(run.give(run.coordinates(QUADS * places)))
    await run.clocking.cycles(QUADS * places + 10)
    dropped = run.env.reference.taken - taken, quads.waits - waited
    run.expect("coordinates dropped, and cycles between them", (QUADS * places, 0), dropped)
    run.env.memory.release("r")
    await giving
    run.resting = False
    await sending


@testcase()
async def waits_behind_pix(run: Counting) -> None:
    """A result waits at ``pix``: that the tile behind it waits for coordinates and samples counts as well."""
    await run.send([SURFACE])
    await run.settle()
    run.resting = True
    run.hold()
    sending = run.begin(run.send([*cover(4, 4, 7), *cover(4, 4, 5)]))
    await run.give_state(run._texel())
    await run.give(run.coordinates(QUADS))
    waits = {"result_wait_cycles", "coordinates_wait_cycles", "sample_wait_cycles"}
    await run._counted("pix", waits)
    shown = run.env.performance["perf"].counters()
    run.expect("tiles counted", run.env.port_counts.tiles, shown["tiles"])
    run.pace(ALWAYS)
    run.resting = False
    await sending


def _addresses(run: Counting, count: int) -> list[tuple[int, int]]:
    """Cycle and master of the next read addresses that are taken, as they are."""
    taken: list[tuple[int, int]] = []
    pins = (getattr(run.bench.dut, f"m_axi_ar{pin}") for pin in ("valid", "ready", "id"))
    valid, ready, name = map(look, pins)

    def sample() -> bool:
        if (valid(), ready()) == ("1", "1"):
            taken.append((run.clocking.cycle, int(name(), 2) >> run.cfg.axi.inner_id_bits))
        return len(taken) < count

    run.clocking.on_sample(sample)
    return taken


@testcase(
    needs=lambda cfg: not cfg.early and cfg.zcache.prefetch.mode != "off", why="lines that are prefetched"
)
async def both_addresses(run: Counting) -> None:
    """Both masters offer a read address: counted up to the cycle in which one is taken; they go in turn."""
    for tabled in (False, True):
        await run.settle()
        run.resting = True
        run.env.memory.hold("ar")
        surface = passed(BASE, 4, 16, HALF + (tabled << 16))
        sending = run.begin(run.send([surface, *cover(4, 4, 7)]))
        await run.give_state(run._texture(tabled=True) if tabled else run._texel())
        if not tabled:
            await run.give(run.coordinates(1))
        waits = {"coordinates_wait_cycles", "sample_wait_cycles", "address_wait_cycles"}
        await run._counted("addresses", waits)
        released, before = run.clocking.cycle, run._waits()["address_wait_cycles"]
        taken = _addresses(run, 2)
        run.env.memory.release("ar")
        await run.clocking.cycles(10)
        masters = {master for _, master in taken}
        run.expect("masters of the next two addresses", {0, 1}, masters)
        if not tabled:  # else texture units ask for more
            first, _ = taken[0]
            counted = run._waits()["address_wait_cycles"] - before
            run.expect("cycles counted up to the first", first - released + LATE, counted)
        run.resting = False
        await sending


@testcase(resting=True)
async def part_of_a_tile_lost(run: Stating) -> None:
    """A reset meets a tile of which some quads have failed: the next tile has all its own, and no error."""
    for given, kind in zip((1, 2, 3), KINDS, strict=True):
        state = run._bad_texel()
        await run.send([SURFACE, *cover(4, 4, 7)])
        await run.give_state(state)
        await run.give(run.coordinates(given))
        await run.clocking.cycles(600 * given)
        await run.reset(1, kind)
        run.env.heal()
        await run.send([SURFACE, *cover(4, 4, 7)])
        await run.give_state(state)
        await run.give(run.coordinates(QUADS))
        await run.settle()


@testcase(needs=lambda cfg: cfg.texunit.units > 1, why="several texture units", resting=True)
async def state_taken_by_some(run: Stating) -> None:
    """A reset meets a state that some texture units have taken and one has not: all take the next one."""
    for kind in KINDS[:2]:
        await run.send([SURFACE, *cover(4, 4, 7)])
        await run.give_state(run._texture(tabled=False))
        await run.give(run.coordinates(1))
        run.env.memory.hold("r")
        telling = run.begin(run.give_state(run._texel()))
        await run.clocking.cycles(50)
        run.expect("a state waits", True, run.env.agents["tex"].monitor.waiting)
        await run.reset(2, kind)
        run.env.memory.release("r")
        await telling
        await run.send([SURFACE, *cover(4, 4, 7)])
        await run.give_state(run._texel())
        await run.give(run.coordinates(QUADS))
        await run.settle()


async def _begin(run: Stating, third: list[Any]) -> None:
    """Three tiles, of which two are given coordinates; none is taken."""
    await run.send([SURFACE])
    await run.settle()
    run.hold()
    await run.send([*cover(4, 4, 7), *cover(4, 4, 5), *third])
    await run.give_state(run._texel())
    await run.give(run.coordinates(2 * QUADS))


@testcase(
    needs=lambda cfg: cfg.texunit.units == QUADS, why="a texture unit for each quad of a tile", resting=True
)
async def units_wait_behind_pix(run: Stating) -> None:
    """Results wait in the units behind tiles that wait at ``pix``: of one unit, which is not told; of all."""
    await _begin(run, cover(2, 2, 7))
    await run.give(run.coordinates(1))
    await run.clocking.cycles(1000)
    before = run.env.port_counts.beats[TEXUNIT]
    telling = run.begin(run.give_state(run._texture(tabled=True)))
    await run.clocking.cycles(4000)
    beats = run.env.port_counts.beats[TEXUNIT] - before
    run.expect("beats of the tables of all units but one", (QUADS - 1) * TABLE, beats)
    run.pace(ALWAYS)
    await telling
    await run.settle()
    state = run._bad_texel()
    await _begin(run, cover(4, 4, 3))
    await run.give_state(state)
    await run.give(run.coordinates(QUADS))
    await run.clocking.cycles(1000)
    run.pace(ALWAYS)
    await run.settle()
    run.env.heal()

# SPDX-License-Identifier: Apache-2.0
"""Tiles that bounds reject: docs/zcache.md, bounds."""

from itertools import product
from typing import Any

from configs.depth import FORMATS, FUNCTIONS
from configs.zcache.schema import MISS, NONE
from tb.common.components.testcase import testcase
from tb.zcache.base import ZcacheSequence
from tb.zcache.items import ALL, Distribution, Surface, set_of
from tb.zcache.tests.ahead import AHEAD, leads

BOUNDS: dict[str, Any] = {"needs": lambda cfg: cfg.bounds, "why": "bounds of tiles"}
AHEAD_OF_BOUNDS = AHEAD | {"needs": lambda cfg: cfg.bounds and leads(cfg)}
LESS, EQUAL, GREATER = (FUNCTIONS.index(name) for name in ("less", "equal", "greater"))
WIDTHS = (24, 32, 16)  # bits of a depth, by format
FAR, MIDDLE, NEAR = 0xFFFF_FFFF, 0x8000_0000, 0x1000_0000


async def cleared(run: ZcacheSequence, value: int, tiles: int = 0) -> int:
    """A surface that is as wide as can be, cleared; the tiles that it has."""
    tiles = tiles or min(run.cfg.hierarchical.tiles, 256)
    await run.outcomes(run.base(Surface(0x40000, 1 << run.cfg.coordinate_bits, tiles)), run.clear(value))
    return tiles


def at(run: ZcacheSequence, number: int, depth: Any = MIDDLE, **fields: int) -> Any:
    """A tile by number; it changes nothing unless it is told to."""
    side = 1 << run.cfg.coordinate_bits
    return run.tile(number % side, number // side, depth, **{"func": LESS, "write": 0, **fields})


def others(run: ZcacheSequence, number: int, count: int) -> list[Any]:
    """Tiles of the set of another one, as far from it as can be; they always pass, and change nothing."""
    side = 1 << run.cfg.coordinate_bits
    index = int(set_of(run.cfg, run.surface, number % side, number // side))
    places = [place for place in run.rivals(1 << 16, index) if place[1] * side + place[0] != number]
    return [run.at(place, 0, write=0) for place in places[-count:]]


async def evict(run: ZcacheSequence, number: int) -> None:
    """Other tiles take all ways of a tile's set."""
    await run.outcomes(*others(run, number, 2 * run.cfg.cache.ways))


async def rejects(run: ZcacheSequence, what: str, expected: bool, tile: Any) -> None:
    """Send a tile, which must be rejected, or not."""
    outcome = await run.outcome(tile)
    run.expect(f"{what}: rejected", int(expected), outcome.event["rejected"])


@testcase(**BOUNDS)
async def rejected(run: ZcacheSequence) -> None:
    """By each function in each format: codes below, at and above those of a clear."""
    for number, name in enumerate(FORMATS):
        step = 1 << WIDTHS[number] - run.cfg.hierarchical.bits
        value = 5 * step + (step > 1)
        await cleared(run, value)
        tiles = [
            (func, side, at(run, 3 * func + side + 1, value + side * step, func=func, format=number))
            for func, side in product(range(8), (-1, 0, 1))
        ]
        outcomes = await run.outcomes(*(tile for _, _, tile in tiles))
        for (func, side, _), outcome in zip(tiles, outcomes, strict=True):
            cannot = func == 0 or (side > 0 and not func & 4) or (side < 0 and not func & 1)
            what = f"{name}, {FUNCTIONS[func]}, {side}: rejected"
            run.expect(what, int(cannot), outcome.event["rejected"])


@testcase(**BOUNDS)
async def learnt_bounds(run: ZcacheSequence) -> None:
    """Of what is stored every pixel counts, be it the lowest or the highest; a code beside is enough."""
    step = 1 << 32 - run.cfg.hierarchical.bits
    await cleared(run, FAR)
    for pixel in range(16):
        other, number = (pixel + 5) % 16, pixel % 4
        depths = [6 * step] * 16
        depths[pixel], depths[other] = 4 * step, 9 * step
        for depth, func, edge in ((10 * step, LESS, 9 * step), (4 * step - 1, GREATER, 4 * step + 1)):
            await run.outcomes(at(run, number, depths, func=7, write=1))
            await evict(run, number)
            await rejects(run, f"pixel {pixel}, beyond", True, at(run, number, depth, func=func))
            await rejects(run, f"pixel {pixel}, equal", True, at(run, number, depth, func=EQUAL))
            await rejects(
                run, f"pixel {pixel}, in part", False, at(run, number, [edge] + [depth] * 15, func=func)
            )


@testcase(**BOUNDS)
async def covered_pixels(run: ZcacheSequence) -> None:
    """Pixels that are not covered do not count, those that the shader discards do."""
    await cleared(run, MIDDLE)
    for pixel in range(16):
        depths = [FAR] * 16
        depths[pixel] = NEAR
        await rejects(
            run, f"{pixel} not covered", True, at(run, 2 * pixel % 32, depths, mask=ALL ^ 1 << pixel)
        )
        kill = {"kill": 1 << pixel} if run.cfg.given else {}
        await rejects(run, f"{pixel} covered", False, at(run, (2 * pixel + 1) % 32, depths, **kill))


@testcase(**BOUNDS)
async def bits_of_bounds(run: ZcacheSequence) -> None:
    """Tiles whose numbers differ in a bit have bounds of their own; those beyond the table have none."""
    limit = run.cfg.hierarchical.tiles
    tiles = await cleared(run, FAR, limit if limit <= 1024 else limit // 2 + 1)  # as few as have all bits
    for bit in range((tiles - 1).bit_length()):
        await run.outcomes(at(run, 0, NEAR + bit, write=1, func=7))
        await evict(run, 0)
        await rejects(run, f"bit {bit}", False, at(run, 1 << bit))
        await rejects(run, "tile 0", True, at(run, 0))
    if limit < 1 << run.cfg.tile_bits and limit <= 1024:
        await cleared(run, NEAR, 2 * limit)
        for number in (limit - 1, limit, 2 * limit - 1):
            await rejects(run, f"tile {number}", number < limit, at(run, number))
    for tiles in (1, 5, 16, 17):
        await cleared(run, NEAR, tiles)
        await rejects(run, "the last of the surface", True, at(run, tiles - 1))
        await rejects(run, "one beyond", False, at(run, tiles))


@testcase(**BOUNDS)
async def formats_of_bounds(run: ZcacheSequence) -> None:
    """What was learnt in a format says nothing of another, until it is learnt anew."""
    for learnt, tested in product(range(3), range(3)):
        await cleared(run, FAR)
        await run.outcomes(at(run, 1, 0, func=7, write=1, format=learnt))
        await evict(run, 1)
        behind = at(run, 1, FAR, func=EQUAL, format=tested)
        await rejects(run, f"{FORMATS[tested]} of {FORMATS[learnt]}", learnt == tested, behind)
        await evict(run, 1)
        alike = (FORMATS[learnt], FORMATS[tested]) == ("d16", "d32")  # the top bits are those of the clear
        await rejects(run, f"{FORMATS[tested]} at last", not alike, behind)


@testcase(**BOUNDS)
async def forgotten_bounds(run: ZcacheSequence) -> None:
    """After a base, a reset, or a write that memory refuses no tile is rejected before the next clear."""
    await cleared(run, NEAR)
    await run.outcome(run.flush())
    await rejects(run, "after a flush", True, at(run, 0))
    await run.outcome(run.base(run.surface))
    await rejects(run, "after a base", False, at(run, 0))
    await cleared(run, NEAR)
    await rejects(run, "after a clear", True, at(run, 0))
    old = at(run, 1, 5, func=7, write=1)
    await run.outcome(old)
    run.env.poison(run.lines_of([old]))
    await run.said(run.flush(), 1)
    run.env.heal()
    await rejects(run, "after a refused write", False, at(run, 0))
    await cleared(run, NEAR)
    run.env.tiles.renews = False
    await run.reset()
    run.surface = Surface()
    await rejects(run, "after a reset", False, at(run, 0))


@testcase(needs=lambda cfg: cfg.bounds and cfg.marks, why="bounds of tiles that a clear marks")
async def cleared_again(run: ZcacheSequence) -> None:
    """A clear whose marks still count is followed by another: marks and bounds are those of the last one; to
    write marked tiles changes no bounds.
    """
    await cleared(run, FAR)
    blanks = run.counted()["blanks"]
    await run.outcomes(at(run, 1, NEAR, func=7, write=1))
    await evict(run, 1)
    await rejects(run, "behind what was stored", True, at(run, 1))
    await rejects(run, "in front of a mark", False, at(run, 2))
    await run.outcome(run.clear(FAR))
    await rejects(run, "in front of the second clear", False, at(run, 1))
    await run.outcome(run.clear(NEAR))
    for number in (1, 2, 3):
        await rejects(run, f"tile {number} behind the third", True, at(run, number))
    run.expect("marked tiles that were looked at", True, run.counted()["blanks"] >= blanks + 3)
    lines = run.counted()["fills"] + run.counted()["prefetches"]
    await run.outcome(run.flush())
    for number in (1, 2, 3):
        await rejects(run, f"tile {number} after a flush", True, at(run, number))
    kept = await run.outcome(at(run, 3, NEAR, func=EQUAL))
    run.expect("passed what the flush wrote", ALL, kept.result["passed"])
    counted = run.counted()
    run.expect("lines read since", 1, counted["fills"] + counted["prefetches"] - lines)


@testcase(**BOUNDS)
async def rejected_while_written(run: ZcacheSequence) -> None:
    """A tile whose line is being written waits for that, a miss, and is rejected then."""
    for channel in ("aw", "b"):
        await cleared(run, FAR)
        old = at(run, 0, NEAR, func=7, write=1)
        await run.outcome(old)
        run.env.memory.hold(channel)
        for other in others(run, 0, run.cfg.cache.ways):
            await run.outcome_soon(other)
        await run.send([at(run, 0)])
        await run.clocking.cycles(20 + (0 if run.cfg.given else run.cfg.shading.cycles))
        run.env.memory.release(channel)
        await run.settle()
        event = run.responses[-1].event
        run.expect("kind, rejected", (MISS, 1), (event["kind"], event["rejected"]))


@testcase(**AHEAD_OF_BOUNDS)
async def hopeless(run: ZcacheSequence) -> None:
    """No line is fetched ahead for a tile that cannot pass."""
    await cleared(run, NEAR)
    before = run.counted()
    tiles = [at(run, number) for number in range(min(4, run.cfg.shading.tiles))]
    await run.ahead(tiles)
    outcomes = await run.tested(tiles, len(tiles))
    counted = run.counted()
    run.expect("rejected", {1}, {outcome.event["rejected"] for outcome in outcomes})
    run.expect("dropped", len(tiles), counted["hopeless"] - before["hopeless"])
    for name in ("fills", "prefetches"):
        run.expect(name, before[name], counted[name])


@testcase(**AHEAD_OF_BOUNDS)
async def rejected_while_fetched(run: ZcacheSequence) -> None:
    """A tile that is rejected does not wait for its line, which comes for another one, nor keep it."""
    await cleared(run, NEAR)
    if run.cfg.marks:  # of a tile that is marked no line would come
        await run.outcome(run.flush())
    for held in (True, False):
        number = 2 + held
        tiles = [at(run, number), at(run, number, func=7)]
        if held:
            run.env.memory.hold("r")
        await run.ahead(tiles)
        before = len(run.responses)
        run.shade(run.items(tiles))
        await run.clocking.cycles(10 + (0 if run.cfg.given else run.cfg.shading.cycles))
        if held:
            run.expect("one result", 1, len(run.responses) - before)
            event = run.responses[-1].event
            run.expect("kind, rejected", (NONE, 1), (event["kind"], event["rejected"]))
        run.env.memory.release("r")
        await run.settle()
        run.expect("passed", ALL, run.responses[-1].result["passed"])
        await evict(run, number)


@testcase(**BOUNDS)
async def random_surfaces(run: ZcacheSequence) -> None:
    """Random tiles, most of one depth, cleared now and then: some are rejected, each as it must be."""
    run.distribution = Distribution(tags=8, flat=0.8, clears=0.03, bases=0.0, empty=0.02, values=0)
    before = run.counted()["rejected"]
    for _ in range(3):
        surface = Surface(0x80000, 8, min(run.cfg.hierarchical.tiles, 64))
        await run.outcomes(run.base(surface), run.clear(int(run.rng.integers(1 << 32))))
        drawn = run.draw(max(60, run.count))
        drawn["x"], drawn["y"] = drawn["x"] % 8, drawn["y"] % 8
        await run.send_records(drawn)
        await run.settle()
    run.expect("some are rejected", True, run.counted()["rejected"] > before)

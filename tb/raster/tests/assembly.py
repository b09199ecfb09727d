# SPDX-License-Identifier: Apache-2.0
"""Topologies, and what comes between vertices: begin, restart, pass."""

from itertools import product

from configs.depth import D32, FORMATS, FUNCTIONS
from configs.raster.schema import FAN, LINES, POINTS, TOPOLOGIES, TRIANGLES
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence, pixels
from tb.raster.items import LEAST, MOST, SUBPIXEL, Z_MOST, begin, passed, restart, vertices

ONE = SUBPIXEL
NEEDED = (1, 2, 2, 3, 3, 3)  # vertices of a primitive, by topology
WAY = [(2, 2), (9, 3), (4, 8), (11, 12), (1, 13), (7, 1), (13, 6), (3, 10)]


def way(count: int) -> list[tuple[int, int, int]]:
    """So many vertices, of different depths."""
    return [(x * ONE, y * ONE, 1000 * n) for n, (x, y) in enumerate(WAY[:count])]


@testcase()
async def topologies(run: RasterSequence) -> None:
    """Which vertices make a primitive: lists, strips and fans of eight vertices, numbered from 0 on."""
    expected = (8, 4, 7, 2, 6, 6)
    for topology, count in enumerate(expected):
        outcomes = await run.outcomes([begin(topology, 16, 16, format=D32), *vertices(way(8))])
        made = [outcome for outcome in outcomes if outcome.work["primitive"]]
        run.expect(f"primitives of {TOPOLOGIES[topology]}", count, len(made))
        for number, outcome in enumerate(made):
            run.expect("prim", {number} if len(outcome.tiles) else set(), set(outcome.tiles["prim"].tolist()))
    [first, *_, last] = await run.draws(FAN, [(0, 0), *((x * ONE, y * ONE) for x, y in WAY)], (16, 16))
    run.expect("a fan's first corner is in its first and last primitive", True, bool(first) and bool(last))


@testcase()
async def cuts(run: RasterSequence) -> None:
    """Begin or restart in the midst of a primitive: what was collected is forgotten."""
    for topology, held in product(range(len(TOPOLOGIES)), range(4)):
        again = vertices(way(5))
        first = begin(topology, 16, 16)
        await run.send([first, *vertices(way(8)[:held]), restart(), *again, restart(), restart(), *again])
        for other in range(len(TOPOLOGIES)):
            await run.send([first, *vertices(way(8)[:held]), begin(other, 13, 15), *again[: NEEDED[other]]])
    await run.settle()


@testcase()
async def passes(run: RasterSequence) -> None:
    """A passed word goes behind all tiles before it and changes nothing, wherever it comes."""
    for topology in range(len(TOPOLOGIES)):
        corners = vertices(way(6))
        plain = await run.outcomes([begin(topology, 16, 16, format=D32), *corners])
        mixed = [begin(topology, 16, 16, format=D32)]
        for number, corner in enumerate(corners):
            mixed += [passed(number % 4, -number, number, 77), corner]
        outcomes = await run.outcomes([*mixed, passed(1), passed(2)])
        drawn = [
            [pixels(outcome.tiles) for outcome in each if outcome.work["primitive"]]
            for each in (plain, outcomes)
        ]
        run.expect("pixels of each primitive", *drawn)


@testcase()
async def passed_fields(run: RasterSequence) -> None:
    """Arguments of passed words at the ends of their range: x and y keep their sign; each command."""
    for command, x, y, z in product(range(4), (LEAST, -1, 0, MOST), (LEAST, -1, MOST), (0, Z_MOST)):
        [outcome] = await run.outcomes([passed(command, x, y, z)])
        [tile] = outcome.tiles
        got = (int(tile["op"]), *(int(depth) for depth in tile["depth"][:4]))
        run.expect("op, depths", (command, z, x & 0xFFFFFFFF, y & 0xFFFFFFFF, 0), got)


@testcase()
async def before_begin(run: RasterSequence) -> None:
    """After reset, before the first begin: points, state 0, a window of one pixel."""
    for times in range(2):
        if times:
            await run.send([begin(TRIANGLES, 16, 16, test=1, func=7, write=1, format=2), *vertices(way(2))])
            await run.settle()
            await run.reset()
        outcomes = await run.outcomes(vertices([(0, 0, Z_MOST), (ONE, 0, 0), (0, ONE, 0), (100, -100, 5)]))
        run.expect(
            "pixels", [{(0, 0)}, set(), set(), {(0, 0)}], [pixels(outcome.tiles) for outcome in outcomes]
        )
        run.expect("depth in d24x8", 0xFFFFFF, int(outcomes[0].tiles["depth"][0][0]))


@testcase()
async def states(run: RasterSequence) -> None:
    """State and window go with the tiles of their primitives, though the next begin comes in their walk."""
    words = []
    states = product(range(len(FUNCTIONS)), range(2), range(2), range(len(FORMATS)))
    for number, (func, test, write, kind) in enumerate(states):
        topology = (POINTS, LINES, TRIANGLES)[(func + test + write) % 3]
        size = 16 - 3 * (number % 4), 16 - 5 * (number % 3)
        words += [begin(topology, *size, test=test, func=func, write=write, format=kind)]
        words += vertices(way(NEEDED[topology]))
    await run.send(words)
    await run.settle()


@testcase()
async def windows(run: RasterSequence) -> None:
    """Windows of all sizes of a tile and a half, a row, a column, the largest: nothing is drawn beyond."""
    sizes = [*product(range(1, 7), range(1, 7)), (1, 23), (23, 1), (run.side, 3), (3, run.side)]
    over = [(-ONE, -ONE), (60 * ONE, -ONE), (-ONE, 60 * ONE)]
    for width, height in sizes:
        [drawn] = await run.draws(TRIANGLES, over, (width, height))
        if width + height < 50:
            run.expect("pixels", {(x, y) for x in range(width) for y in range(height)}, drawn)
    corner = run.side - 1
    for size in ((run.side, run.side), (run.side, 1), (1, run.side)):
        places = [(corner, corner), (corner, 0), (0, corner), (0, 0), (corner + 1, 0), (0, corner + 1)]
        points = await run.draws(POINTS, [(x * ONE, y * ONE) for x, y in places], size)
        for (x, y), got in zip(places, points, strict=True):
            run.expect(f"point {x}, {y}", {(x, y)} if x < size[0] and y < size[1] else set(), got)
    last = [((corner - x) * ONE, (corner - y) * ONE) for x, y in ((0, 0), (3, 0), (0, 3))]
    [few] = await run.draws(TRIANGLES, last, (run.side, run.side))
    run.expect("pixels in the last corner", 3, len(few))


@testcase()
async def window_bits(run: RasterSequence) -> None:
    """A window cuts its last tiles alone: not those whose column or row differs from the last in one bit."""
    for axis, bit in product(range(2), range(run.cfg.coordinate_bits)):
        size, first = [4, 4], [0, 0]
        size[axis] = run.side - 2
        first[axis] = 4 * ((run.side // 4 - 1) ^ (1 << bit))
        x, y = (pixel * ONE for pixel in first)
        over = [(x - ONE, y - ONE), (x + 9 * ONE, y - ONE), (x - ONE, y + 9 * ONE)]
        tile = {(first[0] + n % 4, first[1] + n // 4) for n in range(16)}
        [drawn] = await run.draws(TRIANGLES, over, (size[0], size[1]))
        run.expect(f"a triangle's pixels in tile {first}", tile, drawn & tile)
        along = [(x, y), (x + 4 * ONE, y) if axis == 0 else (x, y + 4 * ONE)]
        [drawn] = await run.draws(LINES, along, (size[0], size[1]))
        run.expect(f"a line's pixels in tile {first}", 4, len(drawn & tile))

# SPDX-License-Identifier: Apache-2.0
"""Triangles: which pixels, in which tiles, in which order."""

from itertools import permutations

from configs.raster.schema import FAN, STRIP, TRIANGLES
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence, pixels
from tb.raster.items import LEAST, MOST, SUBPIXEL, begin, vertices

Place = tuple[int, int]
ONE = SUBPIXEL


@testcase()
async def shared_edges(run: RasterSequence) -> None:
    """Of triangles around a corner each pixel is drawn by one, corners on centres, halves, anywhere."""
    for grid in (ONE, ONE // 2, 16, 1):
        for _ in range(4):
            places = run.rng.integers(0, 16 * ONE // grid, (2, 2)) * grid
            low, high = places.min(0), places.max(0) + 2 * ONE
            corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
            middle = tuple(run.rng.integers(low // grid, high // grid + 1) * grid)
            drawn = await run.draws(FAN, [middle, *corners, corners[0]])
            whole = [
                (x, y)
                for x in range(32)
                for y in range(32)
                if low[0] <= x * ONE < high[0] and low[1] <= y * ONE < high[1]
            ]
            run.expect("pixels of the fan", sorted(whole), sorted(pixel for part in drawn for pixel in part))


@testcase()
async def owners(run: RasterSequence) -> None:
    """A pixel whose centre is on a side belongs to the triangle on its right or below, however turned."""
    square = [(4 * ONE, 4 * ONE), (12 * ONE, 4 * ONE), (12 * ONE, 12 * ONE), (4 * ONE, 12 * ONE)]
    for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 1, 3), (1, 2, 3)):
        by_order = []
        for order in permutations((a, b, c)):
            [drawn] = await run.draws(TRIANGLES, [square[n] for n in order])
            by_order.append(drawn)
        run.expect("pixels of each order", [by_order[0]] * 6, by_order)
    [upper, lower] = await run.draws(TRIANGLES, [square[n] for n in (0, 1, 2, 0, 2, 3)])
    run.expect("in both, sizes", (set(), 36, 28), (upper & lower, len(upper), len(lower)))


@testcase()
async def slivers(run: RasterSequence) -> None:
    """Triangles thinner than a pixel, in each direction, and without any area."""
    words = [begin(TRIANGLES, 32, 32)]
    for dx, dy in ((20, 0), (0, 20), (20, 20), (20, -20), (20, 7), (7, 20), (-20, 7), (-7, 20)):
        for thin in (0, 1, 5, 130, 256):
            a = (int(run.rng.integers(8, 20)) * ONE, 12 * ONE + int(run.rng.integers(ONE)))
            b = (a[0] + dx * ONE, a[1] + dy * ONE)
            c = (a[0] + dx * ONE // 2 + thin * (not dx or dy == dx), a[1] + dy * ONE // 2 + thin)
            for order in permutations((a, b, c)):
                words += vertices(order)
    await run.send(words)
    await run.settle()


@testcase()
async def flat(run: RasterSequence) -> None:
    """Area 0: corners in one place, two in one, or on one line. Nothing is drawn."""
    a, b = (3 * ONE, 3 * ONE), (9 * ONE + 5, 6 * ONE)
    far = (2 * b[0] - a[0], 2 * b[1] - a[1])
    corners = [*(a, a, a), *(a, a, b), *(a, b, a), *(b, a, a), *(a, b, far), *(far, a, b), *(b, far, a)]
    drawn = await run.draws(TRIANGLES, [*corners, a, b, (a[0], b[1])])
    run.expect("pixels", [set()] * 7, drawn[:7])
    run.expect("pixels of one that is not flat", True, bool(drawn[7]))


@testcase()
async def guard_band(run: RasterSequence) -> None:
    """Corners at the ends of their range: areas, edge functions and gradients of the largest size."""
    ends = [(x, y) for x in (LEAST, 0, MOST) for y in (LEAST, 0, MOST)]
    words = [begin(TRIANGLES, 24, 20, format=1)]
    chosen = [(a, b, c) for n, (a, b, c) in enumerate(permutations(ends, 3)) if n % 9 == run.bench.seed % 9]
    for corners in chosen[:40]:
        depths = run.rng.choice([0, (1 << 32) - 1, 1 << 31], 3)
        words += vertices((x, y, int(z)) for (x, y), z in zip(corners, depths, strict=True))
    for _ in range(30):
        places = run.rng.choice([LEAST, LEAST + 1, -1, 0, 1, 3000, MOST - 1, MOST], (3, 2))
        words += vertices((int(x), int(y), int(run.rng.integers(1 << 32))) for x, y in places)
    outcomes = await run.outcomes(words)
    drawn = [len(pixels(outcome.tiles)) for outcome in outcomes if outcome.work["primitive"]]
    run.expect("some fill the window", True, 24 * 20 in drawn)


@testcase()
async def bounds(run: RasterSequence) -> None:
    """Bounds end on a centre, just before or behind it; at tiles' borders; beyond each side of the window."""
    words = [begin(TRIANGLES, 14, 11)]
    offsets = (-ONE, -1, 0, 1, ONE // 2)
    for column in (-2, 0, 3, 4, 8, 12, 14, 16):
        for low in offsets:
            for high in offsets:
                left, right = column * ONE + low, (column + 4) * ONE + high
                words += vertices([(left, ONE), (right, 2 * ONE), (left, 7 * ONE)])
                words += vertices([(ONE, left), (2 * ONE, right), (7 * ONE, left)])
    await run.send(words)
    await run.settle()


@testcase()
async def tile_order(run: RasterSequence) -> None:
    """Tiles come in rows, to the right, or to and fro: all of the bounds, or those with pixels."""
    corners = [(-ONE, 2 * ONE), (27 * ONE, 9 * ONE), (5 * ONE, 25 * ONE)]
    outcomes = await run.outcomes([begin(TRIANGLES, 24, 22), *vertices(corners)])
    tiles = [(int(tile["x"]), int(tile["y"])) for tile in outcomes[-1].tiles]
    covered = {(x // 4, y // 4) for x, y in pixels(outcomes[-1].tiles)}
    rows = [[(x, y) for x in range(6)] for y in range(6)]
    if run.cfg.walk == "serpentine":
        rows = [row[::-1] if y % 2 else row for y, row in enumerate(rows)]
    wanted = [tile for row in rows for tile in row if run.cfg.emit == "visited" or tile in covered]
    run.expect("tiles", wanted, tiles)


@testcase()
async def windings(run: RasterSequence) -> None:
    """Both windings of triangles of all shapes, as a strip turns them."""
    places = run.rng.integers(-4 * ONE, 28 * ONE, (40, 2))
    corners = [(int(x), int(y), int(run.rng.integers(1 << 32))) for x, y in places]
    await run.send([begin(STRIP, 24, 24, format=1), *vertices(corners)])
    await run.settle()

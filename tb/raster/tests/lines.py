# SPDX-License-Identifier: Apache-2.0
"""Lines and points: diamonds, columns, ties."""

from itertools import product

from configs.raster.schema import LINE_STRIP, LINES, POINTS
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence, pixels
from tb.raster.items import LEAST, MOST, SUBPIXEL, begin, vertices

ONE, HALF = SUBPIXEL, SUBPIXEL // 2
#: from a centre: in the diamond, on its edge, outside, and in its corners
NEAR = (
    (0, 0),
    (40, -30),
    (64, 64),
    (-64, 64),
    (128, 0),
    (-128, 0),
    (0, 128),
    (0, -128),
    (100, 90),
    (-90, -100),
)
TURN = [(x, y) for x in range(-9, 10, 3) for y in range(-9, 10, 3) if 9 in (abs(x), abs(y))]


@testcase()
async def octants(run: RasterSequence) -> None:
    """From one centre to others all around, ends on centres: the last pixel is left out, the first is not."""
    for turn in (TURN, [(9, 0), (0, 9), (-9, 0), (0, -9)]):
        corners = [
            corner for x, y in turn for corner in ((16 * ONE, 16 * ONE), ((16 + x) * ONE, (16 + y) * ONE))
        ]
        drawn = await run.draws(LINES, corners)
        for (x, y), line in zip(turn, drawn, strict=True):
            ends = (16, 16) in line, (16 + x, 16 + y) in line
            run.expect(f"to {x}, {y}: first, last, pixels", (True, False, 9), (*ends, len(line)))


@testcase()
async def diamonds(run: RasterSequence) -> None:
    """Ends inside, on the edge of and outside diamonds, in each direction."""
    words = [begin(LINES, 20, 20)]
    for (ax, ay), (bx, by) in product(NEAR, NEAR):
        x, y = TURN[int(run.rng.integers(len(TURN)))]
        words += vertices(
            [(10 * ONE + ax, 10 * ONE + ay), ((10 + x // 3) * ONE + bx, (10 + y // 3) * ONE + by)]
        )
    await run.send(words)
    await run.settle()


@testcase()
async def short_lines(run: RasterSequence) -> None:
    """Lines that begin and end in one diamond, leave it, or do not touch one; A = B draws nothing."""
    words = [begin(LINES, 20, 20, format=1)]
    for (ax, ay), (bx, by) in product(NEAR, NEAR):
        z = [int(run.rng.integers(1 << 32)) for _ in range(2)]
        words += vertices([(8 * ONE + ax, 8 * ONE + ay, z[0]), (8 * ONE + bx, 8 * ONE + by, z[1])])
    for _ in range(100):
        a = run.rng.integers(0, 2 * ONE, 2)
        b = a + run.rng.integers(-3, 4, 2)
        words += vertices([(int(a[0]), int(a[1])), (int(b[0]), int(b[1]))])
    await run.send(words)
    await run.settle()
    same = (5 * ONE + 3, 5 * ONE + 3)
    run.expect("pixels of A = B", [set()], await run.draws(LINES, [same, (*same, 77)]))


@testcase()
async def strips_touch_once(run: RasterSequence) -> None:
    """A closed way of lines on centres draws each of its pixels once."""
    way = [(4, 4), (20, 4), (20, 12), (14, 18), (4, 18), (4, 4)]
    drawn = await run.draws(LINE_STRIP, [(x * ONE, y * ONE) for x, y in way])
    together = [pixel for line in drawn for pixel in line]
    run.expect("pixels, and different ones", (16 + 8 + 6 + 10 + 14,) * 2, (len(together), len(set(together))))


@testcase()
async def line_clips(run: RasterSequence) -> None:
    """Lines that come from, go to, and pass the window's outside, in all directions, along its sides too."""
    places = [-300, -HALF, -1, 0, 1, HALF, 5 * ONE, 9 * ONE, 9 * ONE + HALF, 10 * ONE, 12 * ONE]
    words = [begin(LINES, 10, 10)]
    for _ in range(max(150, run.count // 2)):
        ax, ay, bx, by = (int(place) for place in run.rng.choice(places, 4))
        words += vertices([(ax, ay), (bx, by)])
    await run.send(words)
    await run.settle()


@testcase()
async def row_ties(run: RasterSequence) -> None:
    """Lines from halfway between two rows, or 1/256 beside, level and rising by little, half, almost all."""
    count, major = 8, 10
    rises = [0, *(sign * rise for rise in (1, 4 * ONE, 8 * ONE - 1) for sign in (1, -1))]
    for minor, swap, ahead in product((-1, 10), (False, True), (1, -1)):
        starts = [minor * ONE + off for off in (HALF - 1, HALF, HALF + 1)]
        lines = [(start, rise) for start in starts for rise in rises]
        corners: list[tuple[int, int]] = []
        expected = []
        for start, rise in lines:
            ends = (major * ONE, start), ((major + ahead * count) * ONE, start + rise)
            rows = (-((HALF * count - start * count - rise * n) // (ONE * count)) for n in range(count))
            made = {(major + ahead * n, row) for n, row in enumerate(rows) if 0 <= row < 24}
            corners += [(y, x) for x, y in ends] if swap else ends
            expected.append({pixel[::-1] for pixel in made} if swap else made)
        drawn = await run.draws(LINES, corners, (24, 24))
        for line, *both in zip(lines, expected, drawn, strict=True):
            run.expect(f"pixels of {line}, swapped {swap}, to {ahead}", *both)


@testcase()
async def line_words(run: RasterSequence) -> None:
    """Pixels of one tile go out in one word, in the direction of the line, up, down, left and right."""
    a, b = (ONE, 2 * ONE), (18 * ONE, 13 * ONE)
    for start, end in ((a, b), (b, a)):
        [*_, outcome] = await run.outcomes([begin(LINES, 32, 32), *vertices([start, end])])
        tiles = [(int(tile["x"]), int(tile["y"])) for tile in outcome.tiles]
        run.expect("each tile once", len(tiles), len(set(tiles)))
        run.expect("in order", sorted(tiles, reverse=start is b), tiles)


@testcase()
async def longest_lines(run: RasterSequence) -> None:
    """Lines from end to end of the coordinates' range: the walk begins far before the window."""
    words = [begin(LINES, 12, 12, format=1)]
    for a, b in (
        ((LEAST, LEAST), (MOST, MOST)),
        ((MOST, 5 * ONE), (LEAST, 7 * ONE)),
        ((700, MOST), (900, LEAST)),
    ):
        words += vertices([(*a, 0), (*b, (1 << 32) - 1)])
    outcomes = await run.outcomes(words)
    run.expect(
        "pixels", [12] * 3, [len(pixels(outcome.tiles)) for outcome in outcomes if outcome.work["primitive"]]
    )
    words = [begin(LINES, 12, 12, format=1)]  # the same, half a pixel on
    (x, y), (far_x, far_y) = (LEAST + HALF, LEAST + 25), (MOST - HALF, MOST - 77)
    for a, b in (((x, y), (far_x, far_y)), ((far_y, far_x), (y, x)), ((x, -y), (far_x, -far_y))):
        words += vertices([(*a, 0), (*b, (1 << 32) - 1)])
    drawn = [len(pixels(outcome.tiles)) for outcome in await run.outcomes(words) if outcome.work["primitive"]]
    run.expect("lines that meet the window", [True] * 3, [count > 0 for count in drawn])


@testcase()
async def ties(run: RasterSequence) -> None:
    """A point halfway between pixels goes left and up, one beyond to the next; at the window's sides, too."""
    for place in (0, 3, 9, 10):
        offsets = (-HALF - 1, -HALF, -HALF + 1, -1, 0, 1, HALF - 1, HALF, HALF + 1)
        corners = [(place * ONE + x, place * ONE + y) for x in offsets for y in offsets]
        drawn = await run.draws(POINTS, corners, (10, 11))
        for (x, y), got in zip(corners, drawn, strict=True):
            pixel = ((x + HALF - 1) // ONE, (y + HALF - 1) // ONE)
            inside = 0 <= pixel[0] < 10 and 0 <= pixel[1] < 11
            run.expect(f"point {x}, {y}", {pixel} if inside else set(), got)


@testcase()
async def far_points(run: RasterSequence) -> None:
    """Points at the ends of the range are outside; none of them comes in on the other side."""
    ends = [(x, y) for x in (LEAST, -4096 * ONE, MOST, 0) for y in (LEAST, 4096 * ONE, MOST, 0)]
    drawn = await run.draws(POINTS, ends, (28, 28))
    run.expect("pixels", [(0, 0)], [pixel for point in drawn for pixel in point])

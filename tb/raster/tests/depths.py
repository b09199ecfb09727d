# SPDX-License-Identifier: Apache-2.0
"""Depths: planes, their ends, formats."""

from configs.depth import D16, D24X8, D32
from configs.raster.schema import LINES, POINTS, STRIP, TRIANGLES
from tb.common.components.testcase import testcase
from tb.raster.base import RasterSequence
from tb.raster.items import LEAST, MOST, SUBPIXEL, Z_MOST, begin, vertices

ONE = SUBPIXEL
ENDS = (0, 1, Z_MOST - 1, Z_MOST, 1 << 31)


@testcase()
async def formats(run: RasterSequence) -> None:
    """The highest bits of a depth in each format, of points, lines, triangles; 0 where nothing is drawn."""
    z = 0xABCDEF97
    for kind, name in ((D24X8, z >> 8), (D32, z), (D16, z >> 16)):
        for topology, corners in ((POINTS, 1), (LINES, 2), (TRIANGLES, 3)):
            places = [(ONE, ONE, z), (6 * ONE, ONE, z), (ONE, 6 * ONE, z)][:corners]
            outcomes = await run.outcomes([begin(topology, 16, 16, format=kind), *vertices(places)])
            for tile in outcomes[-1].tiles:
                for pixel, depth in enumerate(tile["depth"].tolist()):
                    run.expect(f"pixel {pixel}", name * (int(tile["mask"]) >> pixel & 1), depth)


@testcase()
async def planes(run: RasterSequence) -> None:
    """Triangles whose corners are at the ends of depth, flat and steep, of both windings, large and small."""
    words = [begin(TRIANGLES, 16, 16, format=D32)]
    for a in ENDS:
        for b in ENDS:
            for c in (0, Z_MOST):
                size = int(run.rng.choice([3, 40, 300, 4 * ONE, 15 * ONE]))
                x, y = (int(place) for place in run.rng.integers(0, 8 * ONE, 2))
                corners = [(x, y, a), (x + size, y + size // 3, b), (x - size // 4, y + size, c)]
                words += vertices(corners if run.rng.random() < 0.5 else corners[::-1])
    await run.send(words)
    await run.settle()


@testcase()
async def steep(run: RasterSequence) -> None:
    """From 0 to the largest depth within 1/256 pixel: gradients of all their bits, in x, in y, both ways."""
    words = [begin(TRIANGLES, 16, 16, format=D32)]
    for x, y in ((5 * ONE, 5 * ONE), (6 * ONE - 1, 3 * ONE - 1), (2 * ONE, 9 * ONE - 1)):
        for za, zb in ((0, Z_MOST), (Z_MOST, 0)):
            words += vertices([(x, y - 900, za), (x + 1, y - 900, zb), (x, y + 900, za)])
            words += vertices([(x - 900, y, za), (x + 900, y, zb), (x - 900, y + 1, zb)])
            words += vertices([(x, y, za), (x + 2, y + 1, zb), (x + 1, y + 2, za)])
    await run.send(words)
    await run.settle()


@testcase()
async def line_depths(run: RasterSequence) -> None:
    """Along lines of all directions, from end to end of depth, with the pixel before A among them."""
    words = [begin(LINES, 32, 32, format=D32)]
    for za in ENDS:
        for zb in ENDS:
            places = run.rng.integers(0, 31 * ONE, 4)
            a, b = (int(places[0]), int(places[1]), za), (int(places[2]), int(places[3]), zb)
            words += vertices([a, b, b, a])
            words += vertices([(4 * ONE + 100, 4 * ONE, za), (9 * ONE, 6 * ONE, zb)])
    await run.send(words)
    await run.settle()


@testcase()
async def before_a(run: RasterSequence) -> None:
    """The pixel before A of very short lines: depth runs out of its range, and is what the page says."""
    words = [begin(LINES, 16, 16, format=D32)]
    for t in (1, 2, 64, 126, 127):
        for length in (1, 2, 3, 7, 127):
            for za, zb in ((0, Z_MOST), (Z_MOST, 0), (1 << 31, 0), (12345, 1 << 30)):
                words += vertices([(4 * ONE + t, 4 * ONE, za), (4 * ONE + t + length, 4 * ONE, zb)])
                words += vertices([(4 * ONE, 9 * ONE - t, za), (4 * ONE, 9 * ONE - t - length, zb)])
    za, zb = (
        3847988352,
        3988350,
    )  # 127 / 256 before A, after 16 of them: rounded up to 2^35, eight times the range
    words += vertices([(4 * ONE + 127, 4 * ONE, za), (4 * ONE + 127 + 16, 4 * ONE, zb)])
    await run.send(words)
    await run.settle()


@testcase()
async def far_planes(run: RasterSequence) -> None:
    """Planes fixed by corners at the ends of the coordinates: small gradients, long ways from A, of a strip
    the older corner of those that stay: seen from another one the rounding would differ.
    """
    words = [begin(TRIANGLES, 16, 16, format=D32)]
    for depths in ((0, Z_MOST, 1 << 31), (Z_MOST, 0, 0), (5, 6, 7)):
        corners = [(LEAST, LEAST), (MOST, LEAST), (0, MOST)]
        for first in range(3):
            words += vertices(
                (*corner, z) for corner, z in zip(corners[first:] + corners[:first], depths, strict=True)
            )
    words += [begin(STRIP, 16, 16, format=D32)]
    words += vertices([(LEAST, LEAST, 0), (MOST, LEAST, Z_MOST), (LEAST, MOST, 1 << 31), (MOST, MOST, 12345)])
    words += vertices([(LEAST + 1, LEAST, 77), (MOST, LEAST + 1, Z_MOST - 5), (0, MOST, 3)])
    await run.send(words)
    await run.settle()

# SPDX-License-Identifier: Apache-2.0
"""What ``docs/raster.md`` says, in Python's integers and fractions: slow, exact, written a second time."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from configs.raster.schema import BEGIN, FAN, LINE_STRIP, LINES, PASS, POINTS, RESTART, STRIP, Config

Corner = tuple[int, int, int]  # x, y in 1/256 pixel, z
Pixels = dict[tuple[int, int], int]  # v by pixel, in the order in which a line comes by
HALF = Fraction(1, 2)


class Begin(NamedTuple):
    """What a begin says."""

    topology: int = POINTS
    state: tuple[int, int, int, int] = (0, 0, 0, 0)
    width: int = 1
    height: int = 1


def primitives(topology: int, run: list[Corner]) -> list[list[Corner]]:
    """OpenGL's assembly of a run of vertices."""
    n = len(run)
    if topology == POINTS:
        return [[corner] for corner in run]
    if topology == LINES:
        return [run[i : i + 2] for i in range(0, n - 1, 2)]
    if topology == LINE_STRIP:
        return [run[i : i + 2] for i in range(n - 1)]
    if topology == STRIP:
        return [run[i : i + 3] for i in range(n - 2)]
    if topology == FAN:
        return [[run[0], *run[i : i + 2]] for i in range(1, n - 1)]
    return [run[i : i + 3] for i in range(0, n - 2, 3)]


def nearest(place: int | Fraction) -> int:
    """The pixel nearest to a place in 1/256 pixel, ties to the left or up."""
    return ceil(Fraction(place) / 256 - HALF)


def point(a: Corner) -> Pixels:
    """A point's pixel."""
    return {(nearest(a[0]), nearest(a[1])): a[2] << 24}


def ordered(corners: list[Corner]) -> tuple[list[Corner], int]:
    """Corners of a triangle so that its area, the second, is not negative."""
    (xa, ya, _), (xb, yb, _), (xc, yc, _) = corners
    area = (xb - xa) * (yc - ya) - (yb - ya) * (xc - xa)
    return (corners if area >= 0 else [corners[0], corners[2], corners[1]]), abs(area)


def covers(corners: list[Corner], x: int, y: int) -> bool:
    """Whether the pixel's centre, moved right by an infinitesimal and down by a smaller one, is inside."""
    signs = []
    for (xp, yp, _), (xq, yq, _) in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = xq - xp, yq - yp
        signs.append((dx * (256 * y - yp) - dy * (256 * x - xp), -dy, dx))
    zero = (0, 0, 0)
    return all(sign > zero for sign in signs) or all(sign < zero for sign in signs)


def triangle(corners: list[Corner], begin: Begin) -> Pixels:
    """Pixels of a triangle within the window."""
    (a, b, c), area = ordered(corners)
    if area == 0:
        return {}
    dz_b, dz_c = b[2] - a[2], c[2] - a[2]
    gx = floor(Fraction((dz_b * (c[1] - a[1]) - dz_c * (b[1] - a[1])) << 24, area))
    gy = floor(Fraction((dz_c * (b[0] - a[0]) - dz_b * (c[0] - a[0])) << 24, area))
    return {
        (x, y): (a[2] << 24) + gx * (256 * x - a[0]) + gy * (256 * y - a[1])
        for y in range(begin.height)
        for x in range(begin.width)
        if covers(corners, x, y)
    }


def in_diamond(p: Corner, x: int, y: int) -> bool:
    """Whether a corner is inside the diamond of a pixel."""
    return abs(p[0] - 256 * x) + abs(p[1] - 256 * y) < 128


def line(corners: list[Corner]) -> Pixels:
    """Pixels of a line in its direction, also those outside the window."""
    a, b = corners
    if a[:2] == b[:2]:
        return {}
    if abs(b[0] - a[0]) < abs(b[1] - a[1]):
        return {(y, x): v for (x, y), v in line([(q, p, z) for p, q, z in corners]).items()}
    length, sign = abs(b[0] - a[0]), 1 if b[0] > a[0] else -1
    slope = floor(Fraction((b[2] - a[2]) << 24, length))
    first = ceil(Fraction(a[0], 256)) if sign > 0 else -floor(Fraction(a[0], 256))
    pixels = {}
    for number in range(first - 1, first + length // 256 + 2):
        x = sign * number
        t = sign * (256 * x - a[0])
        if t < 0:
            y, drawn = nearest(a[1]), t > -128 and in_diamond(a, x, nearest(a[1]))
        else:
            y, drawn = nearest(a[1] + Fraction((b[1] - a[1]) * t, length)), t < length
        if drawn and not in_diamond(b, x, y):
            pixels[x, y] = (a[2] << 24) + slope * t
    return pixels


def word(v: int, format: int) -> int:
    """The word of a drawn pixel."""
    v &= (1 << 60) - 1
    v -= (v >> 59) << 60
    depth = min(max((v + (1 << 23)) >> 24, 0), (1 << 32) - 1)
    return depth >> (8, 0, 16)[format]


def tiles_of(
    pixels: Pixels, bounds: list[tuple[int, int]], begin: Begin, prim: int
) -> Iterator[dict[str, Any]]:
    """Words of the tiles ``bounds``, in this order, with those of ``pixels`` that are in the window."""
    for x, y in bounds:
        mask, depths = 0, [0] * 16
        for n in range(16):
            place = (4 * x + n % 4, 4 * y + n // 4)
            if place in pixels and 0 <= place[0] < begin.width and 0 <= place[1] < begin.height:
                mask |= 1 << n
                depths[n] = word(pixels[place], begin.state[3])
        yield {"op": 0, "x": x, "y": y, "mask": mask, "state": begin.state, "depth": depths, "prim": prim}


def bounds_of(corners: list[Corner], begin: Begin, serpentine: bool) -> list[tuple[int, int]]:
    """Tiles of a triangle's bounds in the order of the walk."""
    spans = []
    for axis, size in ((0, begin.width), (1, begin.height)):
        values = [corner[axis] for corner in corners]
        low, high = max(ceil(Fraction(min(values), 256)), 0), min(floor(Fraction(max(values), 256)), size - 1)
        spans.append(range(low // 4, high // 4 + 1) if low <= high else range(0))
    columns, rows = spans
    order = []
    for number, y in enumerate(rows):
        turned = serpentine and number % 2
        order += [(x, y) for x in (reversed(columns) if turned else columns)]
    return order


def drawn(cfg: Config, begin: Begin, corners: list[Corner], prim: int) -> list[dict[str, Any]]:
    """The words of one primitive."""
    if len(corners) < 3:
        pixels = point(corners[0]) if len(corners) == 1 else line(corners)
        tiles = list(dict.fromkeys((x // 4, y // 4) for x, y in pixels))
        return [record for record in tiles_of(pixels, tiles, begin, prim) if record["mask"]]
    if ordered(corners)[1] == 0:
        return []
    bounds = bounds_of(corners, begin, cfg.walk == "serpentine")
    records = tiles_of(triangle(corners, begin), bounds, begin, prim)
    return [record for record in records if record["mask"] or cfg.emit == "visited"]


def expected(cfg: Config, words: Any) -> list[dict[str, Any]]:
    """The words of ``tile`` that an array of VERTEX words gives, from reset on."""
    begin, first, done = Begin(), 0, 0
    run: list[Corner] = []
    out: list[dict[str, Any]] = []
    for row in words:
        x, y, z = int(row["x"]), int(row["y"]), int(row["z"])
        if row["op"] == BEGIN:
            state = tuple(int(row[name]) for name in ("test", "func", "write", "format"))
            begin, run, first, done = Begin(int(row["topology"]), state, x, y), [], 0, 0  # type: ignore[arg-type]
        elif row["op"] == RESTART:
            run, first, done = [], first + done, 0
        elif row["op"] == PASS:
            depths = [z, x & 0xFFFFFFFF, y & 0xFFFFFFFF, *[0] * 13]
            nothing = {"x": 0, "y": 0, "mask": 0, "state": (0, 0, 0, 0), "prim": 0}
            out.append({"op": int(row["command"]), "depth": depths, **nothing})
        else:
            run.append((x, y, z))
            complete = primitives(begin.topology, run)
            for number in range(done, len(complete)):
                out += drawn(cfg, begin, complete[number], first + number & 0xFFFF)
            done = len(complete)
    return out

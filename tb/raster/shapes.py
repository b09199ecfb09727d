# SPDX-License-Identifier: Apache-2.0
"""What coverage says of a primitive: where it goes, how it lies to pixels and to the window."""

from collections.abc import Sequence
from math import ceil, floor

from tb.raster.items import SUBPIXEL
from tb.raster.plan import ENDS, OCTANTS

Corner = tuple[int, int]  # x, y in 1/256 pixel
HALF = SUBPIXEL // 2
SIDE = 4


def octant(a: Corner, b: Corner) -> str:
    """A line's direction: an axis, a diagonal, or between two of these."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if not (dx or dy):
        return "nowhere"
    steep = (abs(dy) > abs(dx)) - (abs(dy) < abs(dx))  # -1, 0, 1
    quarter = 0 if not dy else 4 if not dx else 2 + steep  # of a quarter turn, in sixteenths of a turn
    if dx < 0:
        quarter = 8 - quarter
    return OCTANTS[-quarter % 16 if dy < 0 else quarter]


def nearest(place: int) -> int:
    """The nearest pixel's centre, of two the lower one."""
    return ceil((place - HALF) / SUBPIXEL)


def to_diamond(place: Corner) -> str:
    """How a place lies to the diamond of its nearest pixel."""
    distance = sum(abs(axis - SUBPIXEL * nearest(axis)) for axis in place)
    return ENDS[(distance > HALF) + (distance >= HALF)]


def area(a: Corner, b: Corner, c: Corner) -> int:
    """Twice a triangle's area; positive if it is clockwise on the screen."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def clip(corners: Sequence[Corner], size: Corner) -> list[str]:
    """Across which sides of a window of ``size`` pixels it lies, or within, or outside."""
    low = [min(axis) for axis in zip(*corners, strict=True)]
    high = [max(axis) for axis in zip(*corners, strict=True)]
    limits = [SUBPIXEL * (side - 1) for side in size]
    if any(high[k] < 0 or low[k] > limits[k] for k in range(2)):
        return ["outside"]
    crossed = {
        "left": low[0] < 0,
        "right": high[0] > limits[0],
        "above": low[1] < 0,
        "below": high[1] > limits[1],
    }
    return [name for name, crosses in crossed.items() if crosses] or ["within"]


def span(corners: Sequence[Corner], size: Corner) -> str:
    """The tiles of a triangle's bounds."""
    counts = []
    for axis, side in zip(zip(*corners, strict=True), size, strict=True):
        first, last = max(ceil(min(axis) / SUBPIXEL), 0), min(floor(max(axis) / SUBPIXEL), side - 1)
        counts.append(last // SIDE - first // SIDE + 1 if first <= last else 0)
    wide, tall = counts
    if not (wide and tall):
        return "none"
    if tall == 1:
        return "one" if wide == 1 else "a row"
    return "a column" if wide == 1 else "several rows"

# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``trilinear``: coverpoints and bins as data.

What a half meets by itself is ``texcache``'s plan; this one is about two of them side by side.
"""

from configs.trilinear.schema import HALVES, OPS, Config
from tb.common.coverage.bins import Point, address_bits, cross, flow_points, order_points

OUTCOMES = ("hits", "misses")
PLACED = ("hit", "fill", "evict")
NEEDS = ("even", "odd", "both, even finer", "both, odd finer", "the last level alone")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    half = cfg.half
    return [
        Point("level", "each level, alone and with the next one", cross(OPS[:2], range(half.levels))),
        Point("needs", "which halves a sample needs", NEEDS),
        Point("pair of levels", "what the halves of a sample meet, even/odd", cross(OUTCOMES, OUTCOMES)),
        Point("look-ups", "lines of a sample of two levels", cross((2, 3, 4, 5, 6, 8))),
        Point("missing", "lines that each half waits for", cross(HALVES, range(5))),
        Point(
            "bank set", "what every set of every bank meets",
            cross(HALVES, range(half.banks), range(half.cache.sets), PLACED),
        ),
        Point("modes", "wrap modes act on both levels, and on u and v apart", cross(range(3), range(3))),
        Point("error", "whose line failed", ("even", "odd", "both")),
        Point("table", "an entry is written in the request before its first use", HALVES),
        *order_points(OPS, OPS[:2]),
        address_bits(cfg.axi, ar=half.cache.offset_bits),
        *flow_points(cfg.beats, writes=False),
    ]  # fmt: skip

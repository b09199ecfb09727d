# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of the texture unit: coverpoints and bins as data."""

from configs.texunit.schema import FORMATS, MODES, Config
from tb.common.coverage.bins import Point, address_bits, bucket_names, cross

FILTERS = ("nearest", "bilinear")
PLACES = ("inside", "last texel", "negative", "beyond")
WAITS = (0, 1, 4)
SHAPES = ("square", "wide", "high", "1 x 1", "1 x n", "n x 1")
REACHABLE_LODS = 9
HALVES = ("lower", "upper")
SPLIT = (("first there", "first missing"), ("second there", "second missing"))


def sampling(max_log2: int) -> list[Point]:
    """Points about what is sampled, whatever the unit does it with; ``max_log2``: of the largest side."""
    sizes = tuple(str(n) for n in range(max_log2 + 1))
    return [
        Point("format", "each format with each filter", cross(FORMATS, FILTERS)),
        Point("modes", "wrap modes act on u and v apart", cross(MODES, MODES)),
        Point("edge u", "each mode where it matters", cross(MODES, PLACES)),
        Point("edge v", "the same for rows", cross(MODES, PLACES)),
        Point("shape", "textures need not be square, down to one texel", SHAPES),
        Point("log2w", "every width", sizes),
        Point("log2h", "every height", sizes),
        Point("pixels", "every set of valid pixels", tuple(f"{n:04b}" for n in range(16))),
        Point("lod", "every level the formula can give", tuple(str(n) for n in range(REACHABLE_LODS))),
        Point("lod limit", "the level is the formula's, or the primitive's last", ("free", "limited")),
        Point("mip", "log2 of the larger side of the mip that is sampled", sizes),
        Point("weight", "bilinear weights at their ends", ("u 0", "u 255", "v 0", "v 255")),
    ]


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    ways = range(cfg.cache.ways)
    half = cfg.cache.ways // 2
    beats = tuple(f"beat {n}" for n in range(cfg.beats_per_line))
    flights = ("1", "2-4", "more", "limit") if cfg.fifo.depth > 5 else ("1", "2-4", "limit")
    return [
        *sampling(cfg.max_log2),
        Point("query", "what the cache found", ("repeat", "hit", "fill", "replace", "error")),
        Point("way", "every way", cross(ways, ("hit", "fill", "replace"))),
        Point("victim", "half used longer ago, way that the counter chose", cross(HALVES, range(half))),
        Point("split", "a texel of 3 bytes in two lines: which of them were there", cross(*SPLIT)),
        Point("queries", "cache queries of a quad", bucket_names((0, 1, 4, 8, 15))),
        Point("table", "colour tables, read whole or with an error", cross(FORMATS[2:], ("good", "error"))),
        Point("error", "where an error came from", ("texel", "table")),
        address_bits(cfg.axi, ar=cfg.cache.offset_bits),
        Point("error beat", "first beat of a line that failed", beats),
        Point("invalidate", "with a primitive, or not", ("yes", "no")),
        Point("quad wait", "cycles a quad waited", bucket_names(WAITS)),
        Point("prim wait", "whether a primitive waited for the quads before it", ("0", "1+")),
        Point("result wait", "cycles a result waited for the consumer", bucket_names(WAITS)),
        Point("in flight", "quads in a unit", flights),
        Point(
            "reset", "both sides, or one first; an address waits, or lines from before another reset",
            (
                *cross(("both", "gpu", "tex"), ("idle", "in flight")),
                "address waits", "stale lines", "memory too",
            ),
        ),
        Point("clocks", "ratio of the clocks", ("published", "gpu faster", "gpu much slower", "drifting")),
    ]  # fmt: skip

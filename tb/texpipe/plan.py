# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of the pipelined texture unit: coverpoints and bins as data."""

from configs.texpipe.schema import BANKS, PRIMS, Config
from configs.texunit.schema import FORMATS
from tb.common.coverage.bins import Point, address_bits, bucket_names, cross
from tb.texunit.plan import FILTERS, WAITS, sampling

OUTCOMES = ("hit", "fill", "replace")
#: lines that a pixel can have, by format: columns and rows of tiles, or rows of a tile
LINES = {"RGBA8": (1, 2, 4), "RGB8": (1, 2, 3, 4), "table": (1, 2, 4)}
#: why a colour table was read, or that it was there: of the primitive before, or of an earlier one
TABLES = ("first", "base", "format", "invalidated", "replaced", "last", "earlier")
FLIGHTS = (1, 4, 16)  # quads
MISSES = (0, 1, 2, 3, 4)
SPLITS = (0, 1)  # texels
#: levels that a primitive wants mixed: the first alone, for one reason or the other, or how they are weighted
FRACTIONS = ("magnified", "last level", "0", "1", "2-254", "255")
FOUND = ("hit", "miss", "error")  # what the lines of a level were
LEVELS = ("one", "two")


def mixing(cfg: Config) -> list[Point]:
    """Points about two levels that are mixed."""
    smaller = tuple(str(n) for n in range(cfg.max_log2))
    return [
        Point("mixed", "each format with each filter, on two levels", cross(FORMATS, FILTERS)),
        Point("fraction", "how two levels are weighted, or why one is alone", FRACTIONS),
        Point("second mip", "log2 of the larger side of the mip that is mixed in", smaller),
        Point("two levels", "what the lines of both levels of a pixel were", cross(FOUND, FOUND)),
        Point("levels in a row", "quads of a unit, one after the other", cross(LEVELS, LEVELS)),
    ]


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    beats = tuple(f"beat {n}" for n in range(cfg.beats_per_line))
    lines = tuple(name for kind, counts in LINES.items() for name in cross((kind,), counts))
    return [
        *sampling(cfg.max_log2),
        *(mixing(cfg) if cfg.trilinear else ()),
        Point("bank", "what each bank found", cross(range(BANKS), OUTCOMES)),
        Point("way", "every way", cross(range(cfg.cache.ways), OUTCOMES)),
        Point("lines", "lines that a pixel asks for, each in a bank of its own", lines),
        Point("misses", "lines of a pixel that are read", tuple(map(str, MISSES))),
        Point("split", "texels of a pixel that lie in two lines", bucket_names(SPLITS)),
        Point("empty", "quads without a valid pixel, between others", ("yes",)),
        Point("table", "colour tables, read whole or with an error", cross(FORMATS[2:], ("good", "error"))),
        Point("table read", "why a table was read, or that it was there", TABLES[: 6 + (cfg.tables > 1)]),
        Point("error", "of a line that came now, one that was kept, a table", ("new", "kept", "table")),
        address_bits(cfg.axi, ar=cfg.cache.offset_bits),
        Point("error beat", "first beat of a line that failed", beats),
        Point("invalidate", "with a primitive, or not", ("yes", "no")),
        Point("prims", "primitives whose quads are in the unit", tuple(map(str, range(1, PRIMS + 1)))),
        Point("in flight", "quads in the unit when one is taken", bucket_names(FLIGHTS)),
        Point("prim wait", "whether a primitive waited", ("0", "1+")),
        Point("quad wait", "cycles a quad waited", bucket_names(WAITS)),
        Point("result wait", "cycles a result waited for the consumer", bucket_names(WAITS)),
        Point(
            "reset", "both sides, or one first; an address waits, or lines from before another reset",
            (
                *cross(("both", "gpu", "tex"), ("idle", "in flight")),
                "address waits", "stale lines", "memory too",
            ),
        ),
        Point("clocks", "ratio of the clocks", ("published", "gpu faster", "gpu much slower", "drifting")),
    ]  # fmt: skip

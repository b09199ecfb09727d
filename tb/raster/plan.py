# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``raster``: coverpoints and bins as data."""

from configs.depth import FORMATS, FUNCTIONS
from configs.depth import OPS as COMMANDS
from configs.raster.schema import OPS, TOPOLOGIES, Config
from tb.common.coverage.bins import WAITS, Point, bucket_names, cross

NEEDED = {"points": 1, "lines": 2, "line_strip": 2, "triangles": 3, "strip": 3, "fan": 3}
OCTANTS = ("E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW", "N", "NNE", "NE", "ENE")
ENDS = ("inside", "edge", "outside")  # of the diamond of the nearest pixel
CLIPS = ("within", "left", "right", "above", "below", "outside")
WINDINGS = ("clockwise", "other")
SPANS = ("none", "one", "a row", "a column", "several rows")
STAGES = ("idle", "a set-up", "a walk", "a walk, and a set-up", "a word", "a walk, and a word")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    cuts = ("begin", "restart", "pass")
    held = tuple(f"{name}/{count}" for name, count in NEEDED.items() for count in range(count))
    clips = (*cross(("point",), CLIPS[::5]), *cross(("line", "triangle"), CLIPS))
    masks = ("one", "some", "all", *(("none",) if cfg.emit == "visited" else ()))
    return [
        Point("after", "what follows each kind of word", cross(OPS, OPS)),
        Point("cut", "what comes when so many vertices are collected", cross(cuts, held)),
        Point("primitive", "whether it gives a tile", cross(TOPOLOGIES, ("drawn", "empty"))),
        Point("topology", "what follows what", cross(TOPOLOGIES, TOPOLOGIES)),
        Point("triangle", "winding, and tiles of its bounds", (*cross(WINDINGS, SPANS), "flat")),
        Point("octant", "a line's direction", (*OCTANTS, "nowhere")),
        Point("ends", "A and B of a line and their diamonds", cross(ENDS, ENDS)),
        Point("first", "the column before a line's A", ("none", "drawn", "left out")),
        Point("tie", "a point between pixels", cross(("x", "y", "both", "neither"))),
        Point("clip", "where a primitive lies to its window", clips),
        Point("rest", "pixels of the window's last column and row of tiles", cross(range(1, 5), range(1, 5))),
        Point("depth", "a drawn pixel's depth, in its format", cross(FORMATS, ("zero", "between", "ones"))),
        Point("mask", "pixels of a tile", masks),
        Point("pixel", "each is drawn and not drawn", cross(range(16), ("drawn", "left out"))),
        Point("word", "words of a primitive", ("none", "one", "two", "several")),
        Point("state", "functions, with and without test, write", cross(FUNCTIONS, range(2), range(2))),
        Point("command", "what a passed word shall be", cross(COMMANDS)),
        Point("vertex wait", "cycles a word of vtx waited", bucket_names(WAITS)),
        Point("tile wait", "cycles a word of tile waited for the consumer", bucket_names(WAITS)),
        Point("reset", "what it met", STAGES),
    ]  # fmt: skip

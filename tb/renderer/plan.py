# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``renderer``: coverpoints and bins as data.

What a part meets by itself is its own plan; this one is about what lies between them.
"""

from configs.depth import OPS
from configs.renderer.schema import QUADS, Config
from configs.texunit.schema import FORMAT_WORDS
from tb.common.coverage.bins import WAITS, Point, address_bits, bucket_names, cross

STREAMS = ("vtx", "tex", "quad", "pix")
SHARES = ("none", "some", "all")
MASTERS = ("texture", "depth")
MET = ("nothing", "a word without coordinates", "a word with coordinates", "a read of a texture",
       "a read of depths", "a write")  # fmt: skip


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    fewest = 0 if cfg.raster.emit == "visited" else 1
    failing = ("a tile's line", "a texel", "a barrier's writes", *(() if cfg.early else ("both",)))
    points = [
        Point("after", "what follows each kind of word", cross(OPS, OPS)),
        Point("quads", "which quads of a tile are covered", cross(range(fewest, 1 << QUADS))),
        Point("valid", "which pixels of a quad are", cross(range(1, 16))),
        Point("passed", "of a tile's pixels that are tested", SHARES),
        Point("states", "that the quads of a tile are sampled with", ("1", "2", "3+")),
        Point("format", "of a texture, and its filter", cross(FORMAT_WORDS, ("nearest", "bilinear"))),
        Point("error", "where memory failed", failing),
        Point("failed quads", "of a tile of which some texels failed", ("all", "the last", "not the last")),
        Point(
            "open", "bursts of both masters on their way, when one asks", cross(MASTERS, ("alone", "both"))
        ),
        *(Point(f"{name} wait", "cycles a word waited", bucket_names(WAITS)) for name in STREAMS),
        Point("reset", "what it met", MET),
        address_bits(cfg.axi, ar=4, aw=6),
    ]
    if cfg.early:
        hidden = cross(range(1, 1 << QUADS))
        points.append(Point("hidden", "covered quads of which nothing passed the test", ("0", *hidden)))
    else:
        points.append(Point("discarded", "of a tile's covered pixels, by their alpha", SHARES))
    return points

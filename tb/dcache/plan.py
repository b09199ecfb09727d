# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``dcache``: coverpoints and bins as data."""

from configs.dcache.schema import LANES, OPS, Config
from configs.parts import log2
from configs.simt import POLICIES
from tb.common.coverage.addresses import address_bits
from tb.common.coverage.bins import Point, cross
from tb.common.coverage.requests import flow_points, order_points

OUTCOMES = ("hit", "fill", "replace clean", "replace dirty")
#: a word and the one before it in the same request
NEXT = ("same word", "same line", "same set", "another set", "the victim")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    cache, back = cfg.cache, cfg.write_back
    outcomes = OUTCOMES if back else OUTCOMES[:3]
    allocating = ("load", "store") if back else ("load",)
    accesses = (*cross(allocating, outcomes), *(() if back else ("store/hit", "store/miss")))
    beside = ("load", "store") if cfg.uncached_bits else ()
    single = log2(cfg.axi.strobe_bits)
    lowest = single if beside else cache.offset_bits
    refused = [
        "fill of a load",
        *(("fill of a store", "write-back", "clean", "flush") if back else ("store",)),
    ]
    refused += [f"uncached {op}" for op in beside]
    placed = ("hit", "fill", "replace")
    points = [
        Point("access", "what words meet", accesses),
        Point("policy", "what each policy meets", cross(POLICIES, placed)),
        Point("switch", "from one policy to another", cross(POLICIES, POLICIES)),
        Point("lane", "what each lane meets", cross(range(LANES), ("hit", "miss"))),
        Point("lanes", "lanes of a load or store", cross(OPS[:2], range(LANES + 1))),
        Point("next", "a word and the one before it in its request", cross(OPS[:2], NEXT)),
        Point("way", "what every way meets", cross(range(cache.ways), placed)),
        Point("set", "what every set meets", cross(range(cache.sets), placed)),
        Point("word", "every word of a line", cross(OPS[:2], range(cfg.line_words))),
        Point("strobe", "every set of bytes", cross(range(16))),
        Point("tag", "line and victim differ in this bit of the tag alone", cross(range(cache.tag_bits))),
        Point("warp", "requests of each warp", cross(range(cfg.warps))),
        Point("error", "what memory refused", tuple(refused)),
        Point("status", "whether there was an error, and several before", ("none", "one", "several")),
        *order_points(OPS, OPS[:2]),
        address_bits(cfg.axi, ar=lowest, aw=lowest if back else single),
        *flow_points(cfg.beats),
    ]  # fmt: skip
    if beside:
        points.append(Point("uncached", "words that are not cached", beside))
    if back:
        points.append(Point("cleaned", "lines written", cross(OPS[2:4], ("none", "one", "several"))))
    return points

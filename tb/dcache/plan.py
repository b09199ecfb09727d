# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``dcache``: coverpoints and bins as data."""

from configs.dcache.schema import LANES, OPS, Config
from configs.parts import log2
from configs.simt import POLICIES
from tb.common.coverage.bins import Point, address_bits, cross, flow_points, order_points

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
        *(("load of what failed before", "store to what failed before") if cfg.nonblocking else ()),
    ]
    refused += [f"uncached {op}" for op in beside]
    placed = ("hit", "fill", "replace")
    next_ = tuple(where for where in NEXT if cfg.several_sets or where != "another set")
    points = [
        Point("access", "what words meet", accesses),
        Point("policy", "what each policy meets", cross(POLICIES, placed)),
        Point("switch", "from one policy to another", cross(POLICIES, POLICIES)),
        Point("lane", "what each lane meets", cross(range(LANES), ("hit", "miss"))),
        Point("lanes", "lanes of a load or store", cross(OPS[:2], range(LANES + 1))),
        Point("next", "a word and the one before it in its request", cross(OPS[:2], next_)),
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
        several = ("none", "one", "several")[: 1 + min(2, cache.sets * cache.ways)]
        points.append(Point("cleaned", "lines written", cross(OPS[2:4], several)))
    return [*points, *(under_miss(cfg) if cfg.nonblocking else ())]


def under_miss(cfg: Config) -> list[Point]:
    """Those of a cache that serves hits under misses."""
    waits = [
        "its warp is under way", "the next stage", "its line is served", "a victim under way",
        *(["all under way"] if cfg.mshrs < cfg.cache.sets * cfg.cache.ways else []), "write buffer full",
    ]  # fmt: skip
    if not (
        cfg.coalescing and cfg.warps <= cfg.targets
    ):  # a warp has one request under way, one group a line
        waits.append("no room at its line")
    lanes = range(1, LANES + 1) if cfg.coalescing else (1,)
    most = min(cfg.mshrs, cfg.cache.sets * cfg.cache.ways)
    joined = 1 if cfg.prefetch else 2  # none waits for a line that is read ahead
    points = [
        Point("group", "lanes that are looked up together", cross(lanes, ("hit", "miss"))),
        Point("groups", "of a request", cross(range(1, LANES + 1))),
        Point("lines under way", "with one that begins", cross(range(1, most + 1))),
        Point("lines to write", "with one that comes", cross(range(1, cfg.write_buffer + 1))),
        Point("look-up waits", "for what", tuple(waits)),
        Point("overtakes", "requests taken before that have no result yet", ("0", "1", "2+")),
    ]
    if joined <= cfg.targets:
        several = cross(range(joined, cfg.targets + 1))
        points.append(Point("groups that wait", "for a line, with one that comes", several))
    if cfg.prefetch:
        outcomes = ("there", "empty way", "clean victim", "dirty victim")
        points.append(Point("ahead", "what the look-up of the next line finds", outcomes))
    return points

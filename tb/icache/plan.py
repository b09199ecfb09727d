# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``icache``: coverpoints and bins as data."""

from configs.icache.schema import OPS, SIGNS, Config
from configs.simt import POLICIES
from tb.common.coverage.bins import Point, address_bits, cross, flow_points, order_points
from tb.icache import early_coverage

OUTCOMES = ("hit", "repeat", "fill", "replace")
#: what comes behind a fetch that waits for its line
BEHIND = ("its line", "its set", "another set", "the victim", *OPS[1:])


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    cache, placed = cfg.cache, ("hit", "fill", "replace")
    behind = tuple(where for where in BEHIND if cfg.several_sets or where != "another set")
    return [
        Point("policy", "what each policy meets", cross(POLICIES, OUTCOMES)),
        Point("switch", "from one policy to another", cross(POLICIES, POLICIES)),
        Point("way", "what every way meets", cross(range(cache.ways), placed)),
        Point("set", "what every set meets", cross(range(cache.sets), placed)),
        Point(
            "word", "every instruction of a line: of a hit, of a miss, of one behind it in its line",
            cross(("hit", "missed", "behind"), range(cfg.line_words)),
        ),
        Point("behind", "what comes behind a fetch that waits for its line", behind),
        Point("lost", "what comes behind a fetch that failed", ("its line", "another line", "another op")),
        Point("status", "whether there was an error, and several before", ("none", "one", "several")),
        Point("tag", "line and victim differ in this bit of the tag alone", cross(range(cache.tag_bits))),
        Point("block", "fetches of each block", cross(range(cfg.blocks))),
        Point("warp", "fetches of each warp", cross(range(cfg.warps))),
        Point("sign", "each kind of instruction", SIGNS),
        *order_points(OPS, OPS[:1]),
        address_bits(cfg.axi, ar=cfg.cache.offset_bits),
        *flow_points(cfg.beats, writes=False),
        *(early_coverage.points(cfg) if cfg.early else []),
    ]  # fmt: skip

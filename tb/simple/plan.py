# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``simple``: coverpoints and bins as data."""

from configs.parts import log2
from configs.simple.schema import OPS, Config
from tb.common.coverage.bins import Point, address_bits, cross, flow_points, order_points

OUTCOMES = ("hit", "fill", "replace clean", "replace dirty")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    back = cfg.write_back
    outcomes = OUTCOMES if back else OUTCOMES[:3]
    lowest = cfg.cache.offset_bits
    allocating = ("load", "store") if back else ("load",)
    accesses = (*cross(allocating, outcomes), *(() if back else ("store/hit", "store/miss")))
    refused = ("fill of a load", *(("fill of a store", "write-back", "flush") if back else ("store",)))
    return [
        Point("access", "what loads and stores meet", accesses),
        *order_points(OPS, OPS[:2]),
        Point("set", "what every set meets", cross(range(cfg.cache.sets), ("hit", "fill", "replace"))),
        Point("slot", "every word of a line", cross(OPS[:2], range(1 << cfg.slot_bits))),
        Point("strobe", "every set of bytes", cross(range(1 << cfg.word_bytes))),
        Point("tag", "line and victim differ in this bit of the tag alone", cross(range(cfg.cache.tag_bits))),
        Point("flush", "lines written", ("none", "one", "several", "all")[: 4 if back else 1]),
        Point("error", "what memory refused", refused),
        address_bits(cfg.axi, ar=lowest, aw=lowest if back else log2(cfg.axi.strobe_bits)),
        *flow_points(cfg.beats),
    ]  # fmt: skip

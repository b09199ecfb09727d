# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``simple``: coverpoints and bins as data."""

from configs.simple.schema import OPS, Config
from tb.common.coverage.bins import Point, bucket_names, cross

WAITS = (0, 1, 4)
OUTCOMES = ("hit", "fill", "replace clean", "replace dirty")


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    back, waits = cfg.write_back, bucket_names(WAITS)
    outcomes = OUTCOMES if back else OUTCOMES[:3]
    allocating = ("load", "store") if back else ("load",)
    accesses = (*cross(allocating, outcomes), *(() if back else ("store/hit", "store/miss")))
    refused = ("fill of a load", *(("fill of a store", "write-back", "flush") if back else ("store",)))
    return [
        Point("access", "what loads and stores meet", accesses),
        Point("pair", "a request and the one after it, on the same word", cross(OPS[:2], OPS[:2])),
        Point("after", "what follows each kind of request", cross(OPS, OPS)),
        Point("set", "what every set meets", cross(range(cfg.cache.sets), ("hit", "fill", "replace"))),
        Point("slot", "every word of a line", cross(OPS[:2], range(1 << cfg.slot_bits))),
        Point("strobe", "every set of bytes", cross(range(1 << cfg.word_bytes))),
        Point("tag", "line and victim differ in this bit of the tag alone", cross(range(cfg.cache.tag_bits))),
        Point("flush", "lines written", ("none", "one", "several", "all")[: 4 if back else 1]),
        Point("error", "what memory refused", refused),
        Point("error beat", "the first beat of a read that failed", cross(range(cfg.beats))),
        Point("request wait", "cycles a request waited", waits),
        Point("result wait", "cycles a result waited for the consumer", waits),
        Point("address wait", "cycles an address waited for the memory", cross(("read", "write"), waits)),
        Point("reset", "what it met", ("idle", "a request", "a read", "a write")),
    ]  # fmt: skip

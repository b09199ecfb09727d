# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``lpas``: coverpoints and bins as data."""

from configs.lpas.schema import OPS, Config
from configs.parts import log2
from tb.common.coverage.bins import Point, address_bits, bucket_names, cross

WAITS = (0, 1, 4, 15)  # cycles until a grant
RESETS = ("idle", "a request", "a read", "a write")


def asked(cfg: Config) -> tuple[int, ...]:
    """Limits of the buckets of PEs that ask one cache at a time."""
    return tuple(limit for limit in (1, 2, 4, 8) if limit < cfg.pes)


def bounds(cfg: Config, areas: int) -> list[Point]:
    """What there is to see of a bounded wait."""
    if cfg.bound == "age":
        why = "grants to a PE that has waited as long as it should, by area"
        return [Point("urgent", why, cross(range(areas)))]
    if cfg.bound == "weights":
        why = "grants of the local area, or so many and more, before one of another area"
        return [Point("round", why, cross(range(cfg.weight + 1)))]
    return []


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    pes, accesses = range(cfg.pes), OPS[:2]
    areas = [f"{row}/{area}" for row, listed in enumerate(cfg.area_pes) for area in range(len(listed))]
    most = max(len(listed) for listed in cfg.area_pes)
    waits, jobs = bucket_names(WAITS), ("read", "write", "ldm", "stm")
    beat = log2(cfg.axi.strobe_bits)
    return [
        Point("way", "each PE is granted by each cache", cross(pes, pes)),
        Point("area", "who is granted, alone or against others", cross(areas, ("alone", "others"))),
        Point("wait", "cycles until the grant, by area", cross(range(most), waits)),
        Point("asked", "PEs that ask a cache in the cycle of a grant", bucket_names(asked(cfg))),
        *bounds(cfg, most),
        Point("follows", "an access of a PE after its last one: as soon as can be, or later",
              cross(accesses, accesses, ("at once", "later"))),
        Point("access", "what loads and stores meet", cross(accesses, ("hit", "miss"))),
        Point("set", "every line of every cache", cross(pes, range(cfg.cache.sets))),
        Point("slot", "every word of a line", cross(accesses, range(1 << cfg.slot_bits))),
        Point("grants", "caches that grant in one cycle", bucket_names(asked(cfg))),
        Point("acknowledge", "each operation, with an error and without", cross(OPS, ("fine", "error"))),
        Point("job", "what the network interface does for each cache", cross(pes, ("read", "write"))),
        Point("after", "a job of each kind after each", cross(jobs, jobs)),
        Point("error beat", "the first beat of a read that failed", cross(range(cfg.beats))),
        Point("reset", "what it met", RESETS),
        address_bits(cfg.axi, ar=beat, aw=beat),
    ]  # fmt: skip

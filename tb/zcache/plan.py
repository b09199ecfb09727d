# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of ``zcache``: coverpoints and bins as data."""

from configs.depth import FORMATS, FUNCTIONS, OPS, PIXELS
from configs.zcache.schema import OUTCOMES, Config
from tb.common.coverage.bins import Point, address_bits, cross, flow_points

RELATIONS = ("less", "equal", "greater")
#: functions by which bounds can reject a tile
BOUNDED = tuple(name for name in FUNCTIONS if name not in ("notequal", "always"))
#: pixels of a mask, and of what the shader leaves of it
PIXEL_SETS = ("none", "one", "some", "all")
SEVERAL = ("none", "one", "several")
#: what a line that goes was
VICTIMS = ("none", "clean", "dirty", "unused")
#: tiles before the test, and what becomes of them
DISTANCES = ("one", "some", "all", "farther", "nearer")
#: where the shader's word and the tile's mask meet
LIVE = ("no mask", "all killed", "some killed", "none killed")


def several(count: int) -> str:
    """The bin of a number of things."""
    return SEVERAL[min(count, 2)]


def pixel_set(mask: int) -> str:
    """The bin of a mask."""
    if mask == (1 << PIXELS) - 1:
        return "all"
    return PIXEL_SETS[min(mask.bit_count(), 2)]


def alias_bits(cfg: Config) -> list[int]:
    """Bits of a number in which alone two tiles of a set may differ, on a surface as wide as can be."""
    bits, side = cfg.coordinate_bits, range(cfg.coordinate_bits)
    if cfg.index == "linear":
        return list(range(cfg.cache.set_bits, 2 * bits))
    times = 2 if cfg.index == "xor" else 1  # as often the set has that many bits of a coordinate
    columns = [bit for bit in side if bit >= times * cfg.column_bits]
    rows = [bits + bit for bit in side if bit >= times * cfg.row_bits]
    return columns + rows


def outcomes(cfg: Config) -> list[str]:
    """What may become of a request to prefetch."""
    listed = [name for name in OUTCOMES if name not in ("busy", "untouched", "stale", "hopeless")]
    if cfg.bounds:
        listed.append("hopeless")
    # a request that is dropped rather than waiting hardly lives to see its tile tested
    listed.append("busy" if cfg.prefetch.when_busy == "drop" else "stale")
    # where fresh lines may go, only a set that is all filling has no victim
    kept = cfg.ott and cfg.prefetch.when_untouched == "drop"
    if crowds(cfg) and (kept or cfg.fills >= cfg.cache.ways):
        listed.append("untouched")
    return listed


def crowds(cfg: Config) -> bool:
    """Whether lines that wait for tiles in flight can fill a set."""
    return cfg.shading.tiles > cfg.cache.ways


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    ahead = cfg.prefetching
    kinds = ["hit", "miss", *(["late"] if ahead else [])]
    uses = [*(["hit/first", "late/first"] if ahead else []), "hit/again", "miss/again", "none/again"]
    placed = ("hit", "fill", "replace")
    did = ("store", "read")
    askers = ("demand", "prefetch") if ahead else ("demand",)
    gone = VICTIMS if ahead else VICTIMS[:3]
    keeps = cfg.ott and cfg.prefetch.when_untouched == "drop"  # a prefetch takes no line that nobody has used
    never = {"prefetch/unused"} if keeps else set[str]()
    never |= {"demand/unused"} if cfg.ott and not crowds(cfg) else set()
    victims = [name for name in cross(askers, gone) if name not in never]
    errors = ["miss", *(["late", "ahead"] if ahead else []), "victim", "flush", "base", "clear"]
    points = [
        Point("kind", "what a tile finds at its test", ("none/read", *cross(kinds, ("read", "store")))),
        Point("use", "the first use of a prefetched line, or a later one", tuple(uses)),
        Point("relation", "a new depth and the one that is stored", cross(FUNCTIONS, FORMATS, RELATIONS)),
        Point("passed", "pixels that pass", cross(("written", "not written"), PIXEL_SETS)),
        Point("pixel", "every pixel", cross(range(PIXELS), ("passes", "fails"))),
        Point("mask", "pixels that are covered", PIXEL_SETS),
        Point("untested", "pixels that pass without a test", PIXEL_SETS),
        Point("set", "what every set meets", cross(range(cfg.cache.sets), placed)),
        Point("way", "what every way meets", cross(range(cfg.cache.ways), (*placed, "dirty"))),
        Point("victim", "what a line takes the place of", tuple(victims)),
        Point("alias", "line and victim differ in this bit of the number alone", cross(alias_bits(cfg))),
        Point("same tile", "a tile right after itself: what both did", cross(did, did)),
        Point("barrier", "lines and tiles that each writes", cross(OPS[1:], SEVERAL)),
        Point("after", "what follows each op", cross(OPS, OPS)),
        Point("error", "what memory refused", tuple(errors)),
        address_bits(cfg.axi, ar=6, aw=6),
        *flow_points(4),
    ]  # fmt: skip
    if cfg.given:
        points.append(Point("kill", "what the shader leaves", LIVE))
    if ahead:
        points.append(Point("outcome", "what becomes of a request to prefetch", tuple(outcomes(cfg))))
        beside = ("alone", "with a decision")
        points.append(Point("demand", "a line asked for by the test, and a request to prefetch", beside))
    if cfg.marks:
        points.append(Point("blank", "whether memory is read for a line", cross(askers, ("marked", "read"))))
    if cfg.bounds:
        points.append(Point("rejected", "what bounds reject", cross(BOUNDED, FORMATS)))
        points.append(Point("rejected after", "what a rejected tile has waited for", ("nothing", "a write")))
    if cfg.adapts:
        points.append(Point("distance", "how far ahead lines are asked for, and how it changes", DISTANCES))
    if cfg.prefetch.mode == "queue" and cfg.shading.tiles > cfg.prefetch.queue:
        points.append(Point("full", "a request that found no place", ("alone", "with a decision")))
    return points

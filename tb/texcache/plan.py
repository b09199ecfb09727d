# SPDX-License-Identifier: Apache-2.0
"""The functional coverage plan of the texture cache: coverpoints and bins as data, made from a configuration.

``docs/texcache_verification.md`` shows it for the paper's machine.
"""

from configs.texcache.schema import Config
from tb.common.coverage.bins import Point, address_bits, bucket_names, cross

MODES = ("repeat", "clamp", "mirror")
SIZES = ("large", "small")
PLACES = ("inside", "last texel", "before first", "beyond")
PAIRS = ("L0 L1", "L0 R0", "L0 R1", "L1 R0", "L1 R1", "R0 R1")
HITS = ("all hit", "some miss")
WAITS = (0, 1, 4)  # limits of buckets of waiting cycles
MASKS = ("L0 L1", "L0 L1 R0 R1", "L0", "L0 R0")
MASK_BITS = (0b0011, 0b1111, 0b0001, 0b0101)  # slots looked up, L0 in bit 0


def masks(cfg: Config) -> tuple[int, ...]:
    """Indices of :data:`MASKS` that occur.

    Whether a row straddles two lines depends on its columns alone, in every layout: both rows do, or none. A
    single-texel port always looks all four up. With banks by parity each line is looked up once.
    """
    if cfg.parity:
        return (0, 1, 2, 3)
    return (1,) if cfg.lookup == "texel" else (0, 1)


def outcomes(cfg: Config) -> tuple[str, ...]:
    """Names of all (mask, hits) pairs, e.g. ``L0 L1 R0/L1`` for a hit of L1 alone."""
    slots = ("L0", "L1", "R0", "R1")
    names = []
    for index in masks(cfg):
        looked = [slot for slot in range(4) if MASK_BITS[index] >> slot & 1]
        for hits in range(16):
            if not hits & ~MASK_BITS[index]:
                names.append(
                    f"{MASKS[index]}/" + (" ".join(slots[s] for s in looked if hits >> s & 1) or "none")
                )
    return tuple(names)


def beats(cfg: Config) -> tuple[int, ...]:
    """Numbers of beats that occur: one at best, with a single bank as many as there are look-ups (2 or 4).

    With banks by parity always one.
    """
    if cfg.parity:
        return (1,)
    if cfg.banks == 1:
        return (4,) if cfg.lookup == "texel" else (2, 4)
    whole_rows = cfg.small_side // 2 <= cfg.line_texels  # of small levels, which are in one bank, in one line
    if cfg.cache.sets == 1 and (cfg.lookup, cfg.layout) == ("row", "row-major") and whole_rows:
        return (1, 2, 3)  # a line and its right neighbour are never in one bank
    return (1, 2, 3, 4) if cfg.lookup == "row" or cfg.banks >= 4 else (2, 3, 4)


def gaps_missing(cfg: Config) -> int:
    """Buckets of gaps between requests that cannot be, as each takes at least so many beats."""
    return sum(limit < beats(cfg)[0] - 1 for limit in WAITS)


def plan(cfg: Config) -> list[Point]:
    """All coverpoints."""
    return [*_requests(cfg), *_lookups(cfg), *_replacement(cfg), *_flow(cfg), *_control(cfg)]


def _requests(cfg: Config) -> list[Point]:
    levels = tuple(f"level {level}" for level in range(cfg.levels))
    sizes = SIZES if cfg.small_side > 1 else SIZES[:1]
    return [
        Point("level", "every level has its own side, offset and placement", levels),
        Point(
            "modes", "wrap modes act on u and v apart, on large and small levels", cross(sizes, MODES, MODES)
        ),
        Point("edge u", "each mode where it matters: at the edges and beyond them", cross(MODES, PLACES)),
        Point("edge v", "the same for rows", cross(MODES, PLACES)),
        Point("smallest", "1x1 and 2x2 levels wrap onto themselves", cross(("1x1", "2x2"), MODES)),
        Point(
            "level change",
            "trilinear pairs: the next footprint on the next level of the texture",
            ("down", "up"),
        ),
        Point(
            "texture", "every entry of the table's texture index", tuple(str(t) for t in range(cfg.textures))
        ),
        Point(
            "request gap",
            "idle cycles between requests, 0 at full rate",
            bucket_names(WAITS)[gaps_missing(cfg) :],
        ),
    ]


def _lookups(cfg: Config) -> list[Point]:
    pairs = PAIRS if cfg.lookup == "texel" else ("L0 L1", "R0 R1")
    same = Point("same line", "two look-ups of a footprint in one line: the second must hit", pairs)
    points = [
        Point("outcome", "which look-ups a footprint needs, and which of them hit", outcomes(cfg)),
        *(() if cfg.parity else (same,)),
        Point("beats", "conflicts of banks, with and without misses", cross(beats(cfg), HITS)),
        Point("missing", "lines a footprint waits for", ("0", "1", "2", "3", "4")),
        Point(
            "hit under fill",
            "hit on a line that is still on its way",
            ("same footprint", "later footprint")[cfg.parity :],
        ),
    ]
    if cfg.banks > 1:
        points.append(Point("parallel misses", "lines missed in one beat", tuple("234")[: cfg.banks - 1]))
    if cfg.banks > 1 and cfg.small_side > 1:
        why = "bank bits of a small level's address: they choose no bank and must be in the tag"
        points.append(Point("small bank bits", why, tuple(str(b) for b in range(cfg.banks))))
        points.append(
            Point("small alias", "two small lines in a set that differ in bank bits only", ("seen",))
        )
    return points


def _replacement(cfg: Config) -> list[Point]:
    banks, sets, ways = range(cfg.banks), range(cfg.cache.sets), range(cfg.cache.ways)
    points = [
        Point("bank set", "every set of every bank", cross(banks, sets, ("hit", "fill", "evict"))),
        Point("bank way", "every way of every bank", cross(banks, ways, ("hit", "fill", "evict"))),
    ]
    if cfg.cache.ways > 1:
        order = tuple(f"{last}>{victim}" for last in ways for victim in ways if last != victim)
        points.append(Point("LRU", "used last > replaced next, in a set", order))
    return points


def _flow(cfg: Config) -> list[Point]:
    waits = bucket_names(WAITS)
    return [
        Point(
            "path",
            "ways to a result: straight, or through the FIFOs",
            ("straight", "hit behind a miss", "miss"),
        ),
        Point("result wait", "cycles a result waited for the consumer", waits),
        Point("request wait", "cycles a request waited", waits),
        Point("address wait", "cycles a line's address waited for the memory", waits),
        address_bits(cfg.axi, ar=cfg.cache.offset_bits),
        Point("outstanding", "lines on their way at once", ("1", "2", "3+", "data FIFO full")),
        Point(
            "stop",
            "stop and begin: why the FIFO was full",
            ("stop", "begin", "result held back", "memory slow"),
        ),
        Point("latency", "cycles of footprints that met an idle cache", ("hit", "miss")),
    ]


def _control(cfg: Config) -> list[Point]:
    beats = tuple(f"beat {beat}" for beat in range(cfg.beats_per_line))
    return [
        Point("error beat", "first beat of a line that failed", beats),
        Point("error", "poison: at the fill, at a later hit, replaced", ("miss", "hit", "replaced")),
        Point("error slot", "slot whose line was poisoned", ("L0", "L1", "R0", "R1")),
        Point(
            "invalidate",
            "asked for when idle, when busy, with a request behind it",
            ("idle", "busy", "request waits"),
        ),
        Point(
            "table write",
            "before traffic, within it, the cycle before its first use",
            ("quiet", "traffic", "used next"),
        ),
        Point(
            "reset",
            "when idle, with lines on their way, when stopped, when an address or old lines wait",
            ("idle", "outstanding", "stopped", "address waits", "stale lines", "memory too"),
        ),
    ]

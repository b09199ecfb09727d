# SPDX-License-Identifier: Apache-2.0
"""Beyond the paper: the machine without bank conflicts beside the published one, on the same traffic."""

from collections.abc import Sequence

from report import costs, memory
from report.charts import Mark, Series, bar_chart, shares_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, plain
from report.texcache.summary import BASE, Book, Summary
from report.texcache.words import scene_traffic
from report.words import mean, of_several, pct

FAST = "fast"
FAR, NEAR = "latency=100", "latency=1"
RATE = Column("footprints_per_clock", "footprints/clock", "f3")
MACHINES = {
    BASE: "published",
    FAR: "published, memory of 100 cycles",
    "deep": "and FIFOs of 128, begin as soon as there is space",
    "fast,fill=shared": "banks by parity, each line once",
    FAST: "and a port of their own for fills",
    "fast,layout=tile4x4": "the same, textures in tiles of 4 x 4",
}
COST = (
    "texcache-cost", "What the machines take",
    {"the published one": ("texcache", ""), "a single port": ("texcache", "single-port"),
     "conflict-free": ("texcache", "conflict-free")},
)  # fmt: skip
CONFLICT_FREE = "conflict-free"
#: Runs before a memory of 1 cycle and of 100, by machine.
DISTANCES = {"published": (NEAR, FAR), CONFLICT_FREE: (f"{FAST},{NEAR}", FAST)}
PARTS = {
    "ideal": "a request was accepted",
    "conflicts": "rows queue for the same cache",
    "stop": "stopped: the FIFO is full",
    "order": "misses sent one by one, or the pipe is full",
    "misses": "more than with a memory of 1 cycle",
    "end": "nothing to accept any more",
}


def section(book: Book) -> Section:
    """The chapter; measured on the scenes in scan-line order, bilinear."""
    intro = (
        "<p>Not published: a configuration of our own (<code>conflict-free</code>) of the same size from the "
        "same templates. The parity of a line’s row and column chooses its single-port cache, so the lines "
        "of a footprint never meet in one; rows in one line are looked up once; lines are written beside "
        "reads; the FIFOs reach across a memory of 100 cycles, and take hits that meet a held result, which "
        "none is here. Its results are the golden model’s, too.</p>"
    )
    figures = [_machines(book), _cycles(book), _latency(book), _kept(book)]
    figures += [_depth(book)] if _roles(book, "fast,fifo=") else []
    return Section("fast", "A footprint per clock", intro, [*figures, costs.figure(*COST)])


def _runs(book: Book, role: str) -> list[Summary]:
    return [book(book.scene(scene, "bilinear", "scan"), role) for scene in book.scenes]


def _roles(book: Book, prefix: str) -> list[str]:
    roles = book.results.roles(book.scene(book.scenes[0], "bilinear", "scan"))
    return [role for role in roles if role.startswith(prefix)]


def _rate(book: Book, role: str) -> float:
    return mean(one.speed.footprints_per_clock for one in _runs(book, role))


def _machines(book: Book) -> Figure:
    rows: list[dict[str, Value]] = [
        {
            "machine": words, "scene": scene, "latency": one.cfg.memory.latency,
            "footprints_per_clock": one.speed.footprints_per_clock, "hits": one.rates.lookup,
            "fetched": one.rates.fetched, "misses": one.counters["misses"],
            "bytes_per_pixel": one.bytes_per_pixel,
        }
        for role, words in MACHINES.items()
        for scene, one in zip(book.scenes, _runs(book, role), strict=True)
    ]  # fmt: skip
    series = [
        Series(words, [one.speed.footprints_per_clock for one in _runs(book, role)])
        for role, words in MACHINES.items()
    ]
    least = min(one.speed.footprints_per_clock for one in _runs(book, FAST))
    times = _rate(book, FAST) / _rate(book, FAR)
    columns = (
        Column("machine", "machine"),
        Column("scene", "scene"),
        Column("latency", "memory", "count", "cycles to the first beat"),
        RATE,
        Column("hits", "look-ups that hit", "percent", "of rows, by parity of lines"),
        memory.FETCHED,
        Column("misses", "misses", "count"),
        Column("bytes_per_pixel", "bytes/pixel", "f2"),
    )
    return Figure(
        "machines", "From the published machine to a footprint per clock", bar_chart(
            list(book.scenes), series, y_label="footprints per clock", y_format=fixed(3), y_tick=plain,
            y_range=(0.0, 1.0), marks=[Mark("one each clock", y=1.0)],
            alt="Bars for each scene: footprints per clock of the published machine and of each step from it "
            "to the one without conflicts.",
        ),
        shows="Each step keeps those to the left of it. All but the first before a memory of 100 cycles.",
        learn=f"Without conflicts, {least:.3f} footprints per clock"
        + of_several(book.scenes, " on the scene that is served worst")
        + f", and {times:.1f} times the published machine before the same memory.",
        traffic=scene_traffic(book),
        table=Table("texcache_fast", "From the published machine to none in conflict", columns, rows),
    )  # fmt: skip


def _parts(far: Summary, near: Summary) -> dict[str, float]:
    """Shares of the cycles before a distant memory: those before a near one, by what the RTL counts there,
    and those that are more. Raises :class:`UserError` if they do not add up.
    """
    counters = near.counters
    waits = counters["request_wait_cycles"]
    conflicts = min(waits, counters["conflict_cycles"])
    spent = {
        "ideal": counters["footprints"], "conflicts": conflicts, "stop": counters["stop_cycles"],
        "order": waits - conflicts,
    }  # fmt: skip
    where = f"{far.workload.id} on {far.role}"
    return memory.far_shares(where, spent, near.speed.cycles, far.speed.cycles)


def _cycles(book: Book) -> Figure:
    parts = {
        (words, scene): _parts(far, near)
        for words, (close, distant) in DISTANCES.items()
        for scene, near, far in zip(book.scenes, _runs(book, close), _runs(book, distant), strict=True)
    }
    rows: list[dict[str, Value]] = [
        {"machine": words, "scene": scene, **shares} for (words, scene), shares in parts.items()
    ]
    fast = [shares for (words, _), shares in parts.items() if words == CONFLICT_FREE]
    lost, most, part = memory.left_to_gain(fast)
    return Figure(
        "fast_cycles", "Where the cycles go", shares_chart(
            [f"{scene}\n{words}" for words, scene in parts], list(parts.values()), PARTS,
            y_label="share of all cycles",
            alt="Stacked bars: share of the cycles in which a request was accepted, or waited, and why.",
        ),
        shows="Both before a memory of 100 cycles. The lowest part is the rate in footprints per clock; all "
        "but the last two are what the same machine takes before a memory of 1 cycle, by its counters.",
        learn=f"Without conflicts {pct(lost)} of the cycles are left to gain, most of them ({pct(part)}) "
        f"“{PARTS[most]}”.",
        traffic=scene_traffic(book),
        table=Table(
            "texcache_fast_cycles", "Cycles of both machines",
            (
                Column("machine", "machine"), Column("scene", "scene"),
                *(Column(name, words, "percent") for name, words in PARTS.items()),
            ),
            rows,
        ),
    )  # fmt: skip


def _rates(book: Book, roles: Sequence[str], value: str) -> memory.Rates:
    """Footprints per clock by a value of the configuration and scene."""
    part, name = value.split(".")
    runs = {role: _runs(book, role) for role in roles}
    return {getattr(getattr(own[0].cfg, part), name): _by_scene(book, role) for role, own in runs.items()}


def _by_scene(book: Book, role: str) -> dict[str, float]:
    return {
        scene: one.speed.footprints_per_clock
        for scene, one in zip(book.scenes, _runs(book, role), strict=True)
    }


def _latency(book: Book) -> Figure:
    machines = {
        "published": _rates(book, [BASE, *_roles(book, "latency=")], "memory.latency"),
        CONFLICT_FREE: _rates(book, [FAST, *_roles(book, "fast,latency=")], "memory.latency"),
    }
    points, depth = dict(memory.means(machines[CONFLICT_FREE])), _runs(book, FAST)[0].cfg.fifo.depth
    return memory.over_latency(
        "fast_memory", "texcache_fast_memory", machines, rate=RATE,
        learn=f"At 100 cycles {pct(points[100] / points[1])} of the rate is left. The FIFOs of {depth} reach "
        "about as many cycles; beyond them latency shows.",
        traffic=scene_traffic(book),
    )  # fmt: skip


def _kept(book: Book) -> Figure:
    machines = {
        words: (_by_scene(book, near), _by_scene(book, far)) for words, (near, far) in DISTANCES.items()
    }
    near, far = machines[CONFLICT_FREE]
    least = min(far[scene] / near[scene] for scene in near)
    return memory.near_and_far(
        "fast_kept", "texcache_fast_kept", machines, rate="footprints/clock",
        learn=f"Without conflicts {pct(least)} is left"
        + of_several(near, " in the scene that loses most") + ".",
        traffic=scene_traffic(book),
    )  # fmt: skip


def _depth(book: Book) -> Figure:
    return memory.over_depth(
        "fast_depth", "texcache_fast_fifo", _rates(book, [FAST, *_roles(book, "fast,fifo=")], "fifo.depth"),
        title="FIFOs before a memory of 100 cycles", label="entries of the tag FIFO and of the data FIFO",
        rate=RATE,
        learn="A FIFO that is shorter than the memory’s latency lets it show: each footprint behind a miss "
        "needs an entry for as long as the line is on its way.",
        traffic=scene_traffic(book),
    )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Beyond the paper: the machine without bank conflicts beside the published one, on the same traffic."""

from collections.abc import Sequence

from report import costs
from report.charts import Mark, Series, bar_chart, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, number, percent, percent_tick, plain
from report.texcache.summary import BASE, Book, Summary
from report.texcache.words import scene_traffic
from report.words import mean, pct

FAST = "fast"
FAR, NEAR = "latency=100", "latency=1"
IGEHY = 0.97  # of a machine with memory without latency: Igehy et al., Prefetching in a texture cache, 1998
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
            "misses": one.counters["misses"], "bytes_per_pixel": one.bytes_per_pixel,
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
        Column("footprints_per_clock", "footprints/clock", "f3"),
        Column("hits", "look-ups that hit", "percent"),
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
        learn=f"Without conflicts, {least:.3f} footprints per clock on the scene that is served worst, and "
        f"{times:.1f} times the published machine before the same memory.",
        traffic=scene_traffic(book),
        table=Table("texcache_fast", "From the published machine to none in conflict", columns, rows),
    )  # fmt: skip


def _parts(far: Summary, near: Summary) -> dict[str, float]:
    """Shares of the cycles before a distant memory: those before a near one, by what the RTL counts there,
    and those that are more.
    """
    cycles, counters = far.speed.cycles, near.counters
    waits = counters["request_wait_cycles"]
    conflicts = min(waits, counters["conflict_cycles"])
    shares = {
        "ideal": counters["footprints"] / cycles,
        "conflicts": conflicts / cycles,
        "stop": counters["stop_cycles"] / cycles,
        "order": (waits - conflicts) / cycles,
        "misses": 1 - near.speed.cycles / cycles,
    }
    return {**shares, "end": max(0.0, 1 - sum(shares.values()))}


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
    lost = {name: mean(shares[name] for shares in fast) for name in PARTS if name != "ideal"}
    most = max(lost, key=lambda name: lost[name])
    return Figure(
        "fast_cycles", "Where the cycles go", bar_chart(
            [f"{scene}\n{words}" for words, scene in parts],
            [Series(told, [shares[name] for shares in parts.values()]) for name, told in PARTS.items()],
            stacked=True, y_label="share of all cycles", y_format=percent, y_tick=percent_tick,
            y_range=(0.0, 1.0),
            alt="Stacked bars: share of the cycles in which a request was accepted, or waited, and why.",
        ),
        shows="Both before a memory of 100 cycles. The lowest part is the rate in footprints per clock; all "
        "but the last two are what the same machine takes before a memory of 1 cycle, by its counters.",
        learn=f"Without conflicts {pct(sum(lost.values()))} of the cycles are left to gain, most of them "
        f"({pct(lost[most])}) “{PARTS[most]}”.",
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


def _over(book: Book, roles: Sequence[str], value: str) -> list[tuple[float, float]]:
    """Points (value of the configuration, mean footprints per clock), in order."""
    part, name = value.split(".")
    scene = book.scene(book.scenes[0], "bilinear", "scan")
    values = (float(getattr(getattr(book(scene, role).cfg, part), name)) for role in roles)
    return sorted(zip(values, (_rate(book, role) for role in roles), strict=True))


def _latency(book: Book) -> Figure:
    machines = {
        "published": _over(book, [BASE, *_roles(book, "latency=")], "memory.latency"),
        "conflict-free": _over(book, [FAST, *_roles(book, "fast,latency=")], "memory.latency"),
    }
    rows: list[dict[str, Value]] = [
        {"machine": words, "latency": cycles, "footprints_per_clock": rate, "kept": rate / points[0][1]}
        for words, points in machines.items()
        for cycles, rate in points
    ]
    kept = next(number(row["kept"]) for row in reversed(rows) if row["latency"] == 100)
    return Figure(
        "fast_memory", "What latency takes away", line_chart(
            [
                Series(words, [rate / points[0][1] for _, rate in points], [cycles for cycles, _ in points])
                for words, points in machines.items()
            ],
            x_label="cycles from the address to the first data beat",
            y_label="rate / rate with a memory of 1 cycle", log=10, x_format=lambda value: f"{value:g}",
            y_format=percent, y_tick=percent_tick, marks=[Mark("Igehy 1998: 97 %", y=IGEHY)],
            ticks=[1.0, 26.0, 100.0, 400.0],
            alt="Line chart: share of the rate that is kept as memory answers later, of both machines.",
        ),
        shows="Mean over the scenes. Igehy et al. reach 97 % of a machine whose memory has no latency.",
        learn=f"At 100 cycles {pct(kept)} of the rate is left. At 400 the FIFOs of 128 no longer reach.",
        traffic=scene_traffic(book),
        table=Table(
            "texcache_fast_memory", "Rate over the memory's latency, both machines",
            (
                Column("machine", "machine"), Column("latency", "latency", "count"),
                Column("footprints_per_clock", "footprints/clock", "f3"),
                Column("kept", "of the rate at 1 cycle", "percent"),
            ),
            rows,
        ),
    )  # fmt: skip


def _kept(book: Book) -> Figure:
    rows: list[dict[str, Value]] = [
        {
            "machine": words, "scene": scene, "near": near.speed.footprints_per_clock,
            "far": far.speed.footprints_per_clock,
            "kept": far.speed.footprints_per_clock / near.speed.footprints_per_clock,
        }
        for words, (close, distant) in DISTANCES.items()
        for scene, near, far in zip(book.scenes, _runs(book, close), _runs(book, distant), strict=True)
    ]  # fmt: skip
    kept = {words: [number(row["kept"]) for row in rows if row["machine"] == words] for words in DISTANCES}
    return Figure(
        "fast_kept", "What a memory of 100 cycles leaves, by scene", bar_chart(
            list(book.scenes), [Series(words, shares) for words, shares in kept.items()], values=True,
            y_label="rate / rate with a memory of 1 cycle", y_format=percent, y_tick=percent_tick,
            y_range=(0.0, 1.0), marks=[Mark("Igehy 1998: 97 %", y=IGEHY)],
            alt="Bars for each scene: share of the rate that is left before a memory of 100 cycles, of both "
            "machines.",
        ),
        shows="The rate before a memory of 100 cycles over that before a memory of 1 cycle.",
        learn=f"Without conflicts {pct(min(kept[CONFLICT_FREE]))} is left in the scene that loses most.",
        traffic=scene_traffic(book), open_table=True,
        table=Table(
            "texcache_fast_kept", "Rates at 1 and at 100 cycles, by scene",
            (
                Column("machine", "machine"), Column("scene", "scene"),
                Column("near", "footprints/clock at 1", "f3"), Column("far", "at 100", "f3"),
                Column("kept", "of the rate at 1 cycle", "percent"),
            ),
            rows,
        ),
    )  # fmt: skip


def _depth(book: Book) -> Figure:
    points = _over(book, [FAST, *_roles(book, "fast,fifo=")], "fifo.depth")
    rows: list[dict[str, Value]] = [{"depth": depth, "footprints_per_clock": rate} for depth, rate in points]
    return Figure(
        "fast_depth", "FIFOs before a memory of 100 cycles", line_chart(
            [Series("conflict-free", [rate for _, rate in points], [depth for depth, _ in points])],
            x_label="entries of the tag FIFO and of the data FIFO", y_label="footprints per clock", log=2,
            x_format=lambda value: f"{value:g}", y_format=fixed(3), y_tick=plain,
            ticks=[depth for depth, _ in points],
            alt="Line chart: footprints per clock over the depth of the FIFOs.",
        ),
        shows="Mean over the scenes.",
        learn="A FIFO that is shorter than the memory’s latency lets it show: each footprint behind a miss "
        "needs an entry for as long as the line is on its way.",
        traffic=scene_traffic(book),
        table=Table(
            "texcache_fast_fifo", "Rate over FIFO depth",
            (Column("depth", "depth", "count"), Column("footprints_per_clock", "footprints/clock", "f3")),
            rows,
        ),
    )  # fmt: skip

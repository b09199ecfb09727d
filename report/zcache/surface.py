# SPDX-License-Identifier: Apache-2.0
"""The surface: what prefetch gains over delays, tiles in flight, reads and pace; the golden model alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.zcache.figures import UNITS, hit_rate
from report.charts import Series, line_chart
from report.heat import heat_map
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent, percent_short, percent_tick, plain
from report.words import mean
from report.zcache.results import Results
from report.zcache.words import cut, points

DISTANCE, FLIGHT, READS, DROPPED, TOUCH = "distance", "flight", "reads", "dropped", "touch"
NAMES = {"latency": "memory latency", "delay": "shading delay", "tiles": "tiles in flight",
         "fills": "reads under way", "pace": "cycles a tile"}  # fmt: skip
PLACE = ("slice", "latency", "delay", "tiles", "fills", "pace", "waits", "ott", "evicts")


@dataclass(frozen=True)
class Slice:
    """A plane of the surface, by its axes."""

    name: str
    title: str
    down: str
    across: str
    shows: str


SLICES = (
    Slice(DISTANCE, "Shading delay by memory latency", "latency", "delay",
          "Whether a line can come in time: the delay of shading in parts of memory’s latency."),
    Slice(FLIGHT, "Tiles in flight by reads under way", "tiles", "fills",
          "How far the rasterizer may run ahead of the test, and how many lines may be on their way."),
    Slice(READS, "Pace by reads under way", "pace", "fills",
          "Cycles from tile to tile that the shader takes at least."),
    Slice(DROPPED, "The same where busy requests are dropped", "pace", "fills",
          "A request that finds all reads under way does not wait."),
)  # fmt: skip


def rows(found: Results) -> list[dict[str, Value]]:
    """Means of the scenes at each point."""
    made: list[dict[str, Value]] = []
    for row in found.surface[found.deep[0]]:
        place = {name: row[name] for name in PLACE}
        made.append({
            **{name: str(value) if isinstance(value, bool) else value for name, value in place.items()},
            **{f"gain_{unit}": found.mean_gain(unit, **place) for unit in UNITS},
            "reduction": found.mean_reduction(**place),
            "queued": found.mean_reduction("queued", **place),
            "off_row": mean(hit_rate(off, "row") for _, off in found.at(**place)),
            "late": mean(ahead["lates"] / ahead["tiles"] for ahead, _ in found.at(**place)),
        })  # fmt: skip
    return made


COLUMNS = (
    Column("slice", "slice"), *(Column(name, NAMES[name], "count") for name in PLACE[1:6]),
    Column("waits", "busy requests wait"), Column("ott", "unused lines are kept"),
    Column("evicts", "but for a prefetch without others"),
    *(Column(f"gain_{unit}", f"gain by {unit}", "percent", "points of the hit rate") for unit in UNITS),
    Column("reduction", "latency less by", "percent"),
    Column("queued", "with queueing", "percent"),
    Column("off_row", "base by row", "percent", "hit rate without prefetch"),
    Column("late", "late", "percent", "of the tiles"),
)  # fmt: skip


def _maps(found: Results, plane: Slice) -> str:
    """Heat maps of the gain by tile and by row, and of what is taken off the latency."""
    down = found.axis(plane.down, slice=plane.name)

    def grid(value: Callable[..., float]) -> list[list[float | None]]:
        return [
            [value(**{plane.across: one, plane.down: row}) if one in found.axis(
                plane.across, slice=plane.name, **{plane.down: row}) else None for one in across(row)]
            for row in down
        ]  # fmt: skip

    def across(row: int) -> Sequence[int]:
        return found.axis(plane.across, slice=plane.name, **{plane.down: row})

    columns = [f"{one / down[0]:g}" for one in across(down[0])] if plane.name == DISTANCE else [
        str(one) for one in across(down[0])]  # fmt: skip
    label = "shading delay / latency" if plane.name == DISTANCE else NAMES[plane.across]
    made = []
    for title, value in (
        ("points added to the hit rate, by tile",
         lambda **place: found.mean_gain("tile", slice=plane.name, **place)),
        ("points added to the hit rate, by row",
         lambda **place: found.mean_gain("row", slice=plane.name, **place)),
        ("taken off the latency", lambda **place: found.mean_reduction(slice=plane.name, **place)),
    ):  # fmt: skip
        made.append(f"<h4>{title}</h4>" + heat_map(
            [str(one) for one in down], columns, grid(value), alt=f"Heat map: {title}, {plane.title}.",
            form=percent_short, row_label=NAMES[plane.down], column_label=label, cell=(64, 26),
            numbers=True, left=120,
        ))  # fmt: skip
    return "".join(made)


def _learn(found: Results, plane: Slice) -> str:
    every = [row for row in rows(found) if row["slice"] == plane.name]
    best = max(every, key=lambda row: float(row["reduction"] or 0))
    least = min(every, key=lambda row: float(row["reduction"] or 0))

    def told(row: dict[str, Value]) -> str:
        return (
            f"{NAMES[plane.down]} {row[plane.down]}, {NAMES[plane.across]} {row[plane.across]}: "
            f"{points(float(row['gain_row'] or 0), 1)} points by row, latency "
            f"{cut(float(row['reduction'] or 0), 1)}"
        )

    return f"Least at {told(least)}; most at {told(best)}."


def _touch(found: Results) -> Figure:
    many = found.axis("tiles", slice=TOUCH)
    series, made = [], []
    for ott, evicts, name in KEEPING:
        missed = []
        for tiles in many:
            runs = [ahead for ahead, _ in found.at(slice=TOUCH, tiles=tiles, ott=ott, evicts=evicts)]
            missed.append(mean(run["misses"] / run["tiles"] for run in runs))
            for scene, run in zip(found.deep, runs, strict=True):
                made.append({
                    "scene": scene, "tiles": tiles, "kept": name, "missed": run["misses"] / run["tiles"],
                    "late": run["lates"] / run["tiles"], "early": run["fate_early"],
                    "untouched": run["dropped_untouched"], "lines": run["lines"],
                })  # fmt: skip
        series.append(Series(name, missed, many))
    return Figure(
        "touch", "What OTT adds", line_chart(
            series, x_label="tiles in flight", y_label="tiles that miss", x_format=plain, y_format=percent,
            y_tick=percent_tick, log=2, ticks=many,
            alt="Lines: tiles that miss against tiles in flight, with OTT, with OTT that gives way to "
            "prefetches, and with plain pseudo-LRU.",
        ),
        shows="One more bit of a line keeps it until its first use. A prefetch whose set holds such lines "
        "alone is dropped, or takes one of them. Here the shader’s delay grows with the tiles in flight, so "
        "that all of them lie between prefetch and test.",
        learn=when(many, *(one.y for one in series)), open_table=True,
        traffic=f"{_scenes(found)}; a tile each 4 cycles, 16 reads under way, memory 60 cycles away; "
        "model only",
        table=Table("zcache_ott", "OTT beside plain pseudo-LRU", TOUCH_COLUMNS, made),
    )  # fmt: skip


#: whether unused lines are kept, and whether a prefetch evicts one where there are no others
KEEPING = (
    (True, False, "unused lines are kept (OTT)"), (True, True, "kept, but for prefetches"),
    (False, False, "plain pseudo-LRU"),
)  # fmt: skip
TOUCH_COLUMNS = (
    Column("scene", "scene"), Column("tiles", "tiles in flight", "count"), Column("kept", "replacement"),
    Column("missed", "tiles that miss", "percent"), Column("late", "late", "percent"),
    Column("early", "early", "count", "lines replaced before their own test"),
    Column("untouched", "dropped", "count", "requests whose set held unused lines alone"),
    Column("lines", "lines read", "count"),
)  # fmt: skip
LEAST = 0.001  # a difference of tiles that miss that counts as one


def when(
    many: Sequence[int], kept: Sequence[float], giving: Sequence[float], plain_lru: Sequence[float]
) -> str:
    """From how many tiles in flight on OTT helps, in words; ``giving``: way to prefetches."""
    helps = [n for n, a, b in zip(many, kept, plain_lru, strict=True) if b - a > LEAST]
    rates = ", ".join(
        f"{n}: {percent_short(c)} without, {percent_short(a)} with, "
        f"{percent_short(b)} if prefetches take some"
        for n, a, b, c in zip(many, kept, giving, plain_lru, strict=True)
    )
    begins = f"From {helps[0]} tiles in flight on it helps" if helps else "It makes no difference"
    return f"{begins} (by more than a tile in a thousand). Tiles that miss, by tiles in flight: {rates}."


def _scenes(found: Results) -> str:
    width, height = found.index["size"]
    return f"{len(found.deep)} scenes, {width} × {height} pixels"


def section(found: Results) -> Section:
    """The chapter."""
    every = rows(found)
    figures = [
        Figure(
            f"surface-{plane.name}", plane.title, _maps(found, plane), shows=plane.shows,
            learn=_learn(found, plane), traffic=f"{_scenes(found)}; mean of the scenes; model only",
            table=Table("zcache_surface", "The surface", COLUMNS, every) if plane is SLICES[0] else None,
        )
        for plane in SLICES
    ]  # fmt: skip
    middle = (
        "memory 60 cycles away, shading 120, 64 tiles in flight, 8 reads under way, a tile each 16 cycles"
    )
    intro = (
        "<p>One point says little: what prefetch gains hangs on how long memory and shader take, how far the "
        f"rasterizer runs ahead and how many lines may be on their way. The planes cross at {middle}.</p>"
    )
    return Section("surface", "The surface", intro, [*figures, _touch(found)])

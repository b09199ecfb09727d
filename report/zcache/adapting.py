# SPDX-License-Identifier: Apache-2.0
"""A prefetch distance that adapts beside every fixed one, in a cache where a distance can be too large."""

from report.charts import Series, bar_chart, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent, percent_tick, plain
from report.words import pct
from report.zcache.results import Figures, Results


def best(found: Figures) -> Figures:
    """The fixed distance with the fewest cycles."""
    chosen: Figures = min(found["fixed"], key=lambda one: one["cycles"])
    return chosen


def excess(found: Figures, one: Figures) -> float:
    """Cycles of the frame beyond the best fixed distance, in parts of it."""
    return float(one["cycles"] / best(found)["cycles"] - 1)


def named(found: Figures) -> list[tuple[str, Figures]]:
    """All distances of a scene by name."""
    return [*((str(one["distance"]), one) for one in found["fixed"]), ("adaptive", found["adaptive"])]


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each scene and distance."""
    return [
        {
            "scene": scene, "distance": name, "cycles": one["cycles"], "excess": excess(its, one),
            "waited": one["waited"], "hits": one["hits"],
        }
        for scene, its in found.adapting.items()
        for name, one in named(its)
    ]  # fmt: skip


COLUMNS = (
    Column("scene", "scene"), Column("distance", "distance", doc="tiles ahead of the test, at most"),
    Column("cycles", "frame", "count", "cycles"),
    Column("excess", "beyond the best", "percent"),
    Column("waited", "waited", "count", "cycles in which a tile at the test waited for memory"),
    Column("hits", "hits by tile", "percent"),
)  # fmt: skip


def _fixed(found: Results) -> Figure:
    series = [
        Series(scene, [excess(its, one) for one in its["fixed"]], [one["distance"] for one in its["fixed"]])
        for scene, its in found.adapting.items()
    ]
    least = [str(best(its)["distance"]) for its in found.adapting.values()]
    worst = max(excess(its, its["fixed"][-1]) for its in found.adapting.values())
    return Figure(
        "adapting-fixed", "Fixed distances", line_chart(
            series, x_label="tiles that a prefetch may be ahead of the test",
            y_label="cycles beyond the best distance", x_format=plain, y_format=percent, y_tick=percent_tick,
            log=2, ticks=series[0].x,
            alt="Lines: cycles of the frame beyond those of the best distance, over the distance, by scene.",
        ),
        shows="Too near, and lines come late; too far, and lines that are waited for push each other out.",
        learn=f"No distance is right for all: the best is {', '.join(least)} (in the order of the scenes). "
        f"As far as can be costs up to {pct(worst)}.",
        traffic=_traffic(found),
        table=Table("zcache_distances", "Prefetch distances", COLUMNS, rows(found)),
    )  # fmt: skip


def _adaptive(found: Results) -> Figure:
    costs = [excess(its, its["adaptive"]) for its in found.adapting.values()]
    whole = [excess(its, its["fixed"][-1]) for its in found.adapting.values()]
    return Figure(
        "adapting-cost", "A distance that adapts", bar_chart(
            list(found.adapting), [Series("as far as can be", whole), Series("adaptive", costs)], values=True,
            y_label="cycles beyond the best distance", y_format=percent, y_tick=percent_tick,
            alt="Bars for each scene: cycles beyond the best fixed distance, of the largest and adapting.",
        ),
        shows="Lateness lets the distance grow, lines that are lost before their test let it shrink.",
        learn=f"Within {pct(max(costs))} of the best fixed distance of each scene, without knowing it.",
        traffic=_traffic(found),
    )  # fmt: skip


def _traffic(found: Results) -> str:
    width, height = found.index["size"]
    point = next(iter(found.adapting.values()))["point"]
    return (
        f"{width} × {height} pixels; {point['sets']} sets, memory {point['latency']} cycles away, shading "
        f"{point['shading']} cycles, a tile each {point['every']}; model only"
    )


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>The paper’s future work: a prefetch distance that follows shader and memory (preset "
        "<code>adaptive</code>). In the published cache there is nothing to find, as far ahead as can be is "
        "best; here the cache is an eighth of it.</p>"
    )
    return Section("adapting", "A distance that adapts", intro, [_fixed(found), _adaptive(found)])

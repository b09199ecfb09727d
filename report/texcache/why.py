# SPDX-License-Identifier: Apache-2.0
"""Why it misses: compulsory, capacity and conflict misses, and the distance to the optimum."""

from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, number, percent, percent_tick
from report.texcache.summary import Book
from report.texcache.words import scene_traffic
from report.words import pct, spread


def section(book: Book) -> Section:
    """The chapter."""
    intro = (
        "<p>A miss is <b>compulsory</b> if its line was never used before, a <b>capacity</b> miss if a "
        "fully associative LRU cache of the same size would have missed as well, and a <b>conflict</b> miss "
        "otherwise. Belady’s replacement, which knows the future, tells how much a better policy could save "
        "in the same sets; the same fully associative is the bound for any cache of this size.</p>"
    )
    return Section("why", "Why it misses, and what the best would be", intro, [_kinds(book), _optimum(book)])


def _rows(book: Book) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    for filter in ("bilinear", "trilinear"):
        for scene in book.scenes:
            one = book.kinds(book.scene(scene, filter, "scan"))
            rows.append({
                "scene": scene, "filter": filter, "lookups": one.lookups, "misses": one.total,
                "compulsory": one.compulsory, "capacity": one.capacity, "conflict": one.conflict,
                "optimal": one.optimal, "optimal_full": one.optimal_full, "excess": one.excess,
            })  # fmt: skip
    return rows


def _share(row: dict[str, Value], name: str) -> float:
    return number(row[name]) / number(row["lookups"])


def _names(rows: list[dict[str, Value]]) -> list[str]:
    return [f"{row['scene']}\n{row['filter']}" for row in rows]


def _kinds(book: Book) -> Figure:
    rows = _rows(book)
    series = [
        Series(name, [_share(row, name) for row in rows]) for name in ("compulsory", "capacity", "conflict")
    ]
    part = {name: sum(number(row[name]) for row in rows) / sum(number(row["misses"]) for row in rows)
            for name in ("compulsory", "capacity", "conflict")}  # fmt: skip
    largest = max(part, key=lambda name: part[name])
    columns = (
        Column("scene", "scene"),
        Column("filter", "filter"),
        Column("lookups", "look-ups", "count"),
        Column("misses", "misses", "count"),
        Column("compulsory", "compulsory", "count"),
        Column("capacity", "capacity", "count"),
        Column("conflict", "conflict", "count"),
        Column("optimal", "Belady, same sets", "count"),
        Column("optimal_full", "Belady, fully associative", "count"),
        Column("excess", "above the optimum", "percent", "misses beyond Belady's in the same sets"),
    )
    return Figure(
        "kinds",
        "Misses by kind",
        bar_chart(
            _names(rows),
            series,
            stacked=True,
            values=True,
            y_label="misses per look-up",
            y_format=percent,
            y_tick=percent_tick,
            alt="Stacked bars: compulsory, capacity and conflict misses per look-up, by scene and filter.",
        ),
        shows="The bars’ heights are the miss rates per look-up.",
        learn=f"Over all, {pct(part['compulsory'])} of the misses are compulsory, {pct(part['capacity'])} "
        f"capacity and {pct(part['conflict'])} conflict misses. "
        + {
            "compulsory": "Most lines are read once and then used up: a larger cache would gain little, "
            "shorter latency or prefetching more.",
            "capacity": "Size is what is missing most.",
            "conflict": "The sets are what is missing most: more ways, or another spread of addresses.",
        }[largest],
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table("texcache_misses", "Misses by kind and the optima", columns, rows),
    )


def _optimum(book: Book) -> Figure:
    rows = _rows(book)
    series = [
        Series("LRU, as built", [_share(row, "misses") for row in rows], style="s1"),
        Series("Belady in the same sets", [_share(row, "optimal") for row in rows], style="s6"),
        Series("Belady, fully associative", [_share(row, "optimal_full") for row in rows], style="s3"),
        Series("compulsory", [_share(row, "compulsory") for row in rows], style="s7"),
    ]
    excess = [number(row["excess"]) for row in rows]
    return Figure(
        "optimum",
        "Distance to the optimum",
        bar_chart(
            _names(rows),
            series,
            y_label="misses per look-up",
            y_format=percent,
            y_tick=percent_tick,
            alt="Bars: misses per look-up with LRU, with Belady's replacement in the same sets, fully "
            "associative, and compulsory misses alone.",
        ),
        shows="From left to right each cache knows more or is freer; the last bar is what no cache avoids "
        "that fetches on demand.",
        learn=f"LRU reads {spread(excess)} more lines than the optimum in the same sets.",
        traffic=scene_traffic(book) + ", and trilinear",
    )

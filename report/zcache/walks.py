# SPDX-License-Identifier: Apache-2.0
"""Tiles that the rasterizer gives on, and their order: what they do to the cache."""

from models.zcache.figures import hit_rate
from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, number, plain
from report.words import mean, pct
from report.zcache.results import Results, gain, reduction
from report.zcache.words import traffic

COVERED, SERPENTINE, VISITED = "covered, rows", "covered, serpentine", "visited, rows"


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each scene and way to give tiles on."""
    made: list[dict[str, Value]] = []
    for scene in found.scenes:
        emits = found.about[scene]["emits"]
        by = {(one["emit"], one["prefetch"]): one for one in emits}
        for emit in dict.fromkeys(one["emit"] for one in emits):
            ahead, off = by[emit, True], by[emit, False]
            made.append({
                "scene": scene, "emit": emit, "given": ahead["given"], "off": hit_rate(off, "row"),
                "ahead": hit_rate(ahead, "row"), "gain": gain(ahead, off, "row"),
                "latency": -reduction(ahead, off), "lines": ahead["lines"], "lines_off": off["lines"],
                "more": ahead["lines"] / by[COVERED, True]["lines"],
                "useless": ahead["fate_useless"] + ahead["fate_open"],
            })  # fmt: skip
    return made


COLUMNS = (
    Column("scene", "scene"), Column("emit", "tiles"), Column("given", "tiles given", "count"),
    Column("off", "hits by row, without", "percent"), Column("ahead", "with prefetch", "percent"),
    Column("gain", "gain", "percent", "points"), Column("latency", "latency", "percent"),
    Column("lines", "lines read", "count", "with prefetch"),
    Column("lines_off", "without", "count", "lines read without prefetch"),
    Column("more", "of covered", "times", "lines read, by those with covered tiles in rows"),
    Column("useless", "for nothing", "count", "lines asked for ahead that no test used"),
)  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    table = rows(found)
    more = {emit: [number(one["more"]) for one in table if one["emit"] == emit]
            for emit in (SERPENTINE, VISITED)}  # fmt: skip
    worse = mean(more[VISITED])
    figure = Figure(
        "walks", "Which tiles are given on, and in which order",
        bar_chart(
            found.scenes, [Series(emit, values) for emit, values in more.items()], values=True,
            y_label="lines read, by covered in rows", y_format=lambda value: f"{value:.2f}", y_tick=plain,
            alt="Bars: lines read with the tiles to and fro, and with all tiles of a triangle's bounds.",
        ),
        shows="covered: tiles with a pixel of the primitive; visited: all tiles of a triangle’s bounds. "
        "rows: left to right, as published; serpentine: to and fro. With visited tiles the rasterizer "
        "steps on much that it does not cover.",
        learn=f"Visited tiles read {worse:.2f} times the lines on average, at most {max(more[VISITED]):.2f}. "
        f"Walking to and fro changes lines read by {pct(max(abs(one - 1) for one in more[SERPENTINE]))} at "
        "most: rows are short beside what the cache holds.",
        traffic=traffic(found, found.scenes) + "; model only", open_table=True,
        table=Table("zcache_walks", "Tiles and orders", COLUMNS, table),
    )  # fmt: skip
    intro = "<p>The prefetch follows the rasterizer’s steps: which these are is a choice of its own.</p>"
    return Section("walk", "The rasterizer’s steps", intro, [figure])

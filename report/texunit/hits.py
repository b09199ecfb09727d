# SPDX-License-Identifier: Apache-2.0
"""What the caches did: repeats, hits and misses, other formats, filters and geometries."""

from report.charts import Series, bar_chart, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, number, percent, percent_tick, size
from report.texunit.results import Results
from report.texunit.words import traffic
from report.words import mean, pct, spread

ROLES = {
    "one": "bilinear", "nearest": "nearest", "rgb": "bilinear, 3 bytes a texel",
    "table": "bilinear, colour tables", "apart": "bilinear, a flush per triangle",
}  # fmt: skip


def _table(found: Results) -> Figure:
    rows: list[dict[str, Value]] = []
    for role, name in ROLES.items():
        for scene in found.scenes:
            run = found.run(scene, role)
            rows.append({
                "scene": scene, "kind": name, "primitives": run["primitives"], "queries": run["queries"],
                "queries_per_pixel": run["queries_per_pixel"], "repeats": run["repeat_rate"],
                "hit_rate": run["hit_rate"], "without": run["hit_rate_without_repeats"],
                "bytes_per_pixel": run["bytes_per_pixel"], "evictions": run["counters"]["evictions"],
                "pixels_per_clock": run["pixels_per_clock"],
            })  # fmt: skip
    columns = (
        Column("scene", "scene"),
        Column("kind", "sampled"),
        Column("primitives", "flushes", "count", "of the pipeline"),
        Column("queries", "queries", "count", "of the cache"),
        Column("queries_per_pixel", "per pixel", "f2"),
        Column("repeats", "repeats", "percent", "queries for the line of the query before"),
        Column("hit_rate", "hit rate", "percent", "repeats and hits"),
        Column("without", "without repeats", "percent", "hits of the queries that reached the tags"),
        Column("bytes_per_pixel", "bytes/pixel", "f2", "read from memory"),
        Column("evictions", "evictions", "count"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
    )
    tabled = [number(row["repeats"]) for row in rows if row["kind"] == ROLES["table"]]
    bilinear = [row for row in rows if row["kind"] == ROLES["one"]]
    apart = [row for row in rows if row["kind"] == ROLES["apart"]]
    lost = [
        1 - number(two["pixels_per_clock"]) / number(one["pixels_per_clock"])
        for one, two in zip(bilinear, apart, strict=True)
    ]
    shares = [
        Series(name, [number(row[key]) if key != "hits" else number(row["hit_rate"]) - number(row["repeats"])
                      for row in bilinear] if key != "misses"
               else [1 - number(row["hit_rate"]) for row in bilinear])
        for key, name in (("repeats", "previous line"), ("hits", "hit"), ("misses", "miss"))
    ]  # fmt: skip
    return Figure(
        "hits", "Repeats, hits and misses",
        bar_chart(
            found.scenes, shares, stacked=True, y_label="share of the queries", y_format=percent,
            y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Stacked bars: share of the cache queries that repeat a line, hit, or miss, by scene.",
        ),
        shows="What the cache was asked: a bilinear sample is four queries, one after the other.",
        learn=f"{pct(mean(number(row['repeats']) for row in bilinear))} of the queries ask for the line of "
        "the query before and take one cycle instead of eight: 4 × 4 tiles put most of a footprint in one "
        f"line. Through colour tables, where a 4 × 4 tile is one line, it is {pct(mean(tabled))}. Triangles "
        "in a row with equal texture and wrap modes are one primitive, but in the last rows each is one, "
        f"which costs {spread(lost, 1)} of the pixels per clock.",
        traffic=traffic(found), open_table=True,
        table=Table("texunit_hits", "Queries of the scenes", columns, rows),
    )  # fmt: skip


def _geometry(found: Results) -> Figure:
    rows: list[dict[str, Value]] = [
        {**{name: row[name] for name in ("scene", "ways", "sets", "bytes", "queries", "misses")},
         "hit_rate": 1 - row["misses"] / row["queries"]}
        for row in found.sweep
    ]  # fmt: skip
    series = []
    for ways in sorted({number(row["ways"]) for row in rows}):
        mine = [row for row in rows if row["ways"] == ways]
        sizes = sorted({number(row["bytes"]) for row in mine})
        rates = [mean(1 - number(row["hit_rate"]) for row in mine if row["bytes"] == one) for one in sizes]
        series.append(Series(f"{ways:g} ways", rates, sizes))
    cache = found.base.cache
    at = [row for row in rows if (row["ways"], row["sets"]) == (cache.ways, cache.sets)]
    measured = mean(found.run(scene, "one")["hit_rate"] for scene in found.scenes)
    model = mean(number(row["hit_rate"]) for row in at) if at else measured
    columns = (
        Column("scene", "scene"), Column("ways", "ways", "count"), Column("sets", "sets", "count"),
        Column("bytes", "size", "size"), Column("queries", "queries", "count"),
        Column("misses", "misses", "count"), Column("hit_rate", "hit rate", "percent"),
    )  # fmt: skip
    return Figure(
        "geometry", "Other caches",
        line_chart(
            series, x_label="size of a unit's cache", y_label="misses per query", x_format=size, log=2,
            y_format=percent, y_tick=percent_tick,
            alt="Lines: misses per query against the size of the cache, for 2, 4 and 8 ways.",
        ),
        shows="Mean of the scenes, by the golden model.",
        learn=f"The built cache of {size(cache.capacity_bytes)} has a mean hit rate of {pct(measured, 2)} in "
        f"RTL, {pct(model, 2)} by the model alone (the victim depends on a cycle counter, which it replaces "
        "by the number of the query). Scenes of this size would be served by far less.",
        traffic=traffic(found) + "; model only",
        table=Table("texunit_geometry", "Hit rates of other caches, model only", columns, rows),
    )  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>A query is one texel of one sample, or its second half where three bytes straddle two lines. The "
        "line of the query before is answered at once; other queries look in the tags.</p>"
    )
    return Section("cache", "What the cache did", intro, [_table(found), _geometry(found)])

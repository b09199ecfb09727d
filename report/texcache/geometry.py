# SPDX-License-Identifier: Apache-2.0
"""Other geometries: size, ways, line, layout, number of caches and where small levels live. Model only."""

from functools import partial

from report.charts import Mark, Series, line_chart
from report.heat import heat_map
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, percent, percent_tick, size
from report.texcache.summary import Book
from report.texcache.sweeps import LAYOUTS as SWEPT
from report.texcache.sweeps import (
    LINES,
    SIZES,
    WAYS,
    Point,
    grid,
    partitions,
    placements,
    points,
    value_of,
    where,
)
from report.texcache.words import HALF, LAYOUTS, scene_traffic
from report.words import mean

Swept = dict[str, list[Point]]  # by scene, all in the same order


def section(book: Book) -> Section:
    """The chapter."""
    swept: Swept = {}
    for scene in book.scenes:
        book.progress(f"texcache: sweeping geometries, {scene}")
        swept[scene] = points(book.scene(scene, "bilinear", "scan"), grid(book.base))
    count = len(next(iter(swept.values())))
    intro = (
        f"<p>{count} geometries, computed by the golden model’s own address and LRU code: one stack-depth "
        "histogram per number of sets gives all numbers of ways at once, so a sweep costs a few passes. The "
        "point of the built cache is checked against the RTL’s own hits. Cycles are not modelled here.</p>"
    )
    _check(book, swept)
    figures = [_sizes(book, swept), _ways(book, swept), _lines(book, swept), *_others(book)]
    return Section("geometry", "Other sizes, ways, lines and layouts", intro, figures)


def _check(book: Book, swept: Swept) -> None:
    """The sweep's own point of the built geometry must be the RTL's count of hits."""
    for scene, found in swept.items():
        here = where(
            found, **{name: value_of(book.base, name) for name in ("ways", "sets", "line_texels", "layout")}
        )
        measured = book(book.scene(scene, "bilinear", "scan")).counters
        for point in here:
            if (point.lookups, point.hits) != (measured["lookups"], measured["hits"]):
                raise ValueError(f"{scene}: the sweep counts {point.hits} hits, the RTL {measured['hits']}")


def _mean_over(swept: Swept, value: str, **fields: object) -> list[tuple[Point, float]]:
    """Mean of a property over the scenes, for each geometry with these fields."""
    chosen = {scene: where(found, **fields) for scene, found in swept.items()}
    first = next(iter(chosen.values()))
    return [
        (point, mean(getattr(found[i], value) for found in chosen.values())) for i, point in enumerate(first)
    ]


def _table(name: str, title: str, swept: Swept, **fields: object) -> Table:
    rows: list[dict[str, Value]] = []
    for scene, found in swept.items():
        for point in where(found, **fields):
            cfg = point.cfg
            rows.append({
                "scene": scene, "bytes": cfg.capacity_bytes, "banks": cfg.banks, "sets": cfg.cache.sets,
                "ways": cfg.cache.ways, "line_texels": cfg.line_texels, "layout": cfg.layout,
                "small_side": cfg.small_side,
                "lookups": point.lookups, "hits": point.hits, "miss_rate": point.miss_rate,
                "bytes_per_pixel": point.bytes_per_pixel,
            })  # fmt: skip
    columns = (
        Column("scene", "scene"),
        Column("bytes", "size", "size"),
        Column("banks", "caches", "count"),
        Column("sets", "sets", "count"),
        Column("ways", "ways", "count"),
        Column("line_texels", "line", "count"),
        Column("layout", "layout"),
        Column("small_side", "small below", "count"),
        Column("lookups", "look-ups", "count"),
        Column("hits", "hits", "count"),
        Column("miss_rate", "miss rate", "percent"),
        Column("bytes_per_pixel", "bytes/pixel", "f2"),
    )
    return Table(name, title, columns, rows)


def _sizes(book: Book, swept: Swept) -> Figure:
    base = book.base
    fixed_fields = {"ways": base.cache.ways, "line_texels": base.line_texels}
    series = []
    for layout in SWEPT:
        found = _mean_over(swept, "miss_rate", layout=layout, **fixed_fields)
        series.append(
            Series(
                LAYOUTS[layout],
                [rate for _, rate in found],
                [float(point.cfg.capacity_bytes) for point, _ in found],
            )
        )
    here = dict(zip(series[0].x, series[SWEPT.index(base.layout)].y, strict=True))
    now, double = here.get(float(base.capacity_bytes)), here.get(2.0 * base.capacity_bytes)
    learn = "The knee tells what size the scenes need. "
    if now and double:
        learn += (
            f"From {size(base.capacity_bytes)} to {size(2 * base.capacity_bytes)} the miss rate falls from "
        )
        learn += f"{percent(now)} to {percent(double)}."
    return Figure(
        "sizes",
        "Miss rate over size and layout",
        line_chart(
            series,
            x_label="capacity",
            y_label="misses per look-up",
            x_format=size,
            y_format=percent,
            y_tick=percent_tick,
            log=2,
            ticks=[float(value) for value in SIZES],
            marks=[Mark("as built", x=float(base.capacity_bytes))],
            alt="Line chart: miss rate per look-up falls as the cache grows; one line per texel layout.",
        ),
        shows=f"Mean over the scenes; {base.cache.ways} ways, lines of {base.line_texels} texels, more sets "
        "for more size.",
        learn=learn,
        traffic=f"model only: {scene_traffic(book)}",
        table=_table("texcache_sweep", "All swept geometries", swept),
    )


def _ways(book: Book, swept: Swept) -> Figure:
    base = book.base
    chosen = {"line_texels": base.line_texels, "layout": base.layout}
    found = {
        (p.cfg.capacity_bytes, p.cfg.cache.ways): rate for p, rate in _mean_over(swept, "miss_rate", **chosen)
    }
    values = [[found.get((capacity, ways)) for capacity in SIZES] for ways in WAYS]
    one, built = found.get((base.capacity_bytes, 1)), found.get((base.capacity_bytes, base.cache.ways))
    most = found.get((base.capacity_bytes, WAYS[-1]))
    learn = ""
    if one and built and most:
        learn = (
            f"At {size(base.capacity_bytes)}: direct mapped {percent(one)}, {base.cache.ways} ways as built "
            f"{percent(built)}, {WAYS[-1]} ways {percent(most)}."
        )
    return Figure(
        "ways",
        "Miss rate over size and ways",
        heat_map(
            [str(ways) for ways in WAYS],
            [size(capacity) for capacity in SIZES],
            values,
            form=percent,
            numbers=True,
            row_label="ways",
            column_label="capacity",
            cell=(72, 30),
            left=60,
            alt="Heat map with numbers: miss rate per look-up by number of ways and capacity.",
        ),
        shows=f"Mean over the scenes; {LAYOUTS[base.layout]} layout, lines of {base.line_texels} texels, "
        f"{base.banks} single-port caches. Empty: cannot be built.",
        learn=learn,
        traffic=f"model only: {scene_traffic(book)}",
    )


def _lines(book: Book, swept: Swept) -> Figure:
    base = book.base
    charts = []
    for value, label, form, tick in (
        ("miss_rate", "misses per look-up", percent, percent_tick),
        ("bytes_per_pixel", "bytes per pixel", fixed(2), fixed(0)),
    ):
        series = []
        for layout in SWEPT:
            found = _mean_over(swept, value, layout=layout, ways=base.cache.ways, bytes=base.capacity_bytes)
            series.append(
                Series(
                    LAYOUTS[layout],
                    [one for _, one in found],
                    [float(point.cfg.line_texels) for point, _ in found],
                )
            )
        charts.append(
            f"<div><h4>{label}</h4>"
            + line_chart(
                series,
                x_label="texels per line",
                y_label=label,
                x_format=lambda v: f"{v:g}",
                y_format=form,
                y_tick=tick,
                log=2,
                ticks=[float(line) for line in LINES],
                frame=HALF,
                alt=f"Line chart: {label} over the length of a line, one line per layout.",
            )
            + "</div>"
        )
    least = min(
        _mean_over(swept, "bytes_per_pixel", ways=base.cache.ways, bytes=base.capacity_bytes),
        key=lambda one: one[1],
    )
    return Figure(
        "lines",
        "Length of a line",
        f'<div class="two">{"".join(charts)}</div>',
        shows=f"{size(base.capacity_bytes)} and {base.cache.ways} ways throughout. A longer line saves "
        "look-ups that miss and pays in texels that nobody asked for.",
        learn=f"Least memory traffic: lines of {least[0].cfg.line_texels} texels, "
        f"{LAYOUTS[least[0].cfg.layout]}, {least[1]:.2f} bytes per pixel.",
        traffic=f"model only: {scene_traffic(book)}",
    )


def _others(book: Book) -> list[Figure]:
    """Where small levels live, and into how many single-port caches the size is divided; trilinear."""
    figures = []
    for anchor, title, cfgs, field, label, shows in (
        ("placement", "Which levels live in the last cache", placements(book.base), "small_side",
         "levels with a smaller side live in the last cache only",
         "1: no level does, all are spread by address. The paper’s rule is 32."),
        ("partition", "One cache or several of the same total size", partitions(book.base), "banks",
         "single-port caches", "Hits only: more caches are there for throughput."),
    ):  # fmt: skip
        swept = {scene: points(book.scene(scene, "trilinear", "scan"), cfgs) for scene in book.scenes}
        series = [
            Series(scene, [p.miss_rate for p in found], [float(getattr(p.cfg, field)) for p in found])
            for scene, found in swept.items()
        ]
        value = partial(_mean_over, swept, "miss_rate")
        rates = {getattr(point.cfg, field): rate for point, rate in value()}
        low = min(rates, key=lambda key: rates[key])
        built = getattr(book.base, field)
        figures.append(Figure(
            anchor, title, line_chart(
                series, x_label=label, y_label="misses per look-up", x_format=lambda v: f"{v:g}",
                y_format=percent, y_tick=percent_tick, log=2, ticks=[float(key) for key in rates],
                marks=[Mark("as built", x=float(built))],
                alt=f"Line chart: miss rate per look-up over: {label}; one line per scene.",
            ),
            shows=shows,
            learn=f"Mean over the scenes: {percent(rates[built])} as built ({built}), {percent(rates[low])} "
            f"at best ({low}).",
            traffic=f"model only: {scene_traffic(book, 'trilinear')}",
            table=_table(f"texcache_{anchor}", title, swept),
        ))  # fmt: skip
    return figures

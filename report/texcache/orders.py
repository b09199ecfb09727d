# SPDX-License-Identifier: Apache-2.0
"""Drawing order, texel layout and filter."""

from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.svg import Format
from report.tables import Column, Table, Value, fixed, number, percent_short, percent_tick, plain
from report.texcache.summary import Book
from report.texcache.words import HALF, LAYOUTS, ORDERS, layout_roles, scene_traffic
from report.words import mean


def section(book: Book) -> Section:
    """The chapter."""
    intro = (
        "<p>The paper renders in tiles and cites 8 × 8 as the best tile size for the texture cache and 32 × "
        "32 as the best for the whole GPU. Drawing order and the order of texels in memory work together: "
        "rows in memory suit rows on the screen only while the texture is upright.</p>"
    )
    return Section(
        "orders",
        "Drawing order, layout and filter",
        intro,
        [*_orders(book), *(() if book.own else _quads(book)), _filters(book)],
    )


def _rows(book: Book) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    for filter in ("bilinear", "trilinear"):
        for order in book.values("scene", "order"):
            for layout, role in layout_roles(book).items():
                for scene in book.scenes:
                    workload = book.scene(scene, filter, order)
                    if not book.has(workload, role):
                        continue
                    one = book(workload, role)
                    rows.append({
                        "filter": filter, "order": order, "layout": layout, "scene": scene,
                        "hit_rate": one.rates.lookup, "footprint_hit_rate": one.rates.footprint,
                        "misses": one.misses, "bytes_per_pixel": one.bytes_per_pixel,
                        "pixels_per_clock": one.speed.pixels_per_clock,
                        "conflicts": one.counters["conflict_cycles"] / one.counters["footprints"],
                    })  # fmt: skip
    return rows


def _mean(rows: list[dict[str, Value]], value: str, **chosen: str) -> float:
    return mean(number(row[value]) for row in rows if all(row[key] == word for key, word in chosen.items()))


def _orders(book: Book) -> list[Figure]:
    rows, orders = _rows(book), book.values("scene", "order")
    names = [ORDERS[order] for order in orders]

    def chart(value: str, label: str, form: Format) -> str:
        series = [
            Series(
                words, [_mean(rows, value, filter="bilinear", order=order, layout=layout) for order in orders]
            )
            for layout, words in LAYOUTS.items()
        ]
        return bar_chart(
            names,
            series,
            values=True,
            y_label=label,
            y_format=form,
            y_tick=plain,
            alt=f"Bars: {label} by drawing order, one bar per layout, mean over the scenes.",
        )

    def ranked(value: str) -> dict[str, float]:
        return {
            f"{ORDERS[order]}, {words}": _mean(rows, value, filter="bilinear", order=order, layout=layout)
            for order in orders
            for layout, words in LAYOUTS.items()
        }

    traffic, speeds = ranked("bytes_per_pixel"), ranked("pixels_per_clock")
    least = min(traffic, key=lambda name: traffic[name])
    fastest = max(speeds, key=lambda name: speeds[name])
    scan = {
        order: _mean(rows, "bytes_per_pixel", filter="bilinear", order=order, layout=book.base.layout)
        for order in orders
    }
    tiles = [order for order in orders if order != "scan"]
    columns = (
        Column("filter", "filter"),
        Column("order", "order"),
        Column("layout", "layout"),
        Column("scene", "scene"),
        Column("hit_rate", "hit rate per look-up", "percent"),
        Column("footprint_hit_rate", "per footprint", "percent"),
        Column("misses", "misses", "count"),
        Column("bytes_per_pixel", "bytes/pixel", "f2"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
        Column("conflicts", "extra beats per footprint", "f3", "cycles in which a row waited for its cache"),
    )
    return [
        Figure(
            "orders-traffic",
            "Memory traffic by drawing order and layout",
            chart("bytes_per_pixel", "bytes per pixel", fixed(2)),
            shows="Bytes read from memory per pixel, mean over the scenes, bilinear.",
            learn=f"Least traffic: {least}, {traffic[least]:.2f} bytes per pixel. In the layout as built, "
            f"scan-line order reads {scan['scan']:.2f} bytes per pixel, "
            + ", ".join(f"{ORDERS[order]} {scan[order]:.2f}" for order in tiles)
            + ". A tile gathers what neighbouring rows share, but every triangle that reaches into several "
            "tiles is begun again in each of them, with other textures in between.",
            traffic=scene_traffic(book).replace(ORDERS["scan"], "all orders"),
            table=Table("texcache_orders", "Drawing orders, layouts and filters", columns, rows),
        ),
        Figure(
            "orders-speed",
            "Pixels per clock by drawing order and layout",
            chart("pixels_per_clock", "pixel/clock", fixed(2)),
            shows="The same runs, in pixels per clock.",
            learn=f"Fastest: {fastest}, {speeds[fastest]:.2f} pixel/clock. A layout also decides how often "
            "the two rows of a footprint fall into the same single-port cache, which costs a cycle even "
            "when both hit: "
            + ", ".join(
                f"{_mean(rows, 'conflicts', filter='bilinear', order='scan', layout=layout):.2f} extra "
                f"cycles per footprint with {words}"
                for layout, words in LAYOUTS.items()
            )
            + " (scan-line).",
            traffic=scene_traffic(book).replace(ORDERS["scan"], "all orders"),
        ),
    ]


def _quads(book: Book) -> list[Figure]:
    """One large turned quad per texture, in scan-line order and in tiles."""
    found = {"minified": "scan-line", **{order: words for order, words in ORDERS.items() if order != "scan"}}
    orders = [pattern for pattern in found if book.results.of_kind("walk", pattern=pattern)]
    rows: list[dict[str, Value]] = []
    for pattern in orders:
        for layout, role in layout_roles(book).items():
            runs = [book(one, role) for one in book.results.each("walk", role, pattern=pattern)]
            rows.append({
                "order": "scan" if pattern == "minified" else pattern, "layout": layout,
                "textures": len(runs),
                "hit_rate": mean(one.rates.lookup for one in runs),
                "bytes_per_pixel": mean(one.bytes_per_pixel for one in runs),
                "pixels_per_clock": mean(one.speed.pixels_per_clock for one in runs),
            })  # fmt: skip
    series = [
        Series(words, [number(row["bytes_per_pixel"]) for row in rows if row["layout"] == layout])
        for layout, words in LAYOUTS.items()
    ]
    gains = []
    for one in series:
        best = min(range(len(one.y)), key=lambda i: one.y[i])
        gains.append(f"{one.name} {one.y[0]:.1f} to {one.y[best]:.1f} ({found[orders[best]]})")
    columns = (
        Column("order", "order"),
        Column("layout", "layout"),
        Column("textures", "textures", "count"),
        Column("hit_rate", "hit rate per look-up", "percent"),
        Column("bytes_per_pixel", "bytes/pixel", "f2"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
    )
    return [Figure(
        "orders-quad", "The same on one large turned quad", bar_chart(
            [found[pattern] for pattern in orders], series, values=True, y_label="bytes per pixel",
            y_format=fixed(1), y_tick=plain,
            alt="Bars: bytes per pixel by drawing order on a large turned quad, one bar per layout.",
        ),
        shows="A screen filled by one textured quad at 1.3 texels per pixel, turned by a random angle; mean "
        "over the textures.",
        learn="Here nothing interrupts a tile. Bytes per pixel, from scan-line order to the best: "
        f"{'; '.join(gains)}. Drawing in tiles pays where a line’s neighbours above and below can stay in "
        f"the cache. In row-major layout the rows of a texture {_aliasing(book)} texels wide and more all "
        f"fall into the same set, which holds {book.base.cache.ways} of them, whatever the order of drawing.",
        traffic="walks minified, tile8, tile16, tile32 over 20 textures, screen 256 pixels wide, from a "
        "cold cache",
        table=Table("texcache_quads", "Drawing orders and layouts on a turned quad", columns, rows),
    )]  # fmt: skip


def _aliasing(book: Book) -> int:
    """Width in texels at which every row of a row-major level begins in the same set of the same cache."""
    return int(book.base.banks * book.base.cache.sets * book.base.line_texels)


def _filters(book: Book) -> Figure:
    rows = _rows(book)
    base = [row for row in rows if row["layout"] == book.base.layout and row["order"] == "scan"]
    filters = ("bilinear", "trilinear")
    miss = [
        Series(filter, [1 - _mean(base, "hit_rate", filter=filter, scene=scene) for scene in book.scenes])
        for filter in filters
    ]
    moved = [
        Series(filter, [_mean(base, "bytes_per_pixel", filter=filter, scene=scene) for scene in book.scenes])
        for filter in filters
    ]
    speed = {f: _mean(base, "pixels_per_clock", filter=f) for f in filters}
    bytes_ = {f: _mean(base, "bytes_per_pixel", filter=f) for f in filters}
    left = bar_chart(
        book.scenes, miss, values=True, y_label="misses per look-up", y_format=percent_short,
        y_tick=percent_tick,
        alt="Bars: misses per look-up, bilinear and trilinear, by scene.", frame=HALF,
    )  # fmt: skip
    right = bar_chart(
        book.scenes, moved, values=True, y_label="bytes per pixel", y_format=fixed(1), y_tick=plain,
        alt="Bars: bytes per pixel, bilinear and trilinear, by scene.", frame=HALF,
    )  # fmt: skip
    body = (
        f'<div class="two"><div><h4>misses per look-up</h4>{left}</div>'
        f"<div><h4>memory traffic</h4>{right}</div></div>"
    )
    return Figure(
        "filters",
        "Bilinear and trilinear",
        body,
        shows="A trilinear pixel is two footprints, on neighbouring levels.",
        learn=f"Twice the footprints, but {bytes_['trilinear'] / bytes_['bilinear']:.1f} times the bytes "
        f"({bytes_['bilinear']:.1f} to {bytes_['trilinear']:.1f} per pixel), and {speed['bilinear']:.2f} to "
        f"{speed['trilinear']:.2f} pixel/clock.",
        traffic=scene_traffic(book) + ", and trilinear",
    )

# SPDX-License-Identifier: Apache-2.0
"""Where it hits: mip levels, single-port caches and sets."""

import numpy as np

from report.charts import Series, bar_chart
from report.heat import heat_map
from report.page import Figure, Section
from report.tables import Column, Table, Value, number, percent, percent_tick
from report.texcache.summary import Book
from report.texcache.words import scene_traffic
from report.words import pct


def section(book: Book) -> Section:
    """The chapter."""
    intro = (
        "<p>The levels smaller than 32 × 32 texels live in the last single-port cache only, the larger ones "
        "are spread over all four by two address bits. Whether that is a good bargain shows in how the "
        "look-ups and the misses fall on levels, caches and sets.</p>"
    )
    return Section("where", "Where it hits and misses", intro, [_levels(book), _sets(book), _banks(book)])


def _levels(book: Book) -> Figure:
    rows: list[dict[str, Value]] = []
    charts = []
    for filter in ("bilinear", "trilinear"):
        series = []
        for scene in book.scenes:
            counts = book(book.scene(scene, filter, "scan")).by_level
            looked = counts[:, 1].sum()
            series.append(Series(scene, (counts[:, 1] - counts[:, 2]) / looked))
            for level, (footprints, lookups, hits, _) in enumerate(counts.tolist()):
                if footprints:
                    rows.append({
                        "scene": scene, "filter": filter, "level": level, "side": book.base.level_side(level),
                        "footprints": footprints, "lookups": lookups, "share": lookups / looked,
                        "hit_rate": hits / lookups, "misses": lookups - hits,
                    })  # fmt: skip
        used = [level for level in range(book.base.levels) if any(one.y[level] > 0 for one in series)]
        names = [f"{level}\n{book.base.level_side(level)}²" for level in used]
        shown = [Series(one.name, [float(one.y[level]) for level in used]) for one in series]
        charts.append(
            f"<h4>{filter}</h4>"
            + bar_chart(
                names,
                shown,
                y_label="misses per look-up",
                y_format=percent,
                y_tick=percent_tick,
                x_label="mip level, and its side in texels",
                alt=f"Bar chart: misses of each mip level as a share of all look-ups, {filter}, one bar per "
                "scene.",
            )
        )
    worst = max(rows, key=lambda row: number(row["misses"]))
    columns = (
        Column("scene", "scene"),
        Column("filter", "filter"),
        Column("level", "level", "count"),
        Column("side", "side", "count"),
        Column("footprints", "footprints", "count"),
        Column("lookups", "look-ups", "count"),
        Column("share", "share of look-ups", "percent"),
        Column("hit_rate", "hit rate", "percent"),
        Column("misses", "misses", "count"),
    )
    return Figure(
        "levels",
        "Misses by mip level",
        "".join(charts),
        shows="Each bar is a level’s misses as a share of all look-ups of the scene: the bars of a scene "
        "add up to its miss rate.",
        learn=f"Most misses come where the picture is: the largest count is level {worst['level']} of "
        f"{worst['scene']}, {worst['filter']}. A level’s hit rate and its share of the look-ups are in the "
        "numbers.",
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table("texcache_levels", "Look-ups and hits by mip level", columns, rows),
    )


def _sets(book: Book) -> Figure:
    maps, rows = [], []
    most = max(_miss_share(book, scene).max() for scene in book.scenes)
    for scene in book.scenes:
        counts, shares = book(book.scene(scene, "trilinear", "scan")).by_set, _miss_share(book, scene)
        assert counts is not None, "base runs have them"
        maps.append(
            f"<div><h4>{scene}</h4>"
            + heat_map(
                [str(bank) for bank in range(book.base.banks)],
                [str(index) for index in range(book.base.cache.sets)],
                shares.tolist(),
                form=percent,
                row_label="cache",
                column_label="set",
                high=float(most),
                cell=(max(12.0, 340 / book.base.cache.sets), 26),
                left=52,
                alt=f"Heat map of {scene}: misses of each single-port cache and set as a share of all "
                f"look-ups; the highest is {percent(float(shares.max()))}.",
            )
            + "</div>"
        )
        for bank, index in np.ndindex(*shares.shape):
            lookups, misses = (int(value) for value in counts[bank, index])
            rows.append({"scene": scene, "bank": bank, "set": index, "lookups": lookups, "misses": misses,
                         "share": float(shares[bank, index])})  # fmt: skip
    uneven = {
        scene: float(_miss_share(book, scene).max() / _miss_share(book, scene).mean())
        for scene in book.scenes
    }
    scene, factor = max(uneven.items(), key=lambda item: item[1])
    columns = (
        Column("scene", "scene"),
        Column("bank", "cache", "count"),
        Column("set", "set", "count"),
        Column("lookups", "look-ups", "count"),
        Column("misses", "misses", "count"),
        Column("share", "misses per look-up of the scene", "percent"),
    )
    return Figure(
        "sets",
        "Misses by single-port cache and set",
        f'<div class="two">{"".join(maps)}</div>',
        shows="One cell per set; the colour is its misses as a share of all look-ups of the scene. One "
        "scale for all scenes.",
        learn=f"An even field means that the address bits spread the lines well. The most uneven is {scene}: "
        f"its worst set has {factor:.1f} times the misses of the mean.",
        traffic=scene_traffic(book, "trilinear"),
        table=Table("texcache_sets", "Look-ups and misses by cache and set", columns, rows),
    )


def _miss_share(book: Book, scene: str) -> np.ndarray:
    counts = book(book.scene(scene, "trilinear", "scan")).by_set
    assert counts is not None, "base runs have them"
    return np.asarray(counts[:, :, 1] / counts[:, :, 0].sum())


def _banks(book: Book) -> Figure:
    rows: list[dict[str, Value]] = []
    for scene in book.scenes:
        for filter in ("bilinear", "trilinear"):
            one = book(book.scene(scene, filter, "scan"))
            assert one.by_set is not None, "base runs have them"
            looked, missed = one.by_set.sum(axis=1).T
            for bank in range(book.base.banks):
                rows.append({
                    "scene": scene, "filter": filter, "bank": bank, "lookups": int(looked[bank]),
                    "share": float(looked[bank] / looked.sum()),
                    "hit_rate": float(1 - missed[bank] / looked[bank]) if looked[bank] else None,
                    "misses": int(missed[bank]),
                })  # fmt: skip
    series = [
        Series(f"cache {bank}", [number(row["share"]) for row in rows if row["bank"] == bank])
        for bank in range(book.base.banks)
    ]
    names = [f"{scene}\n{filter}" for scene in book.scenes for filter in ("bilinear", "trilinear")]
    last = [number(row["share"]) for row in rows if row["bank"] == book.base.banks - 1]
    columns = (
        Column("scene", "scene"),
        Column("filter", "filter"),
        Column("bank", "cache", "count"),
        Column("lookups", "look-ups", "count"),
        Column("share", "share of look-ups", "percent"),
        Column("hit_rate", "hit rate", "percent"),
        Column("misses", "misses", "count"),
    )
    return Figure(
        "banks",
        "How the look-ups fall on the single-port caches",
        bar_chart(
            names,
            series,
            stacked=True,
            y_label="share of look-ups",
            y_format=percent,
            y_tick=percent_tick,
            y_range=(0.0, 1.0),
            alt="Stacked bars: share of the look-ups that goes to each single-port cache, by scene and "
            "filter.",
        ),
        shows="A cache that gets more than its share is where rows queue up: two look-ups of one footprint "
        "in the same cache take two cycles.",
        learn=f"The last cache, which also holds every small level, gets {pct(min(last))} to "
        f"{pct(max(last))} of the look-ups; an even split would be {pct(1 / book.base.banks)}.",
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table("texcache_banks", "Look-ups and hits by single-port cache", columns, rows),
    )

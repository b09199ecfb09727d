# SPDX-License-Identifier: Apache-2.0
"""Other geometries: size, ways, line, layout, number of caches and where small levels live. Model only."""

from typing import Any

from report.pages import Page
from report.tables import Rows
from report.texcache.summary import LAYOUTS, Book
from report.texcache.sweeps import WAYS, Point, grid, partitions, placements, points
from report.words import counted, mean

Swept = dict[str, list[Point]]  # by scene, all in the same order


def draw(page: Page, book: Book) -> None:
    """The chapter."""
    swept: Swept = {}
    for scene in book.scenes:
        book.progress(f"texcache: sweeping geometries, {scene}")
        swept[scene] = points(book.scene(scene, "bilinear", "scan"), grid(book.base))
    page.intro("geometry", geometries=len(next(iter(swept.values()))))
    base = book.base
    rows = [
        {**row, "_ways": row["ways"] == base.cache.ways, "_line": row["line_texels"] == base.line_texels,
         "_size": row["bytes"] == base.capacity_bytes}
        for row in _rows(swept)
    ]  # fmt: skip
    _check(book, rows)
    means = _means(rows)
    ways, line, size, layout = base.cache.ways, base.line_texels, base.capacity_bytes, base.layout
    now, then = (means.get((capacity, ways, line, layout)) for capacity in (size, 2 * size))
    page.draw(
        "sizes", rows, knee=page.say("knee", twice=2 * size, now=now[0], then=then[0]) if now and then else ""
    )
    single, built, best = (means.get((size, number, line, layout)) for number in (1, ways, WAYS[-1]))
    chosen = {"one": single, "built": built, "best": best}
    learn = ""
    if single and built and best:
        learn = page.say("ways", most=WAYS[-1], **{name: value[0] for name, value in chosen.items() if value})
    order = sorted(rows, key=lambda row: (row["ways"], row["bytes"]))
    page.draw("ways", order, learn=learn, layout=LAYOUTS[layout])
    least = min((moved, place) for place, (_, moved) in means.items() if place[:2] == (size, ways))
    page.draw("lines", rows, line=least[1][2], layout=LAYOUTS[least[1][3]], bytes=least[0])
    for name, cfgs, field in (
        ("placement", placements(base), "small_side"),
        ("partition", partitions(base), "banks"),
    ):
        listed = _rows({scene: points(book.scene(scene, "trilinear", "scan"), cfgs) for scene in book.scenes})
        rates = {value: mean(row["miss_rate"] for row in listed if row[field] == value)
                 for value in dict.fromkeys(row[field] for row in listed)}  # fmt: skip
        low, here = min(rates, key=lambda key: rates[key]), getattr(base, field)
        page.draw(name, listed, built=rates[here], here=here, best=rates[low], low=low,
                  best_caches=counted(low, "cache"))  # fmt: skip


def _rows(swept: Swept) -> Rows:
    return [
        {
            "scene": scene, "bytes": point.cfg.capacity_bytes, "banks": point.cfg.banks,
            "sets": point.cfg.cache.sets,
            "ways": point.cfg.cache.ways, "line_texels": point.cfg.line_texels, "layout": point.cfg.layout,
            "small_side": point.cfg.small_side, "lookups": point.lookups, "hits": point.hits,
            "miss_rate": point.miss_rate, "bytes_per_pixel": point.bytes_per_pixel,
        }
        for scene, own in swept.items() for point in own
    ]  # fmt: skip


def _means(rows: Rows) -> dict[tuple[Any, ...], tuple[float, float]]:
    """Miss rate and bytes per pixel by size, ways, line and layout: means over the scenes."""
    by_place: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        by_place.setdefault((row["bytes"], row["ways"], row["line_texels"], row["layout"]), []).append(row)
    return {
        place: (mean(row["miss_rate"] for row in own), mean(row["bytes_per_pixel"] for row in own))
        for place, own in by_place.items()
    }


def _check(book: Book, rows: Rows) -> None:
    """The sweep's own point of the built geometry must be the RTL's count of hits."""
    built = (book.base.cache.ways, book.base.cache.sets, book.base.line_texels, book.base.layout)
    for row in rows:
        if tuple(row[name] for name in ("ways", "sets", "line_texels", "layout")) == built:
            measured = book(book.scene(row["scene"], "bilinear", "scan")).counters
            if (row["lookups"], row["hits"]) != (measured["lookups"], measured["hits"]):
                hits = f"the sweep counts {row['hits']} hits, the RTL {measured['hits']}"
                raise ValueError(f"{row['scene']}: {hits}")

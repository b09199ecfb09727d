# SPDX-License-Identifier: Apache-2.0
"""Drawing order, texel layout and filter; how often a footprint's rows queue for one cache."""

import numpy as np

from report.pages import Page
from report.tables import Rows
from report.texcache.summary import FILTERS, LAYOUTS, ORDERS, Book
from report.words import mean, pct


def draw(page: Page, book: Book) -> None:
    """The chapter."""
    rows = _rows(book)
    orders = book.values("scene", "order")

    def ranked(value: str) -> list[tuple[str, float]]:
        return [
            (f"{ORDERS[order]}, {words}", _mean(rows, value, filter="bilinear", order=order, layout=layout))
            for order in orders for layout, words in LAYOUTS.items()
        ]  # fmt: skip

    scan = {order: _mean(rows, "bytes_per_pixel", filter="bilinear", order=order, layout=book.base.layout)
            for order in orders}  # fmt: skip
    extra = ", ".join(
        f"{_mean(rows, 'conflicts', filter='bilinear', order='scan', layout=layout):.2f} cycles a footprint "
        f"with {words}" for layout, words in LAYOUTS.items()
    )  # fmt: skip
    every = book.traffic().replace(ORDERS["scan"], "all orders")
    page.draw("orders-traffic", rows, least=min(ranked("bytes_per_pixel"), key=lambda pair: pair[1]),
              fastest=max(ranked("pixels_per_clock"), key=lambda pair: pair[1]), extra=extra,
              scan=scan["scan"], every_order=every,
              tiles=", ".join(f"{ORDERS[order]} {scan[order]:.2f}" for order in orders
                  if order != "scan"))  # fmt: skip
    if not book.own:
        _quads(page, book)


def _rows(book: Book) -> Rows:
    rows: Rows = []
    for filter in FILTERS:
        for order in book.values("scene", "order"):
            for layout, role in book.layout_roles.items():
                for scene in book.scenes:
                    workload = book.scene(scene, filter, order)
                    if not book.has(workload, role):
                        continue
                    run = book(workload, role)
                    rows.append({
                        "filter": filter, "order": order, "layout": layout, "scene": scene,
                        "hit_rate": run.rates.lookup, "footprint_hit_rate": run.rates.footprint,
                        "misses": run.misses, "bytes_per_pixel": run.bytes_per_pixel,
                        "pixels_per_clock": run.speed.pixels_per_clock,
                        "conflicts": run.counters["conflict_cycles"] / run.counters["footprints"],
                    })  # fmt: skip
    return rows


def _mean(rows: Rows, value: str, **chosen: str) -> float:
    return mean(row[value] for row in rows if all(row[key] == word for key, word in chosen.items()))


def _quads(page: Page, book: Book) -> None:
    """One large turned quad per texture, in scan-line order and in tiles."""
    patterns = {"minified": "scan", **{order: order for order in ORDERS if order != "scan"}}
    rows: Rows = []
    for pattern, order in patterns.items():
        if not book.results.of_kind("walk", pattern=pattern):
            continue
        for layout, role in book.layout_roles.items():
            runs = [book(workload, role) for workload in book.results.each("walk", role, pattern=pattern)]
            rows.append({
                "order": order, "layout": layout, "textures": len(runs),
                "hit_rate": mean(run.rates.lookup for run in runs),
                "bytes_per_pixel": mean(run.bytes_per_pixel for run in runs),
                "pixels_per_clock": mean(run.speed.pixels_per_clock for run in runs),
            })  # fmt: skip
    gains = []
    for layout, words in LAYOUTS.items():
        mine = [row for row in rows if row["layout"] == layout]
        best = min(mine, key=lambda row: row["bytes_per_pixel"])
        gains.append(f"{words} {mine[0]['bytes_per_pixel']:.1f} to {best['bytes_per_pixel']:.1f} "
                     f"({ORDERS[best['order']]})")  # fmt: skip
    # the width in texels at which every row of a row-major level begins in the same set of the same cache
    aliasing = book.base.banks * book.base.cache.sets * book.base.line_texels
    walks = [walk for walk in book.values("walk", "pattern") if walk in patterns]
    page.draw("orders-quad", rows, gains="; ".join(gains), aliasing=aliasing, walks=walks)


def draw_rows_apart(page: Page, book: Book) -> None:
    """How often a footprint takes more than one beat, by level and layout."""
    rows: Rows = []
    for layout, role in book.layout_roles.items():
        counts = np.sum(
            [run.by_level for filter in FILTERS for run in book.drawn(role, filter)], axis=0
        )  # fmt: skip
        rows += [
            {"layout": layout, "level": level, "side": book.base.level_side(level), "footprints": footprints,
             "slow": slow, "share": slow / footprints, "_side": f"{book.base.level_side(level)}²"}
            for level, (footprints, _, _, slow) in enumerate(counts.tolist()) if footprints
        ]  # fmt: skip
    sides = [row["side"] for row in rows]
    rows = [{**row, "_common": sides.count(row["side"]) == len(LAYOUTS)} for row in rows]
    own = [row for row in rows if row["layout"] == book.base.layout and row["_common"]]
    always = [row["_side"] for row in own if row["share"] > 0.98 and row["side"] >= book.base.small_side]
    apart = book.base.banks * book.base.cache.sets * book.base.cache.line_bytes // 1024
    waiting = {
        words: sum(row["slow"] for row in rows if row["layout"] == layout)
        / sum(row["footprints"] for row in rows if row["layout"] == layout)
        for layout, words in LAYOUTS.items()
    }
    page.draw("rows-apart", rows, always=page.say(
        "always", layout=LAYOUTS[book.base.layout], sides=" and ".join(always), apart=apart
    ) if always else "", shares=", ".join(
        f"{words} {pct(share)}" for words, share in waiting.items()
    ))  # fmt: skip

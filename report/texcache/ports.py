# SPDX-License-Identifier: Apache-2.0
"""Four single-port caches side by side against one port, on the same traffic in the same run."""

import numpy as np

from report.charts import LOW, Mark, Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, number, percent, percent_tick, plain, size
from report.texcache.results import Workload
from report.texcache.summary import Book
from report.texcache.words import LAYOUTS, layout_roles, scene_traffic
from report.words import mean
from workloads.textures import texture

ROLES = ("base", "single-bank", "single-port")
PUBLISHED_RATIO = 4.0
INSIDE = 4096  # bytes: a range of random addresses well within the cache
Groups = list[tuple[str, list[Workload]]]


def section(book: Book) -> Section:
    """The chapter."""
    intro = (
        f"<p>The baseline is the same template with one bank: {size(book.base.capacity_bytes)} behind one "
        "port that delivers one texel per cycle, as the paper’s comparison has it. A second baseline with "
        "one bank, but a row’s texels at once, tells how much comes from the wider port and how much from "
        "the four caches. All ran the same footprints.</p>"
    )
    return Section("ports", "One port against four", intro, [_ratios(book), _rows_apart(book)])


def by_side(book: Book, reach: int = INSIDE) -> Groups:
    """The paper's generator within ``reach`` bytes, by the side of the texture."""
    runs = book.results.each("generator", "single-port", bytes=reach)
    sides = sorted({texture(one.meta["texture"]).side for one in runs})
    return [
        (f"{side}²", [one for one in runs if texture(one.meta["texture"]).side == side]) for side in sides
    ]


def others(book: Book) -> Groups:
    """Walks and scenes that one port ran, too."""
    groups: Groups = []
    for pattern in book.values("walk", "pattern"):
        runs = book.results.each("walk", "single-port", pattern=pattern)
        groups += [(f"walk\n{pattern}", runs)] if runs else []
    for filter in ("bilinear", "trilinear"):
        groups += [(f"{scene}\n{filter}", [book.scene(scene, filter, "scan")]) for scene in book.scenes]
    return groups


def ratio(book: Book, group: list[Workload], against: str = "single-port") -> float:
    """Mean pixels per clock of the four caches over those of one."""
    fast, slow = (mean(book(one, role).speed.pixels_per_clock for one in group) for role in ("base", against))
    return fast / slow


def _row(book: Book, name: str, group: list[Workload]) -> dict[str, Value]:
    rates = {
        role: mean(book(one, role).speed.pixels_per_clock for one in group)
        for role in ROLES if all(book.has(one, role) for one in group)
    }  # fmt: skip
    hits = {role: mean(book(one, role).rates.fetched for one in group) for role in ("base", "single-port")}
    return {
        "traffic": name.replace("\n", ", "), "base": rates["base"], "single_bank": rates.get("single-bank"),
        "single_port": rates["single-port"], "ratio": ratio(book, group), "hits": hits["base"],
        "hits_single": hits["single-port"],
    }  # fmt: skip


def _ratios(book: Book) -> Figure:
    sides, rest = by_side(book), others(book)
    rows = [_row(book, f"random in {size(INSIDE)}, {name}", group) for name, group in sides]
    rows += [_row(book, name, group) for name, group in rest]

    def chart(groups: Groups, label: str) -> str:
        values = [ratio(book, group) for _, group in groups]
        return bar_chart(
            [name for name, _ in groups],
            [Series("four single-port caches : one port", values)],
            values=True,
            y_label="throughput ratio",
            y_format=fixed(2),
            y_tick=plain,
            y_range=(0.0, 4.6),
            x_label=label,
            marks=[Mark("paper: nearly 4", y=PUBLISHED_RATIO)],
            frame=LOW,
            alt=f"Bars: throughput of the four-port cache over that of one port, by {label}.",
        )

    columns = (
        Column("traffic", "traffic"),
        Column("base", "four caches", "f3", "pixels per clock"),
        Column("single_bank", "one, a row per cycle", "f3", "pixels per clock"),
        Column("single_port", "one port", "f3", "pixels per clock"),
        Column("ratio", "four : one port", "times"),
        Column("hits", "hits, four", "percent", "1 - misses per texel: comparable between the two"),
        Column("hits_single", "hits, one port", "percent", "1 - misses per texel"),
    )
    values = {str(row["traffic"]): number(row["ratio"]) for row in rows}
    high, low = max(values, key=lambda name: values[name]), min(values, key=lambda name: values[name])
    body = chart(rest, "")
    if sides:
        body = (
            f"<h4>random addresses in {size(INSIDE)} (nearly all hits), by the side of the texture</h4>"
            + chart(sides, "side of the texture") + "<h4>walks and scenes</h4>" + body
        )  # fmt: skip
    return Figure(
        "ports-ratio",
        "Throughput of four caches over one port",
        body,
        shows="Pixels per clock of the four-port cache divided by those of one port.",
        learn=f"Highest: {values[high]:.2f} ({high}); lowest: {values[low]:.2f} ({low}). Ports multiply "
        "hits, not memory: where lines are missing both designs wait for the same bus. Where the two rows "
        "of a footprint lie in the same single-port cache, four ports do the work of two. The published "
        "“nearly 4” is the limit for traffic that hits with its rows apart; a row that straddles two lines, "
        f"one in {book.base.line_texels}, keeps even that below 4.",
        traffic=("the paper’s generator and walks over 20 textures (means); " if sides else "")
        + f"{scene_traffic(book)}, and trilinear",
        table=Table("texcache_ports", "Pixels per clock, four caches and one port", columns, rows),
    )


def _rows_apart(book: Book) -> Figure:
    """How often a footprint takes more than one beat, by level and layout."""
    rows: list[dict[str, Value]] = []
    shares: dict[str, dict[int, float]] = {}
    for layout, role in layout_roles(book).items():
        counts = np.sum([
            book(book.scene(scene, filter, "scan"), role).by_level
            for scene in book.scenes for filter in ("bilinear", "trilinear")
        ], axis=0)  # fmt: skip
        shares[layout] = {}
        for level, (footprints, _, _, slow) in enumerate(counts.tolist()):
            if footprints:
                side = book.base.level_side(level)
                shares[layout][side] = slow / footprints
                rows.append({
                    "layout": layout, "level": level, "side": side, "footprints": footprints, "slow": slow,
                    "share": slow / footprints,
                })  # fmt: skip
    sides = sorted(set.intersection(*(set(one) for one in shares.values())), reverse=True)
    series = [Series(LAYOUTS[layout], [one[side] for side in sides]) for layout, one in shares.items()]
    own = shares[book.base.layout]
    always = [f"{side}²" for side in sides if own[side] > 0.98 and not side < book.base.small_side]
    columns = (
        Column("layout", "layout"),
        Column("level", "level", "count"),
        Column("side", "side", "plain"),
        Column("footprints", "footprints", "count"),
        Column("slow", "more than one beat", "count"),
        Column("share", "share", "percent"),
    )
    return Figure(
        "rows-apart",
        "How often a footprint has to wait for its own rows",
        bar_chart(
            [f"{side}²" for side in sides],
            series,
            y_label="share of the footprints",
            y_format=percent,
            y_tick=percent_tick,
            y_range=(0.0, 1.0),
            x_label="side of the level",
            frame=LOW,
            alt="Bars: share of the footprints whose look-ups need more than one cycle, by level and layout.",
        ),
        shows="Share of the footprints whose look-ups take more than one cycle, because two of them go to "
        "the same single-port cache; whether they hit does not matter.",
        learn=f"Levels below {book.base.small_side}² live in one cache and always wait, as published. "
        + (
            f"In {LAYOUTS[book.base.layout]} layout so do {' and '.join(always)}: their rows are a multiple "
            f"of {book.base.banks * book.base.cache.sets * book.base.cache.line_bytes // 1024} KB apart, "
            "which leaves the bits that choose the cache unchanged. "
            if always
            else ""
        )
        + "A tiled layout keeps neighbouring rows close together, often in the same line, and a line is in "
        "one cache only: fewer misses, more waiting.",
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table("texcache_rows", "Footprints of more than one beat by level and layout", columns, rows),
    )

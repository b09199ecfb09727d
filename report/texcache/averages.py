# SPDX-License-Identifier: Apache-2.0
"""The paper's three averages, all measured on each traffic: one may be met where the next is missed."""

from report.page import Figure
from report.tables import Column, Table, Value, number, size
from report.texcache.ports import by_side, others, ratio
from report.texcache.results import Workload
from report.texcache.summary import Book
from report.words import mean, pct

RANGES = (4096, 8192)  # half the cache, all of it
PUBLISHED: dict[str, Value] = {
    "traffic": "paper", "fetched": 0.925, "lookup": None, "ports": 4.0, "row": None, "pixels_per_clock": 0.8,
}  # fmt: skip
#: what counts as "about": a point of the hit rate, a tenth of the others
NEAR = {"fetched": 0.01, "ports": 0.4, "pixels_per_clock": 0.08}


def figure(book: Book) -> Figure:
    """The table, open on the page."""
    rows = _rows(book)
    met = {key: [str(row["traffic"]) for row in rows if _near(row, key)] for key in NEAR}
    every = [row for row in rows if all(_near(row, key) for key in NEAR)]
    columns = (
        Column("traffic", "traffic"),
        Column("fetched", "hits per texel", "percent", "1 - misses per texel, one after the other"),
        Column("lookup", "hits per look-up", "percent"),
        Column("ports", "times one port", "times", "that delivers one texel per cycle"),
        Column("row", "times one bank", "times", "that delivers a row of the footprint per cycle"),
        Column("pixels_per_clock", "pixel/clock", "f2"),
    )
    words = {"fetched": "92.5 %", "ports": "nearly 4 times", "pixels_per_clock": "0.8 pixel/clock"}
    counted = "; ".join(
        f"{words[key]} by {len(names)} of {len(rows)} ({', '.join(names) or 'none'})"
        for key, names in met.items()
    )
    drawn = mean(number(row["row"]) for row in rows if row["traffic"] in _scenes(book))
    return Figure(
        "averages",
        "All three averages for each traffic",
        "",
        shows="Hit rate, throughput against one port and against one bank that reads a row at once, and "
        "pixel rate, measured together.",
        learn=(
            f"{'No traffic meets all three' if not every else f'{len(every)} meet all three'}. Met are "
            f"{counted}; near means within {pct(NEAR['fetched'])} or a tenth of the figure. Against a bank "
            f"that delivers a row per cycle, four ports give {drawn:.2f} times on the scenes: the rest of "
            "the gain over one port is a wider read, not more caches."
        ),
        traffic="as each row says; means over textures or of one scene in scan-line order",
        table=Table("texcache_averages", "Three averages, by traffic", columns, [PUBLISHED, *rows]),
        open_table=True,
    )


def _near(row: dict[str, Value], key: str) -> bool:
    return abs(number(row[key]) - number(PUBLISHED[key])) <= NEAR[key]


def _scenes(book: Book) -> set[str]:
    return {f"{scene}, bilinear" for scene in book.scenes}


def _rows(book: Book) -> list[dict[str, Value]]:
    groups: list[tuple[str, list[Workload]]] = []
    for reach in RANGES:
        sides = by_side(book, reach)
        every = [one for _, group in sides for one in group]
        groups += [(f"random within {size(reach)}, textures of {side}", group) for side, group in sides]
        groups += [(f"random within {size(reach)}, all textures", every)] if every else []
    groups += [(name.replace("\n", ", "), group) for name, group in others(book)]
    return [_row(book, name, group) for name, group in groups]


def _row(book: Book, name: str, group: list[Workload]) -> dict[str, Value]:
    rowwise = all(book.has(one, "single-bank") for one in group)
    return {
        "traffic": name,
        "fetched": mean(book(one).rates.fetched for one in group),
        "lookup": mean(book(one).rates.lookup for one in group),
        "ports": ratio(book, group),
        "row": ratio(book, group, "single-bank") if rowwise else None,
        "pixels_per_clock": mean(book(one).speed.pixels_per_clock for one in group),
    }

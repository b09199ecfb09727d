# SPDX-License-Identifier: Apache-2.0
"""Four single-port caches side by side against one port, on the same traffic in the same run."""

from report.charts import Mark, Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed
from report.texcache.results import Workload
from report.texcache.summary import Book
from report.texcache.words import COMMAND, mean, scene_traffic

ROLES = {
    "single-port": "one port, one texel per cycle",
    "single-bank": "one port, a row per cycle",
    "base": "four single-port caches",
}
PUBLISHED_RATIO = 4.0


def section(book: Book) -> Section:
    """The chapter."""
    capacity = book.base.capacity_bytes // 1024
    intro = (
        f"<p>The baseline is the same template with one bank: {capacity} KB behind one port that delivers one texel per "
        "cycle, as the paper’s comparison has it. A second baseline with one bank, but a row’s texels at once, tells "
        "how much comes from the wider port and how much from the four caches. All ran the same footprints.</p>"
    )
    return Section("ports", "One port against four", intro, [_figure(book)])


def _workloads(book: Book) -> list[tuple[str, list[Workload]]]:
    """Groups of runs, each a bar: the generator at its smallest and at the cache's own range, then the scenes."""
    groups: list[tuple[str, list[Workload]]] = []
    for reach in [reach for reach in book.values("generator", "bytes") if reach in (4096, 8192, 16384)]:
        groups.append((f"random\n{reach // 1024} KB", book.results.each("generator", "single-port", bytes=reach)))
    for pattern in book.values("walk", "pattern"):
        groups.append((f"walk\n{pattern}", book.results.each("walk", "single-port", pattern=pattern)))
    for filter in ("bilinear", "trilinear"):
        groups += [(f"{scene}\n{filter}", [book.scene(scene, filter, "scan")]) for scene in book.scenes]
    return groups


def _figure(book: Book) -> Figure:
    rows: list[dict[str, Value]] = []
    for name, group in _workloads(book):
        rates = {
            role: mean(book(one, role).speed.pixels_per_clock for one in group)
            for role in ROLES if all(book.has(one, role) for one in group)
        }
        hits = {role: mean(book(one, role).rates.fetched for one in group) for role in ("base", "single-port")}
        rows.append({
            "traffic": name.replace("\n", ", "), "base": rates["base"], "single_bank": rates.get("single-bank"),
            "single_port": rates["single-port"], "ratio": rates["base"] / rates["single-port"],
            "hits": hits["base"], "hits_single": hits["single-port"],
        })  # fmt: skip
    names = [name for name, _ in _workloads(book)]
    ratios = [float(row["ratio"]) for row in rows]  # type: ignore[arg-type]
    columns = (
        Column("traffic", "traffic"), Column("base", "four caches", "f3", "pixels per clock"),
        Column("single_bank", "one, a row per cycle", "f3", "pixels per clock"),
        Column("single_port", "one port", "f3", "pixels per clock"), Column("ratio", "four : one port", "times"),
        Column("hits", "hits, four", "percent", "1 - misses per texel: comparable between the two"),
        Column("hits_single", "hits, one port", "percent", "1 - misses per texel"),
    )
    chart = bar_chart(
        names, [Series("four single-port caches : one port", ratios)], values=True, y_label="throughput ratio",
        y_format=fixed(2), y_tick=fixed(1), marks=[Mark("paper: nearly 4", y=PUBLISHED_RATIO)], y_range=(0.0, 4.5),
        alt="Bars: throughput of the four-port cache over that of one port, by traffic.",
    )
    low, high = min(ratios), max(ratios)
    return Figure(
        "ports-ratio", "Throughput of four caches over one port", chart,
        shows="Pixels per clock of the four-port cache divided by those of one port.",
        learn=f"The ratio is {high:.2f} where nearly everything hits and {low:.2f} where misses dominate: ports multiply "
        "the hits, not the memory. The published “nearly 4” is the limit for traffic that hits.",
        traffic=f"the paper’s generator and walks over 20 textures (means); {scene_traffic(book)}, and trilinear",
        command=COMMAND, table=Table("texcache_ports", "Pixels per clock, four caches and one port", columns, rows),
        open_table=True,
    )

# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, each with the traffic that gave it."""

from dataclasses import dataclass

from report.page import Figure, Section
from report.tables import Column, Table, size
from report.texcache.cases import CASES, measured_cases
from report.texcache.generator import crossing, curve
from report.texcache.summary import Book
from report.texcache.words import COMMAND, mean, pct, scene_traffic


INSIDE = 4096  # bytes: a range well within the cache
SHOWN_RANGES = (4096, 8192, 9216, 16384)


@dataclass(frozen=True)
class Claim:
    """One figure of the paper and what was measured for it; ``ours`` is for reading, ``value`` for files."""

    what: str
    paper: str
    ours: str
    value: float
    traffic: str
    remark: str

    def row(self) -> dict[str, str | float]:
        return self.__dict__.copy()


COLUMNS = (
    Column("what", "figure"),
    Column("paper", "paper"),
    Column("ours", "measured"),
    Column("value", "value", "plain", "the number itself, unrounded in the files"),
    Column("traffic", "traffic"),
    Column("remark", "remark"),
)


def cycle_claims(book: Book) -> list[Claim]:
    """The six published cycle counts."""
    claims = []
    for case, found in zip(CASES, measured_cases(book), strict=True):
        if found is None:
            continue
        seen = f"{found.least}" if found.least == found.most or not case.fixed else f"{found.least} to {found.most}"
        claims.append(Claim(
            f"cycles: {case.name}", str(case.published), f"{seen} cycles", float(found.least),
            f"{found.count} such footprints of {found.total}, requests apart",
            "the same in each of them" if case.fixed and found.least == found.most else "the least: longer if its "
            "line is still on the way",
        ))
    return claims


def hit_rate_claims(book: Book) -> list[Claim]:
    """The mean hit rate over 20 textures."""
    claims = []
    places = curve(book)
    for place in places:
        if place.bytes in SHOWN_RANGES:
            claims.append(Claim(
                "mean hit rate over 20 textures", "about 92.5 %", pct(place.rates.lookup, 2), place.rates.lookup,
                f"the paper’s generator, addresses at random within {size(place.bytes)}, 20 textures",
                "per look-up; the paper does not give its range, see “92.5 %” below",
            ))
    reach = crossing(places, "lookup")
    if reach is not None:
        claims.append(Claim(
            "range that gives 92.5 %", "not given", f"{reach / 1024:.1f} KB", reach / 1024,
            "the same generator over ranges from " f"{size(places[0].bytes)} to {size(places[-1].bytes)}",
            f"{100 * reach / book.base.capacity_bytes:.0f} % of the cache's {book.base.capacity_bytes // 1024} KB",
        ))
    return claims


def speed_claims(book: Book) -> list[Claim]:
    """Throughput against one port, and pixels per clock."""
    claims = []
    inside = INSIDE
    fast = [book(one).speed.pixels_per_clock for one in book.results.each("generator", bytes=inside)]
    slow = [
        book(one, "single-port").speed.pixels_per_clock
        for one in book.results.each("generator", "single-port", bytes=inside)
    ]
    ratio = mean(fast) / mean(slow)
    claims.append(Claim(
        "throughput against one port", "nearly 4 ×", f"{ratio:.2f} ×", ratio,
        f"the paper's generator within {inside / 1024:g} KB: almost every access hits",
        "the upper end: a port serves one texel per cycle, the four serve a footprint",
    ))
    scenes = [book.scene(name, "bilinear", "scan") for name in book.scenes]
    ratios = [book(one).speed.pixels_per_clock / book(one, "single-port").speed.pixels_per_clock for one in scenes]
    claims.append(Claim(
        "throughput against one port", "nearly 4 ×", f"{mean(ratios):.2f} ×", mean(ratios), scene_traffic(book),
        "both wait for the same memory, which evens them out",
    ))
    rate = mean(fast)
    claims.append(Claim(
        "pixel rate", "0.8 pixel/clock", f"{rate:.2f} pixel/clock", rate,
        f"the paper's generator within {inside / 1024:g} KB", "bounded by rows that share a cache, not by misses",
    ))
    rates = [book(one).speed.pixels_per_clock for one in scenes]
    claims.append(Claim(
        "pixel rate", "0.8 pixel/clock", f"{mean(rates):.2f} pixel/clock", mean(rates), scene_traffic(book),
        "misses at 35 cycles each and stops until the FIFO has drained; see depth and resume below",
    ))
    single = [book(one, "single-port").speed.pixels_per_clock for one in scenes]
    claims.append(Claim(
        "pixel rate of the simpler design", "0.1 pixel/clock (cited)", f"{mean(single):.2f} pixel/clock",
        mean(single), f"one port; {scene_traffic(book)}", "another design than the cited one, the same idea",
    ))
    return claims


def section(book: Book) -> Section:
    """The chapter."""
    claims = [*cycle_claims(book), *hit_rate_claims(book), *speed_claims(book)]
    exact = sum(
        found is not None and case.published == found.least
        for case, found in zip(CASES, measured_cases(book), strict=True)
    )
    table = Table(
        "texcache_paper", "The paper's numbers beside ours", COLUMNS, [claim.row() for claim in claims],
        note="Paper: Han et al., Design of texture cache for embedded mobile graphics processing unit, 2019 "
        "(DOI 10.16157/j.issn.0258-7998.182489). Its tables are pictures; these are the numbers of its prose.",
    )
    figure = Figure(
        "paper-table", "Published and measured", "", table=table, open_table=True,
        shows="Every number that survives in the paper’s text, what our RTL gave, and for which traffic.",
        learn=f"{exact} of the {len(CASES)} published cycle counts come out exactly. The averages depend on traffic "
        "that the paper does not describe; the rows name ours instead of tuning it until they match.",
        traffic="as each row says", command=COMMAND,
    )
    intro = (
        "<p>The paper gives six cycle counts, a mean hit rate, a throughput ratio and a pixel rate. Cycle counts are a "
        "property of the pipeline and can be compared directly. Rates are a property of the traffic: the paper says "
        "“addresses at random within a given range, in a loop” and leaves the range, the texel layout, the FIFO "
        "depth and the memory’s latency open.</p>"
    )
    return Section("paper", "The paper’s numbers beside ours", intro, [figure])


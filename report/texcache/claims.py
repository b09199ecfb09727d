# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, each with the traffic that gave it."""

from report.claims import Claim, claims_figure, claims_table
from report.page import Section
from report.tables import size, whole
from report.texcache import averages
from report.texcache.cases import CASES, measured_cases
from report.texcache.generator import crossing, curve
from report.texcache.ports import INSIDE, by_side, ratio
from report.texcache.results import Workload
from report.texcache.summary import Book
from report.words import mean, pct

SHOWN_RANGES = (4096, 8192, 16384)


def cycle_claims(book: Book) -> list[Claim]:
    """The published cycle counts."""
    claims = []
    for case, found in zip(CASES, measured_cases(book), strict=True):
        if found is None:
            continue
        same = found.least == found.most
        remark = "fixed: the same in each" if same else "the least; more while its line is on the way"
        claims.append(Claim(
            case.name, f"{case.published} cycles", f"{found.least} cycles", float(found.least),
            f"{whole(found.count)} of {whole(found.total)} spaced requests", remark,
        ))  # fmt: skip
    return claims


def hit_rate_claims(book: Book) -> list[Claim]:
    """The mean hit rate over 20 textures."""
    what, places = "mean hit rate, 20 textures", curve(book)
    claims = []
    for place in places:
        if place.bytes not in SHOWN_RANGES:
            continue
        shown = {"per look-up": place.rates.lookup}
        if place.bytes == book.base.capacity_bytes:
            shown["per texel, one after the other"] = place.rates.fetched
        for counted, value in shown.items():
            traffic = f"random addresses within {size(place.bytes)}"
            claims.append(Claim(what, "about 92.5 %", pct(value), value, traffic, f"counted {counted}"))
    reach = crossing(places, "lookup")
    if reach is not None:
        share = f"per look-up; {100 * reach / book.base.capacity_bytes:.0f} % of the cache"
        told = f"between ranges of {size(places[0].bytes)} and {size(places[-1].bytes)}"
        claims.append(
            Claim("range that gives 92.5 %", "not given", f"{reach / 1024:.1f} KB", reach, told, share)
        )
    return claims


def speed_claims(book: Book) -> list[Claim]:
    """Throughput against one port, and pixels per clock."""
    groups = by_side(book)
    best, (name, group) = max((ratio(book, group), (name, group)) for name, group in groups)
    scenes = [book.scene(scene, "bilinear", "scan") for scene in book.scenes]

    def rate(runs: list[Workload], role: str = "base") -> float:
        return mean(book(one, role).speed.pixels_per_clock for one in runs)

    inside = f"random addresses within {size(INSIDE)}"
    every = [one for _, found in groups for one in found]
    against, pixels = "throughput against one port", "pixel rate"
    drawn = f"{len(scenes)} scenes, bilinear"

    def times(value: float, traffic: str, remark: str) -> Claim:
        return Claim(against, "nearly 4 ×", f"{value:.2f} ×", value, traffic, remark)

    def per_clock(value: float, traffic: str, remark: str, paper: str = "about 0.8") -> Claim:
        return Claim(pixels, f"{paper} pixel/clock", f"{value:.2f} pixel/clock", value, traffic, remark)

    return [
        times(best, f"{inside}, textures of {name}", "nearly all hit, and rows lie in different caches"),
        times(
            ratio(book, every),
            f"{inside}, all textures",
            "rows of wide textures share a cache: see “One port”",
        ),
        times(mean(ratio(book, [one]) for one in scenes), drawn, "both wait for the same memory"),
        per_clock(rate(group), f"{inside}, textures of {name}", "the limit is one footprint per clock"),
        per_clock(rate(every), f"{inside}, all textures", "rows that share a cache take two cycles"),
        per_clock(rate(scenes), drawn, "misses, and stop until drained: see “How long it takes”"),
        per_clock(
            rate(scenes, "single-port"),
            f"one port; {drawn}",
            "the cited design is another one",
            "0.1 (cited)",
        ),
    ]


def section(book: Book) -> Section:
    """The chapter."""
    claims = [*cycle_claims(book), *hit_rate_claims(book), *speed_claims(book)]
    exact = sum(
        found is not None and case.published == found.least
        for case, found in zip(CASES, measured_cases(book), strict=True)
    )
    table = claims_table(
        "texcache_paper", claims, source="paper",
        note="Paper: Han et al., Design of texture cache for embedded mobile graphics processing unit, 2019 "
        "(DOI 10.16157/j.issn.0258-7998.182489). Its tables are pictures; these are the numbers of its "
        "prose.",
    )  # fmt: skip
    figure = claims_figure(
        table, source="paper",
        shows="Every number that survives in the paper’s text, what our RTL gave, and for which traffic.",
        learn=f"{exact} of the {len(CASES)} published cycle counts come out exactly. The averages depend on "
        "traffic that the paper does not describe; the rows name ours instead of tuning it until they "
        "match.",
    )  # fmt: skip
    intro = (
        "<p>The paper gives six cycle counts, a mean hit rate, a throughput ratio and a pixel rate. Cycle "
        "counts are a property of the pipeline and can be compared directly. Rates are a property of the "
        "traffic: the paper says “addresses at random within a given range, in a loop” and leaves the "
        "range, the texel layout, the FIFO depth and the memory’s latency open.</p>"
    )
    return Section("paper", "The paper’s numbers beside ours", intro, [figure, averages.figure(book)])

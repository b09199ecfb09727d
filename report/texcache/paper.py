# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, the traffic that gave each; its generator, and one port against four."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from report.pages import Page
from report.tables import Rows, size
from report.texcache.metrics import Rates, footprint_hits
from report.texcache.results import StoredRun, Workload
from report.texcache.summary import FILTERS, Book
from report.words import mean
from workloads.textures import texture

HIT, QUEUED, MISS = "hit", "queued", "miss"


@dataclass(frozen=True)
class Case:
    """A case of the paper: its cycles from request to texels; ``fixed``: no luck is involved."""

    name: str
    kind: str
    beats: int
    published: int
    fixed: bool


CASES = (
    Case("hit, rows in different caches", HIT, 1, 2, True),
    Case("hit, rows in the same cache", HIT, 2, 3, True),
    Case("line waits in the FIFO, different caches", QUEUED, 1, 6, False),
    Case("line waits in the FIFO, same cache", QUEUED, 2, 7, False),
    Case("line missing, FIFO empty, different caches", MISS, 1, 35, True),
    Case("line missing, FIFO empty, same cache", MISS, 2, 36, True),
)


@dataclass(frozen=True)
class Found:
    """Cycles of the footprints of one case: least, most, how many of how many."""

    least: int
    most: int
    count: int
    total: int


def kind_of(run: StoredRun) -> NDArray[np.str_]:
    """Kind of each footprint: "hit" and "miss" on an idle cache, "queued" behind others, "" for the rest.

    Idle: the result before had left. Queued: not idle, and not answered past the FIFO.
    """
    idle = np.ones(len(run.latency), bool)
    idle[1:] = run.t_request[1:] > run.t_result[:-1]
    missing = run.result["valid"].sum(axis=1, dtype=int) - run.result["hit"].sum(axis=1, dtype=int)
    direct = run.latency == 1 + run.result["beats"]
    kinds = np.full(len(idle), "", "U6")
    kinds[idle & footprint_hits(run.result)] = HIT
    kinds[idle & (missing == 1)] = MISS
    kinds[~idle & ~direct] = QUEUED
    return kinds


def measured_cases(book: Book) -> list[Found | None]:
    """Cycles of the RTL for each of :data:`CASES`; None for one that this configuration cannot have."""
    workload = book.results.of_kind("cycles")[0]
    run = book.results.run(workload)
    kinds, beats, latency = kind_of(run), run.result["beats"], run.latency
    spans: list[Found | None] = []
    for case in CASES:
        chosen = latency[(kinds == case.kind) & (beats == case.beats)]
        span = Found(int(chosen.min()), int(chosen.max()), len(chosen), len(latency)) if len(chosen) else None
        spans.append(span)
    return spans


TARGET = 0.925
INSIDE = 4096  # bytes: half the cache, so that nearly everything hits
RANGES = (INSIDE, 8192)  # half the cache, all of it
CLAIMED_RANGES = (4096, 8192, 16384)
COUNTING = {
    "fetched": "sequential texels",
    "texel": "texels at once",
    "lookup": "look-ups",
    "footprint": "footprints",
}
RATES = ("fetched", "texel", "lookup", "footprint")
PUBLISHED: dict[str, Any] = {
    "traffic": "paper", "fetched": TARGET, "lookup": None, "ports": 4.0, "row": None, "pixels_per_clock": 0.8,
}  # fmt: skip
#: what counts as "about": a point of the hit rate, a tenth of the others
NEAR = {"fetched": 0.01, "ports": 0.4, "pixels_per_clock": 0.08}
Group = tuple[str, list[Workload]]


@dataclass(frozen=True)
class Place:
    """Hit rates for addresses within ``bytes``: means over the textures, least and most per look-up."""

    bytes: int
    rates: Rates
    least: float
    most: float
    pixels_per_clock: float


def curve(book: Book) -> list[Place]:
    """Hit rates of the RTL for each range."""
    places = []
    for reach in book.values("generator", "bytes"):
        runs = [book(workload) for workload in book.results.each("generator", bytes=reach)]
        lookup = [run.rates.lookup for run in runs]
        rates = Rates(**{name: mean(getattr(run.rates, name) for run in runs) for name in COUNTING})
        rate = mean(run.speed.pixels_per_clock for run in runs)
        places.append(Place(reach, rates, min(lookup), max(lookup), rate))
    return places


def crossing(places: Sequence[Place], counting: str, target: float = TARGET) -> float | None:
    """The range in bytes at which the rate falls through ``target``, interpolated; None if never."""
    for before, after in pairwise(places):
        high, low = getattr(before.rates, counting), getattr(after.rates, counting)
        if high >= target > low:
            return before.bytes + (high - target) / (high - low) * (after.bytes - before.bytes)
    return None


def by_side(book: Book, reach: int = INSIDE) -> list[Group]:
    """The paper's generator within ``reach`` bytes, by the side of the texture."""
    runs = book.results.each("generator", "single-port", bytes=reach)
    sides = sorted({texture(workload.meta["texture"]).side for workload in runs})
    return [
        (f"{side}²", [workload for workload in runs if texture(workload.meta["texture"]).side == side])
        for side in sides
    ]


def others(book: Book) -> list[Group]:
    """Walks and scenes that one port ran, too."""
    groups = [
        (f"walk\n{pattern}", runs)
        for pattern in book.values("walk", "pattern")
        if (runs := book.results.each("walk", "single-port", pattern=pattern))
    ]
    return groups + [
        (f"{scene}\n{filter}", [book.scene(scene, filter, "scan")])
        for filter in FILTERS
        for scene in book.scenes
    ]


def speed(book: Book, group: Sequence[Workload], role: str = "base") -> float:
    """Mean pixels per clock."""
    return mean(book(workload, role).speed.pixels_per_clock for workload in group)


def ratio(book: Book, group: Sequence[Workload], against: str = "single-port") -> float:
    """Mean pixels per clock of the four caches over those of one."""
    return speed(book, group) / speed(book, group, against)


def draw(page: Page, book: Book) -> None:
    """The chapters that are not about scenes: claims, averages, the generator's range."""
    places = curve(book)
    _claims(page, book, places)
    _draw_averages(page, book)
    reached = [
        f"{place / 1024:.1f} KB {words}"
        for name, words in COUNTING.items() if (place := crossing(places, name)) is not None
    ]  # fmt: skip
    rows = [
        {"bytes": place.bytes, **{name: getattr(place.rates, name) for name in RATES}, "least": place.least,
         "most": place.most,
         "pixels_per_clock": place.pixels_per_clock}
        for place in places
    ]  # fmt: skip
    page.draw(
        "range-curve", rows,
        powers=[float(place.bytes) for place in places if not place.bytes & place.bytes - 1],
        count=book(book.results.of_kind("generator")[0]).counters["footprints"],
        reached=f"Range that gives 92.5 %: {', '.join(reached) or 'none measured'}.",
        first=places[0].bytes, last=places[-1].bytes, ends=[place.rates.lookup for place in (places[0],
            places[-1])],
    )  # fmt: skip


def _claims(page: Page, book: Book, places: Sequence[Place]) -> None:
    for case, span in zip(CASES, measured_cases(book), strict=True):
        if span is not None:
            fixed = span.least == span.most
            page.claim("cycles", float(span.least), case=case, found=span,
                       same=case.published == span.least,
                       remark=page.say("fixed" if fixed else "least"))  # fmt: skip
    for place in places:
        if place.bytes in CLAIMED_RANGES:
            page.claim("hits", place.rates.lookup, bytes=place.bytes, counted="hits per look-up")
            if place.bytes == book.base.capacity_bytes:
                page.claim(
                    "hits", place.rates.fetched, bytes=place.bytes, counted="hits per texel, sequential"
                )
    if (reach := crossing(places, "lookup")) is not None:
        page.let(kilobytes=reach / 1024)
        page.claim("range", reach, first=places[0].bytes, last=places[-1].bytes,
                   share=100 * reach / book.base.capacity_bytes)  # fmt: skip
    groups = by_side(book)
    best, (side, group) = max((ratio(book, group), (name, group)) for name, group in groups)
    scenes = [book.scene(scene, "bilinear", "scan") for scene in book.scenes]
    every = [workload for _, members in groups for workload in members]
    page.let(inside=INSIDE, side=side, best=speed(book, group))
    page.let(range_told=page.say("range_told") if "kilobytes" in page.values else "")
    page.let(best_told=page.say("best_told"))
    page.claim("times_best", best)
    page.claim("times_all", ratio(book, every))
    page.claim("times_scenes", mean(ratio(book, [scene]) for scene in scenes), scenes=len(scenes))
    page.claim("rate_best", page.values["best"])
    page.claim("rate_all", speed(book, every))
    page.claim("rate_scenes", speed(book, scenes), scenes=len(scenes))
    page.claim("rate_single", speed(book, scenes, "single-port"), scenes=len(scenes))
    page.draw_claims("paper", cases=len(CASES))


def _draw_averages(page: Page, book: Book) -> None:
    """The paper's three averages, all measured on each traffic: one may be met where the next is missed."""
    groups: list[Group] = []
    for reach in RANGES:
        sides = by_side(book, reach)
        every = [workload for _, group in sides for workload in group]
        groups += [(f"random within {size(reach)}, textures of {side}", group) for side, group in sides]
        groups += [(f"random within {size(reach)}, all textures", every)] if every else []
    groups += [(name.replace("\n", ", "), group) for name, group in others(book)]
    rows = [_averages(book, name, group) for name, group in groups]
    scenes = {f"{scene}, bilinear" for scene in book.scenes}
    page.draw(
        "averages", [PUBLISHED, *rows], near={key: sum(_near(row, key) for row in rows) for key in NEAR},
        rows=len(rows), meet=sum(all(_near(row, key) for key in NEAR) for row in rows) or "none",
        drawn_row=mean(row["row"] for row in rows if row["traffic"] in scenes),
    )  # fmt: skip


def _near(row: Mapping[str, Any], key: str) -> bool:
    return bool(abs(row[key] - PUBLISHED[key]) <= NEAR[key])


def _averages(book: Book, name: str, group: list[Workload]) -> dict[str, Any]:
    return {
        "traffic": name,
        "fetched": mean(book(workload).rates.fetched for workload in group),
        "lookup": mean(book(workload).rates.lookup for workload in group),
        "ports": ratio(book, group),
        "row": ratio(book, group, "single-bank") if book.have(group, "single-bank") else None,
        "pixels_per_clock": speed(book, group),
    }


def draw_ports(page: Page, book: Book) -> None:
    """Throughput of four caches over one port, by traffic."""
    sides = by_side(book)
    groups = [(f"random in {size(INSIDE)}, {name}", name, group) for name, group in sides]
    groups += [(name.replace("\n", ", "), name, group) for name, group in others(book)]
    rows: Rows = [
        {
            "traffic": traffic, "base": speed(book, group),
            "single_bank": speed(book, group, "single-bank") if book.have(group, "single-bank") else None,
            "single_port": speed(book, group, "single-port"), "ratio": ratio(book, group),
            "hits": mean(book(workload).rates.fetched for workload in group),
            "hits_single": mean(book(workload, "single-port").rates.fetched for workload in group),
            "_name": name, "_random": number < len(sides),
        }
        for number, (traffic, name, group) in enumerate(groups)
    ]  # fmt: skip
    values = [(str(row["traffic"]), row["ratio"]) for row in rows]
    page.draw(
        "ports-ratio", rows, high=max(values, key=lambda pair: pair[1]), low=min(values,
            key=lambda pair: pair[1]),
        inside=INSIDE,
        generated="the paper’s generator and walks over single textures (means); " if sides else "",
    )  # fmt: skip

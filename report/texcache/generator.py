# SPDX-License-Identifier: Apache-2.0
"""The paper's generator: addresses at random within a range, and which range gives 92.5 %."""

from dataclasses import asdict, dataclass
from itertools import pairwise

from report.charts import Mark, Series, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, percent, percent_tick, size, whole
from report.texcache.metrics import Rates
from report.texcache.summary import Book
from report.words import mean

TARGET = 0.925
COUNTING = {
    "fetched": "per texel, one after the other",
    "texel": "per texel",
    "footprint": "per footprint",
    "lookup": "per look-up (row of a footprint)",
}


@dataclass(frozen=True)
class Place:
    """Hit rates for addresses within ``bytes``: means over the textures, least and most per look-up."""

    bytes: int
    rates: Rates
    least: float
    most: float
    pixels_per_clock: float


def curve(book: Book) -> list[Place]:
    """What the RTL gave for each range."""
    places = []
    for reach in book.values("generator", "bytes"):
        runs = [book(one) for one in book.results.each("generator", bytes=reach)]
        lookup = [one.rates.lookup for one in runs]
        rates = Rates(**{name: mean(getattr(one.rates, name) for one in runs) for name in COUNTING})
        rate = mean(one.speed.pixels_per_clock for one in runs)
        places.append(Place(reach, rates, min(lookup), max(lookup), rate))
    return places


def crossing(places: list[Place], counting: str, target: float = TARGET) -> float | None:
    """The range in bytes at which the rate falls through ``target``, interpolated; None if never."""
    for before, after in pairwise(places):
        high, low = getattr(before.rates, counting), getattr(after.rates, counting)
        if high >= target > low:
            return before.bytes + (high - target) / (high - low) * (after.bytes - before.bytes)
    return None


def section(book: Book) -> Section:
    """The chapter."""
    places = curve(book)
    capacity = book.base.capacity_bytes
    intro = (
        "<p>“Addresses at random within a given range, in a loop”: that is all the paper says of its "
        "generator, and the range decides everything. So here is the hit rate as a function of the range, "
        "instead of one range that was chosen to fit. All points come from the RTL.</p>"
    )
    return Section("generator", "92.5 %, and where it comes from", intro, [_figure(book, places, capacity)])


def _figure(book: Book, places: list[Place], capacity: int) -> Figure:
    x = [float(place.bytes) for place in places]
    series = [
        Series(words, [getattr(place.rates, name) for place in places], x, dashed=name == "lookup")
        for name, words in COUNTING.items()
    ]
    found = {name: crossing(places, name) for name in COUNTING}
    told = [
        f"{COUNTING[name]} at {place / 1024:.1f} KB" for name, place in found.items() if place is not None
    ]
    chart = line_chart(
        series,
        x_label="range of the addresses",
        y_label="hit rate",
        x_format=size,
        y_format=percent,
        y_tick=percent_tick,
        log=2,
        y_range=(0.0, 1.0),
        ticks=[value for value in x if value.is_integer() and int(value) & int(value) - 1 == 0],
        marks=[Mark("paper: 92.5 %", y=TARGET), Mark(f"the cache: {size(capacity)}", x=float(capacity))],
        alt="Line chart: hit rate over the range of random addresses. It stays near 100 % while the range "
        "fits into the cache and falls quickly beyond it.",
    )
    learn = (
        "Random addresses have no locality except that they come back: while the range fits into "
        f"{size(capacity)} only first uses miss, beyond it the hit rate falls towards the share of the range "
        "that fits. "
        + (f"92.5 % is reached {'; '.join(told)}. " if told else "No measured range gives 92.5 %. ")
        + "A published mean of 92.5 % therefore says that the range was about as large as the cache; it "
        "says little about textures. How hits are counted moves the number as much as the design does."
    )
    rows = [
        {"bytes": place.bytes, **asdict(place.rates), "least": place.least, "most": place.most,
         "pixels_per_clock": place.pixels_per_clock}
        for place in places
    ]  # fmt: skip
    columns = (
        Column("bytes", "range", "size"),
        Column("fetched", "one texel after the other", "percent"),
        Column("texel", "per texel", "percent"),
        Column("lookup", "per look-up", "percent"),
        Column("footprint", "per footprint", "percent"),
        Column("least", "lowest texture", "percent", "per look-up"),
        Column("most", "highest texture", "percent", "per look-up"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
    )
    textures = len(book.results.each("generator", bytes=places[0].bytes))
    count = book(book.results.of_kind("generator")[0]).counters["footprints"]
    return Figure(
        "range-curve",
        "Hit rate over the generator’s range",
        chart,
        shows=f"Mean over {textures} textures. The four curves count the same hits in four ways; per texel "
        "and per look-up nearly coincide.",
        learn=learn,
        traffic=f"random addresses within the range, at most the whole largest level, of each of {textures} "
        f"textures; {whole(count)} footprints each, from a cold cache",
        table=Table("texcache_range", "Hit rate over the generator's range", columns, rows),
    )

# SPDX-License-Identifier: Apache-2.0
"""Samples per clock of one and of all units, and where the time goes."""

from report.charts import Series, bar_chart, line_chart, shares_chart
from report.page import Figure, Section
from report.svg import Format
from report.tables import Column, Table, Value, fixed, number, plain
from report.texunit.results import Results
from report.texunit.words import traffic
from report.words import mean, pct

PARTS = {
    "repeats": "repeated lines",
    "hits": "hits",
    "memory": "waiting for memory",
    "rest": "look-ups that miss, filter, flush",
}


def _roles(found: Results) -> dict[str, str]:
    names = {"one": "one unit"}
    return names | ({"all": f"{found.units} units"} if found.units > 1 else {})


def _rates(found: Results) -> Figure:
    rows: list[dict[str, Value]] = []
    for role, name in _roles(found).items():
        for scene in found.scenes:
            run = found.run(scene, role)
            rows.append({
                "scene": scene, "units": name, "pixels": run["pixels"], "cycles": run["cycles"],
                "rate": run["pixels_per_clock"], "hit_rate": run["hit_rate"], "lines": run["lines"],
                "wait": run["memory_wait_share"],
                "speedup": run["pixels_per_clock"] / found.run(scene, "one")["pixels_per_clock"],
            })  # fmt: skip
    series = [
        Series(name, [number(row["rate"]) for row in rows if row["units"] == name])
        for name in _roles(found).values()
    ]
    columns = (
        Column("scene", "scene"), Column("units", "units"), Column("pixels", "pixels", "count"),
        Column("cycles", "cycles", "count", "of tex_clk, from the first quad to the last result"),
        Column("rate", "pixel/clock", "f3"), Column("speedup", "against one", "times"),
        Column("hit_rate", "hit rate", "percent"), Column("lines", "lines read", "count"),
        Column("wait", "waiting", "percent", "share of all units' cycles that a query waited for memory"),
    )  # fmt: skip
    learn = "A bilinear pixel is four queries one after the other: with hits alone, 8 + 3 cycles at best."
    if found.units > 1:
        gain = mean(number(row["speedup"]) for row in rows if row["units"] != "one unit")
        learn += (
            f" {found.units} units are {gain:.2f} times as fast as one: tiles are not equally full, and each "
            "cache reads lines of its own."
        )
    return Figure(
        "rate", "Samples per clock",
        bar_chart(
            found.scenes, series, values=True, y_label="pixels per clock", y_format=fixed(3), y_tick=plain,
            alt="Bars: pixels per clock of one unit and of all units, by scene.",
        ),
        shows="Sampled pixels per cycle of the texture units’ clock.",
        learn=learn, traffic=traffic(found, "units share the screen by tiles of 32 × 32"),
        table=Table("texunit_rate", "Samples per clock", columns, rows), open_table=True,
    )  # fmt: skip


def _time(found: Results) -> Figure:
    rows: list[dict[str, Value]] = [
        {"scene": scene, **found.run(scene, "one").parts} for scene in found.scenes
    ]
    waits = [number(row["memory"]) for row in rows]
    columns = (Column("scene", "scene"), *(Column(key, name, "percent") for key, name in PARTS.items()))
    return Figure(
        "time", "Where the time goes",
        shares_chart(
            found.scenes, [found.run(scene, "one").parts for scene in found.scenes], PARTS,
            alt="Stacked bars: share of the cycles spent on repeats, hits, waiting for memory, and the rest.",
        ),
        shows="Cycles of one unit: one for each repeated line, eight for each hit, and those in which a "
        "query waited for memory.",
        learn=f"{pct(min(waits))} to {pct(max(waits))} of the time is lost to in-order stalls: a missing "
        "line holds up every query behind it, whether it would hit or not.",
        traffic=traffic(found),
        table=Table("texunit_time", "Where the cycles go", columns, rows),
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    rows: list[dict[str, Value]] = []
    series = []
    for role, name in _roles(found).items():
        latencies = found.latencies(role)
        for latency in latencies:
            for scene in found.scenes:
                run = found.at(scene, role, latency)
                rows.append({
                    "scene": scene, "units": name, "latency": latency, "rate": run["pixels_per_clock"],
                    "wait": run["memory_wait_share"],
                })  # fmt: skip
        rates = [
            mean(found.at(scene, role, latency)["pixels_per_clock"] for scene in found.scenes)
            for latency in latencies
        ]
        series.append(Series(name, rates, latencies))
    cycles: Format = plain
    first, own = found.latencies("one")[0], found.run(found.scenes[0], "one")["latency"]
    lost = mean(
        1 - found.at(scene, "one", first)["cycles"] / found.run(scene, "one")["cycles"]
        for scene in found.scenes
    )
    columns = (
        Column("scene", "scene"), Column("units", "units"), Column("latency", "latency", "count"),
        Column("rate", "pixel/clock", "f3"), Column("wait", "waiting", "percent"),
    )  # fmt: skip
    return Figure(
        "latency", "How much memory’s latency costs",
        line_chart(
            series, x_label="cycles from address to data", y_label="pixels per clock", x_format=cycles,
            y_format=fixed(3), y_tick=plain, ticks=found.latencies("one"),
            alt="Lines: pixels per clock against the memory's latency, for one unit and for all.",
        ),
        shows="Mean of the scenes.",
        learn=f"With a memory that answers after {first} cycle instead of {own}, the same work takes "
        f"{pct(lost)} fewer cycles: what in-order stalls cost.",
        traffic=traffic(found, "one unit and all"),
        table=Table("texunit_latency", "Samples per clock by the memory's latency", columns, rows),
    )  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>A unit samples one texel after the other and stalls as a whole on a miss. The source accepts "
        "that for the sake of few gates; here is what it costs.</p>"
    )
    return Section("rate-chapter", "Samples per clock", intro, [_rates(found), _time(found), _latency(found)])

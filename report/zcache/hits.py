# SPDX-License-Identifier: Apache-2.0
"""Hit rates by unit, latency of the depth test, cycles and bytes, with prefetch and without."""

from collections.abc import Sequence

from models.zcache.figures import UNITS, hit_rate
from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, percent, percent_tick, plain
from report.words import mean, spread
from report.zcache import scarce, waits
from report.zcache.results import (
    AHEAD,
    GAINS,
    GAINS_OFF,
    OFF,
    PLAIN,
    SERIAL,
    SERIAL_OFF,
    Results,
    gain,
    reduction,
)
from report.zcache.words import points, traffic

ROLES = {
    AHEAD: "with prefetch", OFF: "without", PLAIN: "with prefetch, plain PLRU",
    SERIAL: "serial, with prefetch", SERIAL_OFF: "serial, without",
    GAINS: "two reads, with prefetch", GAINS_OFF: "two reads, without",
}  # fmt: skip


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each run in RTL."""
    made: list[dict[str, Value]] = []
    for scene in found.scenes:
        for role, name in ROLES.items():
            if (scene, role) not in found.runs:
                continue
            run = found.run(scene, role)
            made.append({
                "scene": scene, "kind": name, **{unit: hit_rate(run, unit) for unit in UNITS},
                "late": run["lates"] / run["tiles"], "latency": run["latency"], "queued": run["queued"],
                "frame_cycles": run["frame_cycles"], "read": run["read_bytes"],
                "written": run["written_bytes"], "cleared": run["cleared_bytes"],
            })  # fmt: skip
    return made


COLUMNS = (
    Column("scene", "scene"),
    Column("kind", "run"),
    *(Column(unit, f"hits by {unit}", "percent", "late is no hit") for unit in UNITS),
    Column("late", "late", "percent", "of the tiles: their line was on its way, prefetched"),
    Column("latency", "latency", "f2", "cycles from the head of the test to the result; a hit takes 2"),
    Column("queued", "with queueing", "f1", "cycles from the end of shading to the result"),
    Column("frame_cycles", "frame", "count", "cycles from the first tile to the end of the flush"),
    Column("read", "bytes read", "count"),
    Column("written", "written", "count", "without the clear"),
    Column("cleared", "cleared", "count", "written by the clear"),
)


def _rates(found: Results) -> Figure:
    scenes = found.scenes
    series = [
        Series(f"by {unit}, {ROLES[role]}", [hit_rate(found.run(scene, role), unit) for scene in scenes])
        for unit in UNITS for role in (OFF, AHEAD)
    ]  # fmt: skip
    gains = {unit: [gain(found.run(s, AHEAD), found.run(s, OFF), unit) for s in scenes] for unit in UNITS}
    words = "; ".join(
        f"by {unit} {points(min(one), 1)} to {points(max(one), 1)}, mean {points(mean(one), 1)} points"
        for unit, one in gains.items()
    )
    return Figure(
        "hits", "Hit rates with prefetch and without",
        bar_chart(
            scenes, series, y_label="hit rate", y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Bars: hit rate by tile, row and pixel of each scene, with prefetch and without.",
        ),
        shows="The source does not say what a hit is. By tile: tiles whose line was there. By row of 4 "
        "pixels, or by pixel: if the cache is asked for each in turn, the first one of a tile meets what "
        "the tile meets, and the others hit. A line that is still on its way is no hit.",
        learn=f"What prefetch adds: {words}.",
        traffic=traffic(found, scenes), open_table=True,
        table=Table("zcache_hits", "Hits, latency, cycles and bytes", COLUMNS, rows(found)),
    )  # fmt: skip


def latency_figure(
    name: str, title: str, scenes: Sequence[str], series: list[Series], *, alt: str, learn: str, traffic: str
) -> Figure:
    """Mean latencies of the test in each scene."""
    return Figure(
        name, title,
        bar_chart(
            scenes, series, values=True, y_label="cycles", y_format=fixed(1), y_tick=plain, alt=alt
        ),
        shows="Mean cycles of a tile from the head of the test to its result, both included: 2 for a hit.",
        learn=learn, traffic=traffic,
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    scenes = found.scenes
    series = [
        Series(ROLES[role], [found.run(one, role)["latency"] for one in scenes]) for role in (OFF, AHEAD)
    ]
    cuts = [reduction(found.run(one, AHEAD), found.run(one, OFF)) for one in scenes]
    frames = [reduction(found.run(one, AHEAD), found.run(one, OFF), "frame_cycles") for one in scenes]
    return latency_figure(
        "latency", "Latency of the depth test", scenes, series,
        alt="Bars: mean cycles of a tile in the depth test of each scene, with prefetch and without.",
        learn=f"Prefetch takes {spread(cuts)} off. The frame takes {spread(frames)} fewer cycles: a shader "
        "that gives a tile now and then leaves the test time to catch up.",
        traffic=traffic(found, scenes),
    )  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>The same RTL with prefetch and without: what each tile meets at its test, and how long the test "
        "takes.</p>"
    )
    figures = [_rates(found), _latency(found), waits.figure(found), *scarce.figures(found)]
    return Section("rates", "Hit rate and latency", intro, figures)

# SPDX-License-Identifier: Apache-2.0
"""The depth test before the shader beside the one behind it: what is shaded, and how long the test takes."""

from models.zcache.figures import hit_rate
from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent, percent_tick
from report.words import spread
from report.zcache.hits import latency_figure
from report.zcache.results import AHEAD, EARLY, Results, reduction
from report.zcache.words import cut, traffic

TESTS = {AHEAD: "late", EARLY: "early"}


def shaded(found: Results, scene: str, role: str, unit: str) -> int:
    """Tiles or pixels (``unit``) that are shaded: late all that are covered, early those that passed."""
    what = "passed" if role == EARLY else "covered"
    return int(found.run(scene, role)[f"{what}_{unit}"])


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each scene without discarding shaders, late and early."""
    made: list[dict[str, Value]] = []
    for scene in found.early:
        for role, name in TESTS.items():
            run = found.run(scene, role)
            made.append({
                "scene": scene, "test": name, "shaded_tiles": shaded(found, scene, role, "tiles"),
                "shaded_pixels": shaded(found, scene, role, "pixels"), "hits": hit_rate(run, "tile"),
                "latency": run["latency"], "queued": run["queued"], "reads": run["lines"],
                "writes": run["counters"]["writebacks"], "frame_cycles": run["frame_cycles"],
            })  # fmt: skip
    return made


COLUMNS = (
    Column("scene", "scene"), Column("test", "test"),
    Column("shaded_tiles", "tiles shaded", "count"), Column("shaded_pixels", "pixels shaded", "count"),
    Column("hits", "hits by tile", "percent"),
    Column("latency", "latency", "f2", "cycles from the head of the test to the result; a hit takes 2"),
    Column("queued", "with queueing", "f1", "cycles from where the tile can be tested to the result"),
    Column("reads", "lines read", "count"), Column("writes", "lines written", "count"),
    Column("frame_cycles", "frame", "count", "cycles from the first tile to the end of the flush"),
)  # fmt: skip


def _shaded(found: Results) -> Figure:
    scenes = found.early
    shares = [
        shaded(found, scene, EARLY, "pixels") / shaded(found, scene, AHEAD, "pixels") for scene in scenes
    ]
    hits = {role: [hit_rate(found.run(scene, role), "tile") for scene in scenes] for role in TESTS}
    lost = [late - early for late, early in zip(hits[AHEAD], hits[EARLY], strict=True)]
    discards = ", ".join(scene for scene in found.scenes if scene not in scenes)
    out = f" The shader of {discards} discards pixels: an early test would have stored them."
    return Figure(
        "shaded", "Pixels that are shaded",
        bar_chart(
            scenes, [Series("shaded if the test is early", shares)], values=True,
            y_label="share of the pixels covered", y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Bars: pixels of each scene that pass an early test, by those that are covered.",
        ),
        shows="Behind the shader the test sees what is shaded, all pixels that are covered. Before it, what "
        f"passes is shaded alone.{out if discards else ''}",
        learn=f"Early, {spread(shares)} of the pixels are shaded. No shader hides memory then, but the queue "
        f"of tiles behind one that waits: {spread(lost)} of the tiles less find their line there.",
        traffic=_traffic(found), open_table=True,
        table=Table("zcache_early", "The test behind the shader and before it", COLUMNS, rows(found)),
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    scenes = found.early
    series = [
        Series(name, [found.run(one, role)["latency"] for one in scenes]) for role, name in TESTS.items()
    ]
    frames = [-reduction(found.run(one, EARLY), found.run(one, AHEAD), "frame_cycles") for one in scenes]
    return latency_figure(
        "early-latency", "Latency of an early test", scenes, series,
        alt="Bars: mean cycles of a tile in the depth test, behind the shader and before it.",
        learn=f"A test takes {min(series[1].y):.1f} to {max(series[1].y):.1f} cycles instead of "
        f"{min(series[0].y):.1f} to {max(series[0].y):.1f}; the frame changes by {cut(-min(frames))} to "
        f"{cut(-max(frames))}.",
        traffic=_traffic(found),
    )  # fmt: skip


def _traffic(found: Results) -> str:
    run = found.run(found.early[0], EARLY)
    return (
        f"{traffic(found, found.early)}; early, tested {run['delay']} cycle after a tile is taken, "
        f"{run['in_flight']} tiles in flight"
    )


def section(found: Results) -> Section:
    """The chapter."""
    intro = (
        "<p>Beyond the source, whose test is behind the shader: the same cache before it. A tile is tested "
        "as soon as its line is there, and what passes is shaded.</p>"
    )
    return Section("early", "The test before the shader", intro, [_shaded(found), _latency(found)])

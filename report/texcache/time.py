# SPDX-License-Identifier: Apache-2.0
"""How long it takes: latency, pixels per clock, and what the cycles are lost to."""

import numpy as np

from report import memory
from report.charts import Mark, Series, bar_chart, histogram, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, fixed, percent, percent_tick, plain
from report.texcache.summary import BASE, LONGEST, Book, Summary
from report.texcache.words import scene_traffic
from report.words import mean, of_several, pct

PUBLISHED_RATE = 0.8
WAITS = {
    "working": "a request was accepted",
    "stop_cycles": "stopped until the FIFO has drained",
    "request_wait_cycles": "rows queue for the same cache, or the pipe is full",
    "rest": "nothing to accept any more",
}


def section(book: Book) -> Section:
    """The chapter."""
    intro = (
        "<p>Requests are offered back to back, as a shader with enough work would. All times are clock "
        f"cycles of the RTL. A missing line takes {book.base.memory.latency} cycles to its first beat; that "
        "memory makes the published 35 and 36 cycles.</p>"
    )
    figures = [_latency(book), _cycles(book), *_sensitivity(book)]
    return Section("time", "How long it takes", intro, figures)


def _latency(book: Book) -> Figure:
    reach = 64
    x = list(range(reach + 1))
    series: list[Series] = []
    rows: list[dict[str, Value]] = []
    for scene in book.scenes:
        one = book(book.scene(scene, "bilinear", "scan"))
        series.append(Series(scene, (one.latency[: reach + 1] / one.latency.sum()).tolist(), x))
        rows += [
            {"scene": scene, "cycles": int(cycles), "footprints": int(one.latency[cycles])}
            for cycles in np.flatnonzero(one.latency)
        ]
    direct = mean(
        float(one.latency[2:5].sum() / one.latency.sum())
        for one in (book(book.scene(scene, "bilinear", "scan")) for scene in book.scenes)
    )
    columns = (
        Column("scene", "scene"),
        Column("cycles", "cycles", "count", f"{LONGEST}: that or longer"),
        Column("footprints", "footprints", "count"),
    )
    return Figure(
        "latency",
        "Latency of a footprint",
        histogram(
            series,
            x_label="cycles from request to texels",
            y_label="share of the footprints",
            y_format=percent,
            y_tick=percent_tick,
            log_floor=1e-4,
            marks=[Mark("miss: 35, 36", x=35.5)],
            alt="Histogram with a logarithmic axis: most footprints take 2 or 3 cycles; the others spread "
            "over the cycles that a line takes from memory.",
        ),
        shows="Share of the footprints by their cycles, on a logarithmic axis.",
        learn=f"{pct(direct)} of the footprints find their lines and nobody waiting before them: they take 2 "
        "to 4 cycles. All others stand behind a miss; the FIFO keeps the order, so one missing line delays "
        "everything after it.",
        traffic=scene_traffic(book),
        table=Table("texcache_latency", "Latency of the footprints", columns, rows),
    )


def _spent(one: Summary) -> dict[str, float]:
    """Shares of a run's cycles by what the request port did."""
    cycles = one.speed.cycles
    shares = {
        "working": one.counters["footprints"] / cycles,
        "stop_cycles": one.counters["stop_cycles"] / cycles,
        "request_wait_cycles": one.counters["request_wait_cycles"] / cycles,
    }
    return {**shares, "rest": max(0.0, 1 - sum(shares.values()))}


def _cycles(book: Book) -> Figure:
    runs = [book(book.scene(scene, f, "scan")) for f in ("bilinear", "trilinear") for scene in book.scenes]
    names = [f"{one.workload.meta['scene']}\n{one.workload.meta['filter']}" for one in runs]
    series = [Series(words, [_spent(one)[name] for one in runs]) for name, words in WAITS.items()]
    rows: list[dict[str, Value]] = [{
        "scene": one.workload.meta["scene"], "filter": one.workload.meta["filter"],
        "cycles": one.speed.cycles,
        "pixels": one.speed.pixels, "pixels_per_clock": one.speed.pixels_per_clock,
        "footprints_per_clock": one.speed.footprints_per_clock, "latency_mean": one.speed.latency_mean,
        "latency_99": one.speed.latency_99, **{f"share_{name}": share for name, share in _spent(one).items()},
    } for one in runs]  # fmt: skip
    stop = mean(_spent(one)["stop_cycles"] for one in runs)
    columns = (
        Column("scene", "scene"),
        Column("filter", "filter"),
        Column("cycles", "cycles", "count"),
        Column("pixels", "pixels", "count"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
        Column("footprints_per_clock", "footprints/clock", "f3"),
        Column("latency_mean", "mean latency", "f1"),
        Column("latency_99", "99 % within", "count"),
        *(Column(f"share_{name}", words, "percent") for name, words in WAITS.items()),
    )
    return Figure(
        "cycles",
        "What the cycles are spent on",
        bar_chart(
            names,
            series,
            stacked=True,
            y_label="share of all cycles",
            y_format=percent,
            y_tick=percent_tick,
            y_range=(0.0, 1.0),
            alt="Stacked bars: share of the cycles in which a request was accepted, or waited, and why.",
        ),
        shows="What the request port did in each cycle of a run. The lowest part is the throughput in "
        "footprints per clock.",
        learn=f"On average {pct(stop)} of the cycles pass between stop and begin: the tag FIFO fills up "
        "behind a miss, and the published rule takes no request until everything in it has been served.",
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table("texcache_cycles", "Cycles and what they are spent on", columns, rows),
    )


def _sensitivity(book: Book) -> list[Figure]:
    """Pixels per clock over FIFO depth and memory latency, as far as they were measured."""
    scenes = [book.scene(scene, "bilinear", "scan") for scene in book.scenes]
    by_role: dict[str, float] = {}
    for role in book.results.roles(scenes[0]):
        by_role[role] = mean(book(one, role).speed.pixels_per_clock for one in scenes)
    cfgs = {role: book(scenes[0], role).cfg for role in by_role}
    depth = {
        resume: sorted(
            (cfgs[role].fifo.depth, by_role[role])
            for role in by_role
            if role in (BASE, f"{resume},fifo={cfgs[role].fifo.depth}") and cfgs[role].resume == resume
        )
        for resume in ("drained", "space")
    }
    latency = {
        cfgs[role].memory.latency: {
            one.meta["scene"]: book(one, role).speed.pixels_per_clock for one in scenes
        }
        for role in by_role
        if role == BASE or role.startswith("latency=")
    }
    figures = []
    if len(depth["drained"]) > 1:
        figures.append(_depth_figure(book, depth))
    if len(latency) > 1:
        figures.append(_latency_figure(book, latency))
    return figures


def _depth_figure(book: Book, depth: dict[str, list[tuple[int, float]]]) -> Figure:
    words = {"drained": "begin when the FIFO has drained (published)", "space": "begin when there is space"}
    series = [
        Series(words[resume], [rate for _, rate in pairs], [float(size) for size, _ in pairs])
        for resume, pairs in depth.items()
    ]
    rows: list[dict[str, Value]] = [
        {"resume": resume, "fifo_depth": size, "pixels_per_clock": rate}
        for resume, pairs in depth.items() for size, rate in pairs
    ]  # fmt: skip
    built = next(rate for size, rate in depth[book.base.resume] if size == book.base.fifo.depth)
    best = max(rate for pairs in depth.values() for _, rate in pairs)
    reached = "one of them reaches" if best >= PUBLISHED_RATE else "no depth and no rule reaches"
    columns = (
        Column("resume", "begin"),
        Column("fifo_depth", "depth", "count"),
        Column("pixels_per_clock", "pixel/clock", "f3"),
    )
    return Figure(
        "depth",
        "Pixels per clock over the FIFO’s depth",
        line_chart(
            series,
            x_label="entries of the tag FIFO and of the data FIFO",
            y_label="pixel/clock",
            log=2,
            x_format=lambda value: f"{value:g}",
            y_format=fixed(2),
            y_tick=plain,
            marks=[Mark("paper: 0.8", y=PUBLISHED_RATE)],
            ticks=[float(size) for size, _ in depth["drained"]],
            alt="Line chart: pixels per clock over the FIFO depth, for both rules when requests begin again.",
        ),
        shows=of_several(book.scenes, "Mean over the scenes. ")
        + "The paper gives neither the depth nor the traffic; its rule for begin "
        "is the lower line.",
        learn=f"As built ({book.base.fifo.depth} entries, {book.base.resume}) the scenes get {built:.2f} "
        f"pixel/clock; the best of these reaches {best:.2f}. With a memory of {book.base.memory.latency} "
        f"cycles {reached} the published 0.8 on these scenes.",
        traffic=scene_traffic(book),
        table=Table("texcache_fifo", "Pixels per clock over FIFO depth and begin rule", columns, rows),
    )


def _latency_figure(book: Book, rates: memory.Rates) -> Figure:
    latency = memory.means(rates)
    first, last = latency[0], latency[-1]
    return Figure(
        "memory", "Pixels per clock over the memory’s latency", line_chart(
            [Series("mean", [rate for _, rate in latency], [x for x, _ in latency])],
            x_label="cycles from the address to the first data beat", y_label="pixel/clock", log=2,
            x_format=plain, y_format=fixed(2), y_tick=plain,
            marks=[Mark("paper: 0.8", y=PUBLISHED_RATE), Mark("as built", x=float(book.base.memory.latency))],
            ticks=memory.ticks([cycles for cycles, _ in latency]),
            alt="Line chart: pixels per clock fall as the memory's latency grows.",
        ),
        shows="The same RTL before faster and slower memories; hits and misses are the same in all of them.",
        learn=f"From {first[0]:g} to {last[0]:g} cycles the rate falls from {first[1]:.2f} to {last[1]:.2f} "
        "pixel/clock. The hit rate alone does not tell the speed.",
        traffic=scene_traffic(book),
        table=Table(
            "texcache_memory", "Pixels per clock over the memory's latency",
            (
                Column("latency", "latency", "count"), Column("scene", "scene"),
                Column("pixels_per_clock", "pixel/clock", "f3"),
            ),
            memory.rows(rates, "latency", "pixels_per_clock"),
        ),
    )  # fmt: skip

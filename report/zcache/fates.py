# SPDX-License-Identifier: Apache-2.0
"""What became of prefetches: lines by their fate, requests that were dropped by the reason."""

from models.zcache.figures import DROPS, FATES
from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent, percent_tick
from report.words import pct, spread
from report.zcache.hits import ROLES
from report.zcache.results import AHEAD, Results, drops_of, fates_of
from report.zcache.words import traffic

TOLD_FATES = {
    "useful": "there when the first test asked", "late": "still on its way then",
    "early": "replaced before its own test, which missed", "useless": "replaced, and its tile tested nothing",
    "open": "there to the end, and nobody asked",
}  # fmt: skip
TOLD_DROPS = {
    "present": "its line was there, or on its way", "writing": "its line was being written",
    "untouched": "all lines of its set were prefetched ones that nobody had used",
    "busy": "all reads were under way", "stale": "its tile was at the test already",
    "full": "the queue was full",
}  # fmt: skip


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each run with prefetch."""
    return [
        {"scene": scene, "kind": ROLES[role], "requests": run["requests"], "issued": run["issued"],
         **dict(zip(FATES, fates_of(run), strict=True)), **dict(zip(DROPS, drops_of(run), strict=True))}
        for (scene, role), run in found.runs.items() if run["requests"] and role in ROLES
    ]  # fmt: skip


COLUMNS = (
    Column("scene", "scene"), Column("kind", "run"),
    Column("requests", "requests", "count", "tiles that are tested"),
    Column("issued", "issued", "count", "lines asked for ahead"),
    *(Column(name, name, "count", TOLD_FATES[name]) for name in FATES),
    *(Column(name, f"dropped: {name}", "count", TOLD_DROPS[name]) for name in DROPS),
)  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    runs = [found.run(scene, AHEAD) for scene in found.scenes]
    series = [
        Series(name, [fates_of(run)[number] / run["issued"] for run in runs])
        for number, name in enumerate(FATES)
    ]
    idle = [(run["fate_useless"] + run["fate_open"]) / run["issued"] for run in runs]
    early = [run["fate_early"] / run["issued"] for run in runs]
    issued = [run["issued"] / max(run["requests"] - run["dropped_present"], 1) for run in runs]
    there = [run["dropped_present"] / run["requests"] for run in runs]
    figure = Figure(
        "fates", "Lines that were asked for ahead",
        bar_chart(
            found.scenes, series, stacked=True, y_label="share of the lines", y_format=percent,
            y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Stacked bars: share of the prefetched lines that were useful, late, early, useless or open.",
        ),
        shows="By the first test to use the line: " + "; ".join(f"{n}: {w}" for n, w in TOLD_FATES.items())
        + ". Dropped requests: " + "; ".join(f"{n}: {w}" for n, w in TOLD_DROPS.items()) + ".",
        learn=f"{spread(idle)} of the lines are of tiles that tested nothing, as a shader kills all that "
        f"they cover (useless, open); {spread(early)} left before their own test (early). {spread(there)} of "
        "the requests find their line there, which is what the cache is for; of the "
        f"others {pct(min(issued))} or more are issued.",
        traffic=traffic(found, found.scenes), open_table=True,
        table=Table("zcache_prefetches", "Prefetches", COLUMNS, rows(found)),
    )  # fmt: skip
    intro = (
        "<p>Each tile that is to be tested asks for its line as the rasterizer steps on it. Each such "
        "request is issued or dropped, and each line that was asked for has one fate.</p>"
    )
    return Section("prefetches", "What became of prefetches", intro, [figure])

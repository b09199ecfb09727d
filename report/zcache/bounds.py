# SPDX-License-Identifier: Apache-2.0
"""Lines that need not be read: tiles that a clear only marks, and tiles that bounds reject."""

from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.tables import Column, Table, Value, percent, percent_tick
from report.words import mean, pct, spread
from report.zcache.results import AHEAD, BOTH, BOUNDS, MARKS, Figures, Results, reduction
from report.zcache.words import cut, traffic

SAVERS = {MARKS: "marks", BOUNDS: "bounds", BOTH: "both"}


def reads(run: Figures) -> int:
    """Lines that memory was asked for: those of marked tiles are not."""
    return int(run["lines"] - run["counters"].get("blanks", 0))


def saved(found: Results, scene: str, role: str) -> float:
    """Share of the reads that are saved."""
    return 1 - reads(found.run(scene, role)) / reads(found.run(scene, AHEAD))


def rejected(found: Results, scene: str) -> float:
    """Share of the tiles that test, rejected by their bounds."""
    return float(found.run(scene, BOUNDS)["counters"]["rejected"] / found.run(scene, AHEAD)["tiles"])


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each scene and each way to save reads, and for none; bounds know no shader that discards."""
    made: list[dict[str, Value]] = []
    for scene in found.scenes:
        plain = found.run(scene, AHEAD)
        for role, name in {AHEAD: "neither", **SAVERS}.items():
            if (scene, role) not in found.runs:
                continue
            run = found.run(scene, role)
            made.append({
                "scene": scene, "kind": name, "tiles": run["tiles"],
                "rejected": run["counters"].get("rejected", 0), "blanks": run["counters"].get("blanks", 0),
                "reads": reads(run), "saved": saved(found, scene, role),
                "writes": run["counters"]["writebacks"],
                "cycles": run["cycles"], "frame": run["cycles"] / plain["cycles"] - 1,
            })  # fmt: skip
    return made


COLUMNS = (
    Column("scene", "scene"), Column("kind", "run"),
    Column("tiles", "tiles that looked", "count", "at their line"),
    Column("rejected", "rejected", "count", "tiles that could not pass: their line was not looked at"),
    Column("blanks", "marked", "count", "lines that only a clear had written: memory was not read"),
    Column("reads", "lines read", "count"), Column("saved", "saved", "percent", "of the reads of neither"),
    Column("writes", "lines written", "count", "those of the clear included"),
    Column("cycles", "cycles", "count", "from the clear to the end of the flush"),
    Column("frame", "change", "percent", "of the cycles"),
)  # fmt: skip


def section(found: Results) -> Section:
    """The chapter."""
    scenes = found.bounded
    discards = ", ".join(scene for scene in found.scenes if scene not in scenes)
    out = f" Not with bounds, which are asked before the shader: {discards}, whose shader discards pixels."
    shares = {role: [saved(found, scene, role) for scene in scenes] for role in SAVERS}
    cuts = [rejected(found, scene) for scene in scenes]
    frames = {
        role: [-reduction(found.run(scene, role), found.run(scene, AHEAD), "cycles") for scene in scenes]
        for role in (MARKS, BOUNDS)
    }
    alone, together = mean(shares[MARKS]) + mean(shares[BOUNDS]), mean(shares[BOTH])
    figure = Figure(
        "saved", "Reads saved by marks and by bounds",
        bar_chart(
            scenes, [Series(SAVERS[role], [max(0.0, one) for one in of]) for role, of in shares.items()],
            y_label="share of the lines read", y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Bars: share of the reads of each scene saved by a clear that marks, by bounds, and by both.",
        ),
        shows="Of the lines that are read with neither, the share that is not read. A clear that marks: the "
        "first use of a tile reads nothing that only the clear has written. Bounds of what is stored in a "
        f"tile, of {found.bound_bits} bits: a tile that cannot pass is rejected, and not fetched, unless its "
        f"line is there.{out if discards else ''}",
        learn=f"A clear that marks saves {spread(shares[MARKS])} of the reads, bounds "
        f"{spread(shares[BOUNDS])}, both together {spread(shares[BOTH])}: on average {pct(together)}, and "
        f"{pct(alone)} would be the sum of the two. Marks save first uses, bounds tiles that are hidden "
        f"later. Bounds reject {spread(cuts)} of the tiles that test: many where surfaces hide one another "
        "by whole tiles, hardly any where points and lines leave a pixel of each tile as the clear left it. "
        f"From the clear to the end of the flush bounds change the cycles by {cut(-min(frames[BOUNDS]))} to "
        f"{cut(-max(frames[BOUNDS]))}: what a frame waits for is the shader, while a prefetch hides memory. "
        f"Marks change them by {cut(-min(frames[MARKS]))} to {cut(-max(frames[MARKS]))}, as the clear writes "
        "nothing and the flush what is still marked.",
        traffic=traffic(found, scenes), open_table=True,
        table=Table("zcache_bounds", "Reads, writes and cycles", COLUMNS, rows(found)),
    )  # fmt: skip
    intro = (
        "<p>Beyond the source: a bit for each tile that a clear only marks, and bounds of what is stored in "
        "it (a hierarchical Z). What passes and memory are the same with them and without, in every word. A "
        "tile that is rejected reads nothing, and so has no error where memory refuses reads; here it does "
        "not.</p>"
    )
    return Section("bounds", "Lines that need not be read", intro, [figure])

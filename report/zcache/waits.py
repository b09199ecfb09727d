# SPDX-License-Identifier: Apache-2.0
"""Why tiles wait at the test: the RTL's counters, cycle by cycle and cause by cause."""

from configs.zcache.counters import CAUSES, COUNTERS
from report.charts import Series, bar_chart
from report.page import Figure
from report.tables import Column, Table, Value, fixed, plain
from report.words import mean
from report.zcache.results import AHEAD, OFF, Results
from report.zcache.words import traffic

WORDS = dict(COUNTERS)
TOLD = {cause: WORDS[f"{cause}_wait_cycles"] for cause in CAUSES}
ROLES = {AHEAD: "with", OFF: "without"}


def rows(found: Results) -> list[dict[str, Value]]:
    """A row for each scene, with prefetch and without."""
    made: list[dict[str, Value]] = []
    for scene in found.scenes:
        for role, name in ROLES.items():
            counters = found.run(scene, role)["counters"]
            made.append({
                "scene": scene, "kind": name, "waits": counters["wait_cycles"],
                **{cause: counters[f"{cause}_wait_cycles"] for cause in CAUSES},
                "result": counters["result_wait_cycles"], "tile": counters["tile_wait_cycles"],
            })  # fmt: skip
    return made


COLUMNS = (
    Column("scene", "scene"), Column("kind", "prefetch"),
    Column("waits", "cycles at the test", "count", "a tile is at the test and its line is not there"),
    *(Column(cause, cause, "count", TOLD[cause]) for cause in CAUSES),
    Column("result", "result", "count", "cycles in which a result was not taken"),
    Column("tile", "intake", "count", "cycles in which a word was offered and not taken"),
)  # fmt: skip


def figure(found: Results) -> Figure:
    """Cycles of waiting a tile, stacked by cause."""
    made = rows(found)
    names = [f"{row['scene']}, {row['kind']}" for row in made]
    tiles = [found.run(scene, role)["tiles"] for scene in found.scenes for role in ROLES]
    share = {
        cause: [float(row[cause] or 0) / count for row, count in zip(made, tiles, strict=True)]
        for cause in CAUSES
    }
    without = {cause: mean(values[1::2]) for cause, values in share.items()}
    most = max(without, key=lambda cause: without[cause])
    left = [sum(values[at] for values in share.values()) for at in range(0, len(made), 2)]
    return Figure(
        "waits", "Why tiles wait at the test",
        bar_chart(
            names, [Series(cause, values) for cause, values in share.items()], stacked=True,
            y_label="cycles a tile", y_format=fixed(2), y_tick=plain,
            alt="Stacked bars: cycles that a tile waits at its test, by cause, with and without prefetch.",
        ),
        shows="Cycles in which a tile is at the test and waits, of each one cause: "
        + "; ".join(f"{cause}: {TOLD[cause]}" for cause in CAUSES) + ". Counters of the RTL.",
        learn=f"Without prefetch a tile waits {sum(without.values()):.1f} cycles on average, most of them "
        f"({without[most]:.1f}) because of “{most}”; with it {mean(left):.2f}.",
        traffic=traffic(found, found.scenes), open_table=True,
        table=Table("zcache_waits", "Cycles of waiting by cause", COLUMNS, made),
    )  # fmt: skip

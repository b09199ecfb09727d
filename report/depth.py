# SPDX-License-Identifier: Apache-2.0
"""Depth tested before texturing or after it: what the later test costs in texture traffic."""

from collections.abc import Mapping
from dataclasses import dataclass

from configs import UserError
from models.depth import EARLY, LATE
from report.charts import Series, bar_chart
from report.page import Figure, Section
from report.results import AGAIN
from report.tables import Column, Table, Value, fixed, plain
from report.words import spread

PLACES = {EARLY: "before texturing", LATE: "after texturing"}
Counts = Mapping[str, int]  # by name: what is asked for first, among the others MISSES, BYTES and CYCLES
MISSES, BYTES, CYCLES = "misses", "bytes read", "cycles"


def when_tested(depth: str) -> str:
    """When depth is tested, inside a sentence."""
    return f"depth tested {PLACES[depth]}"


def provenance(depth: str) -> dict[str, str]:
    """When depth is tested, for the page's foot."""
    return {"Depth test": f"{depth}, {PLACES[depth]} (DEPTH={depth})"}


@dataclass(frozen=True)
class Pair:
    """A scene's counts with both tests. Raises :class:`UserError` if the late one textures less."""

    scene: str
    early: Counts
    late: Counts

    def __post_init__(self) -> None:
        first = next(iter(self.early))
        if self.late[first] < self.early[first]:
            raise UserError(f"{self.scene}: fewer {first} with the late depth test; {AGAIN}")

    def more(self, what: str) -> float:
        """What the late test adds, as a share."""
        return self.late[what] / self.early[what] - 1

    def rows(self) -> list[dict[str, Value]]:
        """A row for each count."""
        return [
            {"scene": self.scene, "what": what, "early": self.early[what], "late": self.late[what],
             "more": self.more(what)}
            for what in self.early
        ]  # fmt: skip


COLUMNS = (
    Column("scene", "scene"),
    Column("what", "what"),
    Column("early", "early", "count", "depth tested before texturing"),
    Column("late", "late", "count", "depth tested after texturing"),
    Column("more", "more", "percent", "what the late test adds"),
)


def section(block: str, pairs: list[Pair], traffic: str, pictures: str) -> Section:
    """The chapter; ``pictures`` is a sentence on how those of the two tests compare."""
    rows = [row for pair in pairs for row in pair.rows()]
    first = next(iter(pairs[0].early))
    chart = bar_chart(
        [pair.scene for pair in pairs],
        [
            Series("early", [pair.early[BYTES] / 1024 for pair in pairs]),
            Series("late", [pair.late[BYTES] / 1024 for pair in pairs]),
        ],
        values=True, y_label="KB read", y_format=fixed(1), y_tick=plain,
        alt="Bars: bytes read from memory by scene, with the depth test before and after texturing.",
    )  # fmt: skip
    added = {what: spread([pair.more(what) for pair in pairs]) for what in (first, MISSES, BYTES, CYCLES)}
    figure = Figure(
        "depth-traffic", "What a late depth test adds", chart,
        shows="The same views, with depth tested before texturing and after it.",
        learn=f"What the late test adds, scene by scene: {added[first]} {first}, {added[MISSES]} misses, "
        f"{added[BYTES]} bytes, {added[CYCLES]} cycles. {pictures}",
        traffic=traffic, open_table=True,
        table=Table(f"{block}_depth", "Texture traffic by the place of the depth test", COLUMNS, rows),
    )  # fmt: skip
    intro = (
        "<p>Early, only pixels that pass the depth test reach the texture block. A depth unit behind the "
        "shader tests late: all that a triangle covers is textured, also what turns out to be hidden. What "
        "is drawn without a depth test textures all of it either way.</p>"
    )
    return Section("depth", "Depth test before or after texturing", intro, [figure])

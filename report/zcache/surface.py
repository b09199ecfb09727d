# SPDX-License-Identifier: Apache-2.0
"""Gains of prefetch over delays, tiles in flight, reads and pace, and by an adaptive distance; model only."""

from collections.abc import Sequence
from typing import Any

from models.zcache.figures import UNITS, hit_rate
from report.pages import Page
from report.results import Figures
from report.tables import Rows, percent_short
from report.words import cut, mean, points
from report.zcache.results import ZcacheResults

DISTANCE, FLIGHT, READS, DROPPED, TOUCH = "distance", "flight", "reads", "dropped", "touch"
PLACE = ("slice", "latency", "delay", "tiles", "fills", "pace", "waits", "ott", "evicts")
#: planes of the surface by name: title, axes down and across, what it shows
SLICES = {
    DISTANCE: ("Shading delay by memory latency", "latency", "delay",
               "Shading delay as a multiple of the memory’s latency: below 1 a line comes late."),
    FLIGHT: ("Tiles in flight by reads under way", "tiles", "fills",
             "Tiles between rasterizer and test, beside lines that may be on their way."),
    READS: ("Pace by reads under way", "pace", "fills",
            "Least cycles from one tile to the next, beside lines that may be on their way."),
    DROPPED: ("Pace by reads under way, busy requests dropped", "pace", "fills",
              "A request that finds all reads under way is dropped instead of waiting."),
}  # fmt: skip
#: whether unused lines are kept, and whether a prefetch evicts one where there are no others
KEEPING = (
    (True, False, "OTT: unused lines are kept"), (True, True, "OTT, but a prefetch may evict them"),
    (False, False, "plain pseudo-LRU"),
)  # fmt: skip
LEAST = 0.001  # a difference of tiles that miss that counts as one


def rows(results: ZcacheResults) -> Rows:
    """Means of the scenes at each point."""
    made: Rows = []
    for row in results.surface[results.deep[0]]:
        place = {name: row[name] for name in PLACE}
        made.append({
            **{name: {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
               for name, value in place.items()},
            **{f"gain_{unit}": results.mean_gain(unit, **place) for unit in UNITS},
            "reduction": results.mean_reduction(**place),
            "queued": results.mean_reduction("queued", **place),
            "off_row": mean(hit_rate(off, "row") for _, off in results.at(**place)),
            "late": mean(ahead["lates"] / ahead["tiles"] for ahead, _ in results.at(**place)),
        })  # fmt: skip
    return made


def draw(page: Page, results: ZcacheResults) -> None:
    """The surface, plane by plane, and what OTT adds."""
    every = rows(results)
    for name, (title, down, across, shows) in SLICES.items():
        mine = sorted(
            (row for row in every if row["slice"] == name), key=lambda row: (row[down], row[across])
        )
        charted = [
            {**row, "_across": f"{row[across] / row[down]:g}" if name == DISTANCE else str(row[across])}
            for row in mine
        ]
        label, own = page.column(across, {}).title, page.column(down, page.of("plane")).title

        ends = [
            f"{own} {row[down]}, {label} {row[across]}: {points(row['gain_row'], 1)} points by row, latency "
            f"{cut(row['reduction'], 1)}"
            for row in (choose(mine, key=lambda row: float(row["reduction"])) for choose in (min, max))
        ]
        page.draw(
            "plane", every, charted=charted, anchor=f"surface-{name}", title=title, shows=shows, down=down,
            label="shading delay / latency" if name == DISTANCE else label,
            table="zcache_surface: The surface" if name == DISTANCE else "",
            learn=f"At {ends[0]}."
            if len(mine) == 1
            else f"The latency changes least at {ends[0]}; most at {ends[1]}.",
        )  # fmt: skip
    _touch(page, results)


def _touch(page: Page, results: ZcacheResults) -> None:
    many, made = results.axis("tiles", slice=TOUCH), list[dict[str, Any]]()
    for ott, evicts, name in KEEPING:
        for tiles in many:
            runs = [ahead for ahead, _ in results.at(slice=TOUCH, tiles=tiles, ott=ott, evicts=evicts)]
            made += [
                {"scene": scene, "tiles": tiles, "kept": name, "missed": run["misses"] / run["tiles"],
                 "late": run["lates"] / run["tiles"], "early": run["fate_early"],
                 "untouched": run["dropped_untouched"], "lines": run["lines"]}
                for scene, run in zip(results.deep, runs, strict=True)
            ]  # fmt: skip
    means = [
        [
            mean(row["missed"] for row in made if (row["tiles"], row["kept"]) == (tiles, name))
            for tiles in many
        ]
        for *_, name in KEEPING
    ]
    page.draw("touch", made, learn=when(many, means[0], means[-1]))


def when(many: Sequence[int], kept: Sequence[float], plain_lru: Sequence[float]) -> str:
    """A sentence on the tiles in flight from which OTT helps, and on the most of them."""
    helps = [n for n, a, b in zip(many, kept, plain_lru, strict=True) if b - a > LEAST]
    begins = f"From {helps[0]} tiles in flight on, OTT saves more than" if helps else "OTT saves at most"
    return (
        f"{begins} one miss in 1000 tiles. With {many[-1]}, "
        f"{percent_short(kept[-1])} of the tiles miss with OTT, "
        f"{percent_short(plain_lru[-1])} with plain pseudo-LRU."
    )


def excess(results: Figures, run: Figures) -> float:
    """Cycles of the frame beyond the best fixed distance, in parts of it."""
    return float(run["cycles"] / best(results)["cycles"] - 1)


def best(results: Figures) -> Figures:
    """The fixed distance with the fewest cycles."""
    chosen: Figures = min(results["fixed"], key=lambda run: run["cycles"])
    return chosen


def draw_adapting(page: Page, results: ZcacheResults) -> None:
    """A prefetch distance that adapts beside every fixed one, in a cache where a distance can be too
    large.
    """
    made, fixed = list[dict[str, Any]](), list[dict[str, Any]]()
    for scene, its in results.adapting.items():
        made += [
            {"scene": scene, "distance": name, "cycles": run["cycles"], "excess": excess(its, run),
             "waited": run["waited"], "hits": run["hits"]}
            for name, run in [*((str(run["distance"]), run) for run in its["fixed"]), ("adaptive",
                its["adaptive"])]
        ]  # fmt: skip
        fixed += [
            {"scene": scene, "_distance": run["distance"], "excess": excess(its, run)} for run in its["fixed"]
        ]
    width, height = results.index["size"]
    every = results.adapting.values()
    point = next(iter(every))["point"]
    traffic = (
        f"{width} × {height} pixels; {point['sets']} sets, memory {point['latency']} cycles away, shading "
        f"{point['shading']} cycles, a tile each {point['every']}; model only"
    )
    page.intro("adapting", sets=point["sets"])
    least = ", ".join(f"{scene} {best(its)['distance']}" for scene, its in results.adapting.items())
    page.draw("adapting-fixed", made, charted=fixed, point=traffic, least=least,
              worst=max(excess(its, its["fixed"][-1]) for its in every),
              costs=max(excess(its, its["adaptive"]) for its in every))  # fmt: skip

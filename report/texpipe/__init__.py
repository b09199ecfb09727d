# SPDX-License-Identifier: Apache-2.0
"""Page of ``texpipe``: its samples beside the published unit's pace, scene by scene."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from models.texunit.timing import HIT_CYCLES, REPEAT_CYCLES
from report import memory
from report.costs import against, draw_costs
from report.depth import provenance as depth_of
from report.memory import of_scenes
from report.page import BlockReport
from report.pages import Page
from report.results import AGAIN, Runs, Sums
from report.words import counted, mean

GOAL = 0.95  # pixels per clock and unit, and of what as many units alone would give; of two levels half
PARTS = ("ideal", "turns", "memory", "ask", "ahead", "rest")
ALSO = ("memory", "table", "prim", "quad")  # counted at other places
FORMATS = {"one": "RGBA8", "rgb": "RGB8", "table": "tabled", "nearest": "RGBA8, nearest"}
Run = dict[str, Any]


class TexpipeResults(Runs):
    """A folder of measured results, checked as they are read. Raises :class:`UserError`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "texpipe", _sums)

    def over(self, role: str, key: str, value: str) -> dict[float, dict[str, float]]:
        """Rates by a ``value`` of runs and scene, of a role and of those that begin with ``key``."""
        rates: dict[float, dict[str, float]] = {}
        for (scene, name), run in self.runs.items():
            if name == role or name.startswith(f"{key}/"):
                rates.setdefault(run[value], {})[scene] = rate(run)
        return rates


def _sums(run: Run) -> Sums:
    counters = run["counters"]
    return {
        "quads": (run["quads"], counters["quads"]),
        "pixels": (run["pixels"], counters["pixels"]),
        "lines": (run["lines"], counters["misses"] + run["table_lines"]),
        "pixels_per_clock": (round(run["pixels"] / run["pixels_per_clock"]), run["cycles"]),
    }


def rate(run: Run) -> float:
    """Pixels per clock."""
    return float(run["pixels_per_clock"])


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("texpipe")
    results = TexpipeResults(folder)
    single = results.of("one")
    cache, units = results.index["base"]["cache"], results.index["base"]["units"]
    width, height = results.index["size"]
    traffic = f"{counted(len(results.scenes), 'picture')} of {width} × {height} pixels, from a cold cache"
    page = Page(
        "texpipe", units=units, units_told=counted(units, "unit"), traffic=traffic,
        **of_scenes(results.scenes),
        capacity=8 * cache["ways"] * cache["sets"] * cache["line_bytes"], line=cache["line_bytes"],
        scenes=len(results.scenes), reached=sum(rate(run) >= GOAL for run in single),
        goal=GOAL * units, goal_of_one=GOAL, depth=results.index["base"]["ahead"]["depth"],
    )  # fmt: skip
    _keys(page, results)
    _machines(page, results)
    _cycles(page, results)
    machines = {"published unit": results.over("published", "published", "latency"),
                "this unit": results.over("one", "one", "latency")}  # fmt: skip
    memory.draw_latency(page, "texpipe-latency", machines, "rate", f"{page.values['depth']} pixels at most")
    depths = results.over("one", "ahead", "ahead")
    if len(depths) > 1:  # else a quick measurement, or the configuration's FIFO is the shortest
        memory.draw_depths(page, "texpipe-ahead", depths, "rate")
    draw_costs(page, "texpipe-cost")
    filters = {"bilinear": single, "trilinear": results.of("trilinear")}
    samples = [
        {"scene": run["scene"], "machine": words, "quads": run["quads"],
         "equal_most": run["llvmpipe"]["our_levels"]["most"],
         "own_same": run["llvmpipe"]["own_levels"]["same"]}
        for words, runs in filters.items() for run in runs
    ]  # fmt: skip
    bilinear, trilinear = (
        [1 - row["own_same"] for row in samples if row["machine"] == words] for words in filters
    )
    page.draw("texpipe-samples", samples, most=max(row["equal_most"] for row in samples), bilinear=bilinear,
              trilinear=trilinear)  # fmt: skip
    hero = [(results.arrays(run)["rtl"], run["scene"]) for run in single]
    return page.report(results.index, hero, **depth_of(results.index["depth"]))


def by_texel(run: Run) -> float:
    """Hits per texel, by the rule of all machines."""
    return float(1 - run["counters"]["misses"] / run["texels"])


def _keys(page: Page, results: TexpipeResults) -> None:
    single, every, published = (results.of(role) for role in ("one", "all", "published"))
    theirs, units = mean(map(rate, published)), page.values["units"]
    page.let(
        latency=published[0]["latency"], rate=min(map(rate, single)), rate_all=mean(map(rate, every)),
        times=mean(map(rate, single)) / theirs, and_all=f", of {units}" if units > 1 else "",
        **{name: mean(parts({**run, "machine": "published"})[name] for run in published)
           for name in ("turns", "memory")},
    )  # fmt: skip
    page.let(cost=against("texunit", "one-unit", "one-unit", "texpipe"))
    page.let(all_told=page.say("all_told") if units > 1 else "")
    page.key("hit_rate", mean(map(by_texel, single)), theirs=mean(map(by_texel, published)))
    page.key("rate", page.values["rate"])
    page.key("times", page.values["times"], theirs=theirs)
    if units > 1:
        page.key("rate_all", mean(map(rate, every)), gain=mean(map(rate, every)) / mean(map(rate, single)))
    checked = (run["counters"]["lookups"] for run in results.runs.values() if "lookups" in run["counters"])
    page.key("checked", float(sum(checked)))


def _rows(
    results: TexpipeResults, machines: dict[str, str], first: str, *, last: bool = True
) -> list[dict[str, Any]]:
    """A row for each run of the roles, by their words; the column ``first`` before the others of all
    tables, and primitives as the ``last``.
    """
    return [
        {
            "scene": run["scene"], "machine": words, first: run["bus_share" if first == "bus" else first],
            "rate": rate(run), "per_unit": rate(run) / run["units"], "lines": run["lines"] / run["pixels"],
            "hit_rate": run["hit_rate"], "fetched": by_texel(run),
            "bytes": run["bytes_per_pixel"], **({"primitives": run["primitives"]} if last else {}),
        }
        for role, words in machines.items() for run in results.of(role)
    ]  # fmt: skip


def _machines(page: Page, results: TexpipeResults) -> None:
    units = results.index["base"]["units"]
    single, every, published, mixed = (results.of(role) for role in ("one", "all", "published", "trilinear"))
    machines = {"published": "published unit", "one": "one unit", "all": f"{units} units"}
    page.draw(
        "texpipe-rate",
        _rows(results, machines, "latency"),
        theirs=max(map(rate, published)),
        most_of=" in its fastest scene" if len(published) > 1 else "",
        lines=mean(a["lines"] / b["lines"] for a, b in zip(published, single, strict=True)),
    )
    rows = [
        {"scene": a["scene"], "one": rate(a), "all": rate(b), "times": rate(b) / rate(a)}
        for a, b in zip(single, every, strict=True)
    ]
    times = [row["times"] for row in rows]
    most = (
        f" in the scene that gains least, {max(times):.2f} in the one that gains most"
        if len(times) > 1
        else ""
    )
    page.draw("texpipe-units", rows, least=min(times), most=most,
              reached_all=sum(row >= GOAL * units for row in times))  # fmt: skip
    rows = _rows(results, {"one": "one unit", "all": f"{units} units"}, "bus", last=False)
    page.draw("texpipe-bus", rows, most=max(row["bus"] for row in rows if row["machine"] != "one unit"))
    page.draw("texpipe-formats", _rows(results, FORMATS, "latency"), means="; ".join(
        f"{words} {mean(map(rate, results.of(role))):.3f}" for role, words in FORMATS.items()
    ))  # fmt: skip
    page.draw("texpipe-levels", _rows(results, {"one": "nearest level", "trilinear": "two levels"}, "mixed",
              last=False),
              share=mean(map(rate, mixed)) / mean(map(rate, single)),
              lines=mean(b["lines"] / a["lines"] for a, b in zip(single, mixed, strict=True)))  # fmt: skip


def parts(run: Run) -> dict[str, float]:
    """Where one unit's cycles went, in shares of the time: what is right before the look-up of a pixel.

    Raises :class:`UserError` if they do not add up.
    """
    counters, cycles = run["counters"], run["cycles"]
    if run["machine"] == "published":
        taken = {
            "turns": counters["hits"] * HIT_CYCLES + counters["repeats"] * REPEAT_CYCLES - run["pixels"],
            "memory": counters["memory_wait_cycles"],
        }
    else:
        taken = {"ask": counters["ask_wait_cycles"], "ahead": counters["ahead_wait_cycles"]}
    shares = dict.fromkeys(PARTS, 0.0)
    shares |= {name: value / cycles for name, value in {"ideal": run["pixels"], **taken}.items()}
    rest = 1 - sum(shares.values())
    if min(rest, *shares.values()) < 0:
        raise UserError(f"{run['path']}: its cycles do not add up; {AGAIN}")
    return {**shares, "rest": rest}


def _cycles(page: Page, results: TexpipeResults) -> None:
    rows = [
        {"machine": run["machine"], "scene": run["scene"], **parts(run),
         **{f"{name}_wait": run["waits"][name] if "waits" in run else None for name in ALSO}}
        for role, words in {"published": "published", "one": "pipelined"}.items()
        for run in [{**run, "machine": words} for run in results.of(role)]
    ]  # fmt: skip
    ours = [row for row in rows if row["machine"] == "pipelined"]
    slow = min(ours, key=lambda row: row["ideal"])
    page.let(slow=slow, lost=1 - slow["ideal"])
    page.draw(
        "texpipe-cycles",
        rows,
        ahead=mean(row["ahead"] for row in ours),
        rest=mean(row["rest"] for row in ours),
    )

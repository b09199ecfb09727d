# SPDX-License-Identifier: Apache-2.0
"""Page of ``renderer``: whole frames, tested late and early, traffic, waits, llvmpipe."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from configs.zcache.counters import CAUSES
from report.page import BlockReport
from report.pages import Page
from report.results import Runs, Sums
from report.words import counted, mean, spread

OWN, NO_PREFETCH, ONE_UNIT, MEMORY = "own", "no prefetch", "one unit", "memory/"
BEAT = 16  # bytes
HELD, IDLE, TEXELS = "a tile not taken", "a quad", "a line from memory"  # waits of a frame
LEAST = 0.02  # a share of waits below it is in the table alone
KINDS = ("texture_reads", "depth_reads", "depth_writes")
Run = dict[str, Any]


class RendererResults(Runs):
    """A folder of measured results, checked as they are read. Raises :class:`UserError`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "renderer", _sums)

    @property
    def machines(self) -> dict[str, str]:
        """Roles with the configuration's memory, and their words."""
        own = self.index["base"]["test"]
        named = {
            OWN: f"tested {own}", "early": "tested early", "late": "tested late",
            NO_PREFETCH: f"{own} without prefetch", ONE_UNIT: f"{own} with one texture unit",
        }  # fmt: skip
        return {role: words for role, words in named.items() if self.of(role)}


def _sums(run: Run) -> Sums:
    own, depth, moved = run["counters"]["renderer"], run["counters"]["zcache"], run["bytes"]
    return {
        "texture_reads": (moved["texture_reads"], BEAT * own["texture_beats"]),
        "depth_reads": (moved["depth_reads"], BEAT * own["depth_beats"]),
        "depth_writes": (moved["depth_writes"], BEAT * own["written_beats"]),
        "passed": (run["passed"], depth["passed"]),
        "waits": (depth["wait_cycles"], sum(depth[f"{cause}_wait_cycles"] for cause in CAUSES)),
        "pixels_per_clock": (round(run["pixels"] / run["pixels_per_clock"]), run["cycles"]),
    }


def rate(run: Run) -> float:
    """Covered pixels per clock."""
    return float(run["pixels_per_clock"])


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("renderer")
    results = RendererResults(folder)
    own = results.of(OWN)
    width, height = results.index["size"]
    page = Page(
        "renderer", pictures=counted(len(own), "picture"), size=f"{width} × {height}",
        views=counted(len(own), "view" if results.own else "scene"), rate=mean(map(rate, own)),
        machine=results.machines[OWN],
        latency=results.index["base"]["memory"]["latency"],
        same=min(run["llvmpipe"]["our_levels"]["same"] for run in own),
        texture=mean(run["hit_rates"]["texture"] for run in own),
        traffic=f"{counted(len(results.scenes), 'picture')} of {width} × {height} pixels, the clear of depth "
        f"included; memory answers after {results.index['base']['memory']['latency']} cycles",
    )  # fmt: skip
    _rates(page, results)
    _waits(page, results)
    left = _latency(page, results)
    page.key("hit_rate", page.values["texture"], depth=mean(run["hit_rates"]["depth"] for run in own))
    page.key("rate", page.values["rate"])
    page.key("left", left)
    page.key("same", page.values["same"])
    page.key("checked", float(sum(run["tiles"] for run in results.runs.values())))
    page.draw("renderer-samples", [
        {"scene": run["scene"], "quads": run["shaded_quads"], "same": run["llvmpipe"]["our_levels"]["same"],
         "own_same": run["llvmpipe"]["own_levels"]["same"], "own_mean": run["llvmpipe"]["own_levels"]["mean"]}
        for run in own
    ], differ=[1 - run["llvmpipe"]["own_levels"]["same"] for run in own])  # fmt: skip
    hero = [(results.arrays(run)["rtl"], run["scene"]) for run in own]
    hero += [(results.arrays(run)["depth"], f"{run['scene']}, depth") for run in own]
    return page.report(results.index, hero)


def _row(run: Run, machine: str) -> dict[str, Any]:
    return {
        "scene": run["scene"], "machine": machine, "pixels": run["pixels"], "shaded": run["shaded"],
        "passed": run["passed"], "cycles": run["cycles"], "rate": rate(run),
        "texture": run["hit_rates"]["texture"],
        "depth": run["hit_rates"]["depth"], **{kind: run["bytes"][kind] for kind in KINDS},
        "_role": run["role"],
    }  # fmt: skip


def _rates(page: Page, results: RendererResults) -> None:
    machines = results.machines
    rows = [_row(run, words) for role, words in machines.items() for run in results.of(role)]
    scenes = [row["scene"] for row in rows]
    rows = [{**row, "_whole": scenes.count(row["scene"]) == len(machines)} for row in rows]
    cycles = {(row["scene"], row["_role"]): row["cycles"] for row in rows}
    rates: dict[str, list[str]] = {}  # those that are the same share a number
    for role, words in machines.items():
        if len(results.of(role)) == len(results.scenes):
            rates.setdefault(f"{mean(map(rate, results.of(role))):.3f}", []).append(words)
    page.draw(
        "renderer-rates",
        rows,
        machines_told="; ".join(f"{value} {', '.join(words)}" for value, words in rates.items()),
        saved=[1 - cycles[scene, OWN] / cycles[scene, NO_PREFETCH] for scene in results.scenes],
    )
    shown = [row for row in rows if row["_role"] in (OWN, "early", "late")]
    shown.sort(key=lambda row: results.scenes.index(row["scene"]))
    page.draw("renderer-traffic", shown, depth=[
        (run["bytes"]["depth_reads"] + run["bytes"]["depth_writes"]) / sum(run["bytes"].values())
        for run in results.of(OWN)
    ])  # fmt: skip


def _waits(page: Page, results: RendererResults) -> None:
    rows = [
        {"scene": run["scene"], "part": part, "what": what, "share": share, "_name": f"{part}:\n{what}"}
        for run in results.of(OWN) for part, listed in run["waits"].items() for what, share in listed.items()
    ]  # fmt: skip
    means = {
        row["_name"]: mean(other["share"] for other in rows if other["_name"] == row["_name"]) for row in rows
    }
    most = max(rows, key=lambda row: means[row["_name"]])
    page.let(wait=means[most["_name"]], part=most["part"], what=most["what"])
    page.let(limits=" ".join(_limits(results.of(OWN))))
    page.draw("renderer-waits", [{**row, "_shown": means[row["_name"]] >= LEAST} for row in rows])


def _limits(runs: list[Run]) -> Iterator[str]:
    """Sentences on the part that limits each scene: the rasterizer where others seldom hold it up."""
    for held, cause, words in (
        (False, IDLE, "the rasterizer is the limit: texture units have no quad"),
        (True, TEXELS, "later stages are the limit: texture units wait for texels"),
    ):
        chosen = {run["scene"]: run["waits"] for run in runs if (run["waits"]["raster"][HELD] > 0.5) == held}
        if chosen:
            names = ", ".join(f"“{scene}”" for scene in chosen)
            shares = spread([waits["texunit"][cause] for waits in chosen.values()])
            yield f"In {names} {words} in {shares} of the cycles."


def _latency(page: Page, results: RendererResults) -> float:
    """Draws the rate over latency, and returns the share that is left at the longest."""
    roles = [OWN, *dict.fromkeys(role for _, role in results.runs if role.startswith(MEMORY))]
    points = sorted((results.of(role)[0]["latency"], mean(map(rate, results.of(role)))) for role in roles)
    rows = [{"latency": latency, "rate": value, "kept": value / points[0][1]} for latency, value in points]
    page.let(first=points[0][0], last=points[-1][0])
    page.draw("renderer-latency", rows, left=rows[-1]["kept"])
    return float(rows[-1]["kept"])

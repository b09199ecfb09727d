# SPDX-License-Identifier: Apache-2.0
"""Page of ``trilinear``: samples of two mip levels per clock beside the published cache, scene by scene."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from configs import UserError
from report import memory
from report.costs import draw_costs
from report.depth import provenance as depth_of
from report.memory import far_shares
from report.page import BlockReport
from report.pages import Page
from report.results import AGAIN, Figures, Runs, Sums
from report.tables import whole
from report.words import counted, mean

OURS, PUBLISHED = "trilinear", "published"
NEAR, FAR = "1 cycle", "100 cycles"
TEXELS = 4  # of a footprint
COUNTERS = ("footprints", "footprint_hits", "lookups", "hits", "misses")
#: what the request port did in a cycle; what far memory adds
PARTS = ("ideal", "second", "conflicts", "misses", "stop", "order", "end")


def machine(run: Figures) -> str:
    """OURS or PUBLISHED."""
    return OURS if run["machine"] == OURS else PUBLISHED


def caches(run: Figures) -> list[Mapping[str, int]]:
    """Counters of both halves, or of the published cache."""
    return list(run["halves"].values()) if machine(run) == OURS else [run["counters"]]


def totals(run: Figures) -> dict[str, int]:
    """COUNTERS of all caches of a run together."""
    return {name: sum(cache[name] for cache in caches(run)) for name in COUNTERS}


def spent(run: Figures) -> dict[str, int]:
    """Cycles by PARTS up to the last request: of ours by requests and times (in a cycle without a request a
    FIFO is full or not), of the published cache by its counters.
    """
    if machine(run) == OURS:
        idle = run["taken"] - run["requests"]
        second, conflicts, stop, order = 0, 0, run["full"], idle - run["full"]
    else:
        counters = run["counters"]
        waits, stop, second = counters["request_wait_cycles"], counters["stop_cycles"], run["pairs"]
        conflicts = min(waits, counters["conflict_cycles"])
        order = waits - conflicts
    return {"ideal": run["samples"], "second": second, "conflicts": conflicts, "stop": stop, "order": order}


def rate(run: Figures) -> float:
    """Samples per clock."""
    return float(run["samples"] / run["cycles"])


def _sums(run: Figures) -> Sums:
    total = totals(run)
    sums = {
        "footprints": (run["samples"] + run["pairs"], total["footprints"]),
        "lookups": (total["lookups"], total["hits"] + total["misses"]),
        "lines": (run["lines"], total["misses"]),
    }
    return sums if machine(run) == OURS else {**sums, "taken": (run["taken"], sum(spent(run).values()))}


class TrilinearResults(Runs):
    """A folder of measured results. Raises :class:`UserError` for what does not add up."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "trilinear", _sums)
        for (_, role), run in self.runs.items():
            _check(run, role)

    @property
    def scenes(self) -> list[str]:
        """Measured scenes."""
        return list(dict.fromkeys(scene for scene, _ in self.runs))

    def at(self, machine: str, latency: str) -> list[Figures]:
        """A machine's run of each scene, with memory NEAR or FAR."""
        return self.of(latency if machine == OURS else f"{PUBLISHED}, {latency}")

    def by_scene(self, machine: str, latency: str) -> dict[str, float]:
        """Its rates."""
        return dict(zip(self.scenes, map(rate, self.at(machine, latency)), strict=True))

    def over(self, key: str, of: str, word: str) -> dict[float, dict[str, float]]:
        """Rates of machine ``of`` by ``key`` and scene, of the roles in which the ``word`` is."""
        rates: dict[float, dict[str, float]] = {}
        for (scene, role), run in self.runs.items():
            if machine(run) == of and word in role:
                rates.setdefault(run[key], {})[scene] = rate(run)
        return rates

    def parts(self, machine: str) -> dict[str, dict[str, float]]:
        """Shares of a machine's cycles by scene and PARTS, with memory FAR. Raises :class:`UserError`."""
        by_scene = {}
        for scene, near, far in zip(self.scenes, self.at(machine, NEAR), self.at(machine, FAR), strict=True):
            shares = far_shares(str(far["path"]), spent(near), near["cycles"], far["cycles"])
            by_scene[scene] = {name: shares[name] for name in PARTS}
        return by_scene

    @property
    def traffic(self) -> str:
        """Words for the scenes of all figures."""
        samples = sum(run["samples"] for run in self.of(FAR))
        return f"{counted(len(self.scenes), 'whole picture')} from a cold cache, {whole(samples)} samples"


def _check(run: dict[str, Any], role: str) -> None:
    """Raises :class:`UserError` for a run of another machine, and for samples or cycles that do not add up:
    each line that another one of its footprint went before takes a cycle, in the half with more of them.
    """
    behind = max(cache["misses"] - cache["footprints"] + cache["footprint_hits"] for cache in caches(run))
    parts = spent(run).values()
    for what, right in (
        ("machine does", role.startswith(PUBLISHED) == (machine(run) == PUBLISHED)),
        ("samples do", 0 < run["samples"] <= run["requests"] and run["pairs"] <= run["samples"]),
        ("cycles do", min(parts) >= 0 and sum(parts) <= run["cycles"]),
        ("cycles do", behind <= run["cycles"] - run["requests"]),
    ):
        if not right:
            raise UserError(f"{run['path']}: its {what} not add up; {AGAIN}")


MACHINES = (PUBLISHED, OURS)
CHANGED = (NEAR, FAR, "64-bit bus", "tiles", "twice the size")


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("trilinear")
    results = TrilinearResults(folder)
    index, half = results.index, results.index["base"]["half"]
    far, near = results.by_scene(OURS, FAR), results.by_scene(OURS, NEAR)
    size = 2 * half["banks"] * half["cache"]["sets"] * half["cache"]["ways"] * half["cache"]["line_bytes"]
    page = Page("trilinear", total=size, traffic=results.traffic, **memory.of_scenes(results.scenes))
    theirs = mean(results.by_scene(PUBLISHED, FAR).values())
    hits = {name: mean(_row(run)["fetched"] for run in results.at(name, FAR)) for name in MACHINES}
    samples = sum(run["samples"] for run in results.of(FAR))
    page.let(
        pictures=counted(len(results.scenes), "picture"), samples=samples, rate=min(far.values()),
        runs=len(results.runs) // len(results.scenes), bus=half["axi"]["data_bits"],
        times=mean(far.values()) / theirs, kept=min(far[scene] / near[scene] for scene in far),
        depth=results.of(FAR)[0]["depth"],
    )  # fmt: skip
    page.key("hit_rate", hits[OURS], theirs=hits[PUBLISHED])
    page.key("rate", page.values["rate"])
    page.key("times", page.values["times"], theirs=theirs)
    page.key("kept", page.values["kept"])
    page.key("checked", float(sum(run["samples"] for run in results.runs.values())))
    _draw(page, results)
    return page.report(index, (), **depth_of(index["depth"]))


def _row(run: Figures) -> dict[str, Any]:
    samples, total = run["samples"], totals(run)
    return {
        "samples": samples, "pairs": run["pairs"] / samples, "per_clock": rate(run),
        "misses": total["misses"], "lines": run["lines"] / samples, "hits": total["hits"] / total["lookups"],
        "fetched": 1 - total["misses"] / (TEXELS * total["footprints"]), "read": run["read_bytes"] / samples,
    }  # fmt: skip


def _draw(page: Page, results: TrilinearResults) -> None:
    runs = {name: results.at(name, FAR) for name in MACHINES}
    rows = [
        {"role": name, "scene": scene, **_row(runs[name][number])}
        for number, scene in enumerate(results.scenes) for name in MACHINES
    ]  # fmt: skip
    lines = {name: mean(row["lines"] for row in rows if row["role"] == name) for name in MACHINES}
    page.draw("trilinear-beside", rows, published_lines=lines[PUBLISHED], our_lines=lines[OURS],
              theirs=min(row["per_clock"] for row in rows if row["role"] == PUBLISHED))  # fmt: skip
    parts = {machine: results.parts(machine) for machine in MACHINES}
    shares = [
        {"machine": machine, "scene": scene, **parts[machine][scene]}
        for scene in results.scenes for machine in MACHINES
    ]  # fmt: skip
    theirs = parts[PUBLISHED].values()
    page.let(**{said: mean(own[name] for own in theirs) for said, name in
                (("memory", "misses"), ("conflicts", "conflicts"), ("second", "second"))})  # fmt: skip
    memory.draw_cycles(page, "trilinear-cycles", shares, OURS)
    memory.draw_latency(page, "trilinear-latency", {
        words: results.over("latency", words, "cycle") for words in MACHINES
    }, "per_clock", f"{page.values['depth']} samples")  # fmt: skip
    rates = {role: mean(map(rate, results.of(role))) for role in CHANGED}
    page.draw("trilinear-rate", [
        {"scene": scene, "role": role, "latency": run["latency"], "depth": run["depth"], **_row(run)}
        for role in CHANGED for scene, run in zip(results.scenes, results.of(role), strict=True)
    ], means="; ".join(f"{role} {value:.3f}" for role, value in rates.items()))  # fmt: skip
    depths = results.over("depth", OURS, "FIFO") | {page.values["depth"]: results.by_scene(OURS, FAR)}
    if len(depths) > 1:  # else the configuration's FIFOs are the shortest
        memory.draw_depths(page, "trilinear-depth", depths, "per_clock")
    draw_costs(page, "trilinear-cost")

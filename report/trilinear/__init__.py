# SPDX-License-Identifier: Apache-2.0
"""Page of ``trilinear``: samples of two mip levels per clock beside the published cache, scene by scene."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from report import memory
from report.costs import draw_costs
from report.depth import provenance as depth_of
from report.page import BlockReport
from report.pages import Page
from report.trilinear.results import FAR, NEAR, OURS, PUBLISHED, SceneRun, TrilinearResults
from report.words import mean

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
    page.key("rate", min(far.values()))
    page.key("times", mean(far.values()) / mean(results.by_scene(PUBLISHED, FAR).values()))
    page.key("kept", min(far[scene] / near[scene] for scene in far))
    page.key("checked", float(sum(run.samples for run in results.runs)))
    _draw(page, results)
    return page.report(index, (), **depth_of(index["depth"]))


def _row(run: SceneRun) -> dict[str, Any]:
    return {
        "samples": run.samples, "pairs": run.per_sample("pairs"), "per_clock": run.rate,
        "misses": run.total["misses"], "lines": run.per_sample("lines"),
        "hits": run.total["hits"] / run.total["lookups"], "fetched": run.fetched,
        "read": run.per_sample("read_bytes"),
    }  # fmt: skip


def _draw(page: Page, results: TrilinearResults) -> None:
    runs = zip(*(results.at(machine, FAR) for machine in MACHINES), strict=True)
    rows = [{"role": run.machine, "scene": run.scene, **_row(run)} for pair in runs for run in pair]
    lines = {name: mean(row["lines"] for row in rows if row["role"] == name) for name in MACHINES}
    page.draw("trilinear-beside", rows, least=min(row["per_clock"] for row in rows if row["role"] == OURS),
              published_lines=lines[PUBLISHED], our_lines=lines[OURS])  # fmt: skip
    parts = {machine: results.parts(machine) for machine in MACHINES}
    shares = [
        {"machine": machine, "scene": scene, **parts[machine][scene]}
        for scene in results.scenes for machine in MACHINES
    ]  # fmt: skip
    memory.draw_cycles(page, "trilinear-cycles", shares, OURS)
    memory.draw_near_and_far(page, "trilinear-kept", {
        words: (results.by_scene(words, NEAR), results.by_scene(words, FAR)) for words in MACHINES
    }, OURS)  # fmt: skip
    depth = results.of(FAR)[0].told["depth"]
    memory.draw_latency(page, "trilinear-latency", {
        words: results.over("latency", words, "cycle") for words in MACHINES
    }, "per_clock", depth=depth)  # fmt: skip
    page.draw("trilinear-rate", [
        {"scene": run.scene, "role": run.role, "latency": run.told["latency"], "depth": run.told["depth"],
            **_row(run)}
        for role in CHANGED for run in results.of(role)
    ])  # fmt: skip
    rates = results.over("depth", OURS, "FIFO") | {depth: results.by_scene(OURS, FAR)}
    if len(rates) > 1:  # else the configuration's FIFOs are the shortest
        page.draw("trilinear-depth", memory.rows(rates, "depth", "per_clock"))
    draw_costs(page, "trilinear-cost")

# SPDX-License-Identifier: Apache-2.0
"""The depth cache's part of the report: ``build(folder, progress)`` reads, checks and draws.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; one module each:
``claims`` ``scenes`` ``runs`` ``surface``.
"""

from collections.abc import Callable
from pathlib import Path

from models.zcache.figures import hit_rate
from report.page import BlockReport
from report.pages import Page
from report.words import mean
from report.zcache import claims, runs, scenes, surface
from report.zcache.results import AHEAD, OFF, ZcacheResults, gain, reduction


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    results = ZcacheResults(folder)
    width, height = results.index["size"]
    page = Page(
        "zcache", base=results.base, traffic=results.traffic(results.scenes),
        mean_of=f"mean of {len(results.scenes)} scenes",
        deep=len(results.deep), deep_scenes=f"{len(results.deep)} scenes, {width} × {height} pixels",
    )  # fmt: skip
    pairs = [(results.run(scene, AHEAD), results.run(scene, OFF)) for scene in results.scenes]
    gained = mean(gain(*pair, "row") for pair in pairs)
    page.key("hit_rate", mean(hit_rate(ahead, "row") for ahead, _ in pairs))
    page.key("gain", 100 * gained, gain=gained)
    page.key("latency", mean(reduction(*pair) for pair in pairs))
    page.key("used", mean(scenes.used(ahead) for ahead, _ in pairs))
    page.key("checked", float(sum(run["words"] for run in results.runs.values())))
    for name, chapter, there in (
        ("claims", claims.draw, results.deep and not results.own), ("scenes", scenes.draw, True),
        ("runs", runs.draw, True), ("adapting", surface.draw_adapting, True), ("surface", surface.draw,
            results.deep),
    ):  # fmt: skip
        if there:
            progress(f"zcache: {name}")
            chapter(page, results)
    return page.report(results.index, [(results.maps(scene)["depth"], scene) for scene in results.scenes])

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
from report.zcache.results import AHEAD, BOTH, GAINS, GAINS_OFF, OFF, ZcacheResults, gain, reduction


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    results = ZcacheResults(folder)
    width, height = results.index["size"]
    page = Page(
        "zcache", base=results.base, traffic=results.traffic(results.scenes),
        views=results.views(results.scenes),
        width=width, height=height, mean=claims.MEAN, cut_mean=claims.CUT_MEAN, cut_most=claims.CUT_MOST,
        data=claims.DATA, deep=len(results.deep),
        deep_scenes=f"{len(results.deep)} scenes, {width} × {height} pixels",
    )  # fmt: skip
    _keys(page, results)
    for name, chapter, there in (
        ("claims", claims.draw, results.deep and not results.own), ("scenes", scenes.draw, True),
        ("runs", runs.draw, True), ("adapting", surface.draw_adapting, True), ("surface", surface.draw,
            results.deep),
    ):  # fmt: skip
        if there:
            progress(f"zcache: {name}")
            chapter(page, results)
    return page.report(results.index, [(results.maps(scene)["depth"], scene) for scene in results.scenes])


def _keys(page: Page, results: ZcacheResults) -> None:
    """Tiles and sentences at the top, of the scenes that the paper's numbers stand beside."""
    near = results.deep or results.scenes
    pairs = [(results.run(scene, AHEAD), results.run(scene, OFF)) for scene in near]
    ahead, off = ([hit_rate(pair[side], "row") for pair in pairs] for side in (0, 1))
    gained, less = mean(ahead) - mean(off), mean(reduction(*pair) for pair in pairs)
    beside = {} if results.own else {
        name: page.say(name) for name in ("beside", "paper_gain", "paper_latency", "paper_used")
    }  # fmt: skip
    whose = " made for depth tests" if len(near) < len(results.scenes) else ""
    scarce = ""
    if results.deep:
        few = [(results.run(scene, GAINS), results.run(scene, GAINS_OFF)) for scene in near]
        scarce = page.say("scarce", run=few[0][0], gain=100 * mean(gain(*pair, "row") for pair in few),
                          less=mean(reduction(*pair) for pair in few))  # fmt: skip
    page.let(**{
        **dict.fromkeys(("beside", "paper_gain", "paper_latency", "paper_used"), ""), **beside,
        "with": mean(ahead), "without": mean(off), "less": less,
        "near": f"mean of {results.views(near)}{whose}",
        "off": mean(run["latency"] for _, run in pairs), "on": mean(run["latency"] for run, _ in pairs),
        "late": mean(run["lates"] / run["tiles"] for run, _ in pairs), "scarce": scarce, "run": pairs[0][0],
    })  # fmt: skip
    page.key("hit_rate", mean(ahead))
    page.key("gain", 100 * gained, gain=gained)
    page.key("latency", less)
    used = {scene: scenes.used(results.run(scene, AHEAD)) for scene in near}
    worst = min(used, key=lambda scene: used[scene])
    page.key("used", mean(used.values()), worst=worst, least=used[worst])
    if results.bounded:
        page.key("saved", mean(runs.saved(results, scene, BOTH) for scene in results.bounded))
    page.key("checked", float(sum(run["words"] for run in results.runs.values())))

# SPDX-License-Identifier: Apache-2.0
"""The texture unit's part of the report: ``build(folder, progress)`` reads, checks and draws.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; one module each:
``claims`` ``scenes`` ``runs``.
"""

from collections.abc import Callable
from pathlib import Path

from report.depth import provenance as depth_of
from report.page import BlockReport
from report.pages import Page
from report.results import provenance
from report.texunit import claims, runs, scenes
from report.texunit.results import TexunitResults
from report.words import mean


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    results = TexunitResults(folder)
    cache = results.base.cache
    page = Page("texunit", cache=cache, capacity=cache.capacity_bytes, units=results.units,
                views=results.views,
                traffic=results.traffic())  # fmt: skip
    _keys(page, results)
    for chapter in (scenes, runs) if results.own else (claims, scenes, runs):
        progress(f"texunit: {chapter.__name__.rpartition('.')[2]}")
        chapter.draw(page, results)
    measured = provenance(results.index)["Measured with"]
    driver = results.run(results.scenes[0], "one")["llvmpipe"]["driver"]
    return page.report(
        results.index, [(results.arrays(run)["rtl"], run["scene"]) for run in results.of("one")],
        **depth_of(results.depth), **{"Measured with": f"{measured}, {driver}"},
    )  # fmt: skip


def _keys(page: Page, results: TexunitResults) -> None:
    single = [results.run(scene, "one") for scene in results.scenes]
    if not results.own:
        page.key("stages", float(claims.exact(results)), stages=len(claims.PUBLISHED))
    page.key("hit_rate", mean(run["hit_rate"] for run in single))
    page.key("rate", mean(run["pixels_per_clock"] for run in single))
    if results.units > 1:
        page.key("rate_all", mean(results.run(scene, "all")["pixels_per_clock"] for scene in results.scenes))
    ours = max(run["llvmpipe"]["our_levels"]["most"] for run in single)
    page.key("llvmpipe", mean(run["llvmpipe"]["own_levels"]["same"] for run in single),
             ours=f" within {ours}" if ours else ": all")  # fmt: skip
    page.key("checked", float(sum(run["queries"] for run in results.runs.values())))

# SPDX-License-Identifier: Apache-2.0
"""The texture unit's part of the report: ``build(results, progress)`` reads, checks and draws.

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
from report.texunit.results import Results
from report.words import mean


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    found = Results(results)
    cache = found.base.cache
    page = Page("texunit", cache=cache, capacity=cache.capacity_bytes, units=found.units, views=found.views,
                traffic=found.traffic())  # fmt: skip
    _keys(page, found)
    for chapter in (scenes, runs) if found.own else (claims, scenes, runs):
        progress(f"texunit: {chapter.__name__.rpartition('.')[2]}")
        chapter.draw(page, found)
    measured = provenance(found.index)["Measured with"]
    driver = found.run(found.scenes[0], "one")["llvmpipe"]["driver"]
    return page.report(
        found.index, [(found.arrays(run)["rtl"], run["scene"]) for run in found.of("one")],
        **depth_of(found.depth), **{"Measured with": f"{measured}, {driver}"},
    )  # fmt: skip


def _keys(page: Page, found: Results) -> None:
    one = [found.run(scene, "one") for scene in found.scenes]
    if not found.own:
        page.key("stages", float(claims.exact(found)), stages=len(claims.PUBLISHED))
    page.key("hit_rate", mean(run["hit_rate"] for run in one))
    page.key("rate", mean(run["pixels_per_clock"] for run in one))
    if found.units > 1:
        page.key("rate_all", mean(found.run(scene, "all")["pixels_per_clock"] for scene in found.scenes))
    ours = max(run["llvmpipe"]["our_levels"]["most"] for run in one)
    page.key("llvmpipe", mean(run["llvmpipe"]["own_levels"]["same"] for run in one),
             ours=f" within {ours}" if ours else ": all")  # fmt: skip
    page.key("checked", float(sum(run["queries"] for run in found.runs.values())))

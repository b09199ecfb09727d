# SPDX-License-Identifier: Apache-2.0
"""The texture unit's part of the report: ``build(folder, progress)`` reads, checks and draws.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; one module each:
``claims`` ``scenes`` ``runs``.
"""

from collections.abc import Callable
from pathlib import Path

from models.texunit.timing import HIT_CYCLES, REPEAT_CYCLES
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
    single, several = results.of("one"), results.of("all") if results.units > 1 else []
    rate, every = (
        mean(run["pixels_per_clock"] for run in runs) if runs else 0.0 for runs in (single, several)
    )
    hits = mean(run["hit_rate"] for run in single)
    apart = max(run["llvmpipe"]["our_levels"]["most"] for run in single)
    width, height = results.index["size"]
    page.let(
        size=f"{width} × {height}", rate=rate, rate_all=every, hit_rate=hits,
        hit_cycles=HIT_CYCLES, least=HIT_CYCLES + 3 * REPEAT_CYCLES, latency=single[0]["latency"],
        waits=[run["memory_wait_share"] for run in single],
        repeats=mean(run["repeat_rate"] for run in single),
        ours=f"samples differ by {apart} of 255 at most" if apart else "all samples are identical",
        and_all=f" and of {results.units}" if several else "",
    )  # fmt: skip
    exact = {} if results.own else {"exact": claims.exact(results), "stages": len(claims.PUBLISHED)}
    page.let(stages_told=page.say("stages_told", **exact) if exact else "",
             rate_all_told=page.say("rate_all_told") if several else "")  # fmt: skip
    page.key("hit_rate", hits)
    if exact:
        published = ", ".join(f"{name} {cycles}" for name, cycles in claims.PUBLISHED.items())
        page.key("stages", float(exact["exact"]), **exact, published=published.replace("lod", "LOD"))
    page.key("rate", rate)
    if several:
        times = [run["pixels_per_clock"] / single[n]["pixels_per_clock"] for n, run in enumerate(several)]
        page.key("rate_all", every, times=mean(times))
    page.key("llvmpipe", mean(run["llvmpipe"]["our_levels"]["same"] for run in single),
             own=mean(run["llvmpipe"]["own_levels"]["same"] for run in single))  # fmt: skip
    page.key("checked", float(sum(run["queries"] for run in results.runs.values())))

# SPDX-License-Identifier: Apache-2.0
"""The texture unit's part of the report: ``build(results, progress)`` reads, checks and draws.

``results``: measured files, checked as they are read. One module each, the chapters: ``claims`` ``scenes``
``hits`` ``depth`` ``rate``.
"""

from collections.abc import Callable
from pathlib import Path

from report.depth import provenance as depth_of
from report.page import BlockReport, KeyFigure
from report.results import provenance
from report.tables import percent, size, whole
from report.texunit import claims, depth, hits, rate, scenes
from report.texunit.results import Results
from report.words import mean


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    found = Results(results)
    sections = []
    for chapter in (scenes, hits, depth, rate) if found.own else (claims, scenes, hits, depth, rate):
        progress(f"texunit: {chapter.__name__.rpartition('.')[2]}")
        sections.append(chapter.section(found))
    report = BlockReport(
        block="texunit",
        title="The texture unit",
        lead=_lead(found),
        hero=[(found.run(scene, "one").arrays["rtl"], scene) for scene in found.scenes],
        key_figures=_key_figures(found),
        sections=sections,
        provenance=_provenance(found),
        command=found.index["command"],
    )
    return report.of_scene(found.own) if found.own else report


def _lead(found: Results) -> str:
    cache = found.base.cache
    return (
        f"{found.units} samplers of 2 × 2 quads, each with {size(cache.capacity_bytes)} of texels in "
        f"{cache.ways} ways × {cache.sets} sets, on one AXI port. Pictures out of the "
        "Verilated RTL, beside the golden model and Mesa’s llvmpipe."
    )


def _key_figures(found: Results) -> list[KeyFigure]:
    one = [found.run(scene, "one") for scene in found.scenes]
    hit = mean(run["hit_rate"] for run in one)
    checked = sum(run["queries"] for run in found.runs.values())
    traffic = f"mean of {found.traffic}, bilinear"
    same = mean(run["llvmpipe"]["own_levels"]["same"] for run in one)
    ours = max(run["llvmpipe"]["our_levels"]["most"] for run in one)
    keys = [
        KeyFigure("hit_rate", "Hit rate", hit, percent(hit), f"{traffic}, repeats included"),
        KeyFigure("rate", "Pixels per clock", mean(run["pixels_per_clock"] for run in one),
                  f"{mean(run['pixels_per_clock'] for run in one):.3f}", f"{traffic}, one unit"),
        KeyFigure("llvmpipe", "Samples as llvmpipe", same, percent(same),
                  "at equal levels: all" if not ours else f"at equal levels within {ours}"),
        KeyFigure("checked", "Cache queries checked", float(checked), whole(checked),
                  "RTL equal to the model"),
    ]  # fmt: skip
    if found.units > 1:
        every = mean(found.run(scene, "all")["pixels_per_clock"] for scene in found.scenes)
        note = f"{traffic}, {found.units} units"
        keys.insert(2, KeyFigure("rate_all", "Pixels per clock", every, f"{every:.3f}", note))
    if not found.own:
        stages = claims.stage_claims(found)
        exact = sum(claim.same for claim in stages)
        shown = f"{exact} of {len(stages)}"
        keys.insert(0, KeyFigure("stages", "Published stage times", float(exact), shown, "cycles, exactly"))
    return keys


def _provenance(found: Results) -> dict[str, str]:
    told = {**provenance(found.index), **depth_of(found.depth)}
    told["Measured with"] += f", {found.run(found.scenes[0], 'one')['llvmpipe']['driver']}"
    return told

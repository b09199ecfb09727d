# SPDX-License-Identifier: Apache-2.0
"""The depth cache's part of the report: ``build(results, progress)`` reads, checks and draws.

``results``: measured files, checked as they are read. One module each, the chapters: ``claims`` ``scenes``
``hits`` ``fates`` ``adapting`` ``bounds`` ``early`` ``surface`` ``walks`` ``cost``.
"""

from collections.abc import Callable
from pathlib import Path

from models.zcache.figures import hit_rate
from report.page import BlockReport, KeyFigure
from report.results import provenance
from report.tables import percent, size, whole
from report.words import mean
from report.zcache import adapting, bounds, claims, cost, early, fates, hits, scenes, surface, walks
from report.zcache.results import AHEAD, OFF, Results, gain, reduction
from report.zcache.words import cut, points


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    found = Results(results)
    chapters = (claims, scenes, hits, fates, adapting, bounds, early, surface, walks)
    left_out = ({claims, surface} if not found.deep else set()) | ({claims} if found.own else set())
    left_out |= ({early} if not found.early else set()) | ({bounds} if not found.bounded else set())
    sections = []
    for chapter in chapters:
        if chapter not in left_out:
            progress(f"zcache: {chapter.__name__.rpartition('.')[2]}")
            sections.append(chapter.section(found))
    sections.append(cost.section())
    report = BlockReport(
        block="zcache",
        title="The depth cache",
        lead=_lead(found),
        hero=[(found.maps(scene)["depth"], scene) for scene in found.scenes],
        key_figures=_key_figures(found),
        sections=sections,
        provenance=provenance(found.index),
        command=found.index["command"],
    )
    return report.of_scene(found.own) if found.own else report


def _lead(found: Results) -> str:
    cache = found.base.cache
    return (
        f"{size(cache.capacity_bytes)} in {cache.ways} ways, a line of 4 × 4 depths; the rasterizer’s step "
        f"onto a tile asks for its line ahead of the test, {found.base.shading.cycles} cycles later."
    )


def _key_figures(found: Results) -> list[KeyFigure]:
    pairs = [(found.run(scene, AHEAD), found.run(scene, OFF)) for scene in found.scenes]
    gains, cuts = [gain(*pair, "row") for pair in pairs], [reduction(*pair) for pair in pairs]
    hit = mean(hit_rate(ahead, "row") for ahead, _ in pairs)
    used = mean(scenes.used(ahead) for ahead, _ in pairs)
    checked = sum(run["words"] for run in found.runs.values())
    note = f"mean of {len(pairs)} scenes"
    return [
        KeyFigure("hit_rate", "Hit rate by row", hit, percent(hit), f"{note}, with prefetch"),
        KeyFigure("gain", "Points by prefetch", 100 * mean(gains), points(mean(gains)), f"{note}, by row"),
        KeyFigure("latency", "Depth-test latency", mean(cuts), cut(mean(cuts)), f"{note}, by prefetch"),
        KeyFigure("used", "Of the data read is used", used, percent(used), note),
        KeyFigure("checked", "Tiles checked", float(checked), whole(checked),
                  "RTL equal to the model in every cycle"),
    ]  # fmt: skip

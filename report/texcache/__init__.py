# SPDX-License-Identifier: Apache-2.0
"""The texture cache's part of the report: ``build(results, progress)`` reads, checks, computes and draws.

====================  ================================================================================
``results``           measured files, checked as they are read
``metrics``           numbers of one run; ``summary`` keeps them for the chapters
``sweeps``            other geometries, by the model alone
one module each       the chapters: ``claims`` ``scenes`` ``generator`` ``hits`` ``why`` ``time`` ``ports``
                      ``fast`` ``orders`` ``depth`` ``geometry`` ``textures``
====================  ================================================================================
"""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from report.depth import provenance as depth_of
from report.page import BlockReport, KeyFigure
from report.results import provenance
from report.tables import percent, size, whole
from report.texcache import (
    claims,
    depth,
    fast,
    generator,
    geometry,
    hits,
    orders,
    ports,
    scenes,
    textures,
    time,
    why,
)
from report.texcache.cases import CASES, measured_cases
from report.texcache.results import Results
from report.texcache.summary import Book
from report.words import mean


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    book = Book(Results(results), progress)
    book.read_all()
    chapters: tuple[ModuleType, ...] = (scenes, hits, why, time, ports, fast, orders, depth, geometry)
    if not book.own:  # what is not about a scene
        chapters = (claims, scenes, generator, *chapters[1:], textures)
    sections = []
    for chapter in chapters:
        progress(f"texcache: {chapter.__name__.rpartition('.')[2]}")
        sections.append(chapter.section(book))
    report = BlockReport(
        block="texcache",
        title="The four-port texture cache",
        lead=_lead(book),
        hero=scenes.hero(book),
        key_figures=_key_figures(book),
        sections=sections,
        provenance=_provenance(book),
        command=book.results.index["command"],
    )
    return report.of_scene(book.own) if book.own else report


def _lead(book: Book) -> str:
    base = book.base
    return (
        f"A read-only L1 between shader and memory: {size(base.capacity_bytes)} in {base.banks} single-port "
        f"caches of {base.cache.sets} sets × {base.cache.ways} ways, lines of {base.line_texels} texels, "
        "true LRU. What real texel traffic does to it, measured on the Verilated RTL."
    )


def _key_figures(book: Book) -> list[KeyFigure]:
    base = [book(book.scene(scene, "bilinear", "scan")) for scene in book.scenes]
    single = [book(book.scene(scene, "bilinear", "scan"), "single-port") for scene in book.scenes]
    hit = mean(one.rates.lookup for one in base)
    rate = mean(one.speed.pixels_per_clock for one in base)
    ratio = mean(
        a.speed.pixels_per_clock / b.speed.pixels_per_clock for a, b in zip(base, single, strict=True)
    )
    moved = mean(one.bytes_per_pixel for one in base)
    without = mean(one.bytes_without_cache for one in base)
    checked = sum(int(one["checked"]) for one in book.results.index["runs"])
    traffic = f"mean of {book.traffic}, bilinear"
    keys = [
        KeyFigure("hit_rate", "Look-up hit rate", hit, percent(hit), traffic),
        KeyFigure("pixels_per_clock", "Pixels per clock", rate, f"{rate:.2f}", f"{traffic}; paper: 0.8"),
        KeyFigure("ratio", "Against one port", ratio, f"{ratio:.2f} ×", f"{traffic}; paper: nearly 4 ×"),
        KeyFigure("bytes_per_pixel", "Memory per pixel", moved, f"{moved:.2f} B",
                  f"{without:.0f} B without a cache"),
        KeyFigure("checked", "Footprints checked", float(checked), whole(checked),
                  "RTL equal to the model in each"),
    ]  # fmt: skip
    if not book.own:
        keys.insert(4, _cycle_counts(book))
    return keys


def _cycle_counts(book: Book) -> KeyFigure:
    cases = measured_cases(book)
    found = [one for one in cases if one]
    exact = sum(one.least == case.published for case, one in zip(CASES, cases, strict=True) if one)
    return KeyFigure(
        "cycle_counts", "Published cycle counts", float(exact), f"{exact} of {len(CASES)}",
        " ".join(str(one.least) for one in found) + " cycles measured",
    )  # fmt: skip


def _provenance(book: Book) -> dict[str, str]:
    index = book.results.index
    return {
        **provenance(index),
        **depth_of(book.depth),
        "Compared with": ", ".join(dict.fromkeys(index["roles"].values())),
    }

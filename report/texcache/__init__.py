# SPDX-License-Identifier: Apache-2.0
"""The texture cache's part of the report: ``build(results, progress)`` reads, checks, computes and draws.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; ``metrics``:
numbers of one run; ``summary`` keeps them for the chapters; ``sweeps``: other geometries, by the model
alone; one module each: the chapters.
"""

from collections.abc import Callable
from pathlib import Path

from report.depth import provenance as depth_of
from report.memory import of_scenes
from report.page import BlockReport
from report.pages import Page
from report.texcache import depth, fast, geometry, hits, orders, paper, scenes, textures, time
from report.texcache.paper import CASES, measured_cases
from report.texcache.results import TexcacheResults
from report.texcache.summary import Book
from report.words import mean


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError` for missing or damaged ones."""
    book = Book(TexcacheResults(results), progress)
    book.read_all()
    page = Page(
        "texcache", base=book.base, capacity=book.base.capacity_bytes, views=book.views, drawn=book.traffic(),
        both=f"{book.traffic()}, and trilinear", trilinear=book.traffic("trilinear"),
        **of_scenes(book.scenes),
    )  # fmt: skip
    _keys(page, book)
    chapters = [scenes, hits, time, fast, orders, depth, geometry]
    for chapter in (
        chapters if book.own else [paper, *chapters, textures]
    ):  # not about a scene: first and last
        progress(f"texcache: {chapter.__name__.rpartition('.')[2]}")
        chapter.draw(page, book)
    paper.draw_ports(page, book)
    orders.draw_rows_apart(page, book)
    index = book.results.index
    return page.report(
        index, scenes.hero(book), **depth_of(book.depth),
        **{"Compared with": ", ".join(dict.fromkeys(index["roles"].values()))},
    )  # fmt: skip


def _keys(page: Page, book: Book) -> None:
    runs = book.drawn()
    page.key("hit_rate", mean(run.rates.lookup for run in runs))
    page.key("pixels_per_clock", mean(run.speed.pixels_per_clock for run in runs))
    page.key("ratio", mean(
        run.speed.pixels_per_clock / single.speed.pixels_per_clock
        for run, single in zip(runs, book.drawn("single-port"), strict=True)
    ))  # fmt: skip
    page.key("bytes_per_pixel", mean(run.bytes_per_pixel for run in runs),
             without=mean(run.bytes_without_cache for run in runs))  # fmt: skip
    if not book.own:
        measured = [span for span in measured_cases(book) if span]
        exact = sum(
            span.least == case.published
            for case, span in zip(CASES, measured_cases(book), strict=True)
            if span
        )
        page.key(
            "cycle_counts",
            float(exact),
            cases=len(CASES),
            cycles=" ".join(str(span.least) for span in measured),
        )
    page.key("checked", float(sum(int(run["checked"]) for run in book.results.index["runs"])))

# SPDX-License-Identifier: Apache-2.0
"""The texture cache's part of the report: ``build(results, progress)`` reads, checks, computes and draws.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; ``metrics``:
numbers of one run; ``summary`` keeps them for the chapters; ``sweeps``: other geometries, by the model
alone; one module each: the chapters.
"""

from collections.abc import Callable
from pathlib import Path

from report.costs import against
from report.depth import provenance as depth_of
from report.memory import of_scenes
from report.page import BlockReport
from report.pages import Page
from report.texcache import depth, fast, geometry, hits, orders, paper, scenes, textures, time
from report.texcache.paper import CASES, MISS, measured_cases
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
        textures=len(book.values("generator", "texture")),
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
    runs, meta = book.drawn(), book.scene(book.scenes[0], "bilinear", "scan").meta
    ratio, of_rows = (
        mean(run.speed.pixels_per_clock / other.speed.pixels_per_clock
             for run, other in zip(runs, book.drawn(role), strict=True))
        for role in ("single-port", "single-bank")
    )  # fmt: skip
    fast_rate, far_rate = (mean(book.by_scene(role, fast.RATE).values()) for role in (fast.FAST, fast.FAR))
    phrases = ("beside", "paper_hits", "paper_rate", "paper_ratio")
    page.let(
        **dict.fromkeys((*phrases, "best_told", "generated_too"), ""),
        drawn_short=f"{book.views} of {meta['width']} × {meta['height']} pixels",
        checked=sum(int(run["checked"]) for run in book.results.index["runs"]),
        rate=mean(run.speed.pixels_per_clock for run in runs), ratio=ratio, fast=fast_rate,
        far=far_rate, times=fast_rate / far_rate, fifo=book.drawn(fast.FAST)[0].cfg.fifo.depth,
        cost=against("texcache", "", "conflict-free"),
        conflicts=mean(time.spent(run)["conflicts"] for run in runs),
        stop=mean(time.spent(run)["stop_cycles"] for run in runs),
        own=[new.speed.pixels_per_clock / old.speed.pixels_per_clock
             for new, old in zip(book.drawn(fast.FAST), runs, strict=True)],
    )  # fmt: skip
    cases = [] if book.own else list(zip(CASES, measured_cases(book), strict=True))
    exact = sum(span.least == case.published for case, span in cases if span)
    if cases:
        page.let(exact=exact, cases=len(CASES), generated_too=" and the paper’s random addresses",
                 **{name: page.say(name) for name in phrases})  # fmt: skip
    page.key("hit_rate", mean(run.rates.lookup for run in runs))
    page.key("pixels_per_clock", page.values["rate"])
    page.key("ratio", ratio, row=of_rows)
    page.key("fast", page.values["times"])
    page.key("bytes_per_pixel", mean(run.bytes_per_pixel for run in runs),
             without=mean(run.bytes_without_cache for run in runs))  # fmt: skip
    if cases:
        direct, missing = (", ".join(str(span.least) for case, span in cases if span and
                           (case.kind == MISS) is missed) for missed in (False, True))  # fmt: skip
        page.key("cycle_counts", float(exact), direct=direct, missing=missing)
    page.key("checked", float(page.values["checked"]))

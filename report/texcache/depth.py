# SPDX-License-Identifier: Apache-2.0
"""Depth tested before or after texturing: footprints, misses and bytes of both."""

from configs import UserError
from models.depth import EARLY, LATE
from report.depth import BYTES, CYCLES, MISSES, Pair, draw_pairs, when_tested
from report.pages import Page
from report.results import AGAIN
from report.texcache.summary import Book


def draw(page: Page, book: Book) -> None:
    """The chapter. Raises :class:`UserError` if the two tests do not show the same."""
    traffic = book.traffic().replace(when_tested(book.depth), "depth tested in both places")
    draw_pairs(
        page, [pair(book, scene) for scene in book.scenes], traffic, "The pictures are equal, bit by bit."
    )


def pair(book: Book, scene: str) -> Pair:
    """A scene with both tests."""
    chosen = book.scene(scene, "bilinear", "scan")
    [other] = book.results.of_kind("depth", scene=scene)
    if (book.results.run(chosen).picture != book.results.run(other).picture).any():
        raise UserError(f"{other.path}: another picture than {chosen.id}; {AGAIN}")
    counts = {}
    for workload in (chosen, other):
        run = book(workload)
        counts[workload.meta["depth"]] = {
            "footprints": run.counters["footprints"], "look-ups": run.counters["lookups"], MISSES: run.misses,
            BYTES: run.misses * run.cfg.cache.line_bytes, CYCLES: run.speed.cycles,
        }  # fmt: skip
    return Pair(scene, counts[EARLY], counts[LATE])

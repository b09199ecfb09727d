# SPDX-License-Identifier: Apache-2.0
"""Depth tested before or after texturing: footprints, misses and bytes of both."""

from configs import UserError
from models.depth import EARLY, LATE
from report import depth
from report.depth import BYTES, CYCLES, MISSES, Counts, Pair
from report.page import Section
from report.results import AGAIN
from report.texcache.summary import Book, Summary
from report.texcache.words import scene_traffic


def section(book: Book) -> Section:
    """The chapter. Raises :class:`UserError` if the two tests do not show the same."""
    found = [pair(book, scene) for scene in book.scenes]
    traffic = scene_traffic(book).replace(depth.when_tested(book.depth), "depth tested in both places")
    pictures = "Both show the same pictures, bit by bit."
    return depth.section("texcache", found, traffic, pictures)


def pair(book: Book, scene: str) -> Pair:
    """A scene with both tests."""
    chosen = book.scene(scene, "bilinear", "scan")
    [other] = book.results.of_kind("depth", scene=scene)
    if (book.results.run(chosen).picture != book.results.run(other).picture).any():
        raise UserError(f"{other.path}: another picture than {chosen.id}; {AGAIN}")
    counts = {one.meta["depth"]: _counts(book(one)) for one in (chosen, other)}
    return Pair(scene, counts[EARLY], counts[LATE])


def _counts(run: Summary) -> Counts:
    return {
        "footprints": run.counters["footprints"], "look-ups": run.counters["lookups"], MISSES: run.misses,
        BYTES: run.misses * run.cfg.cache.line_bytes, CYCLES: run.speed.cycles,
    }  # fmt: skip

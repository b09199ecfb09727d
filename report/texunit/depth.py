# SPDX-License-Identifier: Apache-2.0
"""Depth tested before or after texturing: quads, misses and bytes of both."""

from models.depth import EARLY, LATE, WHEN
from report import depth
from report.depth import BYTES, CYCLES, MISSES, Counts, Pair
from report.page import Section
from report.tables import whole
from report.texunit.results import Results, Run
from report.texunit.words import traffic


def section(found: Results) -> Section:
    """The chapter."""
    pairs = [pair(found, scene) for scene in found.scenes]
    words = traffic(found).replace(depth.when_tested(found.depth), "depth tested in both places")
    differ = sum(_differing(found, scene) for scene in found.scenes)
    pictures = (
        f"Of all pictures {whole(differ)} pixels differ: the unit chooses the level of a quad by which of "
        "its pixels are valid, and late the hidden ones are."
        if differ
        else "Both show the same pictures, bit by bit."
    )
    return depth.section("texunit", pairs, words, pictures)


def pair(found: Results, scene: str) -> Pair:
    """A scene with both tests."""
    counts = {run["depth"]: _counts(found, run) for run in _runs(found, scene)}
    return Pair(scene, counts[EARLY], counts[LATE])


def _runs(found: Results, scene: str) -> tuple[Run, Run]:
    [other] = set(WHEN) - {found.depth}
    return found.run(scene, "one"), found.run(scene, other)


def _counts(found: Results, run: Run) -> Counts:
    return {
        "quads": run["quads"], "pixels": run["pixels"], "queries": run["queries"],
        MISSES: run["counters"]["misses"], BYTES: run["lines"] * found.base.cache.line_bytes,
        CYCLES: run["cycles"],
    }  # fmt: skip


def _differing(found: Results, scene: str) -> int:
    """Pixels of the picture that are not the same with both tests."""
    one, other = (run.arrays["rtl"] for run in _runs(found, scene))
    return int((one != other).any(axis=-1).sum())

# SPDX-License-Identifier: Apache-2.0
"""The page of ``raster``: cycles by cause against a machine that counts them one by one; damage named."""

from collections import Counter

import numpy as np
import pytest

from configs import load
from configs.raster.schema import Config
from models.raster import RasterModel
from models.raster.cycles import NEVER, Cycles, cycles
from report.tables import number
from tb.raster.items import Distribution
from tb.raster.measuring import VISITED, roles_of
from tb.raster.measuring.causes import CAUSES, causes
from tb.raster.measuring.coverage import against_others
from tests.report.small import reported

ALWAYS = np.zeros(0, np.bool_)


@pytest.mark.parametrize("preset", ["base", "visited", "tiny"])
@pytest.mark.parametrize("seed", range(3))
def test_each_cycle_has_one_cause(preset: str, seed: int) -> None:
    """Counted by intervals, and here cycle by cycle."""
    cfg = load("raster", preset)
    assert isinstance(cfg, Config)
    words = Distribution().draw(cfg, np.random.default_rng(seed), 300)
    tiles, work = RasterModel(cfg).feed(words)
    timed = cycles(work, tiles["step"], np.zeros(len(words), np.int64), ALWAYS)
    total = int(max(timed.taken.max(), timed.left.max(initial=0))) + 1
    cause = np.full(total + 1000, CAUSES.index("vertices"))
    for word in np.flatnonzero(timed.handed != NEVER):
        cause[timed.taken[word] + 1 : timed.handed[word] + 1] = CAUSES.index("setup")
    for word in np.flatnonzero(timed.handed != NEVER):
        first = timed.handed[word] + 1
        cause[first : first + work["walk"][word]] = CAUSES.index("walk")
    cause[timed.offered - 3] = CAUSES.index("words")  # the walk is two cycles ahead of the pixels
    counted = Counter(cause[:total].tolist())
    by_cause = causes(work, timed, total)
    tail = int((cause[total:] != CAUSES.index("vertices")).sum())  # what goes on when the last word is out
    assert sum(by_cause.values()) == total
    for which, name in enumerate(CAUSES[:3]):
        assert abs(by_cause[name] - counted[which]) <= tail, name
    assert by_cause["words"] == len(tiles)


def test_a_consumer_that_waits_is_refused() -> None:
    empty = np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="not always ready"):
        causes(np.zeros(1), Cycles(empty, empty, empty, empty + 1), 1)


def test_roles_differ_in_what_they_say() -> None:
    base = load("raster", "base")
    assert isinstance(base, Config)
    cfgs = roles_of(base)
    assert [cfg.radix for cfg in cfgs.values()] == [2, 4, 16, 2]
    assert cfgs[VISITED].emit == "visited" and next(iter(cfgs.values())).name == "base"


def test_faster_dividers_give_more_tiles_a_clock() -> None:
    [rates, coverage] = reported("raster").tables
    by = {(row["scene"], row["role"]): row for row in rates.rows}
    for scene in ("wires", "objects"):
        slow, fast = by[scene, "radix 2"], by[scene, "radix 16"]
        assert slow["tiles"] == fast["tiles"]
        assert slow["rate"] < fast["rate"]  # type: ignore[operator]
        assert by[scene, VISITED]["tiles"] >= slow["tiles"]  # type: ignore[operator]
        assert sum(number(slow[name]) for name in CAUSES) == pytest.approx(1)
    beside = [(row["kind"], row["beside"]) for row in coverage.rows]
    assert beside == [
        ("points", "llvmpipe"), ("lines", "llvmpipe"), ("triangles", "models/rasterizer.py"),
    ]  # fmt: skip


def test_coverage_is_counted_pixel_by_pixel() -> None:
    coverage = against_others()
    assert coverage["points"]["differ"] == coverage["triangles"]["differ"] == 0
    assert (coverage["points"]["primitives"], coverage["lines"]["primitives"]) == (3000, 600)
    assert coverage["lines"]["differ"] == 9  # four pixels beside one another, and one left out
    assert coverage["triangles"]["pixels"] > 20_000

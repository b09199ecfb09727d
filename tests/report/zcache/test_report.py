# SPDX-License-Identifier: Apache-2.0
"""The page of ``zcache``: numbers that add up, damage named, the paper's own arithmetic."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from configs import UserError
from configs.zcache.counters import CAUSES
from models.zcache.figures import DROPS, FATES
from report.tables import Table, Value, number
from report.words import spread
from report.zcache import build, claims, surface
from report.zcache.results import AHEAD, BOTH, BOUNDS, EARLY, MARKS, OFF, ZcacheResults
from report.zcache.runs import ROLES, SAVERS
from tb.zcache.measuring.adapting import distances
from tests.report.small import copy, figure, measured, reported
from utils.files import write_checked


def table(name: str) -> Table:
    [match] = (candidate for candidate in reported("zcache").tables if candidate.name == name)
    return match


def test_rates_are_of_the_counts() -> None:
    results = ZcacheResults(measured("zcache"))
    for row in table("zcache_hits").rows:
        role = next(role for role, name in ROLES.items() if name == row["kind"])
        run = results.run(str(row["scene"]), role)
        counters = run["counters"]
        assert row["tile"] == pytest.approx(counters["hits"] / run["tiles"])
        assert row["row"] == pytest.approx(1 - (counters["lates"] + counters["misses"]) / run["rows"])
        assert row["read"] == 64 * (counters["fills"] + counters["prefetches"])
        assert row["written"] + row["cleared"] == 64 * counters["writebacks"]  # type: ignore[operator]
    for scene in results.scenes:
        ahead, off = results.run(scene, AHEAD), results.run(scene, OFF)
        assert ahead["tiles"] == off["tiles"] and ahead["misses"] <= off["misses"]


def test_waits_are_those_of_the_latency() -> None:
    """A tile's latency is the two cycles of a hit and those in which it waits, as each result is taken."""
    results = ZcacheResults(measured("zcache"))
    for row in table("zcache_waits").rows:
        run = results.run(str(row["scene"]), AHEAD if row["kind"] == "with" else OFF)
        assert row["result"] == 0, "a replay takes each result"
        assert number(row["waits"]) == round((run["latency"] - 2) * run["tiles"])
        assert sum(number(row[cause]) for cause in CAUSES) == row["waits"]


def test_distances_are_beside_the_best_one() -> None:
    results = ZcacheResults(measured("zcache"))
    assert list(results.adapting) == list(results.scenes)
    for scene, its in results.adapting.items():
        rows = [row for row in table("zcache_distances").rows if row["scene"] == scene]
        assert [row["distance"] for row in rows] == [
            *(str(distance) for distance in distances(True)),
            "adaptive",
        ]
        least = min(number(row["cycles"]) for row in rows[:-1])
        assert [row["excess"] for row in rows] == [number(row["cycles"]) / least - 1 for row in rows]
        assert its["point"]["sets"] == 16


def test_prefetches_add_up() -> None:
    rows = table("zcache_prefetches").rows
    assert rows
    for row in rows:
        issued = sum(int(row[name] or 0) for name in FATES)
        assert row["issued"] == issued
        assert row["requests"] == issued + sum(int(row[name] or 0) for name in DROPS)


def test_lines_that_serve_no_test_are_told_by_their_cause() -> None:
    """A tile that tested nothing, or a line that left before its test; the shares are those of the table."""
    rows = table("zcache_prefetches").rows
    names = (*FATES, "issued")
    ahead = [{name: float(row[name] or 0) for name in names} for row in rows if row["kind"] == ROLES[AHEAD]]
    idle = [(run["useless"] + run["open"]) / run["issued"] for run in ahead]
    early = [run["early"] / run["issued"] for run in ahead]
    learn = figure("zcache", "fates").learn
    assert f"{spread(idle)} of the lines belong to tiles that tested nothing" in learn
    assert f"{spread(early)} left before their own test" in learn


def test_reads_saved_are_of_the_counts() -> None:
    results, shares = ZcacheResults(measured("zcache")), dict[tuple[Value, Value], float]()
    for row in table("zcache_bounds").rows:
        role = next((role for role, name in SAVERS.items() if name == row["kind"]), AHEAD)
        counters = results.run(str(row["scene"]), role)["counters"]
        assert row["reads"] == counters["fills"] + counters["prefetches"] - counters.get("blanks", 0)
        shares[row["scene"], role] = float(row["saved"] or 0)
        assert (int(row["blanks"] or 0) > 0) == (role in (MARKS, BOTH))
        assert row["rejected"] == counters.get("rejected", 0)
    assert set(results.scenes) - set(results.bounded) == {"garden"}, "its shader discards pixels"
    assert len(shares) == 2 * len(results.scenes) + 2 * len(results.bounded)
    for scene in results.scenes:
        assert shares[scene, AHEAD] == 0 < shares[scene, MARKS] <= shares.get((scene, BOTH), 1) <= 1


def test_early_shades_what_passed() -> None:
    """Not of scenes whose shader discards pixels; late all that is covered is shaded."""
    results, rows = ZcacheResults(measured("zcache")), table("zcache_early").rows
    assert {row["scene"] for row in rows} == set(results.scenes) - {"garden"}
    for row in rows:
        scene, early = str(row["scene"]), row["test"] == "early"
        counters = results.run(scene, EARLY if early else AHEAD)["counters"]
        assert row["shaded_pixels"] == (counters["passed"] if early else results.about[scene]["pixels"])
        assert row["reads"] == counters["fills"] + counters["prefetches"]


def test_the_papers_own_contradiction() -> None:
    """Four reductions from 30.83 to 39.87 % cannot have a mean of 40.43 %."""
    low, high = claims.BOUNDS
    assert low == pytest.approx((3 * 30.83 + 39.87) / 400) and high == pytest.approx(
        (30.83 + 3 * 39.87) / 400
    )
    assert high < claims.CUT_MOST < claims.CUT_MEAN
    [row] = (row for row in table("zcache_paper").rows if row["what"] == "mean change of the latency")
    assert "contradiction" in str(row["remark"])


def test_a_base_that_fits_the_two_means() -> None:
    """Turned round: with that base, its mean gain gives its mean reductions."""
    hit, miss = 2, 40
    for base, less in zip(claims.base_at_most(hit, miss), sorted(claims.BOUNDS), strict=True):
        off = hit + (1 - base) * (miss - hit)
        ahead = hit + (1 - base - claims.MEAN) * (miss - hit)
        assert 1 - ahead / off == pytest.approx(less)


def test_the_nearest_setting_is_first() -> None:
    apart = [float(row["apart"]) for row in table("zcache_settings").rows]  # type: ignore[arg-type]
    assert apart == sorted(apart)
    inside: dict[str, Any] = {"gain_row": 0.0951, "reduction": 0.35}
    assert claims.fits(inside)
    changes: list[dict[str, Any]] = [
        {"gain_row": 0.12}, {"gain_row": 0.07}, {"reduction": 0.3}, {"reduction": 0.4},
    ]  # fmt: skip
    for change in changes:
        assert not claims.fits(inside | change)


def test_from_how_many_tiles_on_ott_helps() -> None:
    many = [64, 256, 512]
    said = surface.when(many, [0.02, 0.01, 0.1], [0.02, 0.07, 0.4])
    assert said.startswith("From 256 tiles in flight on, OTT saves")
    assert "With 512, 10.0\xa0% of the tiles miss with OTT, 40.0\xa0% with plain" in said
    assert surface.when(many, [0.1] * 3, [0.1] * 3).startswith("OTT saves at most")


def damage(folder: Path, change: Callable[[dict[str, Any]], None], role: str = AHEAD) -> None:
    path = ZcacheResults(folder).run("wires", role)["path"]
    figures = json.loads(path.read_text())
    change(figures)
    write_checked(path, figures)


def test_other_tiles_without_prefetch_are_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path, "zcache")
    damage(folder, lambda f: f.update(rows=f["rows"] + 1))
    with pytest.raises(UserError, match="other tiles than without prefetch"):
        build(folder, lambda words: None)


def test_other_tiles_with_bounds_are_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path, "zcache")
    damage(folder, lambda f: f["counters"].update(rejected=f["counters"]["rejected"] + 1), BOUNDS)
    with pytest.raises(UserError, match="other tiles than with none"):
        build(folder, lambda words: None)

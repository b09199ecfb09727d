# SPDX-License-Identifier: Apache-2.0
"""The depth cache's measurement: complete, compared in every cycle and with the depth buffer; the surface."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from models.memory import Memory
from models.zcache import run
from models.zcache.figures import figures, hit_rate
from report.results import check_sums
from report.zcache.results import sums
from tb.common.measuring.command import main
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.workload import DisagreementError
from tb.common.replay.traffic import Traffic
from tb.zcache.measuring import MEASUREMENT, scene
from tb.zcache.measuring.scene import (
    AHEAD,
    BOTH,
    BOUNDS,
    EARLY,
    GAINS,
    GAINS_OFF,
    MARKS,
    OFF,
    PACE,
    PLAIN,
    SERIAL,
    SERIAL_OFF,
    SceneRuns,
    check_tested,
    roles_of,
)
from tb.zcache.measuring.surface import (
    DELAY,
    DISTANCE,
    FILLS,
    FLIGHT,
    LATENCY,
    READS,
    SERIAL_DELAY,
    TILES,
    TOUCH,
    Point,
    SurfaceRuns,
    points,
)
from tb.zcache.replay import words
from tests.report.small import ARGUMENTS
from workloads.scenes import SCENES
from workloads.scenes.depth_scenes import ALL_SCENES, DEPTH_SCENES
from workloads.scenes.options import Pictures
from workloads.scenes.views import built_in_view
from workloads.zcache.depth_buffer import final_depths
from workloads.zcache.trace import tile_columns


def order(out: Path, *scenes: str, quick: bool = True) -> SceneOrder:
    pictures = Pictures(40, 32, tuple(built_in_view(name, ALL_SCENES) for name in scenes))
    base = load("zcache", "paper")
    return SceneOrder(base, out, "make report BLOCK=zcache", 3, quick, pictures=pictures)


def test_covers_what_the_report_promises() -> None:
    plan = MEASUREMENT.plan(order(Path(), *ALL_SCENES, quick=False))
    runs = {workload.view.source: workload for workload in plan if isinstance(workload, SceneRuns)}
    surfaces = {workload.view.source for workload in plan if isinstance(workload, SurfaceRuns)}
    assert set(runs) == set(DEPTH_SCENES) | set(SCENES) and surfaces == set(DEPTH_SCENES)
    for name, scene_runs in runs.items():
        assert {AHEAD, OFF, PLAIN, MARKS, BOUNDS, BOTH, EARLY} <= set(scene_runs.cfgs)
        scarce = {SERIAL, SERIAL_OFF, GAINS, GAINS_OFF}
        assert scarce & set(scene_runs.cfgs) == (scarce if name in DEPTH_SCENES else set())
    cfgs = runs["wires"].cfgs
    presets = (
        (AHEAD, "paper"),
        (OFF, "base"),
        (MARKS, "fast-clear"),
        (BOUNDS, "hierarchical"),
        (EARLY, "early"),
    )
    assert all(cfgs[role].name == name for role, name in presets), "builds of presets are shared"
    assert cfgs[BOTH].marks and cfgs[BOTH].bounds
    assert cfgs[SERIAL] == load("zcache", "paper-serial")
    assert cfgs[GAINS] == load("zcache", "paper-gains")
    assert cfgs[SERIAL].shading.cycles == 4 * cfgs[SERIAL].memory.latency == SERIAL_DELAY
    assert not cfgs[PLAIN].ott and cfgs[PLAIN].with_(ott=True).hash == cfgs[AHEAD].hash


def test_planes_of_the_surface_cross_in_the_middle() -> None:
    middle = (LATENCY, DELAY, TILES, FILLS, PACE, True, True)
    for quick in (False, True):
        every = points(quick)
        assert len(set(every)) == len(every)
        for plane in (DISTANCE, FLIGHT, READS):
            assert Point(plane, *middle) in every
    full = points(False)
    assert {point.delay / point.latency for point in full if point.slice == DISTANCE} == {0.5, 1, 1.5, 2, 4}
    assert {point.tiles for point in full if point.slice == TOUCH} == {64, 128, 256, 512, 1024}
    assert {point.base for point in full if point.slice == TOUCH} == {Point("", pace=4)}
    assert Counter((point.ott, point.evicts) for point in full if point.slice == TOUCH) == {
        (True, False): 5, (True, True): 5, (False, False): 5,
    }  # fmt: skip


def test_a_request_takes_a_line_that_nobody_used_where_it_may() -> None:
    small = replace(order(Path(), "wires"), base=load("zcache", "paper", ["cache.sets=2"]))
    [surface] = (workload for workload in MEASUREMENT.plan(small) if isinstance(workload, SurfaceRuns))
    place = Point(TOUCH, delay=256, tiles=64, fills=2, pace=4)
    kept, taken = (surface._at(small, place._replace(evicts=evicts), True) for evicts in (False, True))
    assert taken["dropped_untouched"] < kept["dropped_untouched"]
    assert taken["fate_early"] > kept["fate_early"]


def test_what_has_no_part_in_the_base_has_none() -> None:
    """Neither delay nor reads change what a tile meets without prefetch, or how long it takes then."""
    small = order(Path(), "wires")
    [surface] = (workload for workload in MEASUREMENT.plan(small) if isinstance(workload, SurfaceRuns))
    first, *others = (
        surface._at(small, Point("", delay=delay, fills=fills), False)
        for delay, fills in ((120, 8), (30, 8), (240, 1))
    )
    for other in others:
        assert [other[name] for name in ("hits", "misses", "lines")] == [
            first[name] for name in ("hits", "misses", "lines")
        ]
        assert other["latency"] == pytest.approx(first["latency"], rel=0.01)


def scene_of(small: SceneOrder) -> SceneRuns:
    [scene_runs] = (workload for workload in MEASUREMENT.plan(small) if isinstance(workload, SceneRuns))
    return replace(scene_runs, cfgs={OFF: scene_runs.cfgs[OFF], AHEAD: scene_runs.cfgs[AHEAD]})


def lied(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """The model's run, changed."""

    def lying(*arguments: Any, **options: Any) -> Any:
        return change(run(*arguments, **options))

    return lying


def later(replayed: Any) -> Any:
    replayed.results["left"][-1] += 1
    return replayed


def kinds(replayed: Any) -> Any:
    replayed.results["kind"][5] ^= 1
    return replayed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (kinds, r"wires/off: event 5.*kind"),
        (later, r"wires/off: word \d+ is answered in another cycle"),
        (lambda replayed: replayed._replace(counters={**replayed.counters, "hits": 0}), "wires/off: .*hits"),
    ],
)
def test_a_disagreement_is_not_stored(
    change: Callable[[Any], Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison is alive: a model that says something else stops the measurement."""
    small = order(tmp_path, "wires")
    monkeypatch.setattr(scene, "run", lied(change))
    with pytest.raises(DisagreementError, match=message):
        scene_of(small).run(small, OFF)
    assert not list(tmp_path.glob("runs/*"))


def test_the_depth_buffer_is_a_second_opinion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = order(tmp_path, "wires")
    scene_runs = scene_of(small)
    for array, message in ((0, "memory is not what it is without"), (1, "other pixels pass than without")):

        def lying(frame: Any, array: int = array) -> Any:
            depths = final_depths(frame)
            depths[array].reshape(-1)[-1] ^= 1
            return depths

        monkeypatch.setattr(scene, "final_depths", lying)
        with pytest.raises(DisagreementError, match=message):
            scene_runs.run(small, OFF)


def test_maps_and_figures_are_of_one_run(tmp_path: Path) -> None:
    small = order(tmp_path, "wires")
    scene_runs = scene_of(small)
    result = scene_runs.run(small, OFF)
    assert int(result.arrays["missed"].sum()) == result.about["misses"]
    assert 0 < hit_rate(dict(result.about), "tile") < hit_rate(dict(result.about), "pixel") < 1
    about = scene_runs._about(small)
    assert about.about["kinds"].keys() == {"points", "lines", "line_strip"}
    assert int(np.sum(about.arrays["drawn"])) == about.about["pixels"]
    covered, visited = (row for row in about.about["emits"] if not row["prefetch"] and "rows" in row["emit"])
    assert covered["tiles"] == visited["tiles"] and covered["given"] <= visited["given"]


def test_figures_of_what_is_rejected_add_up() -> None:
    """In a cache that holds few of the tiles; the report refuses figures that do not."""
    base: Any = load("zcache", "paper", ["cache.sets=2", "cache.ways=2"])
    scene_runs = scene_of(order(Path(), "objects"))
    by_role = {}
    for role, cfg in roles_of(base, scarce=False).items():
        requests = words(tile_columns(cfg, scene_runs.frame))
        replayed = run(cfg, requests, Memory(1), pacing=Traffic.spaced(PACE))
        pixels = {"passed_pixels": int(np.bitwise_count(replayed.results["passed"]).sum())}
        by_role[role] = {**figures(cfg, requests, replayed), **pixels, "counters": replayed.counters}
        check_sums(Path(role), sums(by_role[role]))
    rejected = {role: by_role[role]["counters"].get("rejected", 0) for role in by_role}
    assert rejected[BOUNDS] > 10 and rejected[BOTH] > 10 and by_role[BOUNDS]["dropped_hopeless"] > 0
    assert {by_role[role]["tiles"] + rejected[role] for role in by_role} == {by_role[AHEAD]["tiles"]}


def test_what_discards_is_neither_tested_early_nor_rejected(tmp_path: Path) -> None:
    for name, roles in (("wires", [AHEAD, MARKS, BOUNDS, BOTH, EARLY]), ("garden", [AHEAD, MARKS])):
        small = order(tmp_path, name)
        scene_runs = next(workload for workload in MEASUREMENT.plan(small) if isinstance(workload, SceneRuns))
        scene_runs = replace(
            scene_runs, cfgs={role: scene_runs.cfgs[role] for role in (AHEAD, MARKS, BOUNDS, BOTH, EARLY)}
        )
        assert [made.role for made in scene_runs.measure(small).runs] == roles


def test_a_view_without_tests_is_refused() -> None:
    scene_runs = scene_of(order(Path(), "wires"))
    requests = words(tile_columns(scene_runs.cfgs[OFF], scene_runs.frame))
    check_tested(scene_runs.view, requests)
    for field in ("test", "mask"):
        none = requests.copy()
        none[field] = 0
        with pytest.raises(UserError, match="wires: no pixel is tested for its depth"):
            check_tested(scene_runs.view, none)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "base"], "base: without prefetch there is nothing to compare"),
        (["--config", "small"], "a replay has no shader"),
        (["--config", "hierarchical"], "hierarchical: the report itself adds marks, bounds"),
        (["--config", "fast-clear"], "fast-clear: the report itself adds marks"),
        (["--config", "plain"], "plain: the report itself adds marks, bounds, plain pseudo-LRU"),
        (["--config", "early"], "early: the report itself adds .* an early test"),
        (["--scenes", "castle"], "unknown scene 'castle': choose among wires, shore"),
        (
            ["--size", "64x64", "--set", "coordinate_bits=3 cache.sets=16"],
            "has surfaces to 32x32",
        ),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        main(["zcache", *ARGUMENTS[:3], *arguments])

# SPDX-License-Identifier: Apache-2.0
"""The measurement of the pipelined units and its page: complete, checked, damage named."""

import json
from pathlib import Path

import pytest

from configs import UserError, load
from models.memory import Memory
from models.texpipe import TexpipeModel
from report.tables import number
from report.texpipe import PARTS, TexpipeResults, build, rate
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.workload import hardware
from tb.texpipe.measuring import AHEAD, LATENCIES, MEASUREMENT
from tests.report.small import copy, measured, reported
from utils.files import write_checked
from workloads.scenes import SCENES, built_in
from workloads.scenes.options import Pictures
from workloads.scenes.views import built_in_view
from workloads.texunit.quads import quad_frame


def test_covers_what_the_report_promises() -> None:
    pictures = Pictures(40, 32, tuple(map(built_in_view, SCENES)))
    order = SceneOrder(load("texpipe"), Path(), "make report BLOCK=texpipe", 3, False, pictures=pictures)
    workloads = MEASUREMENT.plan(order)
    assert len({workload.id for workload in workloads}) == len(workloads)
    for scene in SCENES:
        cfgs = {
            role: cfg
            for workload in workloads
            if workload.view.name == scene
            for role, cfg in workload.cfgs.items()
        }
        roles = {"one", "all", "published", "nearest", "rgb", "table", "trilinear"}
        roles |= {f"{machine}/{at}" for machine in ("one", "published") for at in LATENCIES}
        assert roles | {f"ahead/{depth}" for depth in AHEAD} == set(cfgs)
        assert cfgs["trilinear"].name == "trilinear", "the preset"
        assert cfgs["one"].name == cfgs["published"].name == "one-unit", "a preset's build is shared"
        assert cfgs["one"].memory == cfgs["published"].memory
        assert hardware(cfgs["published/1"]) == load("texunit", "one-unit"), "memory alone differs"


@pytest.mark.slow
def test_results_are_those_of_the_model() -> None:
    frame = quad_frame(built_in("objects"), 40, 32)
    model = TexpipeModel(load("texpipe", "one-unit"), Memory(3, 0, frame.image))
    beats = model.replay(*frame.stream)[1]
    run = TexpipeResults(measured("texpipe")).runs["objects", "one"]
    assert run["counters"]["lookups"] == int(beats["valid"].sum())
    assert run["counters"]["hits"] == int((beats["valid"] & beats["hit"]).sum())
    assert 0 < rate(run) <= 1
    mixed = TexpipeResults(measured("texpipe")).runs["objects", "trilinear"]
    assert 0.5 < mixed["mixed"] <= 1 and 0 < rate(mixed) <= 0.6, "two beats a pixel of two levels"
    assert mixed["llvmpipe"]["our_levels"]["same"] == 1


def test_each_scene_says_what_all_units_are_beside_one() -> None:
    results = TexpipeResults(measured("texpipe"))
    [table] = [table for table in reported("texpipe").tables if table.name == "texpipe_units"]
    for row, scene, single, every in zip(
        table.rows, results.scenes, results.of("one"), results.of("all"), strict=True
    ):
        assert row["scene"] == scene and row["times"] == rate(every) / rate(single)


def test_both_units_have_their_lines_and_hits_by_one_rule() -> None:
    """Of RGBA8 a query of the published unit is a texel: by texel its hits are those that it counts."""
    results = TexpipeResults(measured("texpipe"))
    [table] = [table for table in reported("texpipe").tables if table.name == "texpipe_rates"]
    rows = {(row["machine"], row["scene"]): row for row in table.rows}
    for scene in results.scenes:
        theirs, ours = results.runs[scene, "published"], results.runs[scene, "one"]
        for machine, run in (("published unit", theirs), ("one unit", ours)):
            row, misses = rows[machine, scene], run["counters"]["misses"]
            assert run["texels"] == 4 * run["pixels"] and row["lines"] == misses / run["pixels"]
            assert row["fetched"] == 1 - misses / run["texels"]
            assert row["bytes"] == pytest.approx(16 * number(row["lines"]))
        assert theirs["counters"]["queries"] == theirs["texels"]
        row = rows["published unit", scene]
        assert row["hit_rate"] == pytest.approx(number(row["fetched"])), "repeats included"
        row = rows["one unit", scene]
        assert number(row["hit_rate"]) < number(row["fetched"]), "of lines, of which a pixel has fewer"
    assert results.runs["objects", "nearest"]["texels"] == results.runs["objects", "nearest"]["pixels"]
    mixed = results.runs["objects", "trilinear"]
    assert mixed["texels"] == pytest.approx(4 * mixed["pixels"] * (1 + mixed["mixed"]))


def test_rates_over_latency_are_those_of_each_scene() -> None:
    results = TexpipeResults(measured("texpipe"))
    [table] = [table for table in reported("texpipe").tables if table.name == "texpipe_latency"]
    roles = {"published unit": "published", "this unit": "one"}
    visited = set()
    for row in table.rows:
        if row["scene"] in results.scenes:
            role = roles[str(row["machine"])]
            name = (
                role
                if row["latency"] == results.index["base"]["memory"]["latency"]
                else f"{role}/{row['latency']}"
            )
            assert row["rate"] == rate(results.runs[str(row["scene"]), name])
            visited.add((name, row["scene"]))
    names = {
        (name, scene) for scene, name in results.runs if name in ("one", "published") or name.endswith("400")
    }
    assert names <= visited and len(visited) == 3 * len(roles) * len(results.scenes)


def test_each_cycle_has_one_part() -> None:
    """What is counted right before the look-up never overlaps; the lowest part is the rate."""
    results = TexpipeResults(measured("texpipe"))
    [table] = [table for table in reported("texpipe").tables if table.name == "texpipe_cycles"]
    assert len(table.rows) == 2 * len(results.scenes)
    for row in table.rows:
        run = results.runs[str(row["scene"]), "one" if row["machine"] == "pipelined" else "published"]
        shares = [number(row[name]) for name in PARTS]
        assert min(shares) >= 0 and sum(shares) == pytest.approx(1)
        assert row["ideal"] == pytest.approx(rate(run), rel=1 / run["cycles"])  # these are rounded
        always, never = {"ideal", "rest"}, {"turns", "memory"}
        if row["machine"] == "published":
            always, never = always | never, {"ask", "ahead"}
        assert always <= {name for name in PARTS if row[name]} <= set(PARTS) - never
        assert (row["quad_wait"] is None) == (row["machine"] == "published")


@pytest.mark.parametrize(
    ("role", "name"), [("published", "memory_wait_cycles"), ("one", "ahead_wait_cycles")]
)
def test_parts_that_are_more_than_all_are_refused(role: str, name: str, tmp_path: Path) -> None:
    folder = copy(tmp_path, "texpipe")
    [listed] = [
        run for run in json.loads((folder / "index.json").read_text())["runs"]
        if (run["workload"], run["role"]) == ("objects", role)
    ]  # fmt: skip
    path = folder / listed["file"]
    run = json.loads(path.read_text())
    write_checked(path, {**run, "counters": {**run["counters"], name: run["cycles"]}})
    with pytest.raises(UserError, match=f"{path.name}: its cycles do not add up"):
        build(folder, lambda words: None)
